// Writes single values for a converter, as the encode does (codec/value_writer.hpp).
#pragma once

#include "../bytes/uuid.hpp"
#include "cells.hpp"
#include "enums.hpp"

namespace sparpack {

namespace {

// A longer text of a wire with escapes reserves its room in parts.
constexpr size_t escaped_at_once = 128;

// The room of text or binary. `Writes` is a wire or its Key.
template <class To, class Writes> SPARPACK_INLINE size_t bytes_room(size_t size, [[maybe_unused]] bool is_text) {
    if constexpr (!To::traits.raw_strings) {
        if (!is_text) return Writes::binary_room(size);
    }
    return Writes::string_room(size);
}

template <class To, class Writes>
SPARPACK_INLINE uint8_t *write_string(Transit &t, uint8_t *q, const Cell &cell, bool is_text, size_t rest) {
    Writer &w = t.writer();
    const size_t size = cell.size;
    const uint8_t *data = cell.is_kept ? reinterpret_cast<const uint8_t *>(t.cells + cell.place) : cell.data;
    const size_t left = cell.is_kept ? size + kept_beyond : input_left(t.in, data);
    const bool is_checked = !is_text || cell.is_checked;
    if constexpr (!To::traits.raw_strings) {
        static_assert(Room<To>::value >= 2 + plain_blocks(string_short), "short text fits into the room of a value");
        if (is_text && size <= string_short && SPARPACK_LIKELY(left >= plain_blocks(string_short))) {
            if (uint8_t *end = Writes::write_plain_text(w, q, data, size)) return end;
        } else if (is_text && size <= escaped_at_once && SPARPACK_LIKELY(left >= plain_blocks(size))) {
            q = writer_reserve(w, q, Writes::string_room(size) + plain_blocks(0) + rest);
            if (uint8_t *end = Writes::write_plain_text(w, q, data, size)) return end;
        }
    }
    if (!is_checked && SPARPACK_UNLIKELY(utf8_check(data, size) == Text::broken)) return nullptr;
    if constexpr (To::traits.raw_strings) {
        if (SPARPACK_UNLIKELY(size > string_short)) {  // a shorter one fits into the room of a value
            q = writer_reserve(w, q, Writes::string_room(size) + rest);
        } else if (is_text && SPARPACK_LIKELY(left >= string_short)) {
            return Writes::write_short_text(w, q, data, size);
        }
    } else if (is_text && SPARPACK_UNLIKELY(size > escaped_at_once)) {
        q = Writes::write_long_text(w, q, data, size);
        return writer_reserve(w, q, rest);
    } else {
        q = writer_reserve(w, q, bytes_room<To, Writes>(size, is_text) + rest);
    }
    return is_text ? Writes::write_text(w, q, data, size) : Writes::write_binary(w, q, data, size);
}

template <class To, class Writes>
[[gnu::noinline]] uint8_t *write_enum_name(Transit &t, uint8_t *q, const Type &type, int64_t number, size_t rest) {
    const EnumName name = enum_name_of(t.rules.enums, type, number);
    if (!name.bytes) return Writes::write_i32(t.writer(), q, number);
    if (static_cast<int64_t>(name.size) > t.rules.string) return nullptr;
    q = writer_reserve(t.writer(), q, Writes::string_room(name.size) + rest);
    return Writes::write_text(t.writer(), q, name.bytes, name.size);
}

template <class To, class Writes>
SPARPACK_INLINE uint8_t *write_enum(Transit &t, uint8_t *q, const Type &type, int64_t number, size_t rest) {
    if constexpr (To::traits.enum_names) {
        if (t.rules.enum_names) return write_enum_name<To, Writes>(t, q, type, number, rest);
    }
    return Writes::write_i32(t.writer(), q, number);
}

template <class To, class Writes> SPARPACK_INLINE uint8_t *write_i64(Transit &t, uint8_t *q, int64_t number) {
    if constexpr (To::traits.integer_text && std::is_same_v<Writes, To>) {
        if (t.rules.integer_text) return Writes::write_i64_text(t.writer(), q, number);
    }
    return Writes::write_i64(t.writer(), q, number);
}

template <class Writes> SPARPACK_INLINE uint8_t *write_uuid(Transit &t, uint8_t *q, const Cell &cell) {
    return Writes::write_uuid(t.writer(), q, reinterpret_cast<const uint8_t *>(t.cells + cell.place));
}

// Writes a value whose room is reserved, and on return that of the `rest`. `compound` writes what is no scalar: () ->
// cursor. `Writes` is the wire or, for a key of a map, its Key. The frame belongs to the struct that has the value as a
// field.
template <class To, class Writes = To, class Compound>
SPARPACK_INLINE uint8_t *write_value(Transit &t, uint8_t *q, const Type &type, const Cell &cell, typename To::Frame *frame,
                                     size_t rest, Compound compound) {
    Writer &w = t.writer();
    switch (type.kind) {
    case Kind::bool_: return Writes::write_bool(w, q, frame, cell.number != 0);
    case Kind::i8: return Writes::write_i8(w, q, cell.number);
    case Kind::i16: return Writes::write_i16(w, q, cell.number);
    case Kind::i32: return Writes::write_i32(w, q, cell.number);
    case Kind::enum_: return write_enum<To, Writes>(t, q, type, cell.number, rest);
    case Kind::i64: return write_i64<To, Writes>(t, q, cell.number);
    case Kind::double_: return Writes::write_double(w, q, cell.real);
    case Kind::string: return write_string<To, Writes>(t, q, cell, true, rest);
    case Kind::binary: return write_string<To, Writes>(t, q, cell, false, rest);
    case Kind::uuid: return write_uuid<Writes>(t, q, cell);
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::struct_:
    case Kind::union_:
    case Kind::any: break;
    }
    q = compound();
    return SPARPACK_LIKELY(q != nullptr) ? writer_reserve(w, q, rest) : nullptr;
}

template <class To> SPARPACK_INLINE uint8_t *write_next(Transit &t, uint8_t *q, [[maybe_unused]] size_t index) {
    if constexpr (!To::traits.counts_elements)
        q = To::write_next(t.writer(), writer_reserve(t.writer(), q, To::close_max), index);
    return q;
}

template <class To> uint8_t *close_empty(Transit &t, uint8_t *q, [[maybe_unused]] bool is_map) {
    if constexpr (!To::traits.counts_elements) {
        q = writer_reserve(t.writer(), q, To::close_max);
        q = is_map ? To::close_map(t.writer(), q) : To::close_list(t.writer(), q);
    }
    return q;
}

}  // namespace

}  // namespace sparpack
