// A table of powers of ten gives the double of up to 19 digits. For more digits, large integers decide between two doubles.
#include "double_exact.hpp"

#include "digits.hpp"
#include "powers_of_ten.hpp"

namespace sparpack {

namespace {

// A natural number of up to 4096 bits: ten to the power of 1150 has 3821 bits, and a double's fraction fits as well.
struct BigInteger {
    static constexpr int room = 128;

    uint32_t parts[room];  // the lowest first
    int size;

    explicit BigInteger(uint64_t value) : size(2) {
        parts[0] = static_cast<uint32_t>(value);
        parts[1] = static_cast<uint32_t>(value >> 32);
    }

    void multiply_add(uint32_t factor, uint32_t more) {
        uint64_t carry = more;
        for (int i = 0; i < size; i++) {
            carry += uint64_t{parts[i]} * factor;
            parts[i] = static_cast<uint32_t>(carry);
            carry >>= 32;
        }
        // A number has room, unless another thread has changed its digits since they were counted.
        if (!carry || SPARPACK_UNLIKELY(size == room)) return;
        parts[size++] = static_cast<uint32_t>(carry);
    }

    void multiply_power_of_ten(int64_t exponent) {
        for (; exponent >= 9; exponent -= 9) multiply_add(1000000000, 0);
        for (; exponent > 0; exponent--) multiply_add(10, 0);
    }

    void multiply_power_of_two(int exponent) {
        for (; exponent >= 31; exponent -= 31) multiply_add(uint32_t{1} << 31, 0);
        multiply_add(uint32_t{1} << exponent, 0);
    }

    // Returns less than zero, zero or more than zero, as memcmp does.
    int compare(const BigInteger &other) const {
        for (int i = size > other.size ? size : other.size; i--;) {
            uint32_t mine = i < size ? parts[i] : 0, others = i < other.size ? other.parts[i] : 0;
            if (mine != others) return mine < others ? -1 : 1;
        }
        return 0;
    }
};

// Says whether a number is above zero, zero or below zero, minus the number halfway between two adjacent doubles, of which
// `low` has the bits of the lower one. The number is the first `most` of the text's digits, times 10^exponent.
int double_order(const uint8_t *p, const uint8_t *end, int64_t exponent, uint64_t low) {
    // A number halfway between two doubles has at most 767 digits. More digits only say that the number is larger.
    constexpr int most = 800;
    BigInteger number(0);
    int count = 0;
    bool more = false;
    for (; p < end; p++) {
        if (!is_digit(*p) || (count == 0 && *p == '0')) continue;
        uint32_t digit = static_cast<uint32_t>(*p - '0');
        if (count < most) {
            number.multiply_add(10, digit);
            count++;
        } else {
            more |= digit != 0;
            exponent++;
        }
    }
    if (more) {
        number.multiply_add(10, 1);
        exponent--;
    }
    uint64_t fraction = low & ((uint64_t{1} << 52) - 1);
    int power = static_cast<int>(low >> 52);
    if (power) {
        fraction |= uint64_t{1} << 52;
    } else {
        power = 1;
    }
    power -= 1075 + 1;
    BigInteger half(2 * fraction + 1);
    (exponent < 0 ? half : number).multiply_power_of_ten(exponent < 0 ? -exponent : exponent);
    (power < 0 ? number : half).multiply_power_of_two(power < 0 ? -power : power);
    return number.compare(half);
}

}  // namespace

uint64_t double_nearest(uint64_t digits, int64_t exponent) {
    if (SPARPACK_UNLIKELY(digits == 0 || exponent < power_of_ten_first)) return 0;
    if (SPARPACK_UNLIKELY(exponent > 308)) return double_infinity;
    int n = static_cast<int>(exponent), zeros = __builtin_clzll(digits);
    const Words &power = powers_of_ten[n];
    digits <<= zeros;
    Words product = multiply(digits, power.high);
    // The lower half of the power can only matter if it can carry into the bits that are kept.
    if (SPARPACK_UNLIKELY((product.high & 0x1ff) == 0x1ff)) {
        uint64_t more = multiply(digits, power.low).high;
        product.low += more;
        product.high += product.low < more;
    }
    int upper = static_cast<int>(product.high >> 63), drop = upper + 9;
    uint64_t fraction = product.high >> drop;  // 54 bits: one more than a double has
    int biased = power_of_ten_log2(n) + 63 + upper - zeros + 1023;
    if (SPARPACK_UNLIKELY(biased <= 0)) {
        // Less than the smallest normal double. No such number of 64 bits is a tie.
        if (biased <= -63) return 0;
        fraction >>= 1 - biased;
        return (fraction + (fraction & 1)) >> 1;  // rounding up may make it normal
    }
    // A tie goes to the even double. Only these powers divide or are divided without a rest.
    bool tie = product.low <= 1 && n >= -4 && n <= 23 && (fraction & 3) == 1 && fraction << drop == product.high;
    fraction = (fraction + ((fraction & 1) & !tie)) >> 1;  // 53 bits, or 2^53
    uint64_t bits = (static_cast<uint64_t>(biased - 1) << 52) + fraction;
    return bits < double_infinity ? bits : double_infinity;
}

double double_of_text(const uint8_t *p, const uint8_t *end, int64_t exponent) {
    const uint8_t *start = p;
    uint64_t digits = 0;
    int64_t behind = 0;  // digits that are not among the first 19
    int count = 0;
    for (; p < end; p++) {
        if (!is_digit(*p) || (count == 0 && *p == '0')) continue;
        if (count == 19) {
            behind++;
        } else {
            digits = digits * 10 + static_cast<uint64_t>(*p - '0');
            count++;
        }
    }
    uint64_t low = double_nearest(digits, exponent + behind);
    if (behind == 0 || low == double_nearest(digits + 1, exponent + behind)) return double_bits(low);
    // The number becomes this double or the next.
    int order = double_order(start, end, exponent, low);
    return double_bits(low + (order > 0 || (order == 0 && (low & 1))));
}

}  // namespace sparpack
