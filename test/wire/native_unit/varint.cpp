// Varints of every length and at every edge, near the end of the input and far from it, and varints that are too long.
#include "bytes/varint.hpp"

#include <cstdlib>
#include <vector>

#include "check.hpp"

using namespace sparpack;

namespace {

uint8_t *no_growth(Writer &, uint8_t *, size_t) { abort(); }

Writer writer_of(std::vector<uint8_t> &room) {
    Writer w{};
    w.begin = room.data();
    w.end = room.data() + room.size();
    w.grow = no_growth;
    return w;
}

// Writes one byte at a time, as in the specification.
std::vector<uint8_t> spell(uint64_t value) {
    std::vector<uint8_t> bytes;
    for (; value > 0x7f; value >>= 7) bytes.push_back(static_cast<uint8_t>(value | 0x80));
    bytes.push_back(static_cast<uint8_t>(value));
    return bytes;
}

// The input is on the heap in its exact size, so that a sanitizer notices reads beyond it. `after` bytes follow the varint.
template <int bits> void read_back(uint64_t value, size_t after) {
    std::vector<uint8_t> bytes = spell(value);
    size_t size = bytes.size();
    bytes.resize(size + after, 0xff);
    bytes.shrink_to_fit();
    Input in(bytes.data(), bytes.size());
    uint64_t found = ~value;
    const uint8_t *p = varint_read<bits>(in, in.begin, &found);
    CHECK(p == in.begin + size && found == value, "value %llx, %zu after", (unsigned long long)value, after);
    for (size_t cut = 0; cut < size && after == 0; cut++) {
        std::vector<uint8_t> part(bytes.begin(), bytes.begin() + static_cast<long>(cut));
        Input few(part.data(), part.size());
        CHECK(!varint_read<bits>(few, few.begin, &found) && few.status == Status::truncated, "cut to %zu", cut);
    }
}

void round_trip(uint64_t value) {
    std::vector<uint8_t> room(varint_max, 0xaa);
    Writer w = writer_of(room);
    uint8_t *start = writer_reserve(w, w.begin, varint_max);
    size_t size = static_cast<size_t>(varint_write(w, start, value) - start);
    CHECK(std::vector<uint8_t>(start, start + size) == spell(value), "value %llx", (unsigned long long)value);
    for (size_t after = 0; after <= 9; after++) {
        read_back<64>(value, after);
        if (value >> 32 == 0) read_back<32>(value, after);
    }
    CHECK(unzigzag(zigzag(static_cast<int64_t>(value))) == static_cast<int64_t>(value));
}

template <int bits> void refused(std::vector<uint8_t> bytes) {
    for (size_t after = 0; after <= 9; after++) {
        std::vector<uint8_t> longer = bytes;
        longer.resize(bytes.size() + after, 0);
        Input in(longer.data(), longer.size());
        uint64_t found;
        CHECK(!varint_read<bits>(in, in.begin, &found) && in.status == Status::varint_too_long && in.at == in.begin,
              "%zu bytes, %zu after", bytes.size(), after);
    }
}

// A number may have more bytes than it needs, up to the most that the width allows.
template <int bits> void padded() {
    for (size_t size = 1; size <= varint_bytes(bits); size++) {
        std::vector<uint8_t> bytes(size, 0x80);
        bytes.back() = 0;
        uint64_t found = 1;
        Input in(bytes.data(), bytes.size());
        CHECK(varint_read<bits>(in, in.begin, &found) == in.end && found == 0, "%zu bytes", size);
    }
}

}  // namespace

int main() {
    for (int bit = 0; bit < 64; bit++) {
        for (int offset = -2; offset <= 2; offset++) round_trip((uint64_t{1} << bit) + static_cast<uint64_t>(offset));
    }
    Random random{1};
    for (int i = 0; i < 20000; i++) round_trip(random.next() >> random.below(64));

    padded<32>();
    padded<64>();
    refused<32>({0x80, 0x80, 0x80, 0x80, 0x10});  // 33 bits
    refused<32>({0xff, 0xff, 0xff, 0xff, 0x7f});
    refused<32>({0x80, 0x80, 0x80, 0x80, 0x80, 0});                             // six bytes
    refused<64>({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02});  // 65 bits
    refused<64>({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0});
    return wrong ? 1 : 0;
}
