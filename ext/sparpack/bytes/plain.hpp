// Plain bytes of a JSON string: those that need no escape. A quote, a backslash and the control characters below 0x20 are
// not plain. Bytes are looked at 16 at a time.
#pragma once

#include "base.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace sparpack {

// False for bytes that end a plain run.
SPARPACK_INLINE bool is_plain(uint8_t byte) { return byte >= 0x20 && byte != '"' && byte != '\\'; }

// Eight bytes. In a mask, a byte's high bit says yes. Beyond the first yes, `stops` may be wrong. `below` is a mask of the
// first bytes, at most all of them.
struct PlainWord {
    static constexpr size_t size = 8;
    static constexpr uint64_t ones = 0x0101010101010101u;
    static constexpr uint64_t highs = ones * 0x80;

    uint64_t bytes;

    static SPARPACK_INLINE PlainWord load(const uint8_t *p) { return {little_endian(sparpack::load<uint64_t>(p))}; }
    SPARPACK_INLINE void store(uint8_t *p) const { sparpack::store(p, little_endian(bytes)); }
    SPARPACK_INLINE uint64_t stops() const {
        uint64_t quote = bytes ^ ones * '"', backslash = bytes ^ ones * '\\';
        uint64_t found = ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((bytes - ones * 0x20) & ~bytes);
        return found & highs;
    }
    SPARPACK_INLINE uint64_t not_ascii() const { return bytes & highs; }
    static SPARPACK_INLINE size_t first(uint64_t mask) { return static_cast<size_t>(__builtin_ctzll(mask)) / 8; }
    static SPARPACK_INLINE uint64_t below(size_t count) { return count < 8 ? (uint64_t{1} << 8 * count) - 1 : ~uint64_t{0}; }
};

// Sixteen bytes.
#if defined(__SSE2__)
struct PlainBlock {
    static constexpr size_t size = 16;

    __m128i bytes;

    static SPARPACK_INLINE PlainBlock load(const uint8_t *p) {
        return {_mm_loadu_si128(reinterpret_cast<const __m128i *>(p))};
    }
    SPARPACK_INLINE void store(uint8_t *p) const { _mm_storeu_si128(reinterpret_cast<__m128i *>(p), bytes); }
    SPARPACK_INLINE uint64_t stops() const {
        __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1f)), bytes);
        __m128i quote = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), backslash = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
        return static_cast<uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quote, backslash), control)));
    }
    SPARPACK_INLINE uint64_t not_ascii() const { return static_cast<uint32_t>(_mm_movemask_epi8(bytes)); }
    static SPARPACK_INLINE size_t first(uint64_t mask) { return static_cast<size_t>(__builtin_ctzll(mask)); }
    static SPARPACK_INLINE uint64_t below(size_t count) { return (uint64_t{1} << count) - 1; }
};
#elif defined(__aarch64__)
struct PlainBlock {
    static constexpr size_t size = 16;

    uint8x16_t bytes;

    // Four bits of a mask for each byte, because NEON has no instruction that gathers one bit of each.
    static SPARPACK_INLINE uint64_t gather(uint8x16_t yes) {
        return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(yes), 4)), 0);
    }
    static SPARPACK_INLINE PlainBlock load(const uint8_t *p) { return {vld1q_u8(p)}; }
    SPARPACK_INLINE void store(uint8_t *p) const { vst1q_u8(p, bytes); }
    SPARPACK_INLINE uint64_t stops() const {
        uint8x16_t quote = vceqq_u8(bytes, vdupq_n_u8('"')), backslash = vceqq_u8(bytes, vdupq_n_u8('\\'));
        return gather(vorrq_u8(vorrq_u8(quote, backslash), vcltq_u8(bytes, vdupq_n_u8(0x20))));
    }
    SPARPACK_INLINE uint64_t not_ascii() const { return gather(vcgeq_u8(bytes, vdupq_n_u8(0x80))); }
    static SPARPACK_INLINE size_t first(uint64_t mask) { return static_cast<size_t>(__builtin_ctzll(mask)) / 4; }
    static SPARPACK_INLINE uint64_t below(size_t count) {
        return count < 16 ? (uint64_t{1} << 4 * count) - 1 : ~uint64_t{0};
    }
};
#else
using PlainBlock = PlainWord;
#endif

// Returns how many of sixteen bytes, given as two words, are plain up to the first that is not.
SPARPACK_INLINE size_t plain_count(uint64_t first, uint64_t second) {
#if defined(__SSE2__)
    PlainBlock block{_mm_set_epi64x(static_cast<int64_t>(second), static_cast<int64_t>(first))};
#elif defined(__aarch64__)
    PlainBlock block{vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(first), vcreate_u64(second)))};
#else
    uint64_t stops = PlainWord{little_endian(first)}.stops();
    if (stops) return PlainWord::first(stops);
    stops = PlainWord{little_endian(second)}.stops();
    return stops ? 8 + PlainWord::first(stops) : 16;
#endif
#if defined(__SSE2__) || defined(__aarch64__)
    uint64_t stops = block.stops();
    return stops ? PlainBlock::first(stops) : 16;
#endif
}

// Looks for the end of a plain run in one block. Returns the number of plain bytes, up to the block's size.
template <class Block> SPARPACK_INLINE size_t plain_in(const Block &block, bool *ascii) {
    uint64_t stops = block.stops(), high = block.not_ascii();
    if (!stops) {
        *ascii &= high == 0;
        return Block::size;
    }
    *ascii &= (high & (stops ^ (stops - 1))) == 0;
    return Block::first(stops);
}

// Returns where the plain run from p on ends. Sets *ascii to false if a byte of the run is not ASCII.
SPARPACK_INLINE const uint8_t *plain_end(const uint8_t *p, const uint8_t *end, bool *ascii) {
    while (end - p >= 16) {
        for (size_t done = 0; done < 16; done += PlainBlock::size) {
            size_t count = plain_in(PlainBlock::load(p), ascii);
            p += count;
            if (count < PlainBlock::size) return p;
        }
    }
    if (end - p >= 8) {
        size_t count = plain_in(PlainWord::load(p), ascii);
        p += count;
        if (count < 8) return p;
    }
    for (; p < end && is_plain(*p); p++) *ascii &= *p < 0x80;
    return p;
}

// Copies the plain run from p on to `to`, where there is room for all bytes up to the end: bytes behind the run may change.
// Returns where the run ends. Loads overlap, because a loop over the last bytes would take longer.
SPARPACK_INLINE const uint8_t *plain_copy(uint8_t *to, const uint8_t *p, const uint8_t *end) {
    size_t left = static_cast<size_t>(end - p);
    if (left >= 16) {
        const uint8_t *last = end - PlainBlock::size;
        for (;;) {
            PlainBlock block = PlainBlock::load(p);
            block.store(to);
            uint64_t stops = block.stops();
            if (stops) return p + PlainBlock::first(stops);
            if (p == last) return end;
            size_t step =
                static_cast<size_t>(last - p) < PlainBlock::size ? static_cast<size_t>(last - p) : PlainBlock::size;
            p += step;
            to += step;
        }
    }
    if (left >= 8) {
        uint64_t first = load<uint64_t>(p), last = load<uint64_t>(end - 8);
        store(to, first);
        store(to + left - 8, last);
        size_t count = plain_count(first, last);
        return count < 8 ? p + count : end - 16 + count;
    }
    if (left >= 4) {
        uint32_t first = load<uint32_t>(p), last = load<uint32_t>(end - 4);
        store(to, first);
        store(to + left - 4, last);
        size_t count =
            plain_count(little_endian(little_endian(first) | static_cast<uint64_t>(little_endian(last)) << 32), 0);
        return count < 4 ? p + count : end - 8 + count;
    }
    for (; p < end && is_plain(*p); p++) *to++ = *p;
    return p;
}

// How many bytes plain_ascii_copy touches: whole blocks, and at least one.
constexpr size_t plain_blocks(size_t size) { return size > 16 ? (size + 15) / 16 * 16 : 16; }

// Copies text if all of it is plain ASCII, and returns whether it is. plain_blocks(size) bytes may be read and written,
// because a loop over whole blocks is shorter than one that treats the last bytes in another way.
SPARPACK_INLINE bool plain_ascii_copy(uint8_t *to, const uint8_t *p, size_t size) {
    for (;;) {
        PlainBlock block = PlainBlock::load(p);
        block.store(to);
        uint64_t others = block.stops() | block.not_ascii();
        if (SPARPACK_LIKELY(size <= PlainBlock::size)) return (others & PlainBlock::below(size)) == 0;
        if (SPARPACK_UNLIKELY(others != 0)) return false;
        size -= PlainBlock::size;
        p += PlainBlock::size;
        to += PlainBlock::size;
    }
}

}  // namespace sparpack
