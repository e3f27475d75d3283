// Objects to bytes. Fields are read from slots, never by accessors. Only a transcoding runs Ruby code in the middle, and
// what it may have changed is read again after it; frames own nothing, so that whatever raises may.
#include "../bytes/uuid.hpp"
#include "../glue/fault.hpp"
#include "../glue/output.hpp"
#include "../glue/sets.hpp"
#include "../glue/text.hpp"
#include "kept.hpp"
#include "scalar.hpp"
#include "walks.hpp"

namespace sparpack {

namespace {

// A string that a field's room holds together with its header and size.
constexpr size_t string_short = 16;

struct Encoder {
    Output output;
    const Options &options;
    Fault fault;
    size_t short_max;  // string_short, or what is allowed where that is less

    explicit Encoder(const Options &o)
        : options(o), short_max(o.string < static_cast<int64_t>(string_short) ? 0 : string_short) {}
};

// Room for any field's header and any scalar. It is reserved for all fields of a struct at once (for a run of them, where
// there are many), and whatever is longer, or comes from another function, reserves again for the `rest`.
constexpr size_t field_room = 24;
constexpr uint32_t field_run = 64;
static_assert(Compact::header_max + uuid_bytes <= field_room && Compact::header_max + 1 + varint_max <= field_room);
static_assert(Binary::header_max + uuid_bytes <= field_room);
static_assert(Compact::header_max + 1 + 16 <= field_room && Binary::header_max + 4 + 16 <= field_room);

SPARPACK_COLD uint8_t *refuse(Encoder &e, Status status, const Type &type, VALUE value) {
    e.fault.status = status;
    if (type.kind == Kind::struct_ || type.kind == Kind::union_) {
        e.fault.expected_class = type.klass;
    } else if (type.kind == Kind::enum_ && status != Status::value_out_of_range) {
        e.fault.expected_class = type.enumeration;
    } else if (status != Status::value_not_utf8 && status != Status::value_not_uuid) {
        e.fault.expected = kind_name(type.kind);
    }
    e.fault.found = value;
    return nullptr;
}

SPARPACK_COLD uint8_t *refuse_number(Encoder &e, Number result, const Type &type, VALUE value) {
    return refuse(e, result == Number::mismatch ? Status::value_mismatch : Status::value_out_of_range, type, value);
}

SPARPACK_COLD uint8_t *refuse_limit(Encoder &e, Status status, int64_t limit) {
    e.fault.status = status;
    e.fault.limit = static_cast<long>(limit);
    return nullptr;
}

SPARPACK_COLD uint8_t *refuse_changed(Encoder &e) {
    e.fault.status = Status::value_changed;
    return nullptr;
}

SPARPACK_COLD uint8_t *at_field(Encoder &e, const Link *link, const Field &field) {
    fault_at_field(e.fault, link->plan->slots[field.slot].name);
    return nullptr;
}

template <class Wire> uint8_t *write_struct(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth);
template <class Wire> uint8_t *write_union(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth);
template <class Wire> uint8_t *write_list(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);
template <class Wire> uint8_t *write_set(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);
template <class Wire> uint8_t *write_map(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);

// What other functions wrote may have used up what was reserved.
template <class Rest> SPARPACK_INLINE uint8_t *reserve_rest(Encoder &e, uint8_t *p, Rest rest) {
    return SPARPACK_LIKELY(p != nullptr) ? writer_reserve(e.output.writer, p, rest()) : nullptr;
}

template <class Wire, class Rest> SPARPACK_INLINE uint8_t *write_bytes(Encoder &e, uint8_t *p, VALUE string, Rest rest) {
    const char *data = RSTRING_PTR(string);
    size_t size = static_cast<size_t>(RSTRING_LEN(string));
    if (SPARPACK_UNLIKELY(size > e.short_max)) {
        if (SPARPACK_UNLIKELY(size > INT32_MAX)) return refuse_limit(e, Status::string_too_long, INT32_MAX);
        if (SPARPACK_UNLIKELY(static_cast<int64_t>(size) > e.options.string))
            return refuse_limit(e, Status::string_too_long, e.options.string);
        p = writer_reserve(e.output.writer, p, varint_max + size + rest());
    }
    p = Wire::write_size(e.output.writer, p, size);
    writer_check(e.output.writer, p, size);
    copy_bytes(p, data, size);
    keep_alive(string);
    return p + size;
}

SPARPACK_COLD VALUE enum_number(const Type &type, VALUE value) {
    return SYMBOL_P(value) ? rb_hash_lookup2(type.numbers, value, Qundef) : value;
}

// The UTF-8 of what is not plainly UTF-8; Qfalse where it is refused.
SPARPACK_COLD VALUE text_of(Encoder &e, const Type &type, VALUE value) {
    VALUE string = SYMBOL_P(value) ? rb_sym2str(value) : value;
    if (!RB_TYPE_P(string, T_STRING)) return refuse(e, Status::value_mismatch, type, value), Qfalse;
    e.output.disturbances++;
    string = text_utf8(string, e.options.utf8_keep);
    if (!string) refuse(e, Status::value_not_utf8, type, value);
    return string;
}

// The room for the fields after one, up to `end`, and for the end of a struct. Only what reserves asks for it.
struct FieldsRest {
    const Field *field, *end;
    size_t operator()() const { return static_cast<size_t>(end - field - 1) * field_room + 1; }
};

struct NoRest {
    size_t operator()() const { return 0; }
};

// `p` has field_room reserved, of which a field's header may be used up; `rest` is reserved when it returns. `frame` is the
// struct's whose field this is.
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
        if (SPARPACK_UNLIKELY(e.options.validate >= Check::strict) && NIL_P(rb_hash_lookup2(type.names, value, Qnil)))
            return refuse(e, Status::value_mismatch, type, value);
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
    case Kind::list: return reserve_rest(e, write_list<Wire>(e, p, type, value, depth - 1), rest);
    case Kind::set: return reserve_rest(e, write_set<Wire>(e, p, type, value, depth - 1), rest);
    case Kind::map: return reserve_rest(e, write_map<Wire>(e, p, type, value, depth - 1), rest);
    case Kind::struct_:
        if (SPARPACK_UNLIKELY(!instance_fits(value, type))) return refuse(e, Status::value_mismatch, type, value);
        return reserve_rest(e, write_struct<Wire>(e, p, type.link, value, depth - 1), rest);
    case Kind::union_:
        if (SPARPACK_UNLIKELY(!instance_fits(value, type))) return refuse(e, Status::value_mismatch, type, value);
        return reserve_rest(e, write_union<Wire>(e, p, type.link, value, depth - 1), rest);
    }
    __builtin_unreachable();
}

// A field with room of its own, for what is not the plain case of a struct.
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

template <class Wire>
SPARPACK_COLD uint8_t *write_with_unknown(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    typename Wire::Frame frame{};
    VALUE unknown = instance_data(object)->unknown;
    Kept<Wire> kept(e.output.writer, frame, unknown);
    for (uint32_t i = 0; i < link->count; i++) {
        const Field &field = link->fields[i];
        VALUE value = instance_value(instance_data(object), field.slot);
        p = kept.write(p, field.head.id);
        if (!NIL_P(value)) kept.drop(field.head.id);  // kept by a version that did not know the field
        if (NIL_P(value)) {
            if (field.required) return refuse_missing(e, link, field);
            continue;
        }
        if (!(p = write_field<Wire>(e, p, link, field, value, frame, depth))) return nullptr;
    }
    p = kept.write(p, INT32_MAX);
    RB_GC_GUARD(unknown);
    p = writer_reserve(e.output.writer, p, 1);
    return Wire::write_stop(e.output.writer, p);
}

// A run of a struct's fields, whose room is reserved, and one byte more.
template <class Wire>
SPARPACK_INLINE uint8_t *write_run(Encoder &e, uint8_t *p, const Link *link, const Field *field, const Field *end,
                                   const VALUE *values, typename Wire::Frame &frame, int depth) {
    for (; field < end; field++) {
        VALUE value = values[field->slot];
        if (SPARPACK_UNLIKELY(NIL_P(value))) {
            if (SPARPACK_UNLIKELY(field->required)) return refuse_missing(e, link, *field);
            continue;
        }
        p = Wire::write_known(e.output.writer, p, frame, field->head);
        p = write_value<Wire>(e, p, field->type, value, &frame, depth, FieldsRest{field, end});
        if (SPARPACK_UNLIKELY(!p)) return at_field(e, link, *field);
    }
    return p;
}

template <class Wire> uint8_t *write_runs(Encoder &e, uint8_t *p, const Link *link, const VALUE *values, int depth) {
    typename Wire::Frame frame{};
    for (uint32_t i = 0; i < link->count && p; i += field_run) {
        uint32_t count = link->count - i < field_run ? link->count - i : field_run;
        p = writer_reserve(e.output.writer, p, count * field_room + 1);
        p = write_run<Wire>(e, p, link, link->fields + i, link->fields + i + count, values, frame, depth);
    }
    return p;
}

// The fields of a struct, with room for one byte after them.
template <class Wire>
SPARPACK_INLINE uint8_t *write_fields(Encoder &e, uint8_t *p, const Link *link, const VALUE *values, int depth) {
    if (SPARPACK_UNLIKELY(link->count > field_run)) return write_runs<Wire>(e, p, link, values, depth);
    typename Wire::Frame frame{};
    p = writer_reserve(e.output.writer, p, link->count * field_room + 1);
    return write_run<Wire>(e, p, link, link->fields, link->fields + link->count, values, frame, depth);
}

SPARPACK_COLD bool too_deep(Encoder &e, int depth) {
    if (depth >= 0 && !options_stack_full(e.options)) return false;
    refuse_limit(e, Status::too_deep, e.options.depth);
    return true;
}

// `depth` is how many levels there may be below this one.
template <class Wire>
SPARPACK_INLINE uint8_t *write_struct_inline(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    const Instance *instance = instance_data(object);
    if (SPARPACK_UNLIKELY(!NIL_P(instance->unknown))) return write_with_unknown<Wire>(e, p, link, object, depth);
    p = write_fields<Wire>(e, p, link, instance_view(instance), depth);
    keep_alive(object);
    return SPARPACK_LIKELY(p != nullptr) ? Wire::write_stop(e.output.writer, p) : nullptr;
}

template <class Wire> uint8_t *write_struct(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if (SPARPACK_UNLIKELY(depth < e.options.depth_watched) && too_deep(e, depth)) return nullptr;
    return write_struct_inline<Wire>(e, p, link, object, depth);
}

template <class Wire> uint8_t *write_union(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if (SPARPACK_UNLIKELY(depth < e.options.depth_watched) && too_deep(e, depth)) return nullptr;
    const Instance *instance = instance_data(object);
    if (RB_TYPE_P(instance->unknown, T_STRING)) return write_with_unknown<Wire>(e, p, link, object, depth);
    uint32_t slot = union_slot(instance);
    if (slot == no_slot) {
        e.fault.status = instance->unknown == Qtrue ? Status::union_unknown : Status::union_unset;
        return nullptr;
    }
    uint32_t i = 0;
    while (link->fields[i].slot != slot) i++;
    typename Wire::Frame frame{};
    p = write_field<Wire>(e, p, link, link->fields[i], instance->field[1], frame, depth);
    keep_alive(object);
    if (SPARPACK_UNLIKELY(!p)) return nullptr;
    return Wire::write_stop(e.output.writer, writer_reserve(e.output.writer, p, 1));
}

// An element, which nil is not.
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

// Numbers call nothing, so that the array's memory stays where it is for a run of them.
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

// The array's memory stays where it is until something is allocated or run.
template <class Wire> uint8_t *write_structs(Encoder &e, uint8_t *p, const Type &type, VALUE array, long count, int depth) {
    if (count > 0 && SPARPACK_UNLIKELY(depth < e.options.depth_watched) && too_deep(e, depth))
        return fault_at_index(e.fault, 0), nullptr;
    const Link *link = type.link;
    for (long i = 0; i < count;) {
        if (SPARPACK_UNLIKELY(RARRAY_LEN(array) != count)) return refuse_changed(e);
        const VALUE *values = RARRAY_CONST_PTR_TRANSIENT(array);
        uint32_t disturbances = e.output.disturbances;
        do {
            VALUE value = values[i];
            p = SPARPACK_LIKELY(instance_fits(value, type)) ? write_struct_inline<Wire>(e, p, link, value, depth)
                                                            : refuse(e, Status::value_mismatch, type, value);
            if (SPARPACK_UNLIKELY(!p)) return fault_at_index(e.fault, static_cast<size_t>(i)), nullptr;
            i++;
        } while (i < count && SPARPACK_LIKELY(e.output.disturbances == disturbances));
    }
    return p;
}

template <class Wire> uint8_t *write_elements(Encoder &e, uint8_t *p, const Type &type, VALUE array, long count, int depth) {
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
    if (type.kind == Kind::struct_) return write_structs<Wire>(e, p, type, array, count, depth - 1);
    for (long i = 0; i < count; i++) {
        // A transcoding may have run other code: the array is asked again each time.
        if (SPARPACK_UNLIKELY(RARRAY_LEN(array) != count)) return refuse_changed(e);
        p = write_element<Wire>(e, p, type, RARRAY_AREF(array, i), depth);
        if (SPARPACK_UNLIKELY(!p)) return fault_at_index(e.fault, static_cast<size_t>(i)), nullptr;
    }
    return p;
}

template <class Wire> uint8_t *write_list(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth) {
    if (SPARPACK_UNLIKELY(!RB_TYPE_P(value, T_ARRAY))) return refuse(e, Status::value_mismatch, type, value);
    if (SPARPACK_UNLIKELY(depth < 0)) return refuse_limit(e, Status::too_deep, e.options.depth);
    long count = RARRAY_LEN(value);
    if (SPARPACK_UNLIKELY(!size_fits(e, static_cast<size_t>(count)))) return refuse_size(e);
    p = Wire::write_list(e.output.writer, p, type.element->wire, static_cast<size_t>(count));
    p = write_elements<Wire>(e, p, *type.element, value, count, depth);
    RB_GC_GUARD(value);
    return p;
}

// A walk over a Hash or a Set from a callback: the cursor lives in memory here.
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
