// Reads scalars and strings for a scan, and charges them. Only scan_values.hpp includes this file.
#pragma once

#include "../values/floats.hpp"
#include "../wire/wires.hpp"
#include "scan.hpp"

namespace sparpack {

namespace {

SPARPACK_INLINE bool charges_double(Scan &s, double real) {
    if (SPARPACK_LIKELY(float_immediate(real) != 0)) return true;
    return float_is_flonum_zero(real) || s.charges(float_cost());
}

// Reads a bool, an integer, or the bits of a double, and charges it.
template <class Wire, class Scalars>
SPARPACK_INLINE const uint8_t *read_number(Scan &s, const uint8_t *p, Kind kind, const typename Wire::Frame *frame,
                                           int64_t *number) {
    switch (kind) {
    case Kind::bool_: {
        bool flag = false;
        p = Scalars::read_bool(s.in, p, frame, &flag);
        *number = flag;
        return p;
    }
    case Kind::i8: return Scalars::read_i8(s.in, p, number);
    case Kind::i16: return Scalars::read_i16(s.in, p, number);
    case Kind::enum_:
        if (SPARPACK_UNLIKELY(s.options.validate >= Check::strict)) return nullptr;
        [[fallthrough]];
    case Kind::i32: return Scalars::read_i32(s.in, p, number);
    case Kind::i64:
        p = Scalars::read_i64(s.in, p, number);
        if (SPARPACK_UNLIKELY(!p || (!RB_FIXABLE(*number) && !s.charges(integer_cost(sizeof *number))))) return nullptr;
        return p;
    default: {
        double real = 0;
        p = Scalars::read_double(s.in, p, &real);
        if (SPARPACK_UNLIKELY(!p || !charges_double(s, real))) return nullptr;
        memcpy(number, &real, sizeof real);
        return p;
    }
    }
}

// Reads the place of text or binary, and charges and checks it.
template <class Wire, class Scalars>
SPARPACK_INLINE const uint8_t *read_string(Scan &s, const uint8_t *p, bool is_text, StringBytes *string) {
    p = is_text ? Scalars::read_text(s.in, p, string) : Scalars::read_binary(s.in, p, string);
    if (SPARPACK_UNLIKELY(!p)) return nullptr;
    const size_t size = string->length;
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(size) > s.options.string || !s.charges(string_cost(size)))) return nullptr;
    if (!is_text) return p;
    if constexpr (!Wire::traits.checks_text)
        string->text = utf8_check_within(string->data, size, static_cast<size_t>(s.in.end - string->data));
    return SPARPACK_LIKELY(string->text != Text::broken) || s.options.utf8_keep ? p : nullptr;
}

template <class Wire, class Scalars = Wire>
[[gnu::noinline]] const uint8_t *number_at(Scan &s, const uint8_t *p, Kind kind, const typename Wire::Frame *frame,
                                           int64_t *number) {
    return read_number<Wire, Scalars>(s, p, kind, frame, number);
}

template <class Wire, class Scalars = Wire>
[[gnu::noinline]] const uint8_t *string_at(Scan &s, const uint8_t *p, bool is_text, StringBytes *string) {
    return read_string<Wire, Scalars>(s, p, is_text, string);
}

}  // namespace

}  // namespace sparpack
