// Strings of all sorts, from the bytes of a wire.
#pragma once

#include "../values/text.hpp"
#include "decoder.hpp"

namespace sparpack {

// Writes the text that a string of a wire with escapes stands for.
template <class Scalars> VALUE unescaped(const StringBytes &string) {
    VALUE result = rb_str_new(nullptr, static_cast<long>(string.length));
    Scalars::unescape(string, reinterpret_cast<uint8_t *>(RSTRING_PTR(result)));
    return result;
}

// The same for the bytes of binary.
template <class Scalars> VALUE unescaped_binary(const StringBytes &string) {
    VALUE result = rb_str_new(nullptr, static_cast<long>(string.length));
    Scalars::unescape_binary(string, reinterpret_cast<uint8_t *>(RSTRING_PTR(result)));
    return result;
}

// Reads text or binary. `Scalars` is a wire or its Key.
template <class Wire, class Scalars>
SPARPACK_INLINE Cursor read_text(Decoder &d, Cursor p, const Type &type, VALUE *out, Role role, bool utf8) {
    StringBytes string;
    Cursor start = p;
    p = utf8 ? Scalars::read_text(d.in, p, &string) : Scalars::read_binary(d.in, p, &string);
    if (SPARPACK_UNLIKELY(!p)) return name_type(d, type);
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(string.length) > d.options.string))
        return fail_limit(d, Status::string_too_long, start, d.options.string);
    if (SPARPACK_UNLIKELY(!charge(d, string_cost(string.length)))) return fail_memory(d, start);
    const uint8_t *data = string.data;
    bool raw = Wire::traits.raw_strings || (Wire::traits.checks_text && utf8 && SPARPACK_LIKELY(!string.escaped));
    if constexpr (!Wire::traits.raw_strings) {
        if (!raw) {
            *out = utf8 ? unescaped<Scalars>(string) : unescaped_binary<Scalars>(string);
            data = string_bytes(*out);
        }
    }
    if (utf8) {
        Text text;
        if constexpr (Wire::traits.checks_text)
            text = string.text;
        else if constexpr (Wire::traits.raw_strings)
            text = utf8_check_within(data, string.length, static_cast<size_t>(d.in.end - data));
        else
            text = utf8_check(data, string.length);
        if (SPARPACK_UNLIKELY(text == Text::broken) && !d.options.utf8_keep) return fail(d, Status::invalid_utf8, start);
        if (raw) {
            *out = text_new(data, string.length, text);
        } else {
            text_mark(*out, text);
        }
    } else if (raw) {
        *out = rb_str_new(reinterpret_cast<const char *>(data), static_cast<long>(string.length));
    }
    if (freezes(role)) freeze_raw(*out);
    return p;
}

// Reads the name of an enum's value, which some wires write instead of its number.
template <class Wire, class Scalars>
[[gnu::noinline]] Cursor read_enum_name(Decoder &d, Cursor p, const Type &type, VALUE *out) {
    StringBytes string;
    Cursor start = p;
    if (!(p = Scalars::read_text(d.in, p, &string))) return name_type(d, type);
    bool raw = Wire::traits.raw_strings || (Wire::traits.checks_text && !string.escaped);
    if (SPARPACK_LIKELY(raw)) {
        VALUE symbol = text_symbol(string.data, string.length);
        if (SPARPACK_LIKELY(SYMBOL_P(symbol) && (*out = rb_hash_lookup2(type.numbers, symbol, Qundef)) != Qundef)) return p;
    }
    VALUE name = unescaped<Scalars>(string);
    text_mark(name, utf8_check(string_bytes(name), string.length));
    *out = enum_number(type.numbers, name);
    if (*out != Qundef) return p;
    d.fault.expected_class = type.enumeration;
    d.fault.found = name;
    return fail(d, Status::unknown_enum, start);
}

}  // namespace sparpack
