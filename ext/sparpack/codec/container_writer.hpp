// Writes lists, sets and maps to a wire. Lists of numbers and of structs have loops of their own. Whatever runs Ruby code in
// between may have changed the container, so its size is compared again. Only encode.cpp includes this file.
#pragma once

#include "../values/sets.hpp"
#include "text/quoted_keys.hpp"
#include "value_writer.hpp"

namespace sparpack {

namespace {

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
    const Layout<Wire> layout(e, link);
    for (long i = 0; i < count;) {
        if (SPARPACK_UNLIKELY(RARRAY_LEN(array) != count)) return refuse_changed(e);
        const VALUE *values = RARRAY_CONST_PTR_TRANSIENT(array);
        uint32_t epoch = e.output.epoch;
        do {
            VALUE value = values[i];
            p = write_next<Wire>(e, p, static_cast<size_t>(i));
            if (SPARPACK_LIKELY(storage_is_own(value, layout.plan, layout.type))) {
                p = write_struct_of<Wire>(e, p, link, layout, value, depth);
            } else {
                if constexpr (Wire::traits.counts_elements) {
                    if (storage_is_adopted(layout.plan)) return write_others<Wire>(e, p, &type, array, i, depth);
                }
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
