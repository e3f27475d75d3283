// The double that the text of a number means.
#pragma once

#include "../glue/ruby.hpp"
#include "../wire/json_text.hpp"

#include <ruby/util.h>
#include <cmath>
#include <cstdio>

namespace sparpack {

// Writes a number that is too long for strtod in a shorter form: its first significant digits as an integer, and the power
// of ten that belongs to them.
inline void decimal_shorten(const event::Decimal &decimal, const uint8_t *text, size_t size, char (&copy)[512]) {
    constexpr size_t most = 480;
    constexpr int64_t extreme = 100000;  // zero or infinity, whatever the digits are
    size_t taken = 0;
    int64_t dropped = 0;
    for (const uint8_t *p = text, *end = text + size; p < end && (*p | 0x20) != 'e'; p++) {
        if (!is_digit(*p) || (taken == 0 && *p == '0')) continue;
        if (taken < most) {
            copy[taken++] = static_cast<char>(*p);
        } else {
            dropped++;
        }
    }
    int64_t exponent = decimal.exponent + dropped;
    exponent = exponent > extreme ? extreme : exponent < -extreme ? -extreme : exponent;
    snprintf(copy + taken, sizeof copy - taken, "%se%d", taken ? "" : "0", static_cast<int>(exponent));
}

// Computes exactly if the digits and the power of ten are exact doubles. Otherwise Ruby's strtod does it. Returns false for
// infinity.
inline bool decimal_real(const event::Decimal &decimal, const uint8_t *text, size_t size, double *real) {
    static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (decimal.exact && decimal.mantissa <= uint64_t{1} << 53 && decimal.exponent >= -22 && decimal.exponent <= 22) {
        double digits = static_cast<double>(decimal.mantissa);
        double value = decimal.exponent < 0 ? digits / powers[-decimal.exponent] : digits * powers[decimal.exponent];
        *real = decimal.negative ? -value : value;
        return true;
    }
    char copy[512];
    if (size < sizeof copy) {
        memcpy(copy, text, size);
        copy[size] = 0;
        *real = ruby_strtod(copy, nullptr);
    } else {
        decimal_shorten(decimal, text, size, copy);
        double value = ruby_strtod(copy, nullptr);
        *real = decimal.negative ? -value : value;
    }
    return std::isfinite(*real);
}

}  // namespace sparpack
