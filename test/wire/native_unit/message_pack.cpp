// MessagePack's grammar: every format byte in both directions, at the edges of every range, and truncated at every byte.
#include "wire/message_pack/heads.hpp"

#include <initializer_list>
#include "check.hpp"
#include "room.hpp"

using namespace sparpack;
using Head = MessagePack::Head;

namespace {

// What was written reads as the same, has this size and first byte, and is no value if it is shorter.
void there_and_back(const Room<64> &room, const uint8_t *end, size_t size, uint8_t first, Head head, uint64_t number) {
    CHECK(end && static_cast<size_t>(end - room.bytes) == size, "size %zu, not %zu", static_cast<size_t>(end - room.bytes),
          size);
    CHECK(room.bytes[0] == first, "0x%02x, not 0x%02x", room.bytes[0], first);
    MessagePack::Item item{};
    Input in(room.bytes, size);
    CHECK(MessagePack::read_head(in, room.bytes, item) == end);
    CHECK(item.head == head && item.number == number, "head %d, number %llu", static_cast<int>(item.head),
          static_cast<unsigned long long>(item.number));
    for (size_t cut = 0; cut < size; cut++) {
        Input shorter(room.bytes, cut);
        CHECK(!MessagePack::read_head(shorter, room.bytes, item) && shorter.status == Status::truncated, "cut at %zu", cut);
    }
}

void integer(int64_t number, size_t size, uint8_t first) {
    Room<64> room;
    there_and_back(room, MessagePack::write_integer(room.w, room.bytes, number), size, first,
                   number < 0 ? Head::negative : Head::positive, static_cast<uint64_t>(number));
}

void sizes(uint8_t *(*write)(Writer &, uint8_t *, size_t), Head head, size_t fix, uint8_t fixed, int eight,
           uint8_t sixteen) {
    for (size_t size : {size_t{0}, size_t{1}, size_t{15}, size_t{16}, size_t{31}, size_t{32}, size_t{255}, size_t{256},
                        size_t{65535}, size_t{65536}, size_t{4294967295}}) {
        Room<64> room;
        uint8_t *end = write(room.w, room.bytes, size);
        if (size < fix) {
            there_and_back(room, end, 1, static_cast<uint8_t>(fixed | size), head, size);
        } else if (eight >= 0 && size <= 255) {
            there_and_back(room, end, 2, static_cast<uint8_t>(eight), head, size);
        } else {
            bool small = size <= 65535;
            there_and_back(room, end, small ? 3 : 5, static_cast<uint8_t>(sixteen + (small ? 0 : 1)), head, size);
        }
    }
}

uint8_t *str(Writer &w, uint8_t *p, size_t size) { return MessagePack::write_str(w, p, size); }

}  // namespace

int main() {
    integer(0, 1, 0x00);
    integer(127, 1, 0x7f);
    integer(128, 2, 0xcc);
    integer(255, 2, 0xcc);
    integer(256, 3, 0xcd);
    integer(65535, 3, 0xcd);
    integer(65536, 5, 0xce);
    integer(4294967295, 5, 0xce);
    integer(4294967296, 9, 0xcf);
    integer(INT64_MAX, 9, 0xcf);
    integer(-1, 1, 0xff);
    integer(-32, 1, 0xe0);
    integer(-33, 2, 0xd0);
    integer(-128, 2, 0xd0);
    integer(-129, 3, 0xd1);
    integer(-32768, 3, 0xd1);
    integer(-32769, 5, 0xd2);
    integer(-2147483648LL, 5, 0xd2);
    integer(-2147483649LL, 9, 0xd3);
    integer(INT64_MIN, 9, 0xd3);
    {
        Room<64> room;
        there_and_back(room, MessagePack::write_unsigned(room.w, room.bytes, UINT64_MAX), 9, 0xcf, Head::positive,
                       UINT64_MAX);
    }
    {
        Room<64> room;
        there_and_back(room, MessagePack::write_double(room.w, room.bytes, -2.5), 9, 0xcb, Head::float64,
                       0xc004000000000000);
    }
    {
        Room<64> room;
        there_and_back(room, MessagePack::write_float(room.w, room.bytes, -2.5F), 5, 0xca, Head::float32, 0xc0200000);
    }
    sizes(str, Head::str, 32, 0xa0, 0xd9, 0xda);
    sizes(MessagePack::write_bin, Head::bin, 0, 0, 0xc4, 0xc5);
    sizes(MessagePack::write_array, Head::array, 16, 0x90, -1, 0xdc);
    sizes(MessagePack::write_map, Head::map, 16, 0x80, -1, 0xde);
    for (size_t size : {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{4}, size_t{8}, size_t{16}, size_t{17},
                        size_t{255}, size_t{256}, size_t{65536}}) {
        Room<64> room;
        const uint8_t *end = MessagePack::write_ext(room.w, room.bytes, -5, size);
        bool fix = size == 1 || size == 2 || size == 4 || size == 8 || size == 16;
        there_and_back(room, end, fix ? 2 : size <= 255 ? 3 : size <= 65535 ? 4 : 6, room.bytes[0], Head::ext, size);
        MessagePack::Item item{};
        Input in(room.bytes, sizeof room.bytes);
        MessagePack::read_head(in, room.bytes, item);
        CHECK(item.type == -5);
    }
    // Integers may be longer than needed, and a signed format may hold a positive number.
    const uint8_t longer[] = {0xd3, 0, 0, 0, 0, 0, 0, 0, 5, 0xc0, 0xc2, 0xc3, 0xc1};
    MessagePack::Item item{};
    Input in(longer, sizeof longer);
    const uint8_t *p = MessagePack::read_head(in, longer, item);
    CHECK(item.head == Head::positive && item.number == 5);
    for (Head head : {Head::nil, Head::false_, Head::true_}) {
        p = MessagePack::read_head(in, p, item);
        CHECK(p && item.head == head);
    }
    CHECK(!MessagePack::read_head(in, p, item) && in.status == Status::bad_format);
    return wrong;
}
