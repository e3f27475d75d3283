// Writes values and structs to a wire (lists, sets and maps: container_writer.hpp). Fields are read from where they are
// stored, never through accessors. What runs Ruby code nevertheless, such as transcoding, goes through call_ruby
// (glue/output.hpp), and whatever that may have changed is read again. Frames own nothing, so anything may raise.
// Only encode.cpp and container_writer.hpp include this file.
#pragma once

#include <type_traits>

#include "adopted/writer.hpp"
#include "framing.hpp"
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
        if (SPARPACK_UNLIKELY(!uuid_parse(RSTRING_PTR(value), string_size(value), bytes)))
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
    const Row<Wire> *rows = rows_to_write<Wire>(link, e.form);
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

// Writes the fields of a struct, in runs of which each reserves its room at once: from `field` to `end`. `owner` is the
// object whose memory has the values, or nil if they are pending.
template <class Wire>
[[gnu::noinline]] uint8_t *write_runs(Encoder &e, uint8_t *p, const Link *link, const VALUE *values, int depth,
                                      VALUE owner) {
    const Row<Wire> *field = rows_to_write<Wire>(link, e.form), *last = field + link->count;
    typename Wire::Frame frame{};
    size_t absent = 0, opening = Wire::traits.opens_structs ? Wire::open_max : 0;
    const Row<Wire> *end = last - field <= field_run ? last : field + field_run;
    p = writer_reserve(e.output.writer, p, opening + rows_room<Wire>(field, end) + Wire::close_max);
    if constexpr (Wire::traits.opens_structs) p = open_struct<Wire>(e, p, frame, field, link->count, values, &absent);
    while (field < end) {
        p = write_run<Wire>(e, p, link, field, end, values, frame, &absent, depth);
        if (SPARPACK_UNLIKELY(!p)) return nullptr;
        field = end;
        if (SPARPACK_LIKELY(end == last)) break;
        end = last - field <= field_run ? last : field + field_run;
        p = writer_reserve(e.output.writer, p, rows_room<Wire>(field, end) + Wire::close_max);
    }
    keep_alive(owner);
    return close_struct<Wire>(e, p, frame, absent);
}

// The same for one run, inlined into the loop over a list of structs.
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

template <class Wire> uint8_t *write_struct(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if (SPARPACK_UNLIKELY(depth < e.options.depth_watched) && too_deep(e, depth)) return nullptr;
    if constexpr (Wire::traits.keeps != Kept::none) {
        Extra extra = storage_extra(object);
        if (SPARPACK_UNLIKELY(!extra.empty()))
            return write_with_unknown<Wire>(e, p, link, object, storage_view(object), extra, depth);
    }
    if (renders_otherwise<Wire>(e, object, link->plan->klass)) return refuse_rendering(e);
    return write_runs<Wire>(e, p, link, storage_view(object), depth, object);
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
    const Row<Wire> &field = rows_to_write<Wire>(link, e.form)[link->places[slot]];
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

}  // namespace

}  // namespace sparpack

#include "lazy_writer.hpp"
