// A uuid is 16 raw bytes on the wire and 36 characters for people (RFC 9562, section 4).
#pragma once

#include "base.hpp"

namespace sparpack {

constexpr size_t uuid_bytes = 16;
constexpr size_t uuid_text = 36;

inline bool uuid_hyphen(size_t i) { return i == 8 || i == 13 || i == 18 || i == 23; }

inline void uuid_format(const uint8_t *bytes, char *text) {
    const char *digits = "0123456789abcdef";
    for (size_t i = 0; i < uuid_text;) {
        if (uuid_hyphen(i)) {
            text[i++] = '-';
            continue;
        }
        text[i++] = digits[*bytes >> 4];
        text[i++] = digits[*bytes++ & 15];
    }
}

inline int uuid_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// True if the text is exactly what uuid_format writes. This is the usual case, and faster to check than to read and write.
inline bool uuid_is_canonical(const char *text, size_t size) {
    if (size != uuid_text || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-') return false;
    constexpr size_t ends[] = {8, 13, 18, 23, uuid_text};
    size_t i = 0;
    for (size_t end : ends) {
        for (; i < end; i++) {
            if (static_cast<uint8_t>(text[i] - '0') > 9 && static_cast<uint8_t>(text[i] - 'a') > 5) return false;
        }
        i++;
    }
    return true;
}

// Accepts digits of either case. Hyphens must be in their places.
inline bool uuid_parse(const char *text, size_t size, uint8_t *bytes) {
    if (size != uuid_text) return false;
    for (size_t i = 0; i < uuid_text;) {
        if (uuid_hyphen(i)) {
            if (text[i++] != '-') return false;
            continue;
        }
        int high = uuid_digit(text[i]), low = uuid_digit(text[i + 1]);
        if (high < 0 || low < 0) return false;
        *bytes++ = static_cast<uint8_t>(high << 4 | low);
        i += 2;
    }
    return true;
}

}  // namespace sparpack
