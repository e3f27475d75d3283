// What an io has beside each payload (lib/sparpack/io/frame.rb): found in bytes that are in memory, and written. Only whole
// and usual frames are found. Whatever else there is, the Ruby code reads or refuses.
#pragma once

#include "../bytes/base.hpp"

namespace sparpack {

// Ruby knows their numbers as Frame::CODES.
enum class Framing : uint8_t { none, varint, fixed, lines };

constexpr size_t frame_head_max = 10;
constexpr size_t frame_fixed_most = INT32_MAX;

struct Framed {
    const uint8_t *payload;
    const uint8_t *end;  // of the payload and of its frame
};

inline bool frame_ends(Framed &framed, const uint8_t *payload, uint64_t size, const uint8_t *end, size_t most) {
    if (size == 0 || size > most || size > static_cast<uint64_t>(end - payload)) return false;
    framed = {payload, payload + size};
    return true;
}

// The line with its end, because the wire passes over that.
inline bool frame_line(Framed &framed, const uint8_t *p, const uint8_t *end, size_t most) {
    const void *found = memchr(p, '\n', static_cast<size_t>(end - p));
    if (!found) return false;
    const uint8_t *last = static_cast<const uint8_t *>(found);
    framed = {p, last + 1};
    while (p < last && (*p == ' ' || *p == '\t' || *p == '\r')) p++;
    return p < last && static_cast<size_t>(last - framed.payload) <= most;
}

// Finds the payload in the frame that begins at a place. It may have `most` bytes.
inline bool frame_find(Framing framing, Framed &framed, const uint8_t *p, const uint8_t *end, size_t most) {
    uint64_t size = 0;
    switch (framing) {
    case Framing::none: break;
    case Framing::varint:
        for (int shift = 0; shift < 63 && p < end; shift += 7) {
            const uint8_t byte = *p++;
            size |= uint64_t{byte & 0x7fu} << shift;
            if (byte <= 0x7f) return frame_ends(framed, p, size, end, most);
        }
        return false;
    case Framing::fixed: {
        if (end - p < 4) return false;
        size = big_endian(load<uint32_t>(p));
        return frame_ends(framed, p + 4, size, end, most);
    }
    case Framing::lines: return frame_line(framed, p, end, most);
    }
    return false;
}

// Writes what stands before a payload, of at most `frame_head_max` bytes, and returns where it ends.
inline uint8_t *frame_head(Framing framing, uint8_t *q, size_t size) {
    if (framing == Framing::varint) {
        for (; size > 0x7f; size >>= 7) *q++ = static_cast<uint8_t>(size | 0x80);
        *q++ = static_cast<uint8_t>(size);
    } else if (framing == Framing::fixed) {
        store(q, big_endian(static_cast<uint32_t>(size)));
        q += 4;
    }
    return q;
}

}  // namespace sparpack
