// What some wires write around fields and elements: where a struct begins, what stands between elements, where a container
// ends. For other wires these functions do nothing.
#pragma once

#include "encoder.hpp"

namespace sparpack {

// Opens a struct in a wire whose structs have a beginning. Its room is reserved.
template <class Wire>
SPARPACK_INLINE uint8_t *open_struct(Encoder &e, uint8_t *p, typename Wire::Frame &frame,
                                     [[maybe_unused]] const Row<Wire> *rows, uint32_t count,
                                     [[maybe_unused]] const VALUE *values) {
    size_t written = count;
    if constexpr (Wire::traits.fields == FieldsBy::position) {  // absent fields count, too
        written = Wire::positions(rows[count].header);
    } else if constexpr (Wire::traits.counts_fields) {
        for (uint32_t i = 0; i < count; i++) written -= NIL_P(values[rows[i].slot]);
    }
    return Wire::open_struct(e.output.writer, p, frame, written, false);
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

// A walk over a Hash or a Set. Its callbacks need the cursor in memory.
template <class Wire> struct Iteration {
    Encoder &e;
    uint8_t *p;
    const Type &type;
    size_t index;
    int depth;
    size_t count;
};

}  // namespace sparpack
