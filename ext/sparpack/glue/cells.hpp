// Memory for the fields of structs before Ruby 3.3, which embeds them. Each Ractor stores some cells of each size: a sweep
// puts freed ones there, and new objects take them. Giving a cell back does not touch its memory, which has long left the
// cache. A cell that finds no place goes back to malloc. A debug build stores none, so that sanitizers see every use
// after free.
#pragma once

#include <cstdlib>

#include "ruby.hpp"

#ifndef TYPED_DATA_EMBEDDED

namespace sparpack {

// In VALUEs. Larger memory comes from malloc.
constexpr uint32_t cell_sizes[] = {4, 6, 8, 10, 14, 20, 28, 40};
constexpr uint32_t cell_kinds = sizeof cell_sizes / sizeof *cell_sizes;

// The smallest kind of cell that holds this many VALUEs, or cell_kinds if none does.
inline uint32_t cell_kind(size_t size) {
    uint32_t kind = 0;
    while (kind < cell_kinds && cell_sizes[kind] < size) kind++;
    return kind;
}

// A lazy sweep frees a page of some hundred objects at a time.
#ifdef SPARPACK_DEBUG
constexpr uint32_t cells_kept = 0;
#else
constexpr uint32_t cells_kept = 1024;
#endif

struct Cells {
    uint32_t count[cell_kinds];
    void *cell[cell_kinds][cells_kept + 1];
};

// Returns the store of the current Ractor, and makes it if there is none. Returns nullptr if there is no memory. May raise
// and collect garbage.
Cells *cells_prepare();

// Takes a cell from the store, or memory from malloc. Returns nullptr if there is none. Neither raises nor collects garbage.
SPARPACK_INLINE void *cell_take(Cells *cells, uint32_t kind) {
    if (SPARPACK_LIKELY(cells && cells->count[kind] > 0)) return cells->cell[kind][--cells->count[kind]];
    return malloc(cell_sizes[kind] * sizeof(VALUE));
}

void cell_give(uint32_t kind, void *cell);

void cells_init();

}  // namespace sparpack

#endif
