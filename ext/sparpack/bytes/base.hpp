// Basics for every native file: inlining, branch hints, the debug check and byte order. No Ruby.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

// Macros, because with inline functions in their place GCC lays some branches out otherwise, which takes 0.3% more
// instructions to decode and to pack.
#define SPARPACK_LIKELY(x) __builtin_expect(!!(x), 1)
#define SPARPACK_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SPARPACK_COLD __attribute__((noinline, cold))
#define SPARPACK_INLINE inline __attribute__((always_inline))

namespace sparpack {

#ifdef SPARPACK_DEBUG
constexpr bool is_debug_build = true;
#else
constexpr bool is_debug_build = false;
#endif

// False if the processor computes with more precision than that of a double.
constexpr bool computes_exactly = __FLT_EVAL_METHOD__ == 0;

// A debug build stops where a release build would corrupt memory.
SPARPACK_INLINE void debug_check(bool holds) {
    if (is_debug_build && !holds) __builtin_trap();
}

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
