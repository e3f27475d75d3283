// Ruby's numbers to those of the wires, and back.
#pragma once

#include "floats.hpp"

namespace sparpack {

// The result of converting a number.
enum class Conversion : uint8_t { ok, mismatch, out_of_range };

SPARPACK_COLD inline Conversion integer_big(VALUE value, int64_t *number) {
    if (RB_SPECIAL_CONST_P(value) || RB_BUILTIN_TYPE(value) != RUBY_T_BIGNUM) return Conversion::mismatch;
    int sign = rb_integer_pack(value, number, 1, sizeof *number, 0, INTEGER_PACK_2COMP | INTEGER_PACK_NATIVE_BYTE_ORDER);
    bool fits = (sign == 1 && *number >= 0) || (sign == -1 && *number < 0) || sign == 0;
    return fits ? Conversion::ok : Conversion::out_of_range;
}

// Only the cold path takes an address, and it takes that of a copy. So the number stays in a register.
SPARPACK_INLINE Conversion integer_of(VALUE value, int64_t *number) {
    if (SPARPACK_LIKELY(RB_FIXNUM_P(value))) {
        *number = RB_FIX2LONG(value);
        return Conversion::ok;
    }
    int64_t big = 0;
    Conversion result = integer_big(value, &big);
    *number = big;
    return result;
}

template <class T> SPARPACK_INLINE Conversion integer_in(VALUE value, int64_t *number) {
    Conversion result = integer_of(value, number);
    if (SPARPACK_LIKELY(result == Conversion::ok && *number == static_cast<T>(*number))) return Conversion::ok;
    return result == Conversion::ok ? Conversion::out_of_range : result;
}

// An Integer is accepted for a double, unless it is too large for one.
SPARPACK_COLD inline Conversion real_integer(VALUE value, double *number) {
    if (RB_FIXNUM_P(value)) {
        *number = static_cast<double>(RB_FIX2LONG(value));
        return Conversion::ok;
    }
    if (RB_SPECIAL_CONST_P(value) || RB_BUILTIN_TYPE(value) != RUBY_T_BIGNUM) return Conversion::mismatch;
    size_t size = rb_absint_size(value, nullptr);
    if (size >= 128) {
        // From 2**1024 - 2**970 on the number rounds to infinity, and rb_big2dbl would warn. Such a number has its highest
        // 54 bits set.
        uint64_t words[16];
        if (size > 128) return Conversion::out_of_range;
        rb_integer_pack(value, words, 16, sizeof *words, 0, INTEGER_PACK_MSWORD_FIRST | INTEGER_PACK_NATIVE_BYTE_ORDER);
        if (words[0] >> 10 == (uint64_t{1} << 54) - 1) return Conversion::out_of_range;
    }
    *number = rb_big2dbl(value);
    return Conversion::ok;
}

SPARPACK_INLINE Conversion real_of(VALUE value, double *number) {
    if (SPARPACK_LIKELY(RB_FLOAT_TYPE_P(value))) {
        *number = float_value(value);
        return Conversion::ok;
    }
    double real = 0;
    Conversion result = real_integer(value, &real);
    *number = real;
    return result;
}

// Makes a number that needs an object. Returns false if the memory limit does not allow it.
[[gnu::noinline]] inline bool integer_allocate(int64_t &memory, int64_t number, VALUE *out) {
    if (!charge(memory, integer_cost(sizeof number))) return false;
    *out = rb_ll2inum(number);
    return true;
}

SPARPACK_INLINE bool integer_charged(int64_t &memory, int64_t number, VALUE *out) {
    if (SPARPACK_UNLIKELY(!RB_FIXABLE(number))) return integer_allocate(memory, number, out);
    *out = LONG2FIX(static_cast<long>(number));
    return true;
}

}  // namespace sparpack
