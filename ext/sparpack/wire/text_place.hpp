// Where a byte stands in text, as people and editors count.
#pragma once

#include <cstring>

#include "../bytes/base.hpp"

namespace sparpack {

// Both begin with 1. A line ends with a line feed. A column is a character of UTF-8.
struct TextPlace {
    size_t line = 1;
    size_t column = 1;
};

SPARPACK_COLD inline TextPlace text_place(const uint8_t *begin, const uint8_t *at) {
    TextPlace place;
    constexpr char mark[] = "\xef\xbb\xbf";
    if (at - begin >= 3 && memcmp(begin, mark, 3) == 0) begin += 3;  // editors do not count it
    while (const void *feed = memchr(begin, '\n', static_cast<size_t>(at - begin))) {
        begin = static_cast<const uint8_t *>(feed) + 1;
        place.line++;
    }
    for (; begin < at; begin++) place.column += (*begin & 0xc0) != 0x80;
    return place;
}

}  // namespace sparpack
