// Powers of ten with 128 bits, and the product of two words. The compiler computes the table.
#pragma once

#include "base.hpp"

namespace sparpack {

struct Words {
    uint64_t high;
    uint64_t low;
};

SPARPACK_INLINE Words multiply(uint64_t a, uint64_t b) {
#ifdef __SIZEOF_INT128__
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(a) * b;
    return {static_cast<uint64_t>(product >> 64), static_cast<uint64_t>(product)};
#else
    uint64_t a1 = a >> 32, a0 = a & UINT32_MAX, b1 = b >> 32, b0 = b & UINT32_MAX;
    uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (middle & UINT32_MAX);
    return {a1 * b1 + (middle >> 32) + (other >> 32), other << 32 | (low & UINT32_MAX)};
#endif
}

// The exponents for which the table has a power. All doubles can be read with those up to 308 and written with those from
// -292 on.
constexpr int power_of_ten_first = -342;
constexpr int power_of_ten_last = 324;

// A power with an exponent from the first of these to the last is exact, or is rounded up if its exponent is negative. All
// others are rounded down.
constexpr int power_of_ten_close_first = -27;
constexpr int power_of_ten_close_last = 55;

// 10 to the power of n is a number from 2^127 to 2^128, times 2 to the power of (power_of_ten_log2(n) - 127).
constexpr int power_of_ten_log2(int n) { return n * 217706 >> 16; }

class PowersOfTen {
    Words powers[power_of_ten_last - power_of_ten_first + 1];

    // 32 bits each, the lowest first. There are enough to divide 2^991 by 5^342 and keep 128 bits, and for 5^324.
    static constexpr int parts = 31;
    struct Big {
        uint32_t part[parts];
    };

    static constexpr void multiply_by_5(Big &big) {
        uint64_t carry = 0;
        for (int i = 0; i < parts; i++) {
            carry += uint64_t{big.part[i]} * 5;
            big.part[i] = static_cast<uint32_t>(carry);
            carry >>= 32;
        }
    }

    static constexpr void divide_by_5(Big &big) {
        uint64_t rest = 0;
        for (int i = parts; i--;) {
            rest = rest << 32 | big.part[i];
            big.part[i] = static_cast<uint32_t>(rest / 5);
            rest %= 5;
        }
    }

    // The 128 bits from the highest on that is set.
    static constexpr Words top(const Big &big) {
        int high = parts - 1, shift = 0;
        while (!big.part[high]) high--;
        while (!(big.part[high] << shift & 0x80000000u)) shift++;
        uint64_t words[2] = {0, 0};
        for (int i = 0; i < 4; i++) {
            uint64_t upper = high - i < 0 ? 0 : big.part[high - i], lower = high - i - 1 < 0 ? 0 : big.part[high - i - 1];
            words[i / 2] = words[i / 2] << 32 | ((upper << 32 | lower) << shift) >> 32;
        }
        return {words[0], words[1]};
    }

public:
    constexpr PowersOfTen() : powers{} {
        Big big{};
        big.part[0] = 1;
        for (int n = 0; n <= power_of_ten_last; n++, multiply_by_5(big)) powers[n - power_of_ten_first] = top(big);
        big = Big{};
        big.part[parts - 1] = 0x80000000u;
        for (int n = -1; n >= power_of_ten_first; n--) {
            divide_by_5(big);
            Words power = top(big);
            if (n >= power_of_ten_close_first) power.low++;  // never the largest
            powers[n - power_of_ten_first] = power;
        }
    }

    constexpr const Words &operator[](int n) const { return powers[n - power_of_ten_first]; }
};

inline constexpr PowersOfTen powers_of_ten;

}  // namespace sparpack
