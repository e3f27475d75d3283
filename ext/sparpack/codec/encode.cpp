// Objects to bytes. Fields are read from slots, never through accessors. Only transcoding runs Ruby code, and whatever that
// may have changed is read again. Frames own nothing, so anything may raise.
#include "../glue/sets.hpp"
#include "codec.hpp"
#include "encoder.hpp"
#include "kept.hpp"

namespace sparpack {

namespace {

template <class Wire> uint8_t *write_struct(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth);
template <class Wire> uint8_t *write_union(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth);
template <class Wire> uint8_t *write_list(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);
template <class Wire> uint8_t *write_structs(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);
template <class Wire> uint8_t *write_set(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);
template <class Wire> uint8_t *write_map(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);

// Writes one value. The caller has reserved field_room at p, and may have used some of it for the field's header. On return
// `rest` is reserved. `frame` belongs to the struct that has the value as a field.
template <class Wire, class Rest>
SPARPACK_INLINE uint8_t *write_value(Encoder &e, uint8_t *p, const Type &type, VALUE value, typename Wire::Frame *frame,
                                     int depth, Rest rest) {
    int64_t number = 0;
    Number result;
    switch (type.kind) {
    case Kind::bool_:
        if (SPARPACK_UNLIKELY(value != Qtrue && value != Qfalse)) return refuse(e, Status::value_mismatch, type, value);
        return Wire::write_bool(e.output.writer, p, frame, value == Qtrue);
    case Kind::i8:
        if (SPARPACK_LIKELY((result = integer_in<int8_t>(value, &number)) == Number::ok))
            return Wire::write_i8(e.output.writer, p, number);
        return refuse_number(e, result, type, value);
    case Kind::i16:
        if (SPARPACK_LIKELY((result = integer_in<int16_t>(value, &number)) == Number::ok))
            return Wire::write_i16(e.output.writer, p, number);
        return refuse_number(e, result, type, value);
    case Kind::enum_:
        if (SPARPACK_UNLIKELY(!RB_FIXNUM_P(value))) {
            VALUE named = enum_number(type, value);
            if (named == Qundef) return refuse(e, Status::value_mismatch, type, value);
            value = named;
        }
        if (SPARPACK_UNLIKELY(e.options.validate >= Check::strict)) {  // looking up any other object would call its `hash`
            if (!RB_INTEGER_TYPE_P(value) || NIL_P(rb_hash_lookup2(type.names, value, Qnil)))
                return refuse(e, Status::value_mismatch, type, value);
        }
        [[fallthrough]];
    case Kind::i32:
        if (SPARPACK_LIKELY((result = integer_in<int32_t>(value, &number)) == Number::ok))
            return Wire::write_i32(e.output.writer, p, number);
        return refuse_number(e, result, type, value);
    case Kind::i64:
        if (SPARPACK_LIKELY((result = integer_of(value, &number)) == Number::ok))
            return Wire::write_i64(e.output.writer, p, number);
        return refuse_number(e, result, type, value);
    case Kind::double_: {
        double real = 0;
        if (SPARPACK_LIKELY((result = real_of(value, &real)) == Number::ok))
            return Wire::write_double(e.output.writer, p, real);
        return refuse_number(e, result, type, value);
    }
    case Kind::string: {
        // A short string is copied as 16 bytes, which its slot always has. What follows in the output overwrites the excess.
        if (string_short <= text_embedded_min && SPARPACK_LIKELY(text_is_embedded(value))) {
            size_t size = text_embedded_size(value);
            if (SPARPACK_LIKELY(size <= e.short_max)) {
                if (size > string_short) __builtin_unreachable();
                p = Wire::write_size(e.output.writer, p, size);
                writer_check(e.output.writer, p, string_short);
                memcpy(p, text_embedded_data(value), string_short);
                keep_alive(value);
                return p + size;
            }
        }
        VALUE string = value;
        if (SPARPACK_UNLIKELY(!text_is_utf8(string)) && !(string = text_of(e, type, value))) return nullptr;
        return write_bytes<Wire>(e, p, string, rest);
    }
    case Kind::binary:
        if (SPARPACK_UNLIKELY(!RB_TYPE_P(value, T_STRING))) return refuse(e, Status::value_mismatch, type, value);
        return write_bytes<Wire>(e, p, value, rest);
    case Kind::uuid: {
        if (SPARPACK_UNLIKELY(!RB_TYPE_P(value, T_STRING))) return refuse(e, Status::value_mismatch, type, value);
        writer_check(e.output.writer, p, uuid_bytes);
        if (SPARPACK_UNLIKELY(!uuid_parse(RSTRING_PTR(value), static_cast<size_t>(RSTRING_LEN(value)), p)))
            return refuse(e, Status::value_not_uuid, type, value);
        return p + uuid_bytes;
    }
    case Kind::list:
        p = SPARPACK_LIKELY(type.element->kind == Kind::struct_) ? write_structs<Wire>(e, p, type, value, depth - 1)
                                                                 : write_list<Wire>(e, p, type, value, depth - 1);
        return reserve_rest(e, p, rest);
    case Kind::set: return reserve_rest(e, write_set<Wire>(e, p, type, value, depth - 1), rest);
    case Kind::map: return reserve_rest(e, write_map<Wire>(e, p, type, value, depth - 1), rest);
    case Kind::struct_:
        if (SPARPACK_UNLIKELY(!storage_fits(value, type))) return refuse(e, Status::value_mismatch, type, value);
        return reserve_rest(e, write_struct<Wire>(e, p, type.link, value, depth - 1), rest);
    case Kind::union_:
        if (SPARPACK_UNLIKELY(!storage_fits(value, type))) return refuse(e, Status::value_mismatch, type, value);
        return reserve_rest(e, write_union<Wire>(e, p, type.link, value, depth - 1), rest);
    }
    __builtin_unreachable();
}

// Writes a field and reserves its room, where the fields of a struct are not written in runs.
template <class Wire>
uint8_t *write_field(Encoder &e, uint8_t *p, const Link *link, const Field &field, VALUE value, typename Wire::Frame &frame,
                     int depth) {
    p = writer_reserve(e.output.writer, p, field_room);
    p = Wire::write_field(e.output.writer, p, frame, field.head.id, field.head.type);
    p = write_value<Wire>(e, p, field.type, value, &frame, depth, NoRest());
    return SPARPACK_LIKELY(p != nullptr) ? p : at_field(e, link, field);
}

SPARPACK_COLD uint8_t *refuse_missing(Encoder &e, const Link *link, const Field &field) {
    e.fault.status = Status::missing_field;
    return at_field(e, link, field);
}

SPARPACK_COLD uint8_t *refuse_kept(Encoder &e, Status status) {
    return refuse_limit(e, status, options_limit(e.options, status));
}

// Writes the fields that are set and, between them, the unknown ones that were kept. A union has at most one field.
template <class Wire>
SPARPACK_COLD uint8_t *write_with_unknown(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    typename Wire::Frame frame{};
    VALUE unknown = storage_extra(object).kept_fields();
    Kept<Wire> kept(e.output.writer, e.options, depth, frame, unknown);
    uint32_t i = 0, end = link->count;
    if (link->is_union) {
        uint32_t slot = storage_variant(object);
        i = slot == no_slot ? end : link->places[slot];
        end = slot == no_slot ? end : i + 1;
    }
    for (; i < end; i++) {
        const Field &field = link->fields[i];
        VALUE value = storage_read(object, field.slot);
        if (!(p = kept.write(p, field.head.id))) return refuse_kept(e, kept.in.status);
        if (!NIL_P(value)) kept.drop(field.head.id);  // kept by a class that did not know the field
        if (NIL_P(value)) {
            if (field.required) return refuse_missing(e, link, field);
            continue;
        }
        if (!(p = write_field<Wire>(e, p, link, field, value, frame, depth))) return nullptr;
    }
    p = kept.write(p, INT32_MAX);
    RB_GC_GUARD(unknown);
    if (!p) return refuse_kept(e, kept.in.status);
    p = writer_reserve(e.output.writer, p, 1);
    return Wire::write_stop(e.output.writer, p);
}

// Writes a run of a struct's fields, at least one. Their room is reserved, and one byte more.
template <class Wire>
SPARPACK_INLINE uint8_t *write_run(Encoder &e, uint8_t *p, const Link *link, const Field *field, const Field *end,
                                   const VALUE *values, typename Wire::Frame &frame, int depth) {
    do {
        VALUE value = values[field->slot];
        if (SPARPACK_UNLIKELY(NIL_P(value))) {
            if (SPARPACK_UNLIKELY(field->required)) return refuse_missing(e, link, *field);
            continue;
        }
        p = Wire::write_known(e.output.writer, p, frame, field->head);
        p = write_value<Wire>(e, p, field->type, value, &frame, depth, FieldsRest{field, end});
        if (SPARPACK_UNLIKELY(!p)) return at_field(e, link, *field);
    } while (++field < end);
    return p;
}

template <class Wire> uint8_t *write_runs(Encoder &e, uint8_t *p, const Link *link, const VALUE *values, int depth) {
    typename Wire::Frame frame{};
    p = writer_reserve(e.output.writer, p, 1);
    for (uint32_t i = 0; i < link->count && p; i += field_run) {
        uint32_t count = link->count - i < field_run ? link->count - i : field_run;
        p = writer_reserve(e.output.writer, p, count * field_room + 1);
        p = write_run<Wire>(e, p, link, link->fields + i, link->fields + i + count, values, frame, depth);
    }
    return p;
}

// What the structs of a list have in common, if all their fields are one run.
struct Layout {
    const Field *fields;
    const Field *end;
    size_t room;
    const Plan *plan;
    StorageType type;

    explicit Layout(const Link *link)
        : fields(link->fields),
          end(fields + link->count),
          room(link->count * field_room + 1),
          plan(link->plan),
          type(storage_type(plan)) {}

    static bool fits(const Link *link) { return link->count - 1 < field_run; }
};

template <class Wire>
SPARPACK_INLINE uint8_t *write_fields(Encoder &e, uint8_t *p, const Link *link, const Layout &layout, const VALUE *values,
                                      int depth) {
    typename Wire::Frame frame{};
    p = writer_reserve(e.output.writer, p, layout.room);
    return write_run<Wire>(e, p, link, layout.fields, layout.end, values, frame, depth);
}

SPARPACK_COLD bool too_deep(Encoder &e, int depth) {
    if (depth >= 0 && !options_stack_full(e.options)) return false;
    refuse_limit(e, Status::too_deep, e.options.depth);
    return true;
}

// `depth` is how many levels there may be below this one.
template <class Wire>
SPARPACK_INLINE uint8_t *write_struct_of(Encoder &e, uint8_t *p, const Link *link, const Layout &layout, VALUE object,
                                         int depth) {
    if (SPARPACK_UNLIKELY(!storage_extra(object).empty())) return write_with_unknown<Wire>(e, p, link, object, depth);
    p = write_fields<Wire>(e, p, link, layout, storage_view(object), depth);
    keep_alive(object);
    return SPARPACK_LIKELY(p != nullptr) ? Wire::write_stop(e.output.writer, p) : nullptr;
}

template <class Wire> SPARPACK_COLD uint8_t *write_wide(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if (!storage_extra(object).empty()) return write_with_unknown<Wire>(e, p, link, object, depth);
    p = write_runs<Wire>(e, p, link, storage_view(object), depth);
    keep_alive(object);
    return p ? Wire::write_stop(e.output.writer, p) : nullptr;
}

template <class Wire> uint8_t *write_struct(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if (SPARPACK_UNLIKELY(depth < e.options.depth_watched) && too_deep(e, depth)) return nullptr;
    if (SPARPACK_UNLIKELY(!Layout::fits(link))) return write_wide<Wire>(e, p, link, object, depth);
    return write_struct_of<Wire>(e, p, link, Layout(link), object, depth);
}

template <class Wire> uint8_t *write_union(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if (SPARPACK_UNLIKELY(depth < e.options.depth_watched) && too_deep(e, depth)) return nullptr;
    Extra extra = storage_extra(object);
    if (extra.has_kept_fields()) return write_with_unknown<Wire>(e, p, link, object, depth);
    uint32_t slot = storage_variant(object);
    if (slot == no_slot) {
        e.fault.status = extra.is_unknown_variant() ? Status::union_unknown : Status::union_unset;
        return nullptr;
    }
    const Field &field = link->fields[link->places[slot]];
    typename Wire::Frame frame{};
    p = write_field<Wire>(e, p, link, field, storage_variant_value(object), frame, depth);
    keep_alive(object);
    if (SPARPACK_UNLIKELY(!p)) return nullptr;
    return Wire::write_stop(e.output.writer, writer_reserve(e.output.writer, p, 1));
}

// Writes an element of a container. nil is not one.
template <class Wire>
SPARPACK_INLINE uint8_t *write_element(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth) {
    p = writer_reserve(e.output.writer, p, field_room);
    return write_value<Wire>(e, p, type, value, nullptr, depth, NoRest());
}

SPARPACK_INLINE bool size_fits(Encoder &e, size_t size) {
    return SPARPACK_LIKELY(size <= INT32_MAX && static_cast<int64_t>(size) <= e.options.container);
}

SPARPACK_COLD uint8_t *refuse_size(Encoder &e) {
    return refuse_limit(e, Status::container_too_large, e.options.container < INT32_MAX ? e.options.container : INT32_MAX);
}

// Writes numbers in runs. Nothing in a run calls Ruby, so the array's memory stays where it is.
template <class Wire, class Put>
SPARPACK_INLINE uint8_t *write_numbers(Encoder &e, uint8_t *p, VALUE array, long count, Put put) {
    constexpr long run = 256;
    for (long start = 0; start < count; start += run) {
        long end = start + run < count ? start + run : count;
        p = writer_reserve(e.output.writer, p, static_cast<size_t>(end - start) * varint_max);
        const VALUE *values = RARRAY_CONST_PTR_TRANSIENT(array);
        for (long i = start; i < end; i++) {
            uint8_t *next = put(p, values[i]);
            if (SPARPACK_UNLIKELY(!next)) return fault_at_index(e.fault, static_cast<size_t>(i)), nullptr;
            p = next;
        }
    }
    return p;
}

// Checks an Array, and writes its element type and its size.
template <class Wire>
SPARPACK_INLINE uint8_t *open_array(Encoder &e, uint8_t *p, const Type &type, VALUE array, int depth, long *size) {
    if (SPARPACK_UNLIKELY(!RB_TYPE_P(array, T_ARRAY))) return refuse(e, Status::value_mismatch, type, array);
    if (SPARPACK_UNLIKELY(depth < 0)) return refuse_limit(e, Status::too_deep, e.options.depth);
    long count = RARRAY_LEN(array);
    if (SPARPACK_UNLIKELY(!size_fits(e, static_cast<size_t>(count)))) return refuse_size(e);
    *size = count;
    return Wire::write_list(e.output.writer, p, type.element->wire, static_cast<size_t>(count));
}

// Writes a list of structs. The array's memory stays where it is until something is allocated or Ruby code runs.
template <class Wire> uint8_t *write_structs(Encoder &e, uint8_t *p, const Type &list, VALUE array, int depth) {
    const Type &type = *list.element;
    const Link *link = type.link;
    if (SPARPACK_UNLIKELY(!Layout::fits(link))) return write_list<Wire>(e, p, list, array, depth);
    long count = 0;
    p = open_array<Wire>(e, p, list, array, depth, &count);
    if (SPARPACK_UNLIKELY(!p || count == 0)) return p;
    if (SPARPACK_UNLIKELY(--depth < e.options.depth_watched) && too_deep(e, depth))
        return fault_at_index(e.fault, 0), nullptr;
    const Layout layout(link);
    for (long i = 0; i < count;) {
        if (SPARPACK_UNLIKELY(RARRAY_LEN(array) != count)) return refuse_changed(e);
        const VALUE *values = RARRAY_CONST_PTR_TRANSIENT(array);
        uint32_t epoch = e.output.epoch;
        do {
            VALUE value = values[i];
            p = SPARPACK_LIKELY(storage_fits(value, layout.plan, layout.type))
                    ? write_struct_of<Wire>(e, p, link, layout, value, depth)
                    : refuse(e, Status::value_mismatch, type, value);
            if (SPARPACK_UNLIKELY(!p)) return fault_at_index(e.fault, static_cast<size_t>(i)), nullptr;
            i++;
        } while (i < count && SPARPACK_LIKELY(e.output.epoch == epoch));
    }
    keep_alive(array);
    return p;
}

template <class Wire>
SPARPACK_INLINE uint8_t *write_elements(Encoder &e, uint8_t *p, const Type &type, VALUE array, long count, int depth) {
    if (type.kind == Kind::i64) {
        return write_numbers<Wire>(e, p, array, count, [&](uint8_t *q, VALUE value) -> uint8_t * {
            int64_t number = 0;
            Number result = integer_of(value, &number);
            if (SPARPACK_UNLIKELY(result != Number::ok)) return refuse_number(e, result, type, value);
            return Wire::write_i64(e.output.writer, q, number);
        });
    }
    if (type.kind == Kind::double_) {
        return write_numbers<Wire>(e, p, array, count, [&](uint8_t *q, VALUE value) -> uint8_t * {
            double number;
            Number result = real_of(value, &number);
            if (SPARPACK_UNLIKELY(result != Number::ok)) return refuse_number(e, result, type, value);
            return Wire::write_double(e.output.writer, q, number);
        });
    }
    for (long i = 0; i < count; i++) {
        // Transcoding may have run Ruby code, so the array is read again each time.
        if (SPARPACK_UNLIKELY(RARRAY_LEN(array) != count)) return refuse_changed(e);
        p = write_element<Wire>(e, p, type, RARRAY_AREF(array, i), depth);
        if (SPARPACK_UNLIKELY(!p)) return fault_at_index(e.fault, static_cast<size_t>(i)), nullptr;
    }
    return p;
}

template <class Wire> uint8_t *write_list(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth) {
    long count = 0;
    p = open_array<Wire>(e, p, type, value, depth, &count);
    if (SPARPACK_LIKELY(p != nullptr)) p = write_elements<Wire>(e, p, *type.element, value, count, depth);
    keep_alive(value);
    return p;
}

// A walk over a Hash or a Set. Its callbacks need the cursor in memory.
template <class Wire> struct Visit {
    Encoder &e;
    uint8_t *p;
    const Type &type;
    size_t index;
    int depth;
    size_t count;
};

template <class Wire> int visit_element(VALUE element, VALUE data) {
    Visit<Wire> &v = *reinterpret_cast<Visit<Wire> *>(data);
    if (SPARPACK_UNLIKELY(v.index == v.count)) return v.p = refuse_changed(v.e), ST_STOP;
    v.p = write_element<Wire>(v.e, v.p, *v.type.element, element, v.depth);
    if (SPARPACK_UNLIKELY(!v.p)) return fault_at_index(v.e.fault, v.index), ST_STOP;
    v.index++;
    return ST_CONTINUE;
}

template <class Wire> uint8_t *write_set(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth) {
    if (RB_TYPE_P(value, T_ARRAY)) return write_list<Wire>(e, p, type, value, depth);
    if (SPARPACK_UNLIKELY(!is_set(value))) return refuse(e, Status::value_mismatch, type, value);
    if (SPARPACK_UNLIKELY(depth < 0)) return refuse_limit(e, Status::too_deep, e.options.depth);
    size_t count = set_size(value);
    if (SPARPACK_UNLIKELY(!size_fits(e, count))) return refuse_size(e);
    p = Wire::write_list(e.output.writer, p, type.element->wire, count);
    Visit<Wire> visit = {e, p, type, 0, depth, count};
    if (count > 0) set_foreach(value, visit_element<Wire>, reinterpret_cast<VALUE>(&visit));
    if (SPARPACK_UNLIKELY(visit.p && visit.index != count)) return refuse_changed(e);
    RB_GC_GUARD(value);
    return visit.p;
}

template <class Wire> int visit_pair(VALUE key, VALUE value, VALUE data) {
    Visit<Wire> &v = *reinterpret_cast<Visit<Wire> *>(data);
    if (SPARPACK_UNLIKELY(v.index == v.count)) return v.p = refuse_changed(v.e), ST_STOP;
    v.p = write_element<Wire>(v.e, v.p, *v.type.key, key, v.depth);
    if (SPARPACK_UNLIKELY(!v.p)) return fault_at_key(v.e.fault, v.index), ST_STOP;
    v.p = write_element<Wire>(v.e, v.p, *v.type.element, value, v.depth);
    if (SPARPACK_UNLIKELY(!v.p)) return fault_at_value(v.e.fault, v.index), ST_STOP;
    v.index++;
    return ST_CONTINUE;
}

template <class Wire> uint8_t *write_map(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth) {
    if (SPARPACK_UNLIKELY(!RB_TYPE_P(value, T_HASH))) return refuse(e, Status::value_mismatch, type, value);
    if (SPARPACK_UNLIKELY(depth < 0)) return refuse_limit(e, Status::too_deep, e.options.depth);
    size_t count = RHASH_SIZE(value);
    if (SPARPACK_UNLIKELY(!size_fits(e, count))) return refuse_size(e);
    p = Wire::write_map(e.output.writer, p, type.key->wire, type.element->wire, count);
    Visit<Wire> visit = {e, p, type, 0, depth, count};
    if (count > 0) {
        rb_hash_foreach(value, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(visit_pair<Wire>),
                        reinterpret_cast<VALUE>(&visit));
    }
    if (SPARPACK_UNLIKELY(visit.p && visit.index != count)) return refuse_changed(e);
    RB_GC_GUARD(value);
    return visit.p;
}

template <class Wire> VALUE encode_with(const Link *link, VALUE object, WireId wire, const Options &options) {
    Encoder e(options);
    uint8_t *p = e.output.stack;
    p = link->is_union ? write_union<Wire>(e, p, link, object, options.depth - 1)
                       : write_struct<Wire>(e, p, link, object, options.depth - 1);
    if (SPARPACK_UNLIKELY(!p)) fault_raise_encode(e.fault, rb_obj_class(object), wire_name(wire));
    RB_GC_GUARD(object);
    return output_finish(e.output, p);
}

}  // namespace

VALUE encode(const Link *link, VALUE object, WireId wire, const Options &options) {
    switch (wire) {
#define X(name, grammar) \
    case WireId::name: return encode_with<grammar>(link, object, wire, options);
        SPARPACK_WIRES(X)
#undef X
    }
    __builtin_unreachable();
}

}  // namespace sparpack
