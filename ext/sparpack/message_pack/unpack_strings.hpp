// How str, bin and the keys of maps become Strings and Symbols, and what they are charged. Only unpack.cpp includes this
// file.
#pragma once

#include "unpack.hpp"

namespace sparpack {

namespace {

using Cursor = const uint8_t *;
using Item = MessagePack::Item;

SPARPACK_COLD Cursor fail(Unpack &u, Status status, Cursor at) { return input_fail(u.in, status, at); }

SPARPACK_COLD Cursor fail_memory(Unpack &u, Cursor at) { return fail(u, Status::too_much_memory, at); }

// These compare a String or a key that is about to be made with its limit, and charge it. Only under a limit.
SPARPACK_COLD Status admit_string(Unpack &u, size_t size) {
    if (size > u.options.string) return Status::string_too_long;
    return charge(u.memory, string_cost(size)) ? Status::ok : Status::too_much_memory;
}

// Each key is charged as if it were new, because what was read before decides whether Ruby has it already.
SPARPACK_COLD Status admit_key(Unpack &u, Cursor data, size_t size) {
    if (size > u.options.string) return Status::string_too_long;
    return unpack_charge_name(u, data, size, u.options.symbolize_keys) ? Status::ok : Status::too_much_memory;
}

// --- strings -----------------------------------------------------------------------------------------------------------

// Ruby can share the tail of a String. A long tail is shared if it is most of the bytes: then it keeps little else in
// memory.
constexpr size_t shared_min = 4096;

SPARPACK_COLD VALUE share(Unpack &u, Cursor p, size_t size) {
    long offset = static_cast<long>(p - reinterpret_cast<Cursor>(RSTRING_PTR(u.source)));
    return rb_str_subseq(u.source, offset, static_cast<long>(size));
}

SPARPACK_INLINE bool is_shared(const Unpack &u, Cursor p, size_t size) {
    return technique::shared_strings && SPARPACK_UNLIKELY(size >= shared_min) && p + size == u.in.end && u.source &&
           !u.options.freeze &&  // Ruby's table needs a String of its own
           size >= string_size(u.source) / 2 &&
           p + size == reinterpret_cast<Cursor>(RSTRING_PTR(u.source)) + RSTRING_LEN(u.source);
}

// Leaves the check to Ruby: it is made at once if the text must be UTF-8, otherwise on demand.
SPARPACK_COLD Cursor read_str_unchecked(Unpack &u, Cursor p, size_t size, VALUE *out) {
    *out =
        is_shared(u, p, size) ? share(u, p, size) : rb_str_new(reinterpret_cast<const char *>(p), static_cast<long>(size));
    RB_ENCODING_SET_INLINED(*out, utf8_index);
    RB_ENC_CODERANGE_CLEAR(*out);
    if (u.options.strict_utf8 && rb_enc_str_coderange(*out) == RUBY_ENC_CODERANGE_BROKEN)
        return fail(u, Status::invalid_utf8, p);
    if (u.options.freeze) *out = rb_str_to_interned_str(*out);
    return p + size;
}

SPARPACK_INLINE Cursor read_str(Unpack &u, Cursor p, size_t size, VALUE *out) {
    if (SPARPACK_UNLIKELY(input_left(u.in, p) < size)) return fail(u, Status::truncated, p);
    if (SPARPACK_UNLIKELY(u.options.limited)) {
        Status status = admit_string(u, size);
        if (status != Status::ok) return fail(u, status, p);
    }
    if (SPARPACK_UNLIKELY(!technique::own_utf8_check)) return read_str_unchecked(u, p, size, out);
    Text text = utf8_check_within(p, size, input_left(u.in, p));
    if (SPARPACK_UNLIKELY(text == Text::broken) && u.options.strict_utf8) return fail(u, Status::invalid_utf8, p);
    if (SPARPACK_UNLIKELY(u.options.freeze)) {
        *out = key_cache_intern(p, size);
    } else if (SPARPACK_UNLIKELY(is_shared(u, p, size))) {
        *out = share(u, p, size);
        text_mark(*out, text);
    } else {
        *out = text_new(p, size, text);
    }
    return p + size;
}

SPARPACK_COLD Cursor read_bin(Unpack &u, Cursor p, size_t size, VALUE *out) {
    if (u.options.limited) {
        Status status = admit_string(u, size);
        if (status != Status::ok) return fail(u, status, p);
    }
    const char *bytes = reinterpret_cast<const char *>(p);
    if (u.options.freeze) {
        *out = text_interned(p, size, rb_ascii8bit_encoding());
    } else if (is_shared(u, p, size)) {
        *out = share(u, p, size);
        rb_enc_associate_index(*out, binary_index);
    } else {
        *out = rb_str_new(bytes, static_cast<long>(size));
    }
    return p + size;
}

// --- keys --------------------------------------------------------------------------------------------------------------

// Symbols must be valid in their encoding.
SPARPACK_COLD Cursor read_symbol(Unpack &u, Cursor p, size_t size, VALUE *out) {
    if (utf8_check(p, size) == Text::broken) return fail(u, Status::bad_symbol, p);
    *out = key_cache_symbol(u.keys, p, size);
    return p + size;
}

// Finds the one frozen String of the bytes, or their Symbol.
SPARPACK_INLINE Cursor find_key(Unpack &u, Cursor data, size_t size, VALUE *out) {
    if (SPARPACK_UNLIKELY(u.options.symbolize_keys)) return read_symbol(u, data, size, out);
    *out = key_cache_find(u.keys, data, size);
    if (SPARPACK_UNLIKELY(u.options.strict_utf8) && utf8_check(data, size) == Text::broken)
        return fail(u, Status::invalid_utf8, data);
    return data + size;
}

[[gnu::noinline]] Cursor find_limited_key(Unpack &u, Cursor data, size_t size, VALUE *out) {
    Status status = admit_key(u, data, size);
    return status == Status::ok ? find_key(u, data, size, out) : fail(u, status, data);
}

// Reads a long key.
SPARPACK_COLD Cursor read_long_key(Unpack &u, Cursor p, VALUE *out) {
    Item item{};
    Cursor data = MessagePack::read_head(u.in, p, item);
    if (!data) return nullptr;
    if (input_left(u.in, data) < item.number) return fail(u, Status::truncated, data);
    size_t size = static_cast<size_t>(item.number);
    return u.options.limited ? find_limited_key(u, data, size, out) : find_key(u, data, size, out);
}

}  // namespace

}  // namespace sparpack
