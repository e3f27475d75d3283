// Integers as text, at every boundary: compared with printf, read back, and read where the bytes end in the middle.
#include "bytes/integer_text.hpp"

#include <cinttypes>
#include <string>
#include <vector>

#include "check.hpp"
#include "room.hpp"

using namespace sparpack;

namespace {

template <class Write> std::string written(const Write &write) {
    Room<integer_text_max> room;
    uint8_t *end = write(room.w, room.bytes);
    return std::string(reinterpret_cast<char *>(room.bytes), static_cast<size_t>(end - room.bytes));
}

// The text is on the heap in its exact size, so that a sanitizer notices reads beyond it. Returns how much was read, or -1.
template <class Read> long read(const std::string &text, const Read &read) {
    std::vector<uint8_t> bytes(text.begin(), text.end());
    bytes.shrink_to_fit();
    const uint8_t *p = read(bytes.data(), bytes.data() + bytes.size());
    return p ? p - bytes.data() : -1;
}

template <int bits> void fits(int64_t number, const std::string &text, size_t size) {
    int64_t value = ~number;
    long got = read(text, [&](auto p, auto end) { return integer_read<bits>(p, end, &value); });
    bool small = bits == 64 || (number >= -(int64_t{1} << (bits - 1)) && number < int64_t{1} << (bits - 1));
    CHECK(got == (small ? static_cast<long>(size) : -1) && value == (small ? number : ~number), "%d bits of %s", bits,
          text.c_str());
}

void same(uint64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    CHECK(written([&](Writer &w, uint8_t *p) { return unsigned_write(w, p, number); }) == text, "%s", text);
    snprintf(text, sizeof text, "%" PRId64, static_cast<int64_t>(number));
    CHECK(written([&](Writer &w, uint8_t *p) { return integer_write(w, p, static_cast<int64_t>(number)); }) == text, "%s",
          text);
    for (const char *after :
         {"", ",", "]     ", ".5,\"abcdef\":1", "e5", "\xff\xff\xff\xff\xff\xff\xff\xff", "/:/:/:/:/:/:"}) {
        std::string longer = std::string(text) + after;
        fits<8>(static_cast<int64_t>(number), longer, strlen(text));
        fits<16>(static_cast<int64_t>(number), longer, strlen(text));
        fits<32>(static_cast<int64_t>(number), longer, strlen(text));
        fits<64>(static_cast<int64_t>(number), longer, strlen(text));
    }
}

void refused(const char *text) {
    for (const char *after : {"", ",", "          "}) {
        int64_t value = 77;
        std::string longer = std::string(text) + after;
        long got = read(longer, [&](auto p, auto end) { return integer_read<64>(p, end, &value); });
        CHECK(got == -1 && value == 77, "'%s'", longer.c_str());
    }
}

}  // namespace

int main() {
    for (int bit = 0; bit < 64; bit++) {
        for (uint64_t offset = 0; offset <= 4; offset++)
            same((uint64_t{1} << bit) + offset - 2), same(2 - offset - (uint64_t{1} << bit));
    }
    uint64_t power = 1;
    for (int digits = 0; digits < 20; digits++, power *= 10) {
        for (uint64_t offset = 0; offset <= 4; offset++)
            same(power + offset - 2), same(2 - offset - power), same(power * 9 + offset - 2);
    }
    for (uint64_t number = 0; number < 33000; number++) same(number), same(0 - number);
    Random random{1};
    for (int i = 0; i < 50000; i++) same(random.next() >> random.below(64));
    // Every number of eight digits goes through the same lanes, so every lane is tried with every value.
    for (uint32_t number = 0; number < ten_to_8; number += 99991) {
        CHECK(digits_join(digits_split(number)) == number, "%u", number);
    }
    for (uint32_t four = 0; four < 10000; four++) {
        CHECK(digits_join(digits_split(four * 10001)) == four * 10001, "%u", four);
    }
    for (const char *text : {"",
                             "-",
                             "00",
                             "01",
                             "-01",
                             "-00",
                             "+1",
                             "--1",
                             "x",
                             "-x",
                             ".5",
                             "00000000",
                             "000000001",
                             "0123456789",
                             "9223372036854775808",
                             "-9223372036854775809",
                             "9999999999999999999",
                             "18446744073709551616",
                             "10000000000000000000",
                             "99999999999999999999999999999999999999",
                             "0000000000000000000000000"}) {
        refused(text);
    }
    int64_t value = 1;
    CHECK(read("-0", [&](auto p, auto end) { return integer_read<8>(p, end, &value); }) == 2 && value == 0);
    return wrong > 0;
}
