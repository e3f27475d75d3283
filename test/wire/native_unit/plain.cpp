// Plain runs of JSON strings: strings of every length with one byte of every value at every place, compared with a loop.
#include "bytes/plain.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"

using namespace sparpack;

namespace {

using Bytes = std::vector<uint8_t>;

size_t naive_end(const Bytes &bytes, bool *ascii) {
    size_t at = 0;
    for (; at < bytes.size() && bytes[at] >= 0x20 && bytes[at] != '"' && bytes[at] != '\\'; at++) *ascii &= bytes[at] < 0x80;
    return at;
}

// Text and copy lie in as many bytes as may be touched, and no more.
void compare_ascii(const Bytes &given) {
    Bytes bytes(plain_blocks(given.size()), '"'), copy(bytes.size());
    std::copy(given.begin(), given.end(), bytes.begin());
    bool ascii = true;
    bool expected = naive_end(given, &ascii) == given.size() && ascii;
    CHECK(plain_ascii_copy(copy.data(), bytes.data(), given.size()) == expected, "%zu bytes", given.size());
    CHECK(!expected || given.empty() || memcmp(copy.data(), given.data(), given.size()) == 0, "%zu bytes", given.size());
}

// The bytes are on the heap in their exact size, so that a sanitizer notices reads and writes beyond them.
void compare(const Bytes &given) {
    Bytes bytes(given), copy(given.size());
    bytes.shrink_to_fit();
    copy.shrink_to_fit();
    const uint8_t *begin = bytes.data(), *end = begin + bytes.size();
    bool ascii = true, expected_ascii = true;
    size_t expected = naive_end(bytes, &expected_ascii);
    CHECK(plain_end(begin, end, &ascii) == begin + expected && ascii == expected_ascii, "%zu bytes, %zu", bytes.size(),
          expected);
    CHECK(plain_copy(copy.data(), begin, end) == begin + expected, "%zu bytes, %zu", bytes.size(), expected);
    CHECK(expected == 0 || memcmp(copy.data(), begin, expected) == 0, "%zu bytes, %zu", bytes.size(), expected);
    compare_ascii(given);
}

template <class Block> void blocks() {
    Random random{7};
    for (int i = 0; i < 100000; i++) {
        uint8_t bytes[16];
        for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(random.below(3) ? 'a' : random.next());
        Bytes some(bytes, bytes + Block::size);
        bool ascii = true, expected_ascii = true;
        size_t expected = naive_end(some, &expected_ascii);
        CHECK(plain_in(Block::load(bytes), &ascii) == expected && ascii == expected_ascii, "block of %zu", Block::size);
        size_t below = random.below(Block::size + 1);
        CHECK(((Block::load(bytes).stops() & Block::below(below)) != 0) == (expected < below), "below %zu", below);
    }
}

}  // namespace

int main() {
    for (size_t size = 0; size <= 70; size++) {
        compare(Bytes(size, 'x'));
        for (size_t at = 0; at < size; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                Bytes bytes(size, 'x');
                bytes[at] = static_cast<uint8_t>(byte);
                compare(bytes);
            }
        }
    }
    Random random{1};
    for (int i = 0; i < 100000; i++) {
        Bytes bytes(random.below(100));
        for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(random.below(40) ? 0x20 + random.below(224) : random.next());
        compare(bytes);
    }
    blocks<PlainWord>();
    blocks<PlainBlock>();
    return wrong > 0;
}
