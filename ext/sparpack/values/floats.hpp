// Ruby's Floats. Most are immediates ("flonums"): three bits of the exponent, which are 011 or 100 for numbers around 1,
// make room for a tag. The functions here are inline. Ruby's own are calls, which cost much in a list of numbers.
#pragma once

#include "costs.hpp"

namespace sparpack {

#if USE_FLONUM

// 0.0 has an immediate of its own. It is the one that 2**-255 would have, so 2**-255 has none.
constexpr VALUE flonum_zero = 0x8000000000000002u;
constexpr uint64_t flonum_taken = 0x3000000000000000u;

// The value must be a Float.
SPARPACK_INLINE double float_value(VALUE value) {
    if (SPARPACK_UNLIKELY(!RB_FLONUM_P(value) || value == flonum_zero)) return rb_float_value(value);
    uint64_t bits = (2 - (value >> 63)) | (value & ~VALUE{3});
    bits = bits >> 3 | bits << 61;
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

// Returns 0 if there is no immediate, and for 0.0, which is rare.
SPARPACK_INLINE VALUE float_immediate(double number) {
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    uint64_t exponent = (bits >> 60 & 7) - 3;
    if (SPARPACK_UNLIKELY(exponent > 1 || bits == flonum_taken)) return 0;
    return ((bits << 3 | bits >> 61) & ~VALUE{3}) | RUBY_FLONUM_FLAG;
}

#else

constexpr VALUE flonum_zero = 0;  // no immediates

SPARPACK_INLINE double float_value(VALUE value) { return rb_float_value(value); }
SPARPACK_INLINE VALUE float_immediate(double) { return 0; }

#endif

// True for 0.0, unless there are no immediates.
SPARPACK_INLINE bool float_is_flonum_zero(double number) { return flonum_zero && number == 0 && !__builtin_signbit(number); }

SPARPACK_INLINE VALUE float_new(double number) {
    VALUE value = float_immediate(number);
    return SPARPACK_LIKELY(value) ? value : rb_float_new(number);
}

// Handles 0.0, and numbers that need an object. Returns false if the memory limit does not allow it.
[[gnu::noinline]] inline bool float_allocate(int64_t &memory, double number, VALUE *out) {
    if (float_is_flonum_zero(number)) {
        *out = flonum_zero;
        return true;
    }
    if (!charge(memory, float_cost())) return false;
    *out = rb_float_new_in_heap(number);
    return true;
}

SPARPACK_INLINE bool float_charged(int64_t &memory, double number, VALUE *out) {
    VALUE value = float_immediate(number);
    if (SPARPACK_UNLIKELY(!value)) return float_allocate(memory, number, out);
    *out = value;
    return true;
}

// Checks that this Ruby stores Floats as described here.
void floats_init();

}  // namespace sparpack
