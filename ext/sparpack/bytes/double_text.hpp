// Doubles as decimal text: the fewest digits that mean the same double, and of these the nearest to it, as Ruby's Float#to_s
// writes them.
#pragma once

#include "integer_text.hpp"
#include "writer.hpp"

namespace sparpack {

constexpr size_t double_text_max = 24;   // -1.7976931348623157e+308
constexpr size_t double_text_room = 32;  // what double_write may touch

// Writes a double of any number of digits. The bits are those of a finite double that is not negative.
uint8_t *double_write_long(uint8_t *p, uint64_t bits);

// Writes a finite double. The caller has reserved double_text_room bytes: bytes behind the text may change.
SPARPACK_INLINE uint8_t *double_write(Writer &w, uint8_t *p, double value) {
    writer_check(w, p, double_text_room);
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *p = '-';
    p += bits >> 63;
    bits &= UINT64_MAX >> 1;
    // Few decimals are common, and quickly found: two different numbers of 15 digits never mean the same double, so one that
    // means this double has the fewest digits.
    double positive;
    memcpy(&positive, &bits, sizeof positive);
    if (computes_exactly && positive < 1e7) {
        uint64_t parts = static_cast<uint64_t>(positive * 1e8 + 0.5);  // less than 10^15
        if (static_cast<double>(parts) / 1e8 == positive && (parts >= 10000 || parts == 0)) {
            p = integer_write_digits(p, parts / ten_to_8);
            uint64_t decimals = digits_split(static_cast<uint32_t>(parts % ten_to_8));
            *p = '.';
            digits_store(p + 1, decimals);
            return p + 9 - __builtin_clzll(decimals | 1) / 8;
        }
    }
    return double_write_long(p, bits);
}

}  // namespace sparpack
