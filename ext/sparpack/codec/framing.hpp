// What some wires write around fields and elements: where a struct begins, what stands between elements, where a container
// ends. For other wires these functions do nothing.
#pragma once

#include "encoder.hpp"

namespace sparpack {

// True if a struct begins with the number of fields that are set.
template <class Wire> constexpr bool counts_set = Wire::traits.counts_fields &&Wire::traits.fields != FieldsBy::position;

// Opens a struct in a wire whose structs have a beginning. Its room is reserved. If fields are counted, *absent becomes the
// number of those that are not set.
template <class Wire>
SPARPACK_INLINE uint8_t *open_struct(Encoder &e, uint8_t *p, typename Wire::Frame &frame,
                                     [[maybe_unused]] const Row<Wire> *rows, uint32_t count,
                                     [[maybe_unused]] const VALUE *values, [[maybe_unused]] size_t *absent) {
    size_t written = count;
    if constexpr (Wire::traits.fields == FieldsBy::position) {  // absent fields count, too
        written = Wire::positions(rows[count].header);
    } else if constexpr (counts_set<Wire>) {
        for (uint32_t i = 0; i < count; i++) *absent += NIL_P(values[rows[i].slot]);
        written -= *absent;
    }
    return Wire::open_struct(e.output.writer, p, frame, written, false);
}

// Ends a struct. `absent` is how many more fields were counted as absent than turned out to be: not 0 if Ruby code changed
// the object meanwhile.
template <class Wire>
SPARPACK_INLINE uint8_t *close_struct(Encoder &e, uint8_t *p, typename Wire::Frame &frame, [[maybe_unused]] size_t absent) {
    if (counts_set<Wire> && SPARPACK_UNLIKELY(absent != 0)) return refuse_changed(e);
    return Wire::close_struct(e.output.writer, p, frame);
}

// Writes what stands before an element, in wires that do not count them.
template <class Wire> SPARPACK_INLINE uint8_t *write_next(Encoder &e, uint8_t *p, size_t index) {
    if constexpr (Wire::traits.counts_elements)
        return p;
    else
        return Wire::write_next(e.output.writer, writer_reserve(e.output.writer, p, Wire::close_max), index);
}

template <class Wire> SPARPACK_INLINE uint8_t *close_list(Encoder &e, uint8_t *p) {
    if constexpr (Wire::traits.counts_elements)
        return p;
    else
        return p ? Wire::close_list(e.output.writer, writer_reserve(e.output.writer, p, Wire::close_max)) : nullptr;
}

template <class Wire> SPARPACK_INLINE uint8_t *close_map(Encoder &e, uint8_t *p) {
    if constexpr (Wire::traits.counts_elements)
        return p;
    else
        return p ? Wire::close_map(e.output.writer, writer_reserve(e.output.writer, p, Wire::close_max)) : nullptr;
}

// What the structs of a list have in common, if all their fields are one run.
template <class Wire> struct Layout {
    const Row<Wire> *rows;
    const Row<Wire> *end;
    size_t room;
    const Plan *plan;
    StorageType type;

    Layout(const Encoder &e, const Link *link)
        : rows(rows_to_write<Wire>(link, e.form)),
          end(rows + link->count),
          room(rows_room<Wire>(rows, end) + Wire::close_max + (Wire::traits.opens_structs ? Wire::open_max : 0)),
          plan(link->plan),
          type(storage_type(plan)) {}
};

// True if all fields are one run, and there are any.
SPARPACK_INLINE bool layout_fits(const Link *link) { return link->count - 1 < field_run; }

// A walk over a Hash or a Set. Its callbacks need the cursor in memory.
// Between two of them, Ruby may call `eql?` of a key to find its place again.
template <class Wire> struct Iteration {
    Encoder &e;
    uint8_t *p;
    const Type &type;
    size_t index;
    int depth;
    size_t count;
};

}  // namespace sparpack
