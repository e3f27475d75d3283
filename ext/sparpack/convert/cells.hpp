// What a converter knows of a payload between reading and writing it: one cell for each value, in the order of the plan.
// So a wire is compiled once for reading and once for writing, and not once for each pair of wires.
//
// A struct is a head and a cell for each field. A list, a set or a map is a head and its elements, one after the other. A
// field whose value is a struct or a container has the place of its head, and an element is the head itself. What a value
// contains comes before the place where its head says that it ends.
#pragma once

#include "transit.hpp"

namespace sparpack {

struct Cell {
    union {
        int64_t number;  // also of a bool and of an enum
        double real;
        const uint8_t *data;  // of a string
        size_t place;         // of a head; of the bytes of a string, if they are in cells; in a head: where the value ends
    };
    uint32_t size;    // of a string in bytes, of a container in elements; in the head of a struct: the place of the first
                      // unknown field, or 0; in that of a union: the index of its field
    bool is_set;      // a field has a value
    bool is_kept;     // a string's bytes are in the cells from `place` on
    bool is_checked;  // text is known to be UTF-8

    static SPARPACK_INLINE Cell of_value() {
        Cell cell;
        cell.number = 0;
        cell.size = 0;
        cell.is_set = true;
        cell.is_kept = cell.is_checked = false;
        return cell;
    }
};
static_assert(sizeof(Cell) == 16, "a cell is two words");

// Behind bytes in cells, as many may be read.
constexpr size_t kept_beyond = 16;

SPARPACK_INLINE size_t kept_cells(size_t size) { return (size + kept_beyond + sizeof(Cell) - 1) / sizeof(Cell); }

// An unknown field of Thrift's: a cell with its id and, as `size`, the place of the next one; a cell with the size of the
// value and, as `size`, its type; and the value in the binary protocol.
constexpr size_t unknown_heads = 2;

SPARPACK_COLD void cells_grow(Transit &t, size_t count);

// Takes cells, and returns the place of the first.
SPARPACK_INLINE size_t cells_take(Transit &t, size_t count) {
    if (SPARPACK_UNLIKELY(t.cells_room - t.cells_used < count)) cells_grow(t, count);
    const size_t place = t.cells_used;
    t.cells_used += count;
    return place;
}

}  // namespace sparpack
