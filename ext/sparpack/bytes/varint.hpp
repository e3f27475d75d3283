// Varints (seven bits per byte, least significant first) and zigzag, as in Thrift's compact protocol. Long varints are
// packed and unpacked eight bytes at a time, because a loop would mispredict a branch for each random length.
#pragma once

#include "reader.hpp"
#include "writer.hpp"

namespace sparpack {

SPARPACK_INLINE uint64_t zigzag(int64_t value) {
    return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}

SPARPACK_INLINE int64_t unzigzag(uint64_t value) { return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1)); }

constexpr size_t varint_bytes(int bits) { return static_cast<size_t>((bits + 6) / 7); }
constexpr size_t varint_max = varint_bytes(64);
constexpr uint64_t varint_more = 0x8080808080808080u;

// varint_gather joins eight groups of seven bits, one per byte, into 56 bits. varint_spread does the reverse.
SPARPACK_INLINE uint64_t varint_gather(uint64_t x) {
    x = (x & 0x007f007f007f007fu) | ((x & 0x7f007f007f007f00u) >> 1);
    x = (x & 0x00003fff00003fffu) | ((x & 0x3fff00003fff0000u) >> 2);
    return static_cast<uint32_t>(x) | x >> 32 << 28;
}

SPARPACK_INLINE uint64_t varint_spread(uint64_t x) {
    x = (x & 0x000000000fffffffu) | ((x & 0x00fffffff0000000u) << 4);
    x = (x & 0x00003fff00003fffu) | ((x & 0x0fffc0000fffc000u) << 2);
    return (x & 0x007f007f007f007fu) | ((x & 0x3f803f803f803f80u) << 1);
}

// `bits` is 32 or 64: a varint has at most 5 or 10 bytes, and no bit beyond that width.
// Statuses: truncated, varint_too_long.
template <int bits> SPARPACK_COLD const uint8_t *varint_read_slow(Input &in, const uint8_t *p, uint64_t *value) {
    constexpr int last_shift = 7 * (static_cast<int>(varint_bytes(bits)) - 1);
    const uint8_t *start = p;
    uint64_t sum = 0;
    for (int shift = 0; shift <= last_shift; shift += 7) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        uint64_t byte = *p++;
        if (shift == last_shift && byte >> (bits - last_shift)) break;
        sum |= (byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *value = sum;
            return p;
        }
    }
    return input_fail(in, Status::varint_too_long, start);
}

// Leaves to the slow reader what is too long or too large, has more than 8 bytes, or ends near the end of the input.
// Statuses: truncated, varint_too_long.
template <int bits> SPARPACK_INLINE const uint8_t *varint_read(Input &in, const uint8_t *p, uint64_t *value) {
    if (SPARPACK_LIKELY(input_left(in, p) >= 8)) {
        if (*p < 0x80) {
            *value = *p;
            return p + 1;
        }
        if (p[1] < 0x80) {
            *value = (*p & 0x7fu) | static_cast<uint64_t>(p[1]) << 7;
            return p + 2;
        }
        uint64_t word = little_endian(load<uint64_t>(p));
        uint64_t stops = ~word & varint_more;
        if (SPARPACK_LIKELY(stops)) {
            uint64_t sum = varint_gather(word & (stops ^ (stops - 1)));
            size_t size = static_cast<unsigned>(__builtin_ctzll(stops)) / 8 + 1;
            if (bits == 64 || (size <= varint_bytes(32) && sum >> 32 == 0)) {
                *value = sum;
                return p + size;
            }
        }
    }
    return varint_read_slow<bits>(in, p, value);
}

// Passes over a varint, behind whose first byte at least seven others can be read. Returns nullptr if it is longer than 8
// bytes, or has the last byte that it may have, of which only some bits are allowed.
template <int bits> SPARPACK_INLINE const uint8_t *varint_pass(const uint8_t *p) {
    constexpr size_t most = varint_bytes(bits) - 1 < 8 ? varint_bytes(bits) - 1 : 8;
    constexpr uint64_t within = most == 8 ? varint_more : varint_more & ((uint64_t{1} << 8 * (most & 7)) - 1);
    const uint64_t stops = ~little_endian(load<uint64_t>(p)) & within;
    if (SPARPACK_UNLIKELY(stops == 0)) return nullptr;
    return p + static_cast<size_t>(__builtin_ctzll(stops)) / 8 + 1;
}

// The caller has reserved varint_max bytes.
SPARPACK_INLINE uint8_t *varint_write(Writer &w, uint8_t *p, uint64_t value) {
    if (value < 0x80) return writer_put(w, p, static_cast<uint8_t>(value));
    if (value < 0x4000)
        return writer_put(w, p, little_endian(static_cast<uint16_t>((value & 0x7f) | 0x80 | (value & 0x3f80) << 1)));
    writer_check(w, p, varint_max);
    if (SPARPACK_LIKELY(value >> 56 == 0)) {
        int size = (63 - __builtin_clzll(value)) / 7;  // number of bytes that have the "more" bit
        uint64_t more = varint_more & ((uint64_t{1} << (8 * size)) - 1);
        store(p, little_endian(varint_spread(value) | more));
        return p + size + 1;
    }
    while (value >= 0x80) {
        *p++ = static_cast<uint8_t>(value | 0x80);
        value >>= 7;
    }
    *p++ = static_cast<uint8_t>(value);
    return p;
}

}  // namespace sparpack
