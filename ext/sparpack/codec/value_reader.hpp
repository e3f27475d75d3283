// Reads values and structs from the bytes of a wire (lists, sets and maps: container_reader.hpp). Bad bytes return a status,
// and each frame adds its piece of the path on the way out. Values wait in Pending until their object is made in one step,
// so nothing half-made is ever visible, and no object is written to twice. Only decode.cpp and container_reader.hpp include
// this file.
#pragma once

#include "../bytes/uuid.hpp"
#include "../values/numbers.hpp"
#include "absent_fields.hpp"
#include "adopted/called_reader.hpp"
#include "adopted/loose.hpp"
#include "strings.hpp"
#include "unknown/kept.hpp"
#include "unknown/reader.hpp"
#include "untyped.hpp"

namespace sparpack {

namespace {

template <class Wire>
Cursor read_struct(Decoder &d, Cursor p, const Link *link, VALUE klass, VALUE *out, int depth, Role role);
template <class Wire>
Cursor read_union(Decoder &d, Cursor p, const Link *link, VALUE klass, VALUE *out, int depth, Role role);
template <class Wire> Cursor read_list(Decoder &d, Cursor p, const Type &type, VALUE *out, int depth, Role role);
template <class Wire> Cursor read_set(Decoder &d, Cursor p, const Type &type, VALUE *out, int depth, Role role);
template <class Wire> Cursor read_map(Decoder &d, Cursor p, const Type &type, VALUE *out, int depth, Role role);

template <class Wire, class Scalars>
SPARPACK_INLINE Cursor read_kind(Decoder &d, Cursor p, const Type &type, const typename Wire::Frame *frame, VALUE *out,
                                 int depth, Role role) {
    int64_t number = 0;
    switch (type.kind) {
    case Kind::bool_: {
        bool value = false;
        if (SPARPACK_UNLIKELY(!(p = Scalars::read_bool(d.in, p, frame, &value)))) return name_type(d, type);
        *out = value ? Qtrue : Qfalse;
        return p;
    }
    case Kind::i8:
        if (SPARPACK_UNLIKELY(!(p = Scalars::read_i8(d.in, p, &number)))) return name_type(d, type);
        *out = LONG2FIX(static_cast<long>(number));
        return p;
    case Kind::i16:
        if (SPARPACK_UNLIKELY(!(p = Scalars::read_i16(d.in, p, &number)))) return name_type(d, type);
        *out = LONG2FIX(static_cast<long>(number));
        return p;
    case Kind::i32:
        if (SPARPACK_UNLIKELY(!(p = Scalars::read_i32(d.in, p, &number)))) return name_type(d, type);
        if (SPARPACK_UNLIKELY(!integer_charged(d.memory, number, out))) return fail_memory(d, p);
        return p;
    case Kind::enum_: {
        Cursor start = p;
        if constexpr (Wire::traits.enum_names) {
            if (Scalars::next_is_text(d.in, p)) return read_enum_name<Wire, Scalars>(d, p, type, out);
        }
        if (SPARPACK_UNLIKELY(!(p = Scalars::read_i32(d.in, p, &number)))) return name_type(d, type);
        if (SPARPACK_UNLIKELY(!integer_charged(d.memory, number, out))) return fail_memory(d, p);
        if (SPARPACK_UNLIKELY(d.options.validate >= Check::strict) && NIL_P(rb_hash_lookup2(type.names, *out, Qnil))) {
            d.fault.expected_class = type.enumeration;
            d.fault.found = *out;
            return fail(d, Status::unknown_enum, start);
        }
        return p;
    }
    case Kind::i64:
        if (SPARPACK_UNLIKELY(!(p = Scalars::read_i64(d.in, p, &number)))) return name_type(d, type);
        if (SPARPACK_UNLIKELY(!integer_charged(d.memory, number, out))) return fail_memory(d, p);
        return p;
    case Kind::double_: {
        double real = 0;
        Cursor start = p;
        if (SPARPACK_UNLIKELY(!(p = Scalars::read_double(d.in, p, &real)))) return name_type(d, type);
        if (SPARPACK_UNLIKELY(real != real) && counts_nan(role) && !nan_key(d)) return fail_nan_keys(d, start);
        if (SPARPACK_UNLIKELY(!float_charged(d.memory, real, out))) return fail_memory(d, p);
        return p;
    }
    case Kind::string: return read_text<Wire, Scalars>(d, p, type, out, role, true);
    case Kind::binary: return read_text<Wire, Scalars>(d, p, type, out, role, false);
    case Kind::uuid: {
        uint8_t bytes[uuid_bytes];
        if (SPARPACK_UNLIKELY(!(p = Scalars::read_uuid_bytes(d.in, p, bytes)))) return name_type(d, type);
        if (SPARPACK_UNLIKELY(!charge(d, string_cost(uuid_text)))) return fail_memory(d, p);
        char text[uuid_text];
        uuid_format(bytes, text);
        *out = text_new(reinterpret_cast<const uint8_t *>(text), uuid_text, Text::ascii);
        if (SPARPACK_UNLIKELY(d.options.binary_uuids)) RB_ENCODING_SET_INLINED(*out, binary_index);
        if (freezes(role)) freeze_raw(*out);
        return p;
    }
    case Kind::list: return read_list<Wire>(d, p, type, out, depth - 1, role);
    case Kind::set: return read_set<Wire>(d, p, type, out, depth - 1, role);
    case Kind::map: return read_map<Wire>(d, p, type, out, depth - 1, role);
    case Kind::struct_: return read_struct<Wire>(d, p, type.link, type.klass, out, depth - 1, role);
    case Kind::union_: return read_union<Wire>(d, p, type.link, type.klass, out, depth - 1, role);
    case Kind::any: return read_untyped<Wire>(d, p, type, out, depth - 1, role);
    }
    __builtin_unreachable();
}

// Reads one value. `Scalars` is the wire or, for a key of a map, its Key. `frame` belongs to the struct that has the value
// as a field; it is nullptr for an element. `role` says whether the value is frozen: keys and everything in them are, and
// with freeze: true everything is. Statuses: those of the wire and of the limits, mismatch, invalid_utf8.
template <class Wire, class Scalars = Wire>
SPARPACK_INLINE Cursor read_value(Decoder &d, Cursor p, const Type &type, const typename Wire::Frame *frame, VALUE *out,
                                  int depth, Role role) {
    const PendingBefore before = pending_before(d.pending);
    p = read_kind<Wire, Scalars>(d, p, type, frame, out, depth, role);
    pending_check_released(d.pending, before);
    return p;
}

// The same as a function, for values that are not read by one of the loops over a struct's fields. The switch over kinds is
// large.
template <class Wire>
[[gnu::noinline]] Cursor read_one(Decoder &d, Cursor p, const Type &type, const typename Wire::Frame *frame, VALUE *out,
                                  int depth, Role role) {
    return read_value<Wire>(d, p, type, frame, out, depth, role);
}

// Reads a union whose value waits in `fields`: its slot, itself, and the unknown field.
template <class Wire>
SPARPACK_INLINE Cursor read_variant(Decoder &d, Cursor p, const Link *link, VALUE klass, VALUE *fields, VALUE *out,
                                    int depth, Role role) {
    Cursor start = p;
    const PendingBefore before = pending_before(d.pending);
    VALUE *unknown = &fields[2];
    fields[0] = fields[1] = fields[2] = Qnil;
    const Row<Wire> *rows = rows_of<Wire>(link);
    typename Wire::Frame frame{};
    if constexpr (Wire::traits.opens_structs) {
        if (!(p = Wire::open_struct(d.in, p, frame, true))) return name_class(d, link, Wire::traits.a_struct);
    }
    bool some = false;
    for (;;) {
        Cursor header = p;
        int index = Wire::next_field(d.in, p, frame, link->table, 0);
        if (index == next_end) break;
        if (index == next_failed) return nullptr;
        if (SPARPACK_UNLIKELY(some)) return fail(d, Status::union_multiple_fields, header);
        some = true;
        Cursor value = p;
        if (index == next_unknown) {
            if (!storage_may_be_unknown(link->plan)) return fail(d, Status::unknown_field, header);
            if (!(p = read_unknown<Wire>(d, p, header, frame, unknown, depth))) return name_owner(d, link);
            if (NIL_P(*unknown)) *unknown = Extra::unknown_variant().value;
            continue;
        }
        const Field &field = rows[index == next_mismatch ? Wire::found(frame).index : index];
        if (index == next_mismatch) {
            p = read_loose<Wire>(d, p, field.type, Wire::found(frame).type, &frame, &fields[1], depth, role, header);
        } else {
            p = read_one<Wire>(d, p, field.type, &frame, &fields[1], depth, role);
        }
        if (SPARPACK_UNLIKELY(!p)) {
            if (!skips_mismatch(d)) return at_field(d, link, field);
            if (!(p = skip_mismatch<Wire>(d, before, value, frame, depth))) return at_field(d, link, field);
            *unknown = Extra::unknown_variant().value;
            fields[1] = Qnil;
            continue;
        }
        fields[0] = INT2FIX(field.slot);
    }
    if (SPARPACK_UNLIKELY(!some) && !storage_may_be_empty(link->plan)) return fail(d, Status::union_empty, start);
    *out = storage_build(d.slab, link->plan, klass, fields, Extra::of(kept_of<Wire>(*unknown)));
    if (freezes(role)) freeze_raw(*out);
    return p;
}

template <class Wire>
Cursor read_union(Decoder &d, Cursor p, const Link *link, VALUE klass, VALUE *out, int depth, Role role) {
    if (is_called<Wire>(d, link)) return read_called<Wire>(d, p, link, klass, out, depth, role);
    if (SPARPACK_UNLIKELY(depth < d.options.depth_watched) && too_deep(d, depth)) return fail_too_deep(d, p);
    if (SPARPACK_UNLIKELY(!charge(d, link->cost))) return fail_memory(d, p);
    return read_with_room(d, p, 3,
                          [&](VALUE *fields) { return read_variant<Wire>(d, p, link, klass, fields, out, depth, role); });
}

// Reads a struct whose values wait in `fields`, which has room for one more. `depth` is how many levels there may be below.
template <class Wire>
SPARPACK_INLINE Cursor read_fields(Decoder &d, Cursor p, const Link *link, VALUE klass, VALUE *fields, VALUE *out, int depth,
                                   Role role) {
    const uint32_t count = link->count;
    if (SPARPACK_UNLIKELY(!charge(d, link->cost))) return fail_memory(d, p);
    const PendingBefore before = pending_before(d.pending);
    VALUE *unknown = &fields[count];
    for (uint32_t i = 0; i < count; i++) fields[i] = Qundef;
    *unknown = Qnil;

    const Row<Wire> *rows = rows_of<Wire>(link);
    typename Wire::Frame frame{};
    if constexpr (Wire::traits.opens_structs) {
        if (SPARPACK_UNLIKELY(!(p = Wire::open_struct(d.in, p, frame, false))))
            return name_class(d, link, Wire::traits.a_struct);
    }
    uint32_t seen = 0;
    const Row<Wire> *expected = rows;
    for (;;) {
        Cursor header = p;
        int index = static_cast<int>(expected - rows);
        if (SPARPACK_UNLIKELY(!Wire::next_known(d.in, p, frame, expected->header)))
            index = Wire::next_field(d.in, p, frame, link->table, static_cast<uint32_t>(index));
        if (SPARPACK_LIKELY(index >= 0)) {
            const Row<Wire> &field = rows[index];
            VALUE *place = &fields[field.slot];
            seen += *place == Qundef;
            expected = &field + 1;
            Cursor value = p;
            p = read_value<Wire>(d, p, field.type, &frame, place, depth, role);
            if (SPARPACK_LIKELY(p != nullptr)) continue;
            if (!skips_mismatch(d)) return at_field(d, link, field);
            if (!(p = skip_mismatch<Wire>(d, before, value, frame, depth))) return at_field(d, link, field);
            *place = Qundef;
            seen--;
        } else if (index == next_end) {
            break;
        } else if (index == next_unknown) {
            p = read_unknown<Wire>(d, p, header, frame, unknown, depth);
            if (SPARPACK_UNLIKELY(!p)) return name_owner(d, link);
            expected = rows + count;
        } else if (index == next_mismatch) {
            const FoundField found = Wire::found(frame);
            const Row<Wire> &field = rows[found.index];
            expected = &field + 1;
            if (!d.options.mismatch_skip) return fail_mismatch(d, field.type, found.type, header), at_field(d, link, field);
            if (!(p = skip_field<Wire>(d, p, frame, depth))) return at_field(d, link, field);
        } else {
            return nullptr;
        }
    }
    if (seen < count && SPARPACK_UNLIKELY(!fill_absent(d, p, link, fields, role))) return nullptr;
    if (SPARPACK_UNLIKELY(!NIL_P(*unknown))) *unknown = kept_of<Wire>(*unknown);
    *out = storage_build(d.slab, link->plan, klass, fields, Extra::of(*unknown));
    if (freezes(role)) freeze_raw(*out);
    return p;
}

// Reads adjacent structs. Their values wait in the same place, one struct after the other. If one fails, d.failed is its
// place among them: it is set after whatever was read inside.
template <class Wire>
[[gnu::noinline]] Cursor read_structs(Decoder &d, Cursor p, const Link *link, VALUE klass, VALUE *out, size_t count,
                                      int depth, Role role) {
    d.failed = 0;
    if (SPARPACK_UNLIKELY(depth < d.options.depth_watched) && too_deep(d, depth)) return fail_too_deep(d, p);
    // With read_with_room, lists of MessagePack would take 0.8% more instructions.
    const PendingMark mark = pending_mark(d.pending);
    VALUE *fields = pending_take(d.pending, link->count + 1, d.memory);
    if (SPARPACK_UNLIKELY(!fields)) return fail_memory(d, p);
    for (size_t i = 0; i < count; i++) {
        p = read_fields<Wire>(d, p, link, klass, fields, &out[i], depth, role);
        if (SPARPACK_UNLIKELY(!p)) {
            d.failed = i;
            break;
        }
    }
    pending_release(d.pending, mark);
    return p;
}

template <class Wire>
Cursor read_struct(Decoder &d, Cursor p, const Link *link, VALUE klass, VALUE *out, int depth, Role role) {
    if (is_called<Wire>(d, link)) return read_called<Wire>(d, p, link, klass, out, depth, role);
    if constexpr (Wire::traits.counts_elements) {
        return read_structs<Wire>(d, p, link, klass, out, 1, depth, role);
    } else {  // a list of such a wire has a loop of its own, which read_structs would slow down by 5%
        if (SPARPACK_UNLIKELY(depth < d.options.depth_watched) && too_deep(d, depth)) return fail_too_deep(d, p);
        return read_with_room(d, p, link->count + 1,
                              [&](VALUE *fields) { return read_fields<Wire>(d, p, link, klass, fields, out, depth, role); });
    }
}

}  // namespace

}  // namespace sparpack
