// Basics for every native file: inlining, branch hints, the debug check and byte order. No Ruby.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#define SPARPACK_LIKELY(x) __builtin_expect(!!(x), 1)
#define SPARPACK_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SPARPACK_NOINLINE __attribute__((noinline))
#define SPARPACK_COLD __attribute__((noinline, cold))
#define SPARPACK_INLINE inline __attribute__((always_inline))

// A debug build stops where a release build would corrupt memory.
#ifdef SPARPACK_DEBUG
#define SPARPACK_CHECK(x) ((x) ? (void)0 : __builtin_trap())
#else
#define SPARPACK_CHECK(x) ((void)0)
#endif

namespace sparpack {

// Each wire specifies its byte order. Only these functions know the machine's.
template <class T> SPARPACK_INLINE T bytes_swap(T value) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);
    if constexpr (sizeof(T) == 2) {
        return __builtin_bswap16(value);
    } else if constexpr (sizeof(T) == 4) {
        return __builtin_bswap32(value);
    } else {
        return __builtin_bswap64(value);
    }
}

template <class T> SPARPACK_INLINE T little_endian(T value) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return value;
#else
    return bytes_swap(value);
#endif
}

template <class T> SPARPACK_INLINE T big_endian(T value) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return bytes_swap(value);
#else
    return value;
#endif
}

template <class T> SPARPACK_INLINE T load(const uint8_t *p) {
    T value;
    memcpy(&value, p, sizeof value);
    return value;
}

template <class T> SPARPACK_INLINE void store(uint8_t *p, T value) { memcpy(p, &value, sizeof value); }

}  // namespace sparpack
