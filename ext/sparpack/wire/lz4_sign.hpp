// How a MessagePack payload begins that is compressed with LZ4, as MessagePack-CSharp writes it. ext/sparpack_lz4 reads and
// writes the rest.
#pragma once

#include "message_pack/heads.hpp"

namespace sparpack {

constexpr int8_t lz4_block_type = 99;  // an ext whose data are one block
constexpr int8_t lz4_array_type = 98;  // the first element of an array of blocks

// Payloads with fewer bytes are not compressed.
constexpr size_t lz4_least = 64;

// The fewest bytes that a compressed payload can have: the heads and a block that repeats one byte.
constexpr size_t lz4_shortest = 16;

// The largest payload that fits in one block.
constexpr long lz4_block_max = 0x7e000000;

SPARPACK_INLINE bool message_pack_ext_byte(uint8_t byte) {
    using Format = MessagePack;
    return static_cast<uint8_t>(byte - Format::ext8) <= 2 || static_cast<uint8_t>(byte - Format::fixext1) <= 4;
}

// Whether bytes begin so, or end before that is certain. `p` is in front of the end.
[[gnu::noinline]] SPARPACK_COLD inline bool lz4_begins(const uint8_t *p, const uint8_t *end) {
    Input in(p, static_cast<size_t>(end - p));
    MessagePack::Item item{};
    int8_t type = lz4_block_type;
    const uint8_t *next = MessagePack::read_head(in, p, item);
    if (next && item.head == MessagePack::Head::array && item.number > 0) {
        type = lz4_array_type;
        if (next == end) return true;
        if (!message_pack_ext_byte(*next)) return false;
        next = MessagePack::read_head(in, next, item);
    } else if (!message_pack_ext_byte(*p)) {
        return false;
    }
    if (!next) return in.status == Status::truncated;
    return item.type == type;
}

// The same for the bytes of a decode, without a call for almost all that begin otherwise. An array that ends right after its
// head is left to the decode, which says better what is missing.
SPARPACK_INLINE bool lz4_sign(const uint8_t *p, const uint8_t *end) {
    if (SPARPACK_UNLIKELY(end - p < 2)) return false;
    uint8_t byte = *p;
    if ((byte & 0xf0) == MessagePack::fixarray) {
        byte = p[1];
        if (SPARPACK_LIKELY(!message_pack_ext_byte(byte))) return false;
    } else if (SPARPACK_LIKELY(byte < MessagePack::ext8 || byte >= MessagePack::map16 || byte == MessagePack::nil_byte)) {
        return false;
    } else if ((byte == MessagePack::array16 && end - p <= 3) || (byte == MessagePack::array32 && end - p <= 5)) {
        return false;
    }
    return lz4_begins(p, end);
}

// Whether bytes that begin so go on as compressed ones, or end before that is certain. A value that nobody compressed may be
// of the same extension type.
SPARPACK_COLD inline bool lz4_plausible(const uint8_t *p, const uint8_t *end) {
    Input in(p, static_cast<size_t>(end - p));
    MessagePack::Item item{};
    p = MessagePack::read_head(in, p, item);
    bool array = p && item.head == MessagePack::Head::array;
    if (array) p = MessagePack::read_head(in, p, item);
    const uint64_t size = item.number;
    const uint8_t *data = p;
    if (p) p = MessagePack::read_head(in, p, item);
    if (!p) return in.status == Status::truncated;
    if (item.head != MessagePack::Head::positive) return false;
    return array || (item.number >= lz4_least && static_cast<uint64_t>(p - data) < size);
}

}  // namespace sparpack
