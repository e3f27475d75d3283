// The output of an encode: reserve, write, commit. The write cursor travels by value, so that it lives in a register;
// `grow` is cold and supplied by glue, so that writers know no Ruby. A debug build stops at an unreserved write.
#pragma once

#include "base.hpp"

namespace sparpack {

struct Writer {
    uint8_t *begin;
    uint8_t *end;
    // Answers the cursor's place in a buffer that has `need` bytes left. May longjmp: frames above own nothing.
    uint8_t *(*grow)(Writer &, uint8_t *p, size_t need);
#ifdef SPARPACK_DEBUG
    uint8_t *reserved;
#endif
};

SPARPACK_INLINE uint8_t *writer_reserve(Writer &w, uint8_t *p, size_t size) {
    if (SPARPACK_UNLIKELY(static_cast<size_t>(w.end - p) < size)) p = w.grow(w, p, size);
#ifdef SPARPACK_DEBUG
    w.reserved = p + size;
#endif
    return p;
}

SPARPACK_INLINE void writer_check([[maybe_unused]] const Writer &w, [[maybe_unused]] uint8_t *p,
                                  [[maybe_unused]] size_t size) {
#ifdef SPARPACK_DEBUG
    SPARPACK_CHECK(p + size <= w.reserved);
#endif
}

// Reserved by the caller: sizeof(T).
template <class T> SPARPACK_INLINE uint8_t *writer_put(Writer &w, uint8_t *p, T value) {
    writer_check(w, p, sizeof value);
    store(p, value);
    return p + sizeof value;
}

// Reserves by itself.
SPARPACK_INLINE uint8_t *writer_append(Writer &w, uint8_t *p, const void *data, size_t size) {
    p = writer_reserve(w, p, size);
    writer_check(w, p, size);
    if (SPARPACK_LIKELY(size)) memcpy(p, data, size);
    return p + size;
}

}  // namespace sparpack
