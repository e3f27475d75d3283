// Integers as decimal text.
#pragma once

#include "digits.hpp"
#include "writer.hpp"

namespace sparpack {

constexpr size_t integer_text_max = 20;  // of 64 bits, with a sign

// Writes the digits of a number from 1 to 10^8 - 1 and touches eight bytes. Longer and shorter numbers take the same time,
// because no branch depends on the length.
SPARPACK_INLINE uint8_t *integer_write_short(uint8_t *p, uint32_t value) {
    uint64_t digits = digits_split(value);
    int zeros = __builtin_ctzll(digits) & ~7;
    store(p, little_endian((digits | digit_zeros) >> zeros));
    return p + 8 - zeros / 8;
}

// The same for 0 to 10^8 - 1. One or two digits are so common that they have branches of their own.
SPARPACK_INLINE uint8_t *integer_write_start(uint8_t *p, uint32_t value) {
    if (value < 10) {
        *p = static_cast<uint8_t>('0' + value);
        return p + 1;
    }
    if (value < 100) {
        uint32_t tens = value * 103 >> 10;
        store(p, little_endian(static_cast<uint16_t>(0x3030 + tens + ((value - tens * 10) << 8))));
        return p + 2;
    }
    return integer_write_short(p, value);
}

SPARPACK_INLINE uint8_t *integer_write_digits(uint8_t *p, uint64_t value) {
    if (SPARPACK_LIKELY(value < ten_to_8)) return integer_write_start(p, static_cast<uint32_t>(value));
    if (value < ten_to_16) {
        p = integer_write_start(p, static_cast<uint32_t>(value / ten_to_8));
    } else {
        p = integer_write_start(p, static_cast<uint32_t>(value / ten_to_16));
        value %= ten_to_16;
        digits_store(p, digits_split(static_cast<uint32_t>(value / ten_to_8)));
        p += 8;
    }
    digits_store(p, digits_split(static_cast<uint32_t>(value % ten_to_8)));
    return p + 8;
}

// The caller of these two has reserved integer_text_max bytes, even if the text is shorter: bytes behind it may change.
SPARPACK_INLINE uint8_t *unsigned_write(Writer &w, uint8_t *p, uint64_t value) {
    writer_check(w, p, integer_text_max);
    return integer_write_digits(p, value);
}

SPARPACK_INLINE uint8_t *integer_write(Writer &w, uint8_t *p, int64_t value) {
    writer_check(w, p, integer_text_max);
    uint64_t size = static_cast<uint64_t>(value);
    if (SPARPACK_UNLIKELY(value < 0)) {
        *p++ = '-';
        size = 0 - size;
    }
    return integer_write_digits(p, size);
}

// Reads digits from p on and returns where they end. Returns nullptr unless there are 1 to 19 digits. If the first of
// several is a zero, it returns nullptr, too.
SPARPACK_INLINE const uint8_t *unsigned_read(const uint8_t *p, const uint8_t *end, uint64_t *value) {
    const uint8_t *start = p;
    uint64_t sum = 0;
    if (SPARPACK_LIKELY(end - p >= 8)) {
        if (is_digit(p[0]) && !is_digit(p[1])) {
            *value = static_cast<uint64_t>(*p - '0');
            return p + 1;
        }
        uint64_t digits = digits_load(p);
        size_t count = digits_count(digits);
        if (SPARPACK_UNLIKELY(count == 0)) return nullptr;
        sum = digits_join(digits, count);
        p += count;
        if (count < 8) {
            if (SPARPACK_UNLIKELY(*start == '0' && count > 1)) return nullptr;
            *value = sum;
            return p;
        }
        if (end - p >= 8) {
            static constexpr uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, ten_to_8};
            digits = digits_load(p);
            count = digits_count(digits);
            if (count) sum = sum * powers[count] + digits_join(digits, count);
            p += count;
        }
    }
    const uint8_t *most = end - start > 20 ? start + 20 : end;
    for (; p < most && is_digit(*p); p++) {
        if (SPARPACK_UNLIKELY(p - start == 19)) return nullptr;
        sum = sum * 10 + static_cast<uint64_t>(*p - '0');
    }
    if (SPARPACK_UNLIKELY(p == start || (*start == '0' && p - start > 1))) return nullptr;
    *value = sum;
    return p;
}

// Reads an integer of `bits` bits as JSON writes it: a minus or none, no leading zeros. Returns where it ends, or nullptr if
// there is none or it is out of range. The caller looks at what follows: a point or an exponent makes another number of it.
template <int bits> SPARPACK_INLINE const uint8_t *integer_read(const uint8_t *p, const uint8_t *end, int64_t *value) {
    static_assert(bits == 8 || bits == 16 || bits == 32 || bits == 64);
    constexpr uint64_t most = (uint64_t{1} << (bits - 1)) - 1;
    uint64_t size = 0, negative = 0;
    if (SPARPACK_UNLIKELY(p < end && *p == '-')) {
        negative = 1;
        p++;
    }
    p = unsigned_read(p, end, &size);
    if (SPARPACK_UNLIKELY(!p || size > most + negative)) return nullptr;
    *value = static_cast<int64_t>((size ^ (0 - negative)) + negative);
    return p;
}

}  // namespace sparpack
