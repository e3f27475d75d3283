// How MessagePack-CSharp puts LZ4 blocks into MessagePack. Knows no Ruby.
//
//   one block:    ext 99, whose data are the size of the payload as an int32 and one LZ4 block
//   block array:  an array. Its first element is ext 98, whose data are the sizes of the blocks before they were compressed,
//                 as integers. Each other element is a bin with an LZ4 block, which needs no other.
//
// A reader accepts integers and bins of any width.
#pragma once

#include "../sparpack/wire/lz4_sign.hpp"
#include "../sparpack/wire/message_pack/heads.hpp"

#ifdef SPARPACK_SYSTEM_LZ4
#include <lz4.h>
#else
#include "vendor/lz4.h"
#endif

namespace sparpack::lz4 {

// Payloads are cut into blocks of this size, as MessagePack-CSharp does.
constexpr size_t block_size = 32 << 10;

static_assert(lz4_block_max == LZ4_MAX_INPUT_SIZE, "a payload of this size is refused in the core's messages");

// No LZ4 block becomes more than this many times larger, because a byte adds at most 255 to the length of a match.
constexpr uint64_t growth_max = 255;

constexpr size_t bin32_size = 5;

// --- writing -----------------------------------------------------------------------------------------------------------

// A payload on its way into blocks. compress_some may stop between two blocks, and is called again.
struct Compression {
    const uint8_t *from, *end;  // what is left of the payload
    uint8_t *to;                // where the next block goes; there is room for all
};

// How many bytes the blocks of a payload take at most, with their headers.
inline size_t room_of_array(size_t size) {
    size_t whole = size / block_size, rest = size % block_size;
    size_t blocks = whole * (bin32_size + static_cast<size_t>(LZ4_COMPRESSBOUND(block_size)));
    if (rest) blocks += bin32_size + static_cast<size_t>(LZ4_COMPRESSBOUND(rest));
    return blocks + 2 * MessagePack::header_max + MessagePack::header_max * (whole + 1);
}

constexpr size_t int32_size = 5;
constexpr size_t ext_head_max = 6;

inline size_t room_of_block(size_t size) {
    return ext_head_max + int32_size + static_cast<size_t>(LZ4_compressBound(static_cast<int>(size)));
}

inline Writer writer_over(uint8_t *begin, size_t size) {
    Writer writer{};
    writer.begin = begin;
    writer.end = begin + size;
    return writer;
}

inline uint8_t *reserve(Writer &w, uint8_t *p) { return writer_reserve(w, p, MessagePack::header_max); }

// Writes a whole payload as ext 99. Returns the end.
inline uint8_t *write_block(const uint8_t *from, size_t size, uint8_t *to, size_t room) {
    // The size of the head depends on that of the block, which is therefore compressed behind the largest head.
    uint8_t *data = to + ext_head_max, *block = data + int32_size;
    int written = LZ4_compress_default(reinterpret_cast<const char *>(from), reinterpret_cast<char *>(block),
                                       static_cast<int>(size), static_cast<int>(to + room - block));
    data[0] = MessagePack::int32_byte;
    store(data + 1, big_endian(static_cast<uint32_t>(size)));
    size_t data_size = int32_size + static_cast<size_t>(written);
    Writer w = writer_over(to, room);
    uint8_t *place = MessagePack::write_ext(w, reserve(w, to), lz4_block_type, data_size);
    if (place != data) memmove(place, data, data_size);
    return place + data_size;
}

// Writes the header of a block array. Returns its end.
inline uint8_t *write_array_header(size_t size, uint8_t *to, size_t room) {
    size_t whole = size / block_size, rest = size % block_size;
    Writer w = writer_over(to, room);
    uint8_t *p = MessagePack::write_array(w, reserve(w, to), 1 + whole + (rest != 0));
    uint8_t sample[MessagePack::header_max];
    Writer measure = writer_over(sample, sizeof sample);
    auto length_size = [&](size_t number) {
        return static_cast<size_t>(MessagePack::write_unsigned(measure, reserve(measure, sample), number) - sample);
    };
    size_t lengths = whole * length_size(block_size) + (rest ? length_size(rest) : 0);
    p = MessagePack::write_ext(w, reserve(w, p), lz4_array_type, lengths);
    for (size_t i = 0; i < whole; i++) p = MessagePack::write_unsigned(w, reserve(w, p), block_size);
    return rest ? MessagePack::write_unsigned(w, reserve(w, p), rest) : p;
}

// Writes the blocks of an array, until `stop` is set.
inline void compress_some(Compression &c, const bool volatile &stop) {
    while (c.from < c.end && !stop) {
        size_t left = static_cast<size_t>(c.end - c.from), size = left < block_size ? left : block_size;
        uint8_t *block = c.to + bin32_size;
        int written = LZ4_compress_default(reinterpret_cast<const char *>(c.from), reinterpret_cast<char *>(block),
                                           static_cast<int>(size), LZ4_compressBound(static_cast<int>(size)));
        c.to[0] = MessagePack::bin8 + 2;
        store(c.to + 1, big_endian(static_cast<uint32_t>(written)));
        c.to = block + written;
        c.from += size;
    }
}

// --- reading -----------------------------------------------------------------------------------------------------------

// The blocks of a compressed payload, and how far they were read. decompress_some may stop between two blocks.
struct Blocks {
    const uint8_t *lengths;  // the integers that say how large the blocks become
    const uint8_t *block;    // where the next block begins; in an array, its bin
    const uint8_t *end;      // of the payload
    size_t count;            // blocks that are left
    uint64_t size;           // bytes that all blocks become, or those of them that are left
    bool array;
};

// Reads how large the next block becomes.
// Statuses: truncated, bad_lz4_header.
inline const uint8_t *read_length(Input &in, const uint8_t *p, uint64_t *length) {
    MessagePack::Item item{};
    const uint8_t *next = MessagePack::read_head(in, p, item);
    if (!next && in.status == Status::truncated) return nullptr;
    if (!next || item.head != MessagePack::Head::positive || item.number > INT32_MAX)
        return input_fail(in, Status::bad_lz4_header, p);
    *length = item.number;
    return next;
}

// Finds the bytes of the next block.
// Statuses: truncated, bad_lz4_header.
inline const uint8_t *read_bin(Input &in, const uint8_t *p, size_t *size) {
    MessagePack::Item item{};
    const uint8_t *data = MessagePack::read_head(in, p, item);
    if (!data && in.status == Status::truncated) return nullptr;
    if (!data || item.head != MessagePack::Head::bin) return input_fail(in, Status::bad_lz4_header, p);
    *size = item.number;
    return input_need(in, data, *size);
}

// Whether so many bytes may be an LZ4 block that becomes so large.
inline bool plausible(size_t size, uint64_t length) { return size <= INT32_MAX && length <= growth_max * size; }

// Checks what the header claims, before anything is allocated: the sizes of the blocks against the bytes that are there, and
// the size of the payload against the limit. `from` is where the payload begins.
// Statuses: truncated, bad_lz4_header, bad_lz4_block, decompressed_too_long.
inline bool read_header(Input &in, const uint8_t *from, uint64_t limit, Blocks &blocks) {
    MessagePack::Item item{};
    const uint8_t *p = MessagePack::read_head(in, from, item);
    if (!p) return false;
    blocks = {};
    blocks.array = item.head == MessagePack::Head::array;
    blocks.count = blocks.array ? item.number - 1 : 1;  // a sign of LZ4 is there, so the array has an element
    if (blocks.array && !(p = MessagePack::read_head(in, p, item))) return false;
    size_t data_size = item.number;
    // What the data claim is looked at first, as far as they are there.
    size_t left = input_left(in, p);
    Input data(p, data_size < left ? data_size : left, data_size <= left);
    const uint8_t *lengths = p, *bin = blocks.array ? p + (data.end - data.begin) : nullptr;
    blocks.lengths = lengths;
    auto fail = [&](Status status, const uint8_t *at) { return input_fail(in, status, at), false; };
    for (size_t i = 0; i < blocks.count; i++) {
        uint64_t length = 0;
        const uint8_t *next = read_length(data, lengths, &length);
        if (!next && data.status == Status::truncated && data_size > left) return input_need(in, p, data_size) != nullptr;
        if (!next) return fail(Status::bad_lz4_header, data.at);
        blocks.size += length;
        if (blocks.size > limit) return fail(Status::decompressed_too_long, lengths);
        lengths = next;
        size_t size = static_cast<size_t>(data.end - lengths);
        if (blocks.array) {
            if (i == 0) {
                if (!input_need(in, p, data_size)) return false;
                blocks.block = bin;
            }
            const uint8_t *begin = bin;
            if (!(bin = read_bin(in, bin, &size))) return false;
            if (!plausible(size, length)) return fail(Status::bad_lz4_block, begin);
            bin += size;
        } else {
            if (!input_need(in, p, data_size)) return false;
            if (!plausible(size, length)) return fail(Status::bad_lz4_block, lengths);
            blocks.block = lengths;
        }
    }
    if (blocks.array && lengths != data.end) return fail(Status::bad_lz4_header, lengths);
    if (blocks.array && !input_need(in, p, data_size)) return false;
    blocks.end = blocks.array ? bin : data.end;
    return true;
}

// Decompresses blocks to `to`, until `stop` is set. Returns the end, or nullptr after a fault.
// Statuses: bad_lz4_block.
inline uint8_t *decompress_some(Input &in, Blocks &blocks, uint8_t *to, const bool volatile &stop) {
    while (blocks.count && !stop) {
        uint64_t length = 0;
        size_t size = 0;
        const uint8_t *block = blocks.block;
        // read_header has read both without a fault, but another thread may have changed them since.
        const uint8_t *next = read_length(in, blocks.lengths, &length);
        if (blocks.array) {
            block = read_bin(in, block, &size);
        } else {
            size = static_cast<size_t>(blocks.end - block);
        }
        bool fits = blocks.count == 1 ? length == blocks.size : length <= blocks.size;
        if (!next || !block || !fits || !plausible(size, length))
            return input_fail(in, Status::bad_lz4_block, blocks.block), nullptr;
        int written = LZ4_decompress_safe(reinterpret_cast<const char *>(block), reinterpret_cast<char *>(to),
                                          static_cast<int>(size), static_cast<int>(length));
        if (written < 0 || static_cast<uint64_t>(written) != length) {
            size_t good = written < 0 ? static_cast<size_t>(-(written + 1)) : size;  // LZ4 says where it stopped
            return input_fail(in, Status::bad_lz4_block, block + (good < size ? good : size)), nullptr;
        }
        blocks.lengths = next;
        blocks.block = block + size;
        blocks.count--;
        blocks.size -= length;
        to += written;
    }
    return to;
}

}  // namespace sparpack::lz4
