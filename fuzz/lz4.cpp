// Fuzzes the compression of payloads, without Ruby. Any bytes must become a payload within the limit, or be refused with a
// place in them. Any payload must come back from both forms, and no form may end early. The first byte says what the others
// are.
#include "../ext/sparpack_lz4/vendor/lz4.c"

#include "../ext/sparpack_lz4/blocks.hpp"

#include <cstdlib>

using namespace sparpack;
using namespace sparpack::lz4;

namespace {

constexpr uint64_t limit = 1 << 16;

void must(bool x) {
    if (!x) __builtin_trap();
}

// Memory of exactly this size, so that the sanitizer sees every access beyond its end.
struct Bytes {
    uint8_t *begin;
    size_t size;

    explicit Bytes(size_t n) : begin(static_cast<uint8_t *>(malloc(n ? n : 1))), size(n) {
        if (!begin) abort();
    }
    Bytes(const uint8_t *bytes, size_t n) : Bytes(n) {
        if (n) memcpy(begin, bytes, n);
    }
    ~Bytes() { free(begin); }
    Bytes(const Bytes &) = delete;
    Bytes &operator=(const Bytes &) = delete;
};

// Decompresses bytes as native.cpp does. Returns the status, and the payload's size if there is one.
Status inflate(const uint8_t *data, size_t data_size, const uint8_t *expected, size_t *size, uint64_t most = limit) {
    Bytes source(data, data_size);
    Input in(source.begin, source.size);
    Blocks blocks;
    auto failed = [&]() {
        must(in.status != Status::ok && in.at >= in.begin && in.at <= in.end);
        return in.status;
    };
    if (in.begin == in.end) return Status::truncated;
    if (!lz4_begins(in.begin, in.end)) return Status::bad_lz4_header;
    if (!read_header(in, in.begin, most, blocks)) return failed();
    must(blocks.size <= most && blocks.size <= growth_max * source.size);
    must(blocks.end > in.begin && blocks.end <= in.end);
    Bytes target(static_cast<size_t>(blocks.size));
    const bool volatile stop = true, go = false;
    must(decompress_some(in, blocks, target.begin, stop) == target.begin);
    uint8_t *end = decompress_some(in, blocks, target.begin, go);
    if (!end) return failed();
    must(end == target.begin + target.size && blocks.count == 0);
    if (expected) must(blocks.end == in.end && memcmp(target.begin, expected, target.size) == 0);
    *size = target.size;
    return Status::ok;
}

// What was compressed must be read back, with a limit of exactly its size, and not without its end.
void check_there_and_back(const uint8_t *packed, size_t packed_size, const uint8_t *data, size_t size) {
    size_t found = 0;
    must(inflate(packed, packed_size, data, &found, size) == Status::ok && found == size);
    if (size > 0) must(inflate(packed, packed_size, data, &found, size - 1) == Status::decompressed_too_long);
    for (size_t i = 0; i < packed_size; i += 1 + packed_size / 64)
        must(inflate(packed, i, nullptr, &found, size) == Status::truncated);
    if (size == 0) return;
    Bytes damaged(packed, packed_size);
    damaged.begin[data[0] * size_t{257} % packed_size] ^= static_cast<uint8_t>(data[size - 1] | 1);
    inflate(damaged.begin, packed_size, nullptr, &found);
}

void check_deflate(const uint8_t *data, size_t size) {
    Bytes block(room_of_block(size)), array(room_of_array(size));
    const uint8_t *end = write_block(data, size, block.begin, block.size);
    check_there_and_back(block.begin, static_cast<size_t>(end - block.begin), data, size);

    Compression c{data, data + size, write_array_header(size, array.begin, array.size)};
    const bool volatile stop = true, go = false;
    compress_some(c, stop);
    must(c.from == data);
    compress_some(c, go);
    must(c.from == c.end && c.to <= array.begin + array.size);
    check_there_and_back(array.begin, static_cast<size_t>(c.to - array.begin), data, size);
}

// The same of bytes that repeat and take some blocks, whose last one is full or nearly so.
void check_large(const uint8_t *data, size_t size) {
    Bytes all(block_size * (1 + data[0] % 3) + data[size - 1] % 5 - 2);
    for (size_t i = 0; i < all.size; i++) all.begin[i] = data[i % size];
    check_deflate(all.begin, all.size);
}

// A payload in blocks whose lengths and sizes the input chooses, so that most of the bytes get as far as LZ4.
void check_claims(const uint8_t *data, size_t size, bool array) {
    Bytes payload(size + 2 * MessagePack::header_max + 256 * (2 * MessagePack::header_max));
    Writer w = writer_over(payload.begin, payload.size);
    uint8_t *q = payload.begin;
    auto length = [&](size_t i) { return static_cast<size_t>(data[i] % 16 ? data[i] : data[i] * 40); };
    if (array) {
        size_t count = size % 6 < size ? size % 6 : size, lengths = 0;
        uint8_t sample[MessagePack::header_max];
        Writer measure = writer_over(sample, sizeof sample);
        for (size_t i = 0; i < count; i++)
            lengths +=
                static_cast<size_t>(MessagePack::write_unsigned(measure, reserve(measure, sample), length(i)) - sample);
        q = MessagePack::write_array(w, reserve(w, q), count + 1);
        q = MessagePack::write_ext(w, reserve(w, q), lz4_array_type, lengths);
        for (size_t i = 0; i < count; i++) q = MessagePack::write_unsigned(w, reserve(w, q), length(i));
        const uint8_t *p = data + count, *end = data + size;
        for (size_t i = 0; i < count; i++) {
            size_t left = static_cast<size_t>(end - p), some = i + 1 == count ? left : left / (count - i);
            q = MessagePack::write_bin(w, reserve(w, q), some);
            memcpy(q, p, some);
            q += some;
            p += some;
        }
    } else if (size > 0) {
        q = MessagePack::write_ext(w, reserve(w, q), lz4_block_type, int32_size + size - 1);
        *q++ = MessagePack::int32_byte;
        store(q, big_endian(static_cast<uint32_t>(length(0))));
        q += 4;
        memcpy(q, data + 1, size - 1);
        q += size - 1;
    }
    size_t found = 0;
    inflate(payload.begin, static_cast<size_t>(q - payload.begin), nullptr, &found);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    uint8_t kind = *data++ % 4;
    size--;
    size_t found = 0;
    switch (kind) {
    case 0: inflate(data, size, nullptr, &found); break;
    case 1: check_claims(data, size, true); break;
    case 2: check_claims(data, size, false); break;
    default:
        if (size > 2 && data[1] % 64 == 0) {
            check_large(data, size);
        } else {
            check_deflate(data, size);
        }
    }
    lz4_sign(data, data + size);
    if (size > 0) lz4_plausible(data, data + size);
    return 0;
}
