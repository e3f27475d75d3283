// Memory for the fields of structs, before Ruby 3.3 embeds them. What a sweep frees, the next objects take: a small store of
// cells for each Ractor and size. Giving a cell back does not touch it, for it is long out of the cache by then; what the
// store has no place for goes back to malloc. A debug build keeps nothing, so that a sanitizer sees every use after free.
#pragma once

#include <cstdlib>

#include "ruby.hpp"

#ifndef TYPED_DATA_EMBEDDED

namespace sparpack {

// In VALUEs; larger fields are malloc's.
constexpr uint32_t cell_sizes[] = {4, 6, 8, 10, 14, 20, 28, 40};
constexpr uint32_t cell_kinds = sizeof cell_sizes / sizeof *cell_sizes;

// The smallest that holds so many VALUEs; cell_kinds where none does.
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

// The store of the current Ractor, which is made if there is none; nullptr if there is no memory for it. May raise and
// collect garbage.
Cells *cells_prepare();

// From the current Ractor's store. nullptr if there is no memory. Neither raises nor collects garbage.
SPARPACK_INLINE void *cell_take(Cells *cells, uint32_t kind) {
    if (SPARPACK_LIKELY(cells && cells->count[kind] > 0)) return cells->cell[kind][--cells->count[kind]];
    return malloc(cell_sizes[kind] * sizeof(VALUE));
}

void cell_give(uint32_t kind, void *cell);

void cells_init();

}  // namespace sparpack

#endif
