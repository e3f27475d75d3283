// Reads single values for a converter, as the decode does (codec/value_reader.hpp).
#pragma once

#include "../bytes/uuid.hpp"
#include "../values/floats.hpp"
#include "../values/sets.hpp"
#include "../wire/sinks.hpp"
#include "../wire/thrift/events.hpp"
#include "../wire/walks.hpp"
#include "cells.hpp"
#include "enums.hpp"

namespace sparpack {

namespace {

inline bool too_deep(const Transit &t, int depth) { return depth < 0 || (t.rules.stack_checked && ruby_stack_check()); }

SPARPACK_INLINE bool charges_integer(Transit &t, int64_t number) {
    return SPARPACK_LIKELY(RB_FIXABLE(number)) || t.charges(integer_cost(sizeof number));
}

SPARPACK_INLINE bool charges_float(Transit &t, double number) {
    if (SPARPACK_LIKELY(float_immediate(number) != 0)) return true;
    return float_is_flonum_zero(number) || t.charges(float_cost());
}

// Charges a container that grows, as the decode does (codec/text/uncounted.hpp), and checks its size.
template <int64_t (*cost)(size_t), size_t (*room)(size_t)> struct Growth {
    int64_t charged = 0, limit = 0;

    SPARPACK_INLINE bool takes(Transit &t, size_t index) {
        if (SPARPACK_LIKELY(static_cast<int64_t>(index) < limit)) return true;
        if (limit >= t.rules.container) return false;
        int64_t more = static_cast<int64_t>(room(static_cast<size_t>(charged)));
        if (!t.charges(cost(static_cast<size_t>(more)) - cost(static_cast<size_t>(charged)))) return false;
        charged = more;
        limit = more < t.rules.container ? more : t.rules.container;
        return true;
    }
};

// Whether there is another element or, with `keys`, another pair of a map. A container that is not counted grows by it.
template <class From, bool keys, class Grows>
SPARPACK_INLINE NextElement element_at(Transit &t, const uint8_t *&p, size_t index, size_t count,
                                       [[maybe_unused]] Grows &growth) {
    if constexpr (From::traits.counts_elements) {
        return index == count ? NextElement::end : NextElement::element;
    } else {
        NextElement next;
        if constexpr (keys) {
            next = From::next_key(t.in, p, index, count);
        } else {
            next = From::next_element(t.in, p, index, count);
        }
        return next == NextElement::element && !growth.takes(t, index) ? NextElement::failed : next;
    }
}

// What a decode charges at most for keeping a field. If more is charged here, the payload is decoded, which knows better.
// The first kept field of an object costs most, and a field of Thrift's is kept in the binary protocol, where it takes up to
// twelve times as many bytes.
inline int64_t kept_most(size_t size) {
    constexpr size_t growth = 12;
    const size_t kept = growth * (size + 1);
    const int64_t bytes = string_cost(kept) + static_cast<int64_t>(kept + 4 * word_size);
    return array_cost(0) + 2 * string_cost(0) + array_cost(2) + bytes;
}

// Called behind an unknown field that begins at `begin`.
template <class From>
SPARPACK_COLD bool charges_kept(Transit &t, const typename From::Frame &frame, const uint8_t *begin, const uint8_t *end) {
    if (!t.rules.keeps) return true;
    return t.charges(kept_most(From::found(frame).name_size + static_cast<size_t>(end - begin)));
}

template <class From>
SPARPACK_COLD const uint8_t *skip_unknown(Transit &t, const uint8_t *p, const typename From::Frame &frame, int depth) {
    const uint8_t *end = skip_within<From>(t.in, p, From::Events::field_value(frame), t.rules.sizes(), depth);
    return end && charges_kept<From>(t, frame, p, end) ? end : nullptr;
}

// A string that does not stand in the source as it is: it is unescaped into cells.
template <class Reads>
[[gnu::noinline]] void keep_unescaped(Transit &t, const StringBytes &string, bool is_text, Cell &cell) {
    const size_t place = cells_take(t, kept_cells(string.length));
    uint8_t *bytes = reinterpret_cast<uint8_t *>(t.cells + place);
    if (is_text) {
        Reads::unescape(string, bytes);
    } else {
        Reads::unescape_binary(string, bytes);
    }
    cell.place = place;
    cell.is_kept = true;
}

template <class From, class Reads>
SPARPACK_INLINE const uint8_t *read_string(Transit &t, const uint8_t *p, Cell &cell, bool is_text) {
    StringBytes string;
    p = is_text ? Reads::read_text(t.in, p, &string) : Reads::read_binary(t.in, p, &string);
    if (SPARPACK_UNLIKELY(!p)) return nullptr;
    const size_t size = string.length;
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(size) > t.rules.string || !t.charges(string_cost(size)))) return nullptr;
    if (is_text && From::traits.checks_text && SPARPACK_UNLIKELY(string.text == Text::broken)) return nullptr;
    cell.size = static_cast<uint32_t>(size);
    cell.is_checked = From::traits.checks_text;
    cell.data = string.data;
    if constexpr (!From::traits.raw_strings) {
        if (!(From::traits.checks_text && is_text && SPARPACK_LIKELY(!string.escaped)))
            keep_unescaped<Reads>(t, string, is_text, cell);
    }
    return p;
}

template <class Reads> [[gnu::noinline]] const uint8_t *read_uuid(Transit &t, const uint8_t *p, Cell &cell) {
    uint8_t bytes[uuid_bytes];
    p = Reads::read_uuid_bytes(t.in, p, bytes);
    if (SPARPACK_UNLIKELY(!p || !t.charges(string_cost(uuid_text)))) return nullptr;
    cell.place = cells_take(t, kept_cells(uuid_bytes));
    cell.size = uuid_bytes;
    cell.is_kept = true;
    memcpy(static_cast<void *>(t.cells + cell.place), bytes, uuid_bytes);
    return p;
}

// Reads the name of an enum's value. Looking up a Symbol or an Integer runs no Ruby code.
template <class From, class Reads>
[[gnu::noinline]] const uint8_t *enum_named(Transit &t, const uint8_t *p, const Type &type, int64_t *number) {
    StringBytes string;
    if (!(p = Reads::read_text(t.in, p, &string))) return nullptr;
    bool raw = From::traits.raw_strings || (From::traits.checks_text && !string.escaped);
    if (!raw || utf8_check(string.data, string.length) == Text::broken) return nullptr;
    return enum_number_of(t.rules.enums, type, string.data, string.length, number) ? p : nullptr;
}

template <class From, class Reads>
SPARPACK_INLINE const uint8_t *read_enum(Transit &t, const uint8_t *p, const Type &type, int64_t *number) {
    bool is_name = false;
    if constexpr (From::traits.enum_names) is_name = Reads::next_is_text(t.in, p);
    p = is_name ? enum_named<From, Reads>(t, p, type, number) : Reads::read_i32(t.in, p, number);
    if (SPARPACK_UNLIKELY(!p)) return nullptr;
    return SPARPACK_UNLIKELY(t.rules.strict_enums) && !enum_name_of(t.rules.enums, type, *number).bytes ? nullptr : p;
}

// Reads a value. Bytes of a string that do not stand in the source go to cells. `compound` reads what is no scalar: () ->
// cursor. `Reads` is the wire or, for a key of a map, its Key. The frame belongs to the struct that has the value as a
// field.
template <class From, class Reads = From, class Compound>
SPARPACK_INLINE const uint8_t *read_value(Transit &t, const uint8_t *p, const Type &type, const typename From::Frame *frame,
                                          Cell &cell, Compound compound) {
    int64_t number = 0;
    switch (type.kind) {
    case Kind::bool_: {
        bool value = false;
        p = Reads::read_bool(t.in, p, frame, &value);
        cell.number = value;
        return p;
    }
    case Kind::i8: p = Reads::read_i8(t.in, p, &number); break;
    case Kind::i16: p = Reads::read_i16(t.in, p, &number); break;
    case Kind::i32: p = Reads::read_i32(t.in, p, &number); break;
    case Kind::enum_: p = read_enum<From, Reads>(t, p, type, &number); break;
    case Kind::i64:
        p = Reads::read_i64(t.in, p, &number);
        if (SPARPACK_UNLIKELY(!p || !charges_integer(t, number))) return nullptr;
        break;
    case Kind::double_: {
        double real = 0;
        p = Reads::read_double(t.in, p, &real);
        if (SPARPACK_UNLIKELY(!p || !charges_float(t, real))) return nullptr;
        cell.real = real;
        return p;
    }
    case Kind::string: return read_string<From, Reads>(t, p, cell, true);
    case Kind::binary: return read_string<From, Reads>(t, p, cell, false);
    case Kind::uuid: return read_uuid<Reads>(t, p, cell);
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::struct_:
    case Kind::union_:
    case Kind::any: return compound();
    }
    cell.number = number;
    return p;
}

}  // namespace

}  // namespace sparpack
