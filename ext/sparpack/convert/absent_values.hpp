// Fields that a payload does not have: a decode gives them their default, and an encode writes that.
#pragma once

#include "../values/numbers.hpp"
#include "../values/sets.hpp"
#include "../values/text.hpp"
#include "write_values.hpp"

namespace sparpack {

namespace {

template <class T> bool integer_fits(VALUE value, int64_t *number) { return integer_in<T>(value, number) == Conversion::ok; }

// True if a default can be read by a thread that does not have Ruby's lock. It is pinned and frozen.
inline bool is_readable(VALUE value) {
    if (RB_SPECIAL_CONST_P(value)) return true;
    switch (RB_BUILTIN_TYPE(value)) {
    case RUBY_T_FLOAT:
    case RUBY_T_ARRAY:
    case RUBY_T_HASH: return true;
    case RUBY_T_STRING: return RB_ENCODING_GET_INLINED(value) == utf8_index;
    default: return false;
    }
}

// Writes a default whose room is reserved. Gives up on structs and on containers that hold something, which are rare.
template <class To>
uint8_t *write_default(Transit &t, uint8_t *q, const Type &type, VALUE value, typename To::Frame &frame, int depth) {
    if (t.rules.enums && !is_readable(value)) return nullptr;
    Writer &w = t.writer();
    int64_t number = 0;
    switch (type.kind) {
    case Kind::bool_: return value == Qtrue || value == Qfalse ? To::write_bool(w, q, &frame, value == Qtrue) : nullptr;
    case Kind::i8: return integer_fits<int8_t>(value, &number) ? To::write_i8(w, q, number) : nullptr;
    case Kind::i16: return integer_fits<int16_t>(value, &number) ? To::write_i16(w, q, number) : nullptr;
    case Kind::i32: return integer_fits<int32_t>(value, &number) ? To::write_i32(w, q, number) : nullptr;
    case Kind::enum_:
        if (!RB_FIXNUM_P(value) || t.rules.enum_names || t.rules.strict_enums) return nullptr;
        return integer_fits<int32_t>(value, &number) ? To::write_i32(w, q, number) : nullptr;
    case Kind::i64:
        if (t.rules.integer_text || integer_of(value, &number) != Conversion::ok) return nullptr;
        return To::write_i64(w, q, number);
    case Kind::double_: {
        double real = 0;
        return real_of(value, &real) == Conversion::ok ? To::write_double(w, q, real) : nullptr;
    }
    case Kind::string:
    case Kind::binary: {
        bool is_text = type.kind == Kind::string;
        if (!RB_TYPE_P(value, T_STRING)) return nullptr;
        size_t size = string_size(value);
        const uint8_t *data = string_bytes(value);
        if (static_cast<int64_t>(size) > t.rules.string) return nullptr;
        if (is_text && (!text_is_plain(value) || utf8_check(data, size) == Text::broken)) return nullptr;
        size_t room = To::string_room(size);
        if constexpr (!To::traits.raw_strings) {
            if (!is_text) room = To::binary_room(size);
        }
        q = writer_reserve(w, q, room);
        data = string_bytes(value);
        q = is_text ? To::write_text(w, q, data, size) : To::write_binary(w, q, data, size);
        RB_GC_GUARD(value);
        return q;
    }
    case Kind::uuid: {
        uint8_t bytes[uuid_bytes];
        if (!RB_TYPE_P(value, T_STRING)) return nullptr;
        if (!uuid_parse(RSTRING_PTR(value), string_size(value), bytes)) return nullptr;
        return To::write_uuid(w, q, bytes);
    }
    case Kind::list:
    case Kind::set: {
        bool is_empty = RB_TYPE_P(value, T_ARRAY) ? RARRAY_LEN(value) == 0 : is_set(value) && set_size(value) == 0;
        if (!is_empty || depth < 1) return nullptr;
        return close_empty<To>(t, To::write_list(w, q, type.element->wire, 0), false);
    }
    case Kind::map:
        if (!RB_TYPE_P(value, T_HASH) || RHASH_SIZE(value) != 0 || depth < 1) return nullptr;
        return close_empty<To>(t, To::write_map(w, q, type.key->wire, type.element->wire, 0), true);
    case Kind::struct_:
    case Kind::union_:
    case Kind::any: break;
    }
    return nullptr;
}

}  // namespace

template <class To>
uint8_t *cells_write_absent(Transit &t, uint8_t *q, const Link *link, const Row<To> *row, typename To::Frame &frame,
                            int depth) {
    const Slot &slot = link->plan->slots[row->slot];
    if (SPARPACK_LIKELY(NIL_P(slot.default_value))) {
        if (row->required) return nullptr;
        if constexpr (To::traits.fields == FieldsBy::position) q = To::write_absent(t.writer(), q, frame, row->header);
        return q;
    }
    if (slot.copied && !t.charges(slot.cost)) return nullptr;
    q = To::write_known(t.writer(), q, frame, row->header);
    return write_default<To>(t, q, row->type, slot.default_value, frame, depth);
}

}  // namespace sparpack
