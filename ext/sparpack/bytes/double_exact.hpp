// The nearest double to any decimal number: quickly for those of 64 bits, and by exact integers for those with more digits.
#pragma once

#include "base.hpp"

namespace sparpack {

constexpr uint64_t double_infinity = uint64_t{0x7ff} << 52;

SPARPACK_INLINE double double_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Returns the bits of the double nearest to digits * 10^exponent.
uint64_t double_nearest(uint64_t digits, int64_t exponent);

// Returns the double that text means, times 10 to the power of the exponent: digits, of which some may stand behind a point.
// The exponent counts from the last digit of the text.
double double_of_text(const uint8_t *p, const uint8_t *end, int64_t exponent);

}  // namespace sparpack
