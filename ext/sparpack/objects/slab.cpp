#include "slab.hpp"

#ifndef TYPED_DATA_EMBEDDED

#include <ruby/ractor.h>

namespace sparpack {

namespace {

rb_ractor_local_key_t key;  // written by slab_init alone

void slab_free(void *data) {
    Slab *slab = static_cast<Slab *>(data);
    if (!slab) return;
    for (uint32_t size_class = 0; size_class < slab_classes; size_class++) {
        while (slab->count[size_class] > 0) free(slab->block[size_class][--slab->count[size_class]]);
    }
    free(slab);
}

const rb_ractor_local_storage_type slab_type = {nullptr, slab_free};

Slab *slab_here() { return static_cast<Slab *>(rb_ractor_local_storage_ptr(key)); }

}  // namespace

// Called by a sweep, which may run in any Ractor.
void slab_give(uint32_t size_class, void *block) {
    Slab *slab = slab_here();
    if (SPARPACK_LIKELY(slab && slab->count[size_class] < slab_kept)) {
        slab->block[size_class][slab->count[size_class]++] = block;
    } else {
        free(block);
    }
}

Slab *slab_prepare() {
    Slab *slab = slab_here();
    if (SPARPACK_LIKELY(slab != nullptr)) return slab;
    if ((slab = static_cast<Slab *>(calloc(1, sizeof(Slab))))) rb_ractor_local_storage_ptr_set(key, slab);
    return slab;
}

void slab_init() { key = rb_ractor_local_storage_ptr_newkey(&slab_type); }

}  // namespace sparpack

#endif
