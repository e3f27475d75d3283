// The optimisations, one per line. A bench build (extconf.rb --enable-ablation) can switch each one off to measure what it
// gains. In every other build all are on, and the compiler removes the alternatives. No Ruby.
#pragma once

#include "base.hpp"

// The name, and what the code does without it.
#define SPARPACK_TECHNIQUES(X)                                                \
    X(key_cache)      /* ask Ruby for the String of each key */               \
    X(bulk_hashes)    /* insert pairs into a Hash one by one */               \
    X(bulk_arrays)    /* append elements to an Array one by one */            \
    X(own_utf8_check) /* leave the check to Ruby, which makes it on demand */ \
    X(shared_strings) /* copy Strings */                                      \
    X(expected_size)  /* let each long output grow from a small size */       \
    X(memory_reuse)   /* begin each output on the heap; buffers keep no memory */

namespace sparpack::technique {

#ifdef SPARPACK_ABLATION
#define SPARPACK_TECHNIQUE(name) inline bool name = true;
#else
#define SPARPACK_TECHNIQUE(name) inline constexpr bool name = true;
#endif

SPARPACK_TECHNIQUES(SPARPACK_TECHNIQUE)
#undef SPARPACK_TECHNIQUE

}  // namespace sparpack::technique
