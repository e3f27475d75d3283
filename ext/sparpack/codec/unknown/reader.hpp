// Fields of a payload that a decode has no place for: unknown ones, which it skips, keeps or refuses, and those of another
// type.
#pragma once

#include <cstdlib>
#include <type_traits>

#include "../../glue/output.hpp"
#include "../../wire/thrift/kept_copy.hpp"
#include "../../wire/walks.hpp"
#include "../decoder.hpp"

namespace sparpack {

struct KeptPlace {
    int32_t id;
    long place;
};

// What a kept field costs: its bytes, both here and in the end, and its place among the `others`. When the fourth field
// comes, Ruby makes room for twenty.
inline int64_t kept_cost(size_t size, long others) {
    int64_t once = others == 0 ? array_cost(0) + 2 * string_cost(0) : others == 3 ? array_cost(20) : 0;
    return once + string_cost(size) + array_cost(2) + static_cast<int64_t>(size + 2 * sizeof(VALUE) + sizeof(KeptPlace));
}

// Keeps an unknown field in the binary protocol, whatever wire it came in, because it can be read without its neighbours.
// The objects are hidden from Ruby code that runs before the end.
template <class Wire>
SPARPACK_COLD Cursor keep_field(Decoder &d, Cursor p, const typename Wire::Frame &frame, VALUE *unknown, int depth) {
    using Events = typename Wire::Events;
    const FoundField found = Wire::found(frame);
    const event::Field field = {{p, p}, found.id, found.type};
    Limited<BinarySize> measure(d.in, size_limits(d.options));
    BinarySize::Level none;
    measure.field(none, field);
    Cursor next = walk_value<Events>(d.in, p, Events::field_value(frame), measure, none, depth);
    if (!next) return nullptr;
    if (!charge(d, kept_cost(measure.size, NIL_P(*unknown) ? 0 : RARRAY_LEN(*unknown)))) return fail_memory(d, p);
    // The size is known, so an output that grows would only waste memory.
    uint8_t small[1024];
    const size_t room = measure.size + KeptCopy::room;
    bool is_small = room <= sizeof small;
    VALUE bytes = is_small ? Qnil : rb_obj_hide(rb_str_buf_new(static_cast<long>(room)));
    KeptCopy copy(is_small ? small : reinterpret_cast<uint8_t *>(RSTRING_PTR(bytes)), measure.size);
    KeptCopy::Level header;
    copy.field(header, field);
    next = walk_value<Events>(d.in, p, Events::field_value(frame), copy, header, depth);
    if (SPARPACK_UNLIKELY(!next || !copy.is_complete())) return fail(d, Status::value_changed, p);
    if (is_small) bytes = rb_obj_hide(rb_str_new(reinterpret_cast<char *>(small), static_cast<long>(measure.size)));
    if (!is_small) rb_str_set_len(bytes, static_cast<long>(measure.size));
    if (NIL_P(*unknown)) *unknown = rb_obj_hide(rb_ary_new());
    rb_ary_push(*unknown, rb_obj_hide(rb_assoc_new(INT2FIX(field.id), bytes)));
    return next;
}

inline int kept_compare(const void *left, const void *right) {
    const KeptPlace *a = static_cast<const KeptPlace *>(left), *b = static_cast<const KeptPlace *>(right);
    if (a->id != b->id) return a->id < b->id ? -1 : 1;
    return a->place < b->place ? -1 : 1;
}

// Turns [[id, bytes], …] into one frozen String in ascending order of ids. The last of a duplicate wins. Calls no Ruby
// method, because somebody may have replaced it and could change the source.
SPARPACK_COLD inline VALUE keep_finish(VALUE unknown) {
    long count = RARRAY_LEN(unknown);
    VALUE owner = 0;
    KeptPlace *places = static_cast<KeptPlace *>(rb_alloc_tmp_buffer(&owner, count * static_cast<long>(sizeof(KeptPlace))));
    for (long i = 0; i < count; i++)
        places[i] = {static_cast<int32_t>(FIX2LONG(RARRAY_AREF(RARRAY_AREF(unknown, i), 0))), i};
    qsort(places, static_cast<size_t>(count), sizeof *places, kept_compare);
    long kept = 0, size = 0;
    for (long i = 0; i < count; i++) {
        if (i + 1 < count && places[i + 1].id == places[i].id) continue;
        size += RSTRING_LEN(RARRAY_AREF(RARRAY_AREF(unknown, places[i].place), 1));
        places[kept++] = places[i];
    }
    VALUE bytes = rb_str_new(nullptr, size);
    char *end = RSTRING_PTR(bytes);
    for (long i = 0; i < kept; i++) {
        VALUE field = RARRAY_AREF(RARRAY_AREF(unknown, places[i].place), 1);
        memcpy(end, RSTRING_PTR(field), string_size(field));
        end += RSTRING_LEN(field);
    }
    rb_free_tmp_buffer(&owner);
    RB_GC_GUARD(unknown);
    return rb_obj_freeze(bytes);
}

// Skips one value. The level says what it is.
template <class Wire> Cursor skip_value(Decoder &d, Cursor p, const typename Wire::Events::Level &level, int depth) {
    return skip_within<Wire>(d.in, p, level, size_limits(d.options), depth);
}

template <class Wire> Cursor skip_field(Decoder &d, Cursor p, const typename Wire::Frame &frame, int depth) {
    return skip_value<Wire>(d, p, Wire::Events::field_value(frame), depth);
}

namespace {
template <class Wire> Cursor keep_entry(Decoder &d, Cursor p, const typename Wire::Frame &frame, VALUE *unknown, int depth);
template <class Wire> Cursor keep_member(Decoder &d, Cursor p, const typename Wire::Frame &frame, VALUE *unknown, int depth);
}  // namespace

// Apache's gem refuses what we skip: type numbers of empty lists that do not exist, more levels than its own limit, and,
// before 0.23, uuids.
template <class Wire> bool skips_like_apache([[maybe_unused]] const typename Wire::Frame &frame) {
    if constexpr (std::is_base_of_v<Thrift<Wire>, Wire>) {
        return frame.type != WireType::struct_ && frame.type != WireType::map && frame.type != WireType::set &&
               frame.type != WireType::list && frame.type != WireType::uuid;
    }
    return true;
}

template <class Wire>
SPARPACK_COLD Cursor read_unknown(Decoder &d, Cursor p, Cursor start, const typename Wire::Frame &frame, VALUE *unknown,
                                  int depth) {
    switch (d.options.unknown) {
    case Unknown::skip:
        if (d.options.attempt && !skips_like_apache<Wire>(frame)) break;
        return skip_field<Wire>(d, p, frame, depth);
    case Unknown::keep:
        if constexpr (Wire::traits.keeps == Kept::fields) {
            return keep_field<Wire>(d, p, frame, unknown, depth);
        } else if constexpr (Wire::traits.keeps == Kept::entries) {
            return keep_entry<Wire>(d, p, frame, unknown, depth);
        } else if constexpr (Wire::traits.keeps == Kept::members) {
            return keep_member<Wire>(d, p, frame, unknown, depth);
        } else {
            return skip_field<Wire>(d, p, frame, depth);
        }
    case Unknown::reject: break;
    }
    const FoundField field = Wire::found(frame);
    d.fault.found = field.name
                        ? rb_utf8_str_new(reinterpret_cast<const char *>(field.name), static_cast<long>(field.name_size))
                        : INT2FIX(field.id);
    return fail(d, Status::unknown_field, start);
}

// True if what failed is a known field with another type, or with elements of another type, and the options ask for such
// fields to be skipped.
SPARPACK_INLINE bool skips_mismatch(const Decoder &d) { return d.in.status == Status::mismatch && d.options.mismatch_skip; }

// Skips it.
template <class Wire>
SPARPACK_COLD Cursor skip_mismatch(Decoder &d, PendingBefore before, Cursor p, const typename Wire::Frame &frame,
                                   int depth) {
    read_on(d, before);
    return skip_field<Wire>(d, p, frame, depth);
}

}  // namespace sparpack
