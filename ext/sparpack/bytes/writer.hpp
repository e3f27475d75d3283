// The output of an encode: reserve room, write, and return the new cursor. The cursor is passed by value so that it stays in
// a register. glue/ supplies the cold function `grow`, so writers do not depend on Ruby. A debug build stops at a write
// without a reservation.
#pragma once

#include "base.hpp"

namespace sparpack {

struct Writer {
    uint8_t *begin;
    uint8_t *end;
    // Returns the cursor in a buffer that has `need` bytes left. May longjmp, so the frames above must own nothing.
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
    debug_check(p + size <= w.reserved);
#endif
}

// The caller has reserved sizeof(T) bytes.
template <class T> SPARPACK_INLINE uint8_t *writer_put(Writer &w, uint8_t *p, T value) {
    writer_check(w, p, sizeof value);
    store(p, value);
    return p + sizeof value;
}

// Copies a few bytes as two overlapping words, because a call of memcpy would take longer than the copy.
SPARPACK_INLINE void copy_bytes(uint8_t *to, const void *data, size_t size) {
    const uint8_t *from = static_cast<const uint8_t *>(data);
    if (size > 16) {
        memcpy(to, from, size);
    } else if (size >= 8) {
        uint64_t first = load<uint64_t>(from), last = load<uint64_t>(from + size - 8);
        store(to, first);
        store(to + size - 8, last);
    } else if (size >= 4) {
        uint32_t first = load<uint32_t>(from), last = load<uint32_t>(from + size - 4);
        store(to, first);
        store(to + size - 4, last);
    } else {
        for (size_t i = 0; i < size; i++) to[i] = from[i];
    }
}

// Reserves the room itself.
SPARPACK_INLINE uint8_t *writer_append(Writer &w, uint8_t *p, const void *data, size_t size) {
    p = writer_reserve(w, p, size);
    writer_check(w, p, size);
    copy_bytes(p, data, size);
    return p + size;
}

}  // namespace sparpack
