// Checks UTF-8 that is not ASCII, 16 bytes at a time. Almost every fault of a character shows in its first two bytes: it is
// the bitwise AND of three tables that are indexed by nibbles. One more comparison checks that third and fourth bytes are
// where they must be (Keiser and Lemire, Validating UTF-8 In Less Than One Instruction Per Byte, 2020).
#pragma once

#include "base.hpp"

#if defined(__x86_64__)
#include <tmmintrin.h>
#define SPARPACK_UTF8_WIDE __attribute__((target("ssse3")))
#elif defined(__aarch64__)
#include <arm_neon.h>
#define SPARPACK_UTF8_WIDE
#endif

#ifdef SPARPACK_UTF8_WIDE

namespace sparpack {

#if defined(__x86_64__)
using Wide = __m128i;
inline bool utf8_wide_here() { return __builtin_cpu_supports("ssse3"); }
#define SPARPACK_WIDE_INLINE SPARPACK_UTF8_WIDE inline __attribute__((always_inline))
SPARPACK_WIDE_INLINE Wide wide_load(const uint8_t *p) { return _mm_loadu_si128(reinterpret_cast<const Wide *>(p)); }
SPARPACK_WIDE_INLINE Wide wide_all(uint8_t byte) { return _mm_set1_epi8(static_cast<char>(byte)); }
SPARPACK_WIDE_INLINE Wide wide_and(Wide a, Wide b) { return _mm_and_si128(a, b); }
SPARPACK_WIDE_INLINE Wide wide_or(Wide a, Wide b) { return _mm_or_si128(a, b); }
SPARPACK_WIDE_INLINE Wide wide_xor(Wide a, Wide b) { return _mm_xor_si128(a, b); }
SPARPACK_WIDE_INLINE Wide wide_minus(Wide a, Wide b) { return _mm_subs_epu8(a, b); }
SPARPACK_WIDE_INLINE Wide wide_high(Wide a) { return _mm_and_si128(_mm_srli_epi16(a, 4), wide_all(15)); }
SPARPACK_WIDE_INLINE Wide wide_look(Wide table, Wide index) { return _mm_shuffle_epi8(table, index); }
// For each byte of `a`, the byte that lies `back` places before it, in the two blocks side by side.
template <int back> SPARPACK_WIDE_INLINE Wide wide_before(Wide a, Wide before) {
    return _mm_alignr_epi8(a, before, 16 - back);
}
SPARPACK_WIDE_INLINE bool wide_ascii(Wide a) { return _mm_movemask_epi8(a) == 0; }
SPARPACK_WIDE_INLINE bool wide_zero(Wide a) { return _mm_movemask_epi8(_mm_cmpeq_epi8(a, _mm_setzero_si128())) == 0xffff; }
#else
using Wide = uint8x16_t;
inline bool utf8_wide_here() { return true; }
#define SPARPACK_WIDE_INLINE inline __attribute__((always_inline))
SPARPACK_WIDE_INLINE Wide wide_load(const uint8_t *p) { return vld1q_u8(p); }
SPARPACK_WIDE_INLINE Wide wide_all(uint8_t byte) { return vdupq_n_u8(byte); }
SPARPACK_WIDE_INLINE Wide wide_and(Wide a, Wide b) { return vandq_u8(a, b); }
SPARPACK_WIDE_INLINE Wide wide_or(Wide a, Wide b) { return vorrq_u8(a, b); }
SPARPACK_WIDE_INLINE Wide wide_xor(Wide a, Wide b) { return veorq_u8(a, b); }
SPARPACK_WIDE_INLINE Wide wide_minus(Wide a, Wide b) { return vqsubq_u8(a, b); }
SPARPACK_WIDE_INLINE Wide wide_high(Wide a) { return vshrq_n_u8(a, 4); }
SPARPACK_WIDE_INLINE Wide wide_look(Wide table, Wide index) { return vqtbl1q_u8(table, index); }
template <int back> SPARPACK_WIDE_INLINE Wide wide_before(Wide a, Wide before) { return vextq_u8(before, a, 16 - back); }
SPARPACK_WIDE_INLINE bool wide_ascii(Wide a) { return vmaxvq_u8(a) < 0x80; }
SPARPACK_WIDE_INLINE bool wide_zero(Wide a) { return vmaxvq_u8(a) == 0; }
#endif

// What can be wrong with two adjacent bytes, one bit each.
enum Utf8Fault : uint8_t {
    too_short = 1,        // a lead byte without its continuation
    too_long = 2,         // a continuation byte without its lead
    overlong_3 = 4,       // e0 80..9f
    too_large = 8,        // f4 90..bf, f5..ff
    surrogate = 16,       // ed a0..bf
    overlong_2 = 32,      // c0, c1
    overlong_4 = 64,      // f0 80..8f
    too_large_1000 = 64,  // f5..ff 80..8f
    two_continuations = 128,
    any_low = too_short | too_long | two_continuations
};

// The tables, indexed by the first byte's high nibble, its low nibble, and the second byte's high nibble.
alignas(16) constexpr uint8_t utf8_first_high[16] = {too_long,
                                                     too_long,
                                                     too_long,
                                                     too_long,
                                                     too_long,
                                                     too_long,
                                                     too_long,
                                                     too_long,
                                                     two_continuations,
                                                     two_continuations,
                                                     two_continuations,
                                                     two_continuations,
                                                     too_short | overlong_2,
                                                     too_short,
                                                     too_short | overlong_3 | surrogate,
                                                     too_short | too_large | too_large_1000 | overlong_4};
alignas(16) constexpr uint8_t utf8_first_low[16] = {any_low | overlong_3 | overlong_2 | overlong_4,
                                                    any_low | overlong_2,
                                                    any_low,
                                                    any_low,
                                                    any_low | too_large,
                                                    any_low | too_large | too_large_1000,
                                                    any_low | too_large | too_large_1000,
                                                    any_low | too_large | too_large_1000,
                                                    any_low | too_large | too_large_1000,
                                                    any_low | too_large | too_large_1000,
                                                    any_low | too_large | too_large_1000,
                                                    any_low | too_large | too_large_1000,
                                                    any_low | too_large | too_large_1000,
                                                    any_low | too_large | too_large_1000 | surrogate,
                                                    any_low | too_large | too_large_1000,
                                                    any_low | too_large | too_large_1000};
constexpr uint8_t utf8_continued = too_long | overlong_2 | two_continuations;
alignas(16) constexpr uint8_t utf8_second_high[16] = {too_short,
                                                      too_short,
                                                      too_short,
                                                      too_short,
                                                      too_short,
                                                      too_short,
                                                      too_short,
                                                      too_short,
                                                      utf8_continued | overlong_3 | too_large_1000 | overlong_4,
                                                      utf8_continued | overlong_3 | too_large,
                                                      utf8_continued | surrogate | too_large,
                                                      utf8_continued | surrogate | too_large,
                                                      too_short,
                                                      too_short,
                                                      too_short,
                                                      too_short};
// The largest bytes that a block may end with. A larger one is a lead byte whose continuation is in the next block.
alignas(16) constexpr uint8_t utf8_last[16] = {255, 255, 255, 255, 255, 255,  255,  255,
                                               255, 255, 255, 255, 255, 0xef, 0xdf, 0xbf};

struct Utf8Wide {
    Wide before;
    Wide open;  // nonzero if the previous block ended inside a character
    Wide faults;
};

SPARPACK_WIDE_INLINE void utf8_block(Utf8Wide &state, Wide block) {
    if (wide_ascii(block)) {
        state.faults = wide_or(state.faults, state.open);
        state.open = wide_all(0);
    } else {
        Wide first = wide_before<1>(block, state.before);
        Wide fault = wide_and(wide_look(wide_load(utf8_first_high), wide_high(first)),
                              wide_look(wide_load(utf8_first_low), wide_and(first, wide_all(15))));
        fault = wide_and(fault, wide_look(wide_load(utf8_second_high), wide_high(block)));
        // Two continuation bytes in a row are right only where a lead of three or four bytes is two or three places back.
        Wide third = wide_minus(wide_before<2>(block, state.before), wide_all(0xe0 - 0x80));
        Wide fourth = wide_minus(wide_before<3>(block, state.before), wide_all(0xf0 - 0x80));
        Wide due = wide_and(wide_or(third, fourth), wide_all(0x80));
        state.faults = wide_or(state.faults, wide_xor(fault, due));
        state.open = wide_minus(block, wide_load(utf8_last));
    }
    state.before = block;
}

// True if the bytes are UTF-8. Call it only where utf8_wide_here() is true.
SPARPACK_UTF8_WIDE SPARPACK_COLD inline bool utf8_valid_wide(const uint8_t *p, size_t size) {
    Utf8Wide state = {wide_all(0), wide_all(0), wide_all(0)};
    for (; size >= 16; p += 16, size -= 16) utf8_block(state, wide_load(p));
    alignas(16) uint8_t rest[16] = {};  // padded with NULs, which end a text as any ASCII does
    memcpy(rest, p, size);
    utf8_block(state, wide_load(rest));
    return wide_zero(wide_or(state.faults, state.open));
}

}  // namespace sparpack

#endif
