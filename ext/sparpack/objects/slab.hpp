// Memory for the fields of structs before Ruby 3.3, which embeds them. Each Ractor has a slab: some free
// blocks of each size class. A sweep puts blocks there, and new objects take them. Giving a block back does not touch its
// memory, which has long left the cache. A block that finds no place goes back to malloc. A debug build keeps none, so that
// sanitizers see every use after free.
#pragma once

#include <cstdlib>

#include "../values/ruby.hpp"

#ifndef TYPED_DATA_EMBEDDED

namespace sparpack {

// In VALUEs. Larger memory comes from malloc.
constexpr uint32_t slab_sizes[] = {4, 6, 8, 10, 14, 20, 28, 40};
constexpr uint32_t slab_classes = sizeof slab_sizes / sizeof *slab_sizes;

// The smallest size class that holds this many VALUEs, or slab_classes if none does.
inline uint32_t slab_class(size_t size) {
    uint32_t size_class = 0;
    while (size_class < slab_classes && slab_sizes[size_class] < size) size_class++;
    return size_class;
}

// A lazy sweep frees a page of some hundred objects at a time.
#ifdef SPARPACK_DEBUG
constexpr uint32_t slab_kept = 0;
#else
constexpr uint32_t slab_kept = 1024;
#endif

struct Slab {
    uint32_t count[slab_classes];
    void *block[slab_classes][slab_kept + 1];
};

// Returns the slab of the current Ractor, and makes it if there is none. Returns nullptr if there is no memory. May raise
// and collect garbage.
Slab *slab_prepare();

// Takes a block from the slab, or memory from malloc. Returns nullptr if there is none. Neither raises nor collects garbage.
SPARPACK_INLINE void *slab_take(Slab *slab, uint32_t size_class) {
    if (SPARPACK_LIKELY(slab && slab->count[size_class] > 0)) return slab->block[size_class][--slab->count[size_class]];
    return malloc(slab_sizes[size_class] * sizeof(VALUE));
}

void slab_give(uint32_t size_class, void *block);

void slab_init();

}  // namespace sparpack

#endif
