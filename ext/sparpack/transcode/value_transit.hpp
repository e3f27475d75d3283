// Values from the bytes of a wire to those of another, driven by a link. Each function reads as the decode does and writes
// as the encode does (codec/). Only the files from_*.cpp include this one.
#pragma once

#include "../bytes/uuid.hpp"
#include "../glue/floats.hpp"
#include "../wire/walk.hpp"
#include "absent_values.hpp"

namespace sparpack {

namespace {

template <class From, class To>
Places pass_structs(Transit &t, Places at, const Link *link, size_t count, bool listed, int depth);
template <class From, class To> Places pass_union(Transit &t, Places at, const Link *link, int depth);
template <class From, class To> Places pass_list(Transit &t, Places at, const Type &type, int depth);
template <class From, class To> Places pass_map(Transit &t, Places at, const Type &type, int depth);

SPARPACK_INLINE Places with_rest(Transit &t, Places at, size_t rest) {
    if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    return {at.in, writer_reserve(t.writer(), at.out, rest)};
}

inline bool too_deep(const Transit &t, int depth) { return depth < 0 || (t.rules.stack_checked && ruby_stack_check()); }

// --- scalars -----------------------------------------------------------------------------------------------------------

// The room of text or binary. `Writes` is a wire or its Key.
template <class To, class Writes> SPARPACK_INLINE size_t bytes_room(size_t size, [[maybe_unused]] bool is_text) {
    if constexpr (!To::traits.raw_strings) {
        if (!is_text) return Writes::binary_room(size);
    }
    return Writes::string_room(size);
}

// A string that does not stand in the source as it is: it is unescaped behind the place where it is written.
template <class From, class To, class Reads, class Writes>
[[gnu::noinline]] uint8_t *pass_escaped(Transit &t, uint8_t *q, const StringBytes &string, bool is_text, size_t rest) {
    Writer &w = t.writer();
    size_t size = string.length, room = bytes_room<To, Writes>(size, is_text) + 16;
    q = writer_reserve(w, q, room + size + rest);
    uint8_t *bytes = q + room;
    if (is_text) {
        Reads::unescape(string, bytes);
        if (!From::traits.checks_text && utf8_check(bytes, size) == Text::broken) return nullptr;
        q = Writes::write_text(w, q, bytes, size);
    } else {
        Reads::unescape_binary(string, bytes);
        q = Writes::write_binary(w, q, bytes, size);
    }
    return writer_reserve(w, q, rest);
}

// A longer text of a wire with escapes reserves its room in parts.
constexpr size_t escaped_at_once = 128;

template <class From, class To, class Reads, class Writes>
SPARPACK_INLINE Places pass_string(Transit &t, Places at, bool is_text, size_t rest) {
    StringBytes string;
    const uint8_t *p = is_text ? Reads::read_text(t.in, at.in, &string) : Reads::read_binary(t.in, at.in, &string);
    if (SPARPACK_UNLIKELY(!p)) return given_up;
    const size_t size = string.length;
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(size) > t.rules.string || !t.charges(string_cost(size)))) return given_up;
    if (is_text && From::traits.checks_text && SPARPACK_UNLIKELY(string.text == Text::broken)) return given_up;
    if constexpr (!From::traits.raw_strings) {
        if (!(From::traits.checks_text && is_text && SPARPACK_LIKELY(!string.escaped))) {
            uint8_t *q = pass_escaped<From, To, Reads, Writes>(t, at.out, string, is_text, rest);
            return q ? Places{p, q} : given_up;
        }
    }
    Writer &w = t.writer();
    uint8_t *q = at.out;
    if constexpr (!From::traits.checks_text && !To::traits.raw_strings) {
        static_assert(Room<To>::value >= 2 + plain_blocks(string_short), "short text fits into the room of a value");
        const size_t left = input_left(t.in, string.data);
        if (is_text && size <= string_short && SPARPACK_LIKELY(left >= plain_blocks(string_short))) {
            if (uint8_t *end = Writes::write_plain_text(w, q, string.data, size)) return {p, end};
        } else if (is_text && size <= escaped_at_once && SPARPACK_LIKELY(left >= plain_blocks(size))) {
            q = writer_reserve(w, q, Writes::string_room(size) + plain_blocks(0) + rest);
            if (uint8_t *end = Writes::write_plain_text(w, q, string.data, size)) return {p, end};
        }
    }
    if (is_text && !From::traits.checks_text && SPARPACK_UNLIKELY(utf8_check(string.data, size) == Text::broken))
        return given_up;
    if constexpr (To::traits.raw_strings) {
        if (SPARPACK_UNLIKELY(size > string_short)) {  // a shorter one fits into the room of a value
            q = writer_reserve(w, q, Writes::string_room(size) + rest);
        } else if (is_text && SPARPACK_LIKELY(input_left(t.in, string.data) >= string_short)) {
            return {p, Writes::write_short_text(w, q, string.data, size)};
        }
    } else if (is_text && SPARPACK_UNLIKELY(size > escaped_at_once)) {
        q = Writes::write_long_text(w, q, string.data, size);
        return {p, writer_reserve(w, q, rest)};
    } else {
        q = writer_reserve(w, q, bytes_room<To, Writes>(size, is_text) + rest);
    }
    return {p, is_text ? Writes::write_text(w, q, string.data, size) : Writes::write_binary(w, q, string.data, size)};
}

template <class From, class To, class Reads, class Writes> [[gnu::noinline]] Places pass_binary(Transit &t, Places at) {
    return pass_string<From, To, Reads, Writes>(t, at, false, 0);
}

template <class Reads, class Writes> [[gnu::noinline]] Places pass_uuid(Transit &t, Places at) {
    uint8_t bytes[uuid_bytes];
    const uint8_t *p = Reads::read_uuid_bytes(t.in, at.in, bytes);
    if (SPARPACK_UNLIKELY(!p || !t.charges(string_cost(uuid_text)))) return given_up;
    return {p, Writes::write_uuid(t.writer(), at.out, bytes)};
}

// Reads the name of an enum's value. Looking up a Symbol or an Integer runs no Ruby code.
template <class From, class Reads>
[[gnu::noinline]] const uint8_t *enum_named(Transit &t, const uint8_t *p, const Type &type, int64_t *number) {
    StringBytes string;
    if (!(p = Reads::read_text(t.in, p, &string))) return nullptr;
    bool raw = From::traits.raw_strings || (From::traits.checks_text && !string.escaped);
    if (!raw || utf8_check(string.data, string.length) == Text::broken) return nullptr;
    VALUE symbol = rb_check_symbol_cstr(reinterpret_cast<const char *>(string.data), static_cast<long>(string.length),
                                        rb_utf8_encoding());
    VALUE found = SYMBOL_P(symbol) ? rb_hash_lookup2(type.numbers, symbol, Qundef) : Qundef;
    if (!RB_FIXNUM_P(found)) return nullptr;
    *number = RB_FIX2LONG(found);
    return *number == static_cast<int32_t>(*number) ? p : nullptr;
}

template <class To, class Writes>
[[gnu::noinline]] uint8_t *write_enum_name(Transit &t, uint8_t *q, const Type &type, int64_t number, size_t rest) {
    VALUE name = rb_hash_lookup2(type.names, LONG2FIX(static_cast<long>(number)), Qnil);
    if (NIL_P(name)) return Writes::write_i32(t.writer(), q, number);
    size_t size = static_cast<size_t>(RSTRING_LEN(name));
    if (static_cast<int64_t>(size) > t.rules.string) return nullptr;
    q = writer_reserve(t.writer(), q, Writes::string_room(size) + rest);
    return Writes::write_text(t.writer(), q, reinterpret_cast<const uint8_t *>(RSTRING_PTR(name)), size);
}

template <class From, class To, class Reads, class Writes>
SPARPACK_INLINE Places pass_enum(Transit &t, Places at, const Type &type, size_t rest) {
    int64_t number = 0;
    const uint8_t *p;
    bool is_name = false;
    if constexpr (From::traits.enum_names) is_name = Reads::next_is_text(t.in, at.in);
    p = is_name ? enum_named<From, Reads>(t, at.in, type, &number) : Reads::read_i32(t.in, at.in, &number);
    if (SPARPACK_UNLIKELY(!p)) return given_up;
    if (SPARPACK_UNLIKELY(t.rules.strict_enums) &&
        NIL_P(rb_hash_lookup2(type.names, LONG2FIX(static_cast<long>(number)), Qnil)))
        return given_up;
    if constexpr (To::traits.enum_names) {
        if (t.rules.enum_names) {
            uint8_t *q = write_enum_name<To, Writes>(t, at.out, type, number, rest);
            return q ? Places{p, q} : given_up;
        }
    }
    return {p, Writes::write_i32(t.writer(), at.out, number)};
}

SPARPACK_INLINE bool charges_integer(Transit &t, int64_t number) {
    return SPARPACK_LIKELY(RB_FIXABLE(number)) || t.charges(integer_cost(sizeof number));
}

SPARPACK_INLINE bool charges_float(Transit &t, double number) {
    if (SPARPACK_LIKELY(float_immediate(number) != 0)) return true;
    return float_is_flonum_zero(number) || t.charges(float_cost());
}

// Writes a number that `read` has read, unless there is none.
#define SPARPACK_PASS_NUMBER(read, write)                                                                       \
    do {                                                                                                        \
        int64_t number = 0;                                                                                     \
        const uint8_t *p = Reads::read(t.in, at.in, &number);                                                   \
        return SPARPACK_LIKELY(p != nullptr) ? Places{p, Writes::write(t.writer(), at.out, number)} : given_up; \
    } while (false)

// One value. Its room is reserved, and on return that of the `rest`. `Reads` and `Writes` are the wires or, for a key of a
// map, their Keys. The frames belong to the structs that have the value as a field.
template <class From, class To, class Reads = From, class Writes = To>
SPARPACK_INLINE Places pass_value(Transit &t, Places at, const Type &type, const typename From::Frame *from,
                                  typename To::Frame *to, int depth, size_t rest) {
    constexpr bool is_key = !std::is_same_v<Reads, From> || !std::is_same_v<Writes, To>;
    switch (type.kind) {
    case Kind::bool_: {
        bool value = false;
        const uint8_t *p = Reads::read_bool(t.in, at.in, from, &value);
        if (SPARPACK_UNLIKELY(!p)) return given_up;
        return {p, Writes::write_bool(t.writer(), at.out, to, value)};
    }
    case Kind::i8: SPARPACK_PASS_NUMBER(read_i8, write_i8);
    case Kind::i16: SPARPACK_PASS_NUMBER(read_i16, write_i16);
    case Kind::i32: SPARPACK_PASS_NUMBER(read_i32, write_i32);
    case Kind::enum_: return pass_enum<From, To, Reads, Writes>(t, at, type, rest);
    case Kind::i64: {
        int64_t number = 0;
        const uint8_t *p = Reads::read_i64(t.in, at.in, &number);
        if (SPARPACK_UNLIKELY(!p || !charges_integer(t, number))) return given_up;
        if constexpr (To::traits.integer_text && std::is_same_v<Writes, To>) {
            if (t.rules.integer_text) return {p, Writes::write_i64_text(t.writer(), at.out, number)};
        }
        return {p, Writes::write_i64(t.writer(), at.out, number)};
    }
    case Kind::double_: {
        double number = 0;
        const uint8_t *p = Reads::read_double(t.in, at.in, &number);
        if (SPARPACK_UNLIKELY(!p || !charges_float(t, number))) return given_up;
        return {p, Writes::write_double(t.writer(), at.out, number)};
    }
    case Kind::string: return pass_string<From, To, Reads, Writes>(t, at, true, rest);
    case Kind::binary: return with_rest(t, pass_binary<From, To, Reads, Writes>(t, at), rest);
    case Kind::uuid: return pass_uuid<Reads, Writes>(t, at);
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::struct_:
    case Kind::union_:
    case Kind::any: break;
    }
    if constexpr (!is_key) {
        switch (type.kind) {
        case Kind::list:
        case Kind::set: return with_rest(t, pass_list<From, To>(t, at, type, depth - 1), rest);
        case Kind::map: return with_rest(t, pass_map<From, To>(t, at, type, depth - 1), rest);
        case Kind::struct_: return with_rest(t, pass_structs<From, To>(t, at, type.link, 1, false, depth - 1), rest);
        case Kind::union_: return with_rest(t, pass_union<From, To>(t, at, type.link, depth - 1), rest);
        default: break;
        }
    }
    return given_up;
}

#undef SPARPACK_PASS_NUMBER

// True for pairs of wires between which gateways convert. Their structs have a copy of pass_value. One for each pair would
// make the library larger by half.
template <class From, class To>
constexpr bool is_common = From::traits.text ? From::traits.fields == FieldsBy::name &&To::traits.fields == FieldsBy::id
                                             : From::traits.fields == FieldsBy::id &&To::traits.fields != FieldsBy::id;

// The same as a function, for values that are not fields of a struct in order.
template <class From, class To>
[[gnu::noinline]] Places pass_one(Transit &t, Places at, const Type &type, const typename From::Frame *from,
                                  typename To::Frame *to, int depth) {
    return pass_value<From, To>(t, at, type, from, to, depth, 0);
}

}  // namespace

}  // namespace sparpack
