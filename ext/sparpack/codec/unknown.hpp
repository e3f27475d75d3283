// Fields that a decode has no place for: absent ones, unknown ones, and those of another type.
#pragma once

#include <cstdlib>

#include "../glue/output.hpp"
#include "../wire/binary.hpp"
#include "../wire/walk.hpp"
#include "decoder.hpp"

namespace sparpack {

// An absent field's default, or nil. In a key a default that is NaN counts as one that was read does; a container in a
// default is shared by all keys, so that it is equal to itself whatever it holds. Statuses: missing_field, too_much_memory,
// too_many_nan_keys.
SPARPACK_COLD inline Cursor fill_absent(Decoder &d, Cursor p, const Link *link, VALUE *fields, Role role) {
    for (const Field *field = link->fields, *end = field + link->count; field < end; field++) {
        if (fields[field->slot] != Qundef) continue;
        const Slot &slot = link->plan->slots[field->slot];
        if (SPARPACK_UNLIKELY(!NIL_P(slot.fallback))) {
            if (slot.copied && !role && !charge(d, slot.cost)) return fail_memory(d, p), at_field(d, link, *field);
            if (role == role_key && is_nan(slot.fallback) && !nan_key(d))
                return fail_nan_keys(d, p), at_field(d, link, *field);
            fields[field->slot] = role ? slot.fallback : plan_default(slot);
        } else if (SPARPACK_UNLIKELY(field->required && d.options.validate != Check::none)) {
            fail(d, Status::missing_field, p);
            return at_field(d, link, *field);
        } else {
            fields[field->slot] = Qnil;
        }
    }
    return p;
}

// Unknown fields are kept in the binary protocol, whatever they came in: it needs no neighbours to be read. Nothing that
// runs before the end finds them.
template <class Wire>
SPARPACK_COLD Cursor keep_field(Decoder &d, Cursor p, const typename Wire::Frame &frame, VALUE *unknown, int depth) {
    BinarySize measure;
    BinarySize::Frame none;
    measure.field(none, frame.id, frame.type);
    Cursor next = walk<Wire>(d.in, p, frame.type, &frame, measure, &none, depth);
    if (!next) return nullptr;
    // The bytes here and in the end, this String, and its place.
    if (!charge(d, 2 * static_cast<int64_t>(measure.size) + 2 * (object_cost + malloc_cost))) return fail_memory(d, p);
    Output output;
    Copy<Binary> copy(output.writer, output.stack);
    Binary::Frame header;
    copy.field(header, frame.id, frame.type);
    walk<Wire>(d.in, p, frame.type, &frame, copy, &header, depth);
    VALUE bytes = rb_obj_hide(output_finish(output, copy.p));
    if (NIL_P(*unknown)) *unknown = rb_obj_hide(rb_ary_new());
    rb_ary_push(*unknown, rb_obj_hide(rb_assoc_new(INT2FIX(frame.id), bytes)));
    return next;
}

struct KeptPlace {
    int32_t id;
    long place;
};

inline int kept_compare(const void *left, const void *right) {
    const KeptPlace *a = static_cast<const KeptPlace *>(left), *b = static_cast<const KeptPlace *>(right);
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

// [[id, bytes], …] as read, to one frozen String by ascending id; the last of a duplicate wins. No method of Ruby's is
// called: it might be somebody's own, and change the source.
SPARPACK_COLD inline VALUE keep_finish(VALUE unknown) {
    if (!RB_TYPE_P(unknown, T_ARRAY)) return unknown;
    long count = RARRAY_LEN(unknown);
    VALUE owner = 0;
    KeptPlace *places = static_cast<KeptPlace *>(rb_alloc_tmp_buffer(&owner, count * static_cast<long>(sizeof(KeptPlace))));
    for (long i = 0; i < count; i++)
        places[i] = {static_cast<int32_t>(FIX2LONG(RARRAY_AREF(RARRAY_AREF(unknown, i), 0))), i};
    qsort(places, static_cast<size_t>(count), sizeof *places, kept_compare);
    VALUE bytes = rb_str_buf_new(0);
    for (long i = 0; i < count; i++) {
        if (i + 1 < count && places[i + 1].id == places[i].id) continue;
        VALUE field = RARRAY_AREF(RARRAY_AREF(unknown, places[i].place), 1);
        rb_str_cat(bytes, RSTRING_PTR(field), RSTRING_LEN(field));
        RB_GC_GUARD(field);  // growing may compact: it must not move
    }
    rb_free_tmp_buffer(&owner);
    RB_GC_GUARD(unknown);
    return rb_obj_freeze(bytes);
}

template <class Wire>
SPARPACK_COLD Cursor read_unknown(Decoder &d, Cursor p, Cursor start, const typename Wire::Frame &frame, VALUE *unknown,
                                  int depth) {
    switch (d.options.unknown) {
    case Unknown::skip: return skip<Wire>(d.in, p, frame.type, &frame, depth);
    case Unknown::keep: return keep_field<Wire>(d, p, frame, unknown, depth);
    case Unknown::reject: break;
    }
    d.fault.found = INT2FIX(frame.id);
    return fail(d, Status::unknown_field, start);
}

// A known id with another type, or with elements of another: skipped where that was asked for.
template <class Wire>
SPARPACK_COLD Cursor skip_mismatch(Decoder &d, Cursor p, const typename Wire::Frame &frame, int depth) {
    d.in.status = Status::ok;
    d.fault = Fault();
    return skip<Wire>(d.in, p, frame.type, &frame, depth);
}

}  // namespace sparpack
