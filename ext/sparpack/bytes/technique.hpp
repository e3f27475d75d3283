// What makes it fast, one by one. A bench build (extconf.rb --enable-ablation) can switch each off, to show what it gives;
// in any other build all are on, and the compiler drops what stands beside them. No Ruby.
#pragma once

#include "base.hpp"

// The name, and what is done instead.
#define SPARPACK_TECHNIQUES(X)                                                  \
    X(key_cache)      /* Ruby is asked for each key's String */                 \
    X(bulk_hashes)    /* a Hash is given one pair after the other */            \
    X(bulk_arrays)    /* an Array is given one element after the other */       \
    X(own_utf8_check) /* whether a String is UTF-8 Ruby finds out when asked */ \
    X(shared_strings) /* Strings are copied */                                  \
    X(expected_size)  /* a long output grows from small each time */            \
    X(memory_reuse)   /* each output begins on the heap, a buffer keeps none */

namespace sparpack::technique {

#ifdef SPARPACK_ABLATION
#define SPARPACK_TECHNIQUE(name) inline bool name = true;
#else
#define SPARPACK_TECHNIQUE(name) inline constexpr bool name = true;
#endif

SPARPACK_TECHNIQUES(SPARPACK_TECHNIQUE)
#undef SPARPACK_TECHNIQUE

}  // namespace sparpack::technique
