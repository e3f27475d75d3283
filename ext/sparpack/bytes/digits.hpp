// Eight decimal digits at a time, as bytes of one word. The first digit is in the lowest byte.
#pragma once

#include "base.hpp"

namespace sparpack {

constexpr uint64_t digit_zeros = 0x3030303030303030u;  // "00000000"
constexpr uint32_t ten_to_8 = 100000000;
constexpr uint64_t ten_to_16 = 10000000000000000u;

// Splits a number below 10^8 into its eight digits, as numbers from 0 to 9. The number is cut in half three times, and each
// time all halves at once: the quotient comes from a multiplication by the inverse, which is exact for such small numbers.
SPARPACK_INLINE uint64_t digits_split(uint32_t number) {
    uint64_t fours = number / 10000 | static_cast<uint64_t>(number % 10000) << 32;
    uint64_t hundreds = (fours * 5243 >> 19) & 0x0000007f0000007fu;
    uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
    uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000fu;
    return tens | (twos - tens * 10) << 8;
}

// The reverse of digits_split.
SPARPACK_INLINE uint32_t digits_join(uint64_t digits) {
    uint64_t twos = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ffu;
    uint64_t fours = (twos * 100 + (twos >> 16)) & 0x0000ffff0000ffffu;
    return static_cast<uint32_t>(fours * 10000 + (fours >> 32));
}

// Loads eight characters. Those that are digits become numbers from 0 to 9.
SPARPACK_INLINE uint64_t digits_load(const uint8_t *p) { return little_endian(load<uint64_t>(p)) ^ digit_zeros; }

SPARPACK_INLINE void digits_store(uint8_t *p, uint64_t digits) { store(p, little_endian(digits | digit_zeros)); }

// Returns how many of eight loaded characters are digits, up to the first that is not.
SPARPACK_INLINE size_t digits_count(uint64_t digits) {
    // An addition carries only into bytes behind the first character that is no digit.
    uint64_t stops = ((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u;
    return stops ? static_cast<size_t>(__builtin_ctzll(stops)) / 8 : 8;
}

// Joins the first `count` of eight loaded characters, from 1 to 8.
SPARPACK_INLINE uint32_t digits_join(uint64_t digits, size_t count) { return digits_join(digits << (64 - 8 * count)); }

SPARPACK_INLINE bool is_digit(uint8_t byte) { return static_cast<uint8_t>(byte - '0') < 10; }

}  // namespace sparpack
