#include "cells.hpp"

#ifndef TYPED_DATA_EMBEDDED

#include <ruby/ractor.h>

namespace sparpack {

namespace {

rb_ractor_local_key_t key;  // written by cells_init alone

void cells_free(void *data) {
    Cells *cells = static_cast<Cells *>(data);
    if (!cells) return;
    for (uint32_t kind = 0; kind < cell_kinds; kind++) {
        while (cells->count[kind] > 0) free(cells->cell[kind][--cells->count[kind]]);
    }
    free(cells);
}

const rb_ractor_local_storage_type cells_type = {nullptr, cells_free};

Cells *cells_here() { return static_cast<Cells *>(rb_ractor_local_storage_ptr(key)); }

}  // namespace

// Called by a sweep, which may run in any Ractor.
void cell_give(uint32_t kind, void *cell) {
    Cells *cells = cells_here();
    if (SPARPACK_LIKELY(cells && cells->count[kind] < cells_kept)) {
        cells->cell[kind][cells->count[kind]++] = cell;
    } else {
        free(cell);
    }
}

Cells *cells_prepare() {
    Cells *cells = cells_here();
    if (SPARPACK_LIKELY(cells != nullptr)) return cells;
    if ((cells = static_cast<Cells *>(calloc(1, sizeof(Cells))))) rb_ractor_local_storage_ptr_set(key, cells);
    return cells;
}

void cells_init() { key = rb_ractor_local_storage_ptr_newkey(&cells_type); }

}  // namespace sparpack

#endif
