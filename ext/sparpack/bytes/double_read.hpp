// Doubles from decimal text: always the double nearest to the number, and of two that are equally near the even one.
#pragma once

#include "double_exact.hpp"
#include "integer_text.hpp"

namespace sparpack {

// Returns the double that a number means: all its digits, times 10 to the power of the exponent. Returns infinity for what
// is too large. (Daniel Lemire, Number Parsing at a Gigabyte per Second, 2021; Noble Mushtak and Daniel Lemire, Fast Number
// Parsing Without Fallback, 2022, which proves that 128 bits of a power of ten are always enough.)
SPARPACK_INLINE double double_of(uint64_t digits, int64_t exponent) {
    static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    // Both operands are exact, so the result is rounded once.
    if (computes_exactly && digits <= uint64_t{1} << 53 && exponent >= -22 && exponent <= 22) {
        double number = static_cast<double>(digits);
        return exponent < 0 ? number / powers[-exponent] : number * powers[exponent];
    }
    return double_bits(double_nearest(digits, exponent));
}

// Reads a number of JSON's grammar. Returns where it ends, or nullptr if it is not one. The caller looks at what follows,
// and whether the value is infinite. A number that ends where the bytes end is complete.
const uint8_t *double_read(const uint8_t *p, const uint8_t *end, double *value);

}  // namespace sparpack
