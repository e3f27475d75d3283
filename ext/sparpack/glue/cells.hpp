// Memory for the fields of structs, before Ruby 3.3 embeds them. What a sweep frees, the next objects take: a small store of
// cells for each Ractor and size. Giving a cell back does not touch it, for it is long out of the cache by then; what the
// store has no place for goes back to malloc. A debug build keeps nothing, so that a sanitizer sees every use after free.
#pragma once

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

// nullptr if there is no memory. Neither raises nor collects garbage.
void *cell_take(uint32_t kind);
void cell_give(uint32_t kind, void *cell);

// Makes the store of the current Ractor, if it has none. May raise and collect garbage.
void cells_prepare();

void cells_init();

}  // namespace sparpack

#endif
