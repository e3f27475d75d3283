// The double that the text of a number means.
#pragma once

#include "../bytes/double_read.hpp"
#include "../wire/json/text.hpp"

namespace sparpack {

// Returns false for infinity.
inline bool decimal_real(const event::Decimal &decimal, const uint8_t *text, size_t size, double *real) {
    const uint8_t *end = text;
    while (end < text + size && (*end | 0x20) != 'e') end++;
    double number =
        decimal.exact ? double_of(decimal.mantissa, decimal.exponent) : double_of_text(text, end, decimal.exponent);
    *real = decimal.negative ? -number : number;
    return number < double_bits(double_infinity);
}

}  // namespace sparpack
