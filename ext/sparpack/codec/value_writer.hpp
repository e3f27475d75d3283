// Writes values, structs and containers to a wire. Fields are read from where they are stored, never through accessors. What
// runs Ruby code nevertheless, such as transcoding, goes through call_ruby (glue/output.hpp), and whatever that may have
// changed is read again. Frames own nothing, so anything may raise.
// Only encode.cpp includes this file.
#pragma once

#include <type_traits>

#include "../values/sets.hpp"
#include "adopted/writer.hpp"
#include "framing.hpp"
#include "text/quoted_keys.hpp"
#include "unknown/kept.hpp"
#include "unknown/writer.hpp"
#include "untyped.hpp"

namespace sparpack {

namespace {

template <class Wire> uint8_t *write_struct(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth);
template <class Wire> uint8_t *write_union(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth);
template <class Wire> uint8_t *write_list(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);
template <class Wire> uint8_t *write_structs(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);
template <class Wire> uint8_t *write_set(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);
template <class Wire> uint8_t *write_map(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth);

template <class Wire, class Scalars>
SPARPACK_INLINE uint8_t *write_i64(Encoder &e, uint8_t *p, const Type &type, VALUE value) {
    int64_t number = 0;
    Conversion result = integer_of(value, &number);
    if (SPARPACK_UNLIKELY(result != Conversion::ok)) return refuse_number(e, result, type, value);
    if constexpr (Wire::traits.integer_text && std::is_same_v<Scalars, Wire>) {  // keys are text anyway
        if (e.options.integer_text) return Scalars::write_i64_text(e.output.writer, p, number);
    }
    return Scalars::write_i64(e.output.writer, p, number);
}

template <class Wire, class Scalars>
SPARPACK_INLINE uint8_t *write_double(Encoder &e, uint8_t *p, const Type &type, VALUE value) {
    double number = 0;
    if (Wire::traits.text && SPARPACK_UNLIKELY(e.rendering) && !renders_alike(value))
        return refuse(e, Status::value_mismatch, type, value);
    Conversion result = real_for(e, value, &number);
    if (SPARPACK_UNLIKELY(result != Conversion::ok)) return refuse_number(e, result, type, value);
    return Scalars::write_double(e.output.writer, p, number);
}

// Writes one value. The caller has reserved its room at p. On return `rest` is reserved. `Scalars` is the wire or, for a key
// of a map, its Key. `frame` belongs to the struct that has the value as a field.
template <class Wire, class Scalars = Wire, class Rest>
SPARPACK_INLINE uint8_t *write_value(Encoder &e, uint8_t *p, const Type &type, VALUE value, typename Wire::Frame *frame,
                                     int depth, Rest rest) {
    int64_t number = 0;
    Conversion result;
    switch (type.kind) {
    case Kind::bool_:
        if (SPARPACK_UNLIKELY(value != Qtrue && value != Qfalse)) return refuse(e, Status::value_mismatch, type, value);
        return Scalars::write_bool(e.output.writer, p, frame, value == Qtrue);
    case Kind::i8:
        if (SPARPACK_LIKELY((result = integer_in<int8_t>(value, &number)) == Conversion::ok))
            return Scalars::write_i8(e.output.writer, p, number);
        return refuse_number(e, result, type, value);
    case Kind::i16:
        if (SPARPACK_LIKELY((result = integer_in<int16_t>(value, &number)) == Conversion::ok))
            return Scalars::write_i16(e.output.writer, p, number);
        return refuse_number(e, result, type, value);
    case Kind::enum_:
        if (SPARPACK_UNLIKELY(!RB_FIXNUM_P(value))) {
            // A name and a number of an enum may be the same key.
            if (Wire::traits.text && e.rendering && !std::is_same_v<Scalars, Wire>) return refuse_rendering(e);
            VALUE named = e.options.exact_enums ? value : enum_number(type, value);
            if (named == Qundef) return refuse(e, Status::value_mismatch, type, value);
            value = named;
        }
        if (SPARPACK_UNLIKELY(e.options.validate >= Check::strict)) {  // looking up any other object would call its `hash`
            if (!RB_FIXNUM_P(value) || NIL_P(rb_hash_lookup2(type.names, value, Qnil)))
                return refuse(e, Status::value_mismatch, type, value);
        }
        if constexpr (Wire::traits.enum_names) {
            if (e.options.enum_names) return write_enum_name<Wire, Scalars>(e, p, type, value, rest);
        }
        [[fallthrough]];
    case Kind::i32:
        if (SPARPACK_LIKELY((result = integer_in<int32_t>(value, &number)) == Conversion::ok))
            return Scalars::write_i32(e.output.writer, p, number);
        return refuse_number(e, result, type, value);
    case Kind::i64: return write_i64<Wire, Scalars>(e, p, type, value);
    case Kind::double_: return write_double<Wire, Scalars>(e, p, type, value);
    case Kind::string: {
        // The slot of an embedded String has string_short bytes, whatever its size.
        if constexpr (Wire::traits.raw_strings && string_short <= text_embedded_min) {
            size_t size = 0;
            if (SPARPACK_LIKELY(text_is_embedded(value) && (size = text_embedded_size(value)) <= e.short_max)) {
                if (size > string_short) __builtin_unreachable();
                const uint8_t *data = reinterpret_cast<const uint8_t *>(text_embedded_data(value));
                p = Scalars::write_short_text(e.output.writer, p, data, size);
                keep_alive(value);
                return p;
            }
        }
        VALUE string = value;
        if (renders_otherwise<Wire>(e, value, rb_cString)) return refuse_rendering(e);
        if (SPARPACK_UNLIKELY(!text_is_utf8(string)) && !(string = text_of(e, type, value))) return nullptr;
        return write_bytes<Wire, Scalars>(e, p, string, true, rest);
    }
    case Kind::binary:
        if (SPARPACK_UNLIKELY(!RB_TYPE_P(value, T_STRING))) return refuse(e, Status::value_mismatch, type, value);
        // As keys, Strings of different encodings may have the same bytes.
        if (Wire::traits.text && !std::is_same_v<Scalars, Wire> && e.rendering && rb_enc_get_index(value) != binary_index)
            return refuse_rendering(e);
        return write_bytes<Wire, Scalars>(e, p, value, false, rest);
    case Kind::uuid: {
        if (SPARPACK_UNLIKELY(!RB_TYPE_P(value, T_STRING))) return refuse(e, Status::value_mismatch, type, value);
        uint8_t bytes[uuid_bytes];
        if (SPARPACK_UNLIKELY(!uuid_parse(RSTRING_PTR(value), static_cast<size_t>(RSTRING_LEN(value)), bytes)))
            return refuse(e, Status::value_not_uuid, type, value);
        if (renders_otherwise<Wire>(e, value, rb_cString) || !renders_canonical<Wire>(e, value, bytes))
            return refuse_rendering(e);
        return Scalars::write_uuid(e.output.writer, p, bytes);
    }
    case Kind::list:
        p = SPARPACK_LIKELY(type.element->kind == Kind::struct_) ? write_structs<Wire>(e, p, type, value, depth - 1)
                                                                 : write_list<Wire>(e, p, type, value, depth - 1);
        return reserve_rest(e, p, rest);
    case Kind::set: return reserve_rest(e, write_set<Wire>(e, p, type, value, depth - 1), rest);
    case Kind::map: return reserve_rest(e, write_map<Wire>(e, p, type, value, depth - 1), rest);
    case Kind::struct_:
        p = SPARPACK_LIKELY(storage_is_own(value, type.link->plan)) ? write_struct<Wire>(e, p, type.link, value, depth - 1)
                                                                    : write_other<Wire>(e, p, type, value, depth - 1);
        return reserve_rest(e, p, rest);
    case Kind::union_:
        p = SPARPACK_LIKELY(storage_is_own(value, type.link->plan)) ? write_union<Wire>(e, p, type.link, value, depth - 1)
                                                                    : write_other<Wire>(e, p, type, value, depth - 1);
        return reserve_rest(e, p, rest);
    case Kind::any: return reserve_rest(e, write_untyped<Wire>(e, p, type, value, depth - 1), rest);
    }
    __builtin_unreachable();
}

// The same as a function, for values that are not written by one of the loops over a struct's fields. The switch over kinds
// is large.
template <class Wire>
[[gnu::noinline]] uint8_t *write_one(Encoder &e, uint8_t *p, const Type &type, VALUE value, typename Wire::Frame *frame,
                                     int depth) {
    return write_value<Wire>(e, p, type, value, frame, depth, NoRest());
}

// Writes a field and reserves its room, where the fields of a struct are not written in runs.
template <class Wire>
uint8_t *write_field(Encoder &e, uint8_t *p, const Link *link, const Row<Wire> &field, VALUE value,
                     typename Wire::Frame &frame, int depth) {
    p = writer_reserve(e.output.writer, p, rows_room<Wire>(&field, &field + 1));
    p = Wire::write_known(e.output.writer, p, frame, field.header);
    p = write_one<Wire>(e, p, field.type, value, &frame, depth);
    return SPARPACK_LIKELY(p != nullptr) ? p : at_field(e, link, field);
}

// Writes the fields that are set and, between them, the unknown ones that were kept in one of Thrift's wires.
template <class Wire>
SPARPACK_COLD uint8_t *write_with_fields(Encoder &e, uint8_t *p, const Link *link, VALUE object, const VALUE *values,
                                         VALUE unknown, int depth) {
    const Row<Wire> *rows = rows_of<Wire>(link);
    typename Wire::Frame frame{};
    UnknownWriter<Wire> kept(e.output.writer, e.options, depth, frame, unknown);
    if constexpr (Wire::traits.opens_structs)
        p = Wire::open_struct(e.output.writer, writer_reserve(e.output.writer, p, Wire::open_max), frame, 0, link->is_union);
    for (uint32_t i = 0, count = values ? link->count : 0; i < count; i++) {
        const Row<Wire> &field = rows[i];
        VALUE value = values[field.slot];
        if (!(p = kept.write(p, field.id))) return refuse_kept(e, kept.in.status);
        if (!NIL_P(value)) kept.drop(field.id);  // kept by a class that did not know the field
        if (NIL_P(value)) {
            if (field.required) return refuse_missing(e, link, field);
            continue;
        }
        if (!(p = write_field<Wire>(e, p, link, field, value, frame, depth))) return nullptr;
    }
    p = kept.write(p, INT32_MAX);
    RB_GC_GUARD(unknown);
    RB_GC_GUARD(object);
    if (!p) return refuse_kept(e, kept.in.status);
    p = writer_reserve(e.output.writer, p, Wire::close_max);
    return Wire::close_struct(e.output.writer, p, frame);
}

// Writes a run of a struct's fields, at least one. Their room is reserved, and that of the struct's end. If fields are
// counted, those that are absent are taken off *absent.
template <class Wire>
SPARPACK_INLINE uint8_t *write_run(Encoder &e, uint8_t *p, const Link *link, const Row<Wire> *field, const Row<Wire> *end,
                                   const VALUE *values, typename Wire::Frame &frame, [[maybe_unused]] size_t *absent,
                                   int depth) {
    do {
        VALUE value = values[field->slot];
        if (SPARPACK_UNLIKELY(NIL_P(value))) {
            if (SPARPACK_UNLIKELY(field->required) && !e.rendering) return refuse_missing(e, link, *field);
            if constexpr (Wire::traits.fields == FieldsBy::position)
                p = Wire::write_absent(e.output.writer, p, frame, field->header);
            if constexpr (counts_set<Wire>) --*absent;
            continue;
        }
        p = Wire::write_known(e.output.writer, p, frame, field->header);
        p = write_value<Wire>(e, p, field->type, value, &frame, depth, FieldsRest<Wire>{field, end});
        if (SPARPACK_UNLIKELY(!p)) return at_field(e, link, *field);
    } while (++field < end);
    return p;
}

template <class Wire> uint8_t *write_runs(Encoder &e, uint8_t *p, const Link *link, const VALUE *values, int depth) {
    const Row<Wire> *rows = rows_of<Wire>(link);
    typename Wire::Frame frame{};
    size_t absent = 0;
    p = writer_reserve(e.output.writer, p, Wire::open_max + Wire::close_max);
    if constexpr (Wire::traits.opens_structs) p = open_struct<Wire>(e, p, frame, rows, link->count, values, &absent);
    for (uint32_t i = 0; i < link->count && p; i += field_run) {
        const Row<Wire> *first = rows + i, *end = first + (link->count - i < field_run ? link->count - i : field_run);
        p = writer_reserve(e.output.writer, p, rows_room<Wire>(first, end) + Wire::close_max);
        p = write_run<Wire>(e, p, link, first, end, values, frame, &absent, depth);
    }
    return SPARPACK_LIKELY(p != nullptr) ? close_struct<Wire>(e, p, frame, absent) : nullptr;
}

template <class Wire>
SPARPACK_INLINE uint8_t *write_fields(Encoder &e, uint8_t *p, const Link *link, const Layout<Wire> &layout,
                                      const VALUE *values, int depth) {
    typename Wire::Frame frame{};
    size_t absent = 0;
    p = writer_reserve(e.output.writer, p, layout.room);
    if constexpr (Wire::traits.opens_structs) p = open_struct<Wire>(e, p, frame, layout.rows, link->count, values, &absent);
    p = write_run<Wire>(e, p, link, layout.rows, layout.end, values, frame, &absent, depth);
    return SPARPACK_LIKELY(p != nullptr) ? close_struct<Wire>(e, p, frame, absent) : nullptr;
}

// `depth` is how many levels there may be below this one.
template <class Wire>
SPARPACK_INLINE uint8_t *write_struct_of(Encoder &e, uint8_t *p, const Link *link, const Layout<Wire> &layout, VALUE object,
                                         int depth) {
    if constexpr (Wire::traits.keeps != Kept::none) {
        Extra extra = storage_extra(object);
        if (SPARPACK_UNLIKELY(!extra.empty()))
            return write_with_unknown<Wire>(e, p, link, object, storage_view(object), extra, depth);
    }
    if (renders_otherwise<Wire>(e, object, link->plan->klass)) return refuse_rendering(e);
    p = write_fields<Wire>(e, p, link, layout, storage_view(object), depth);
    keep_alive(object);
    return p;
}

template <class Wire> SPARPACK_COLD uint8_t *write_wide(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if constexpr (Wire::traits.keeps != Kept::none) {
        Extra extra = storage_extra(object);
        if (!extra.empty()) return write_with_unknown<Wire>(e, p, link, object, storage_view(object), extra, depth);
    }
    if (renders_otherwise<Wire>(e, object, link->plan->klass)) return refuse_rendering(e);
    p = write_runs<Wire>(e, p, link, storage_view(object), depth);
    keep_alive(object);
    return p;
}

template <class Wire> uint8_t *write_struct(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if (SPARPACK_UNLIKELY(depth < e.options.depth_watched) && too_deep(e, depth)) return nullptr;
    if (SPARPACK_UNLIKELY(!layout_fits(link))) return write_wide<Wire>(e, p, link, object, depth);
    return write_struct_of<Wire>(e, p, link, Layout<Wire>(link), object, depth);
}

// Writes the field of a union that is set.
template <class Wire>
SPARPACK_INLINE uint8_t *write_variant_of(Encoder &e, uint8_t *p, const Link *link, VALUE object, uint32_t slot, VALUE value,
                                          Extra extra, int depth) {
    if constexpr (Wire::traits.keeps != Kept::none) {
        if (SPARPACK_UNLIKELY(extra.has_kept_fields()))
            return write_with_unknown<Wire>(e, p, link, object, nullptr, extra, depth);
    }
    if (SPARPACK_UNLIKELY(slot == no_slot)) {
        e.fault.status = extra.empty() ? Status::union_unset : Status::union_unknown;
        return nullptr;
    }
    if (renders_otherwise<Wire>(e, object, link->plan->klass)) return refuse_rendering(e);
    const Row<Wire> &field = rows_of<Wire>(link)[link->places[slot]];
    typename Wire::Frame frame{};
    if constexpr (Wire::traits.opens_structs) {
        p = Wire::open_struct(e.output.writer, writer_reserve(e.output.writer, p, Wire::open_max), frame, 1, true);
    }
    p = write_field<Wire>(e, p, link, field, value, frame, depth);
    keep_alive(object);
    if (SPARPACK_UNLIKELY(!p)) return nullptr;
    return Wire::close_struct(e.output.writer, writer_reserve(e.output.writer, p, Wire::close_max), frame);
}

// The same, as a function of its own: objects of other storages seldom come.
template <class Wire>
uint8_t *write_variant(Encoder &e, uint8_t *p, const Link *link, VALUE object, uint32_t slot, VALUE value, Extra extra,
                       int depth) {
    return write_variant_of<Wire>(e, p, link, object, slot, value, extra, depth);
}

template <class Wire> uint8_t *write_union(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if (SPARPACK_UNLIKELY(depth < e.options.depth_watched) && too_deep(e, depth)) return nullptr;
    uint32_t slot = storage_variant(object);
    return write_variant_of<Wire>(e, p, link, object, slot, storage_variant_value(object), storage_extra(object), depth);
}

// Writes an element of a container. nil is not one.
template <class Wire, class Scalars = Wire>
SPARPACK_INLINE uint8_t *write_element(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth) {
    p = writer_reserve(e.output.writer, p, Room<Wire>::value);
    if constexpr (std::is_same_v<Scalars, Wire>) {
        return write_one<Wire>(e, p, type, value, nullptr, depth);
    } else {
        return write_value<Wire, Scalars>(e, p, type, value, nullptr, depth, NoRest());
    }
}

// Writes numbers in runs. Nothing in a run calls Ruby, so the array's memory stays where it is.
template <class Wire, class Put>
SPARPACK_INLINE uint8_t *write_numbers(Encoder &e, uint8_t *p, VALUE array, long count, Put put) {
    constexpr long run = 256;
    for (long start = 0; start < count; start += run) {
        long end = start + run < count ? start + run : count;
        constexpr size_t room = Wire::number_max + (Wire::traits.counts_elements ? 0 : Wire::close_max);
        p = writer_reserve(e.output.writer, p, static_cast<size_t>(end - start) * room);
        const VALUE *values = RARRAY_CONST_PTR_TRANSIENT(array);
        for (long i = start; i < end; i++) {
            if constexpr (!Wire::traits.counts_elements) p = Wire::write_next(e.output.writer, p, static_cast<size_t>(i));
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
    if (renders_otherwise<Wire>(e, array, rb_cArray)) return refuse_rendering(e);
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
    if (SPARPACK_UNLIKELY(!layout_fits(link))) return write_list<Wire>(e, p, list, array, depth);
    long count = 0;
    p = open_array<Wire>(e, p, list, array, depth, &count);
    if (SPARPACK_UNLIKELY(!p || count == 0)) return close_list<Wire>(e, p);
    if (SPARPACK_UNLIKELY(--depth < e.options.depth_watched) && too_deep(e, depth))
        return fault_at_index(e.fault, 0), nullptr;
    const Layout<Wire> layout(link);
    for (long i = 0; i < count;) {
        if (SPARPACK_UNLIKELY(RARRAY_LEN(array) != count)) return refuse_changed(e);
        const VALUE *values = RARRAY_CONST_PTR_TRANSIENT(array);
        uint32_t epoch = e.output.epoch;
        do {
            VALUE value = values[i];
            p = write_next<Wire>(e, p, static_cast<size_t>(i));
            if (SPARPACK_LIKELY(storage_is_own(value, layout.plan, layout.type))) {
                p = write_struct_of<Wire>(e, p, link, layout, value, depth);
            } else if constexpr (Wire::traits.counts_elements) {
                return write_others<Wire>(e, p, &type, array, i, depth);
            } else {
                p = write_element<Wire>(e, p, type, value, depth + 1);
            }
            if (SPARPACK_UNLIKELY(!p)) return fault_at_index(e.fault, static_cast<size_t>(i)), nullptr;
            i++;
        } while (i < count && SPARPACK_LIKELY(e.output.epoch == epoch));
    }
    keep_alive(array);
    return close_list<Wire>(e, p);
}

template <class Wire>
SPARPACK_INLINE uint8_t *write_elements(Encoder &e, uint8_t *p, const Type &type, VALUE array, long count, int depth) {
    if (type.kind == Kind::i64) {
        return write_numbers<Wire>(e, p, array, count,
                                   [&](uint8_t *q, VALUE value) { return write_i64<Wire, Wire>(e, q, type, value); });
    }
    if (type.kind == Kind::double_) {
        return write_numbers<Wire>(e, p, array, count,
                                   [&](uint8_t *q, VALUE value) { return write_double<Wire, Wire>(e, q, type, value); });
    }
    for (long i = 0; i < count; i++) {
        // Transcoding may have run Ruby code, so the array is read again each time.
        if (size_changed(e, array, count)) return refuse_changed(e);
        p = write_next<Wire>(e, p, static_cast<size_t>(i));
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
    return close_list<Wire>(e, p);
}

template <class Wire> int write_each_element(VALUE element, VALUE data) {
    Iteration<Wire> &v = *reinterpret_cast<Iteration<Wire> *>(data);
    output_check(v.e);
    if (SPARPACK_UNLIKELY(v.index == v.count)) return v.p = refuse_changed(v.e), ST_STOP;
    v.p = write_next<Wire>(v.e, v.p, v.index);
    v.p = write_element<Wire>(v.e, v.p, *v.type.element, element, v.depth);
    if (SPARPACK_UNLIKELY(!v.p)) return fault_at_index(v.e.fault, v.index), ST_STOP;
    v.index++;
    return ST_CONTINUE;
}

template <class Wire> uint8_t *write_set(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth) {
    if (RB_TYPE_P(value, T_ARRAY) && !e.options.exact_classes) return write_list<Wire>(e, p, type, value, depth);
    if (SPARPACK_UNLIKELY(!is_set_for(e, value))) return refuse(e, Status::value_mismatch, type, value);
    if (SPARPACK_UNLIKELY(e.options.calls)) return write_list<Wire>(e, p, type, elements_of(value), depth);
    if (renders_otherwise<Wire>(e, value, set_class())) return refuse_rendering(e);
    if (SPARPACK_UNLIKELY(depth < 0)) return refuse_limit(e, Status::too_deep, e.options.depth);
    size_t count = set_size(value);
    if (SPARPACK_UNLIKELY(!size_fits(e, count))) return refuse_size(e);
    p = Wire::write_list(e.output.writer, p, type.element->wire, count);
    Iteration<Wire> iteration = {e, p, type, 0, depth, count};
    if (count > 0) set_foreach(value, write_each_element<Wire>, reinterpret_cast<VALUE>(&iteration));
    ruby_ran(e);
    if (SPARPACK_UNLIKELY(iteration.p && iteration.index != count)) return refuse_changed(e);
    RB_GC_GUARD(value);
    return close_list<Wire>(e, iteration.p);
}

template <class Wire> SPARPACK_INLINE uint8_t *write_key(Encoder &e, uint8_t *p, const Type &type, VALUE key, int depth) {
    if constexpr (Wire::traits.quotes_keys) {
        if (SPARPACK_UNLIKELY(kind_is_compound(type.kind)))
            return write_quoted<Wire>(e, p, [&](uint8_t *q) { return write_element<Wire>(e, q, type, key, depth); });
    }
    if constexpr (!Wire::traits.container_keys) {
        if (SPARPACK_UNLIKELY(kind_is_compound(type.kind))) return refuse_key(e, key);
    }
    return write_element<Wire, typename Wire::Key>(e, p, type, key, depth);
}

template <class Wire> int write_each_pair(VALUE key, VALUE value, VALUE data) {
    Iteration<Wire> &v = *reinterpret_cast<Iteration<Wire> *>(data);
    output_check(v.e);
    if (SPARPACK_UNLIKELY(v.index == v.count)) return v.p = refuse_changed(v.e), ST_STOP;
    v.p = write_next<Wire>(v.e, v.p, v.index);
    v.p = write_key<Wire>(v.e, v.p, *v.type.key, key, v.depth);
    if (SPARPACK_UNLIKELY(!v.p)) return fault_at_key(v.e.fault, v.index), ST_STOP;
    if constexpr (!Wire::traits.counts_elements)
        v.p = Wire::write_next_value(v.e.output.writer, writer_reserve(v.e.output.writer, v.p, Wire::close_max));
    v.p = write_element<Wire>(v.e, v.p, *v.type.element, value, v.depth);
    if (SPARPACK_UNLIKELY(!v.p)) return fault_at_value(v.e.fault, v.index), ST_STOP;
    v.index++;
    return ST_CONTINUE;
}

template <class Wire> uint8_t *write_map(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth) {
    if (SPARPACK_UNLIKELY(!RB_TYPE_P(value, T_HASH))) return refuse(e, Status::value_mismatch, type, value);
    if (SPARPACK_UNLIKELY(e.options.calls)) value = rb_hash_dup(value);
    if (Wire::traits.text && SPARPACK_UNLIKELY(e.rendering) && !keys_render_apart(e, type, value))
        return refuse_rendering(e);
    if (SPARPACK_UNLIKELY(depth < 0)) return refuse_limit(e, Status::too_deep, e.options.depth);
    size_t count = RHASH_SIZE(value);
    if (SPARPACK_UNLIKELY(!size_fits(e, count))) return refuse_size(e);
    p = Wire::write_map(e.output.writer, p, type.key->wire, type.element->wire, count);
    Iteration<Wire> iteration = {e, p, type, 0, depth, count};
    if (count > 0) {
        rb_hash_foreach(value, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(write_each_pair<Wire>),
                        reinterpret_cast<VALUE>(&iteration));
    }
    ruby_ran(e);
    if (SPARPACK_UNLIKELY(iteration.p && iteration.index != count)) return refuse_changed(e);
    RB_GC_GUARD(value);
    return close_map<Wire>(e, iteration.p);
}

}  // namespace

}  // namespace sparpack
