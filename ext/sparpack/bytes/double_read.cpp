// Reads a number as JSON writes it.
#include "double_read.hpp"

namespace sparpack {

namespace {

// Reads the exponent of a number, from behind its letter on. Returns where it ends, or nullptr if it has no digits.
[[gnu::noinline]] const uint8_t *exponent_read(const uint8_t *p, const uint8_t *end, int64_t *value) {
    // No text has so many digits that they could outweigh a larger exponent. Adding them to it does not overflow.
    constexpr int64_t enough = int64_t{1} << 56;
    bool minus = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    const uint8_t *start = p;
    int64_t sum = 0;
    for (; p < end && is_digit(*p); p++) sum = sum < enough ? sum * 10 + (*p - '0') : sum;
    *value = minus ? -sum : sum;
    return p == start ? nullptr : p;
}

}  // namespace

const uint8_t *double_read(const uint8_t *p, const uint8_t *end, double *value) {
    static constexpr uint32_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, ten_to_8};
    bool negative = p < end && *p == '-';
    p += negative;
    const uint8_t *start = p;
    uint64_t digits = 0;
    for (; p < end && is_digit(*p); p++) digits = digits * 10 + static_cast<uint64_t>(*p - '0');
    ptrdiff_t count = p - start;
    if (SPARPACK_UNLIKELY(count == 0 || (*start == '0' && count > 1))) return nullptr;
    int64_t exponent = 0;
    if (SPARPACK_LIKELY(p < end && *p == '.')) {
        const uint8_t *point = p++;
        for (size_t some = 8; some == 8 && end - p >= 8; p += some) {
            uint64_t word = digits_load(p);
            some = digits_count(word);
            if (some) digits = digits * powers[some] + digits_join(word, some);
        }
        for (; p < end && is_digit(*p); p++) digits = digits * 10 + static_cast<uint64_t>(*p - '0');
        exponent = point + 1 - p;
        if (SPARPACK_UNLIKELY(exponent == 0)) return nullptr;
        count -= exponent;
    }
    const uint8_t *finish = p;
    if (SPARPACK_UNLIKELY(p < end && (*p | 0x20) == 'e')) {
        int64_t power = 0;
        p = exponent_read(p + 1, end, &power);
        if (SPARPACK_UNLIKELY(!p)) return nullptr;
        exponent += power;
    }
    double number = SPARPACK_LIKELY(count <= 19) ? double_of(digits, exponent) : double_of_text(start, finish, exponent);
    *value = negative ? -number : number;
    return p;
}

}  // namespace sparpack
