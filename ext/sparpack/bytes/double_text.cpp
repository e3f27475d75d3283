// Finds the digits of a double and writes them, with the point or the exponent in its place.
#include "double_text.hpp"

#include "powers_of_ten.hpp"

namespace sparpack {

namespace {

// digits times 10 to the power of the exponent.
struct ShortDecimal {
    uint64_t digits;
    int exponent;
};

// The product of a number and a power of ten, of which bit 0 also stands for all lower bits. The power is rounded up.
uint64_t multiply_to_odd(const Words &power, uint64_t number) {
    Words low = multiply(number, power.low), high = multiply(number, power.high);
    uint64_t middle = high.low + low.high;
    return (high.high + (middle < high.low)) | (middle > 1);
}

// Finds the digits of fraction * 2^exponent (Raffaele Giulietti, The Schubfach way to render doubles, 2021). `uneven` says
// that the next smaller double is half as far away as the next larger one.
[[gnu::noinline]] ShortDecimal double_shorten_slow(uint64_t fraction, int exponent, bool uneven) {
    // The floor of the logarithm of 2^exponent, or of three quarters of it.
    int k = (exponent * 1262611 - (uneven ? 524031 : 0)) >> 22;
    Words power = powers_of_ten[-k];
    bool rounded_down = -k < power_of_ten_close_first || -k > power_of_ten_close_last;
    power.low += rounded_down;
    power.high += rounded_down && power.low == 0;
    int shift = exponent + power_of_ten_log2(-k) + 1;
    bool odd = fraction & 1;
    uint64_t lower = multiply_to_odd(power, (4 * fraction - (uneven ? 1 : 2)) << shift) + odd;
    uint64_t number = multiply_to_odd(power, 4 * fraction << shift);
    uint64_t upper = multiply_to_odd(power, (4 * fraction + 2) << shift) - odd;
    uint64_t whole = number / 4, tens = whole / 10 * 10;
    if (whole >= 10) {
        bool below = lower <= 4 * tens, above = 4 * tens + 40 <= upper;
        if (below != above) return {tens + (above ? 10 : 0), k};
    }
    bool below = lower <= 4 * whole, above = 4 * whole + 4 <= upper;
    if (below != above) return {whole + above, k};
    uint64_t middle = 4 * whole + 2;
    return {whole + (number > middle || (number == middle && (whole & 1))), k};
}

// The same for most doubles with half of the work. The bits are those of a finite double above zero.
SPARPACK_INLINE ShortDecimal double_shorten(uint64_t bits) {
    uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
    int exponent = static_cast<int>(bits >> 52);
    if (SPARPACK_UNLIKELY(fraction == 0)) return double_shorten_slow(uint64_t{1} << 52, exponent - 1075, exponent > 1);
    if (SPARPACK_LIKELY(exponent != 0)) {
        fraction |= uint64_t{1} << 52;
    } else {
        exponent = 1;
    }
    exponent -= 1075;
    // The number and its neighbours are between 1 and 10 apart in units of 10^k.
    int k = exponent * 315653 >> 20;
    const Words &power = powers_of_ten[-k];
    int shift = exponent + power_of_ten_log2(-k);  // 0 to 3
    uint64_t scaled = fraction << (shift + 1);
    Words high = multiply(scaled, power.high);
    uint64_t rest = high.low + multiply(scaled, power.low).high;
    uint64_t whole = high.high + (rest < high.low);
    // Now the number is whole + rest / 2^64. Distances have 60 bits behind the point. A result within an error of a tie or
    // of a limit is left to the slow way.
    uint64_t last = whole % 10;
    constexpr uint64_t ten = uint64_t{10} << 60, half = uint64_t{1} << 63;
    uint64_t down = last << 60 | rest >> 4, reach = power.high >> (4 - shift), up = down + reach;
    if (SPARPACK_UNLIKELY(reach - down + 2 <= 4 || up - ten + 2 <= 4 || rest - half + 2 <= 4)) {
        return double_shorten_slow(fraction, exponent, false);
    }
    // No branches here: nobody can predict them.
    uint64_t over = up >= ten, round = over | (down < reach);
    return {whole + static_cast<uint64_t>(rest >= half) * (1 - round) + (over * 10 - last) * round, k};
}

// The characters of a number of 17 digits.
struct SeventeenDigits {
    uint8_t first;
    uint64_t next;  // eight characters each
    uint64_t last;
    int count;  // without the zeros at the end
};

SPARPACK_INLINE SeventeenDigits seventeen_digits(uint64_t number) {
    uint64_t top = number / ten_to_8, first = top / ten_to_8;
    uint64_t next = digits_split(static_cast<uint32_t>(top - first * ten_to_8));
    uint64_t last = digits_split(static_cast<uint32_t>(number - top * ten_to_8));
    int count = 17 - (last ? __builtin_clzll(last) : next ? 64 + __builtin_clzll(next) : 128) / 8;
    return {static_cast<uint8_t>('0' + first), next | digit_zeros, last | digit_zeros, count};
}

SPARPACK_INLINE void store_digits(uint8_t *p, const SeventeenDigits &digits) {
    *p = digits.first;
    store(p + 1, little_endian(digits.next));
    store(p + 9, little_endian(digits.last));
}

// Puts a point before the character with this index, from 0 to 7, and drops the last one.
SPARPACK_INLINE uint64_t insert_point(uint64_t characters, int index) {
    uint64_t before = (uint64_t{1} << 8 * index) - 1;
    return (characters & before) | uint64_t{'.'} << 8 * index | (characters & ~before) << 8;
}

}  // namespace

uint8_t *double_write_long(uint8_t *p, uint64_t bits) {
    if (!computes_exactly && bits == 0) {
        memcpy(p, "0.0", 3);
        return p + 3;
    }
    ShortDecimal decimal = double_shorten(bits);
    do {
        unsigned few = decimal.digits < ten_to_16;  // there are 16 or 17 digits; only the smallest doubles have less
        decimal.digits *= 1 + 9 * few;
        decimal.exponent -= static_cast<int>(few);
    } while (SPARPACK_UNLIKELY(decimal.digits < ten_to_16));
    SeventeenDigits digits = seventeen_digits(decimal.digits);
    int point = decimal.exponent + 17;  // how many digits stand before it
    if (SPARPACK_LIKELY(point >= 1 && point <= 15)) {
        store(p + 2, little_endian(digits.next));
        store(p + 10, little_endian(digits.last));
        uint64_t start = digits.first | digits.next << 8;
        if (SPARPACK_LIKELY(point < 8)) {
            store(p, little_endian(insert_point(start, point)));
        } else {
            store(p, little_endian(start));
            store(p + 8, little_endian(insert_point(digits.next >> 56 | digits.last << 8, point - 8)));
        }
        return p + 1 + (digits.count > point ? digits.count : point + 1);
    }
    if (point <= 0 && point > -4) {
        memcpy(p, "0.000000", 8);
        p += 2 - point;
        store_digits(p, digits);
        return p + digits.count;
    }
    if (point == 16 && digits.count == 17) {
        store_digits(p, digits);
        p[17] = p[16];
        p[16] = '.';
        return p + 18;
    }
    store_digits(p + 1, digits);
    p[0] = p[1];
    p[1] = '.';
    p += 1 + (digits.count > 1 ? digits.count : 2);
    int exponent = point - 1;
    p[0] = 'e';
    p[1] = exponent < 0 ? '-' : '+';
    uint32_t size = static_cast<uint32_t>(exponent < 0 ? -exponent : exponent);
    p += 2;
    if (size >= 100) *p++ = static_cast<uint8_t>('0' + size / 100);
    size %= 100;
    p[0] = static_cast<uint8_t>('0' + size / 10);
    p[1] = static_cast<uint8_t>('0' + size % 10);
    return p + 2;
}

}  // namespace sparpack
