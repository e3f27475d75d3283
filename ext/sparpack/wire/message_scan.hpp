// Where does a MessagePack value end? Each byte is looked at once, also when the value comes in pieces; no levels are kept,
// for it is enough to count how many values are missing.
#pragma once

#include "message_pack.hpp"
#include "scan.hpp"

namespace sparpack {

struct MessageScan {
    uint64_t left;  // values that are missing; 0 before the first
    uint64_t skip;  // bytes of a string that are still to come
};

// Goes on at p, which becomes the first byte that was not looked at: after `done`, that behind the value.
inline Scanned message_scan(MessageScan &s, Input &in, const uint8_t *&p) {
    if (!s.left && !s.skip) s.left = 1;
    for (;;) {
        uint64_t here = input_left(in, p) < s.skip ? input_left(in, p) : s.skip;
        p += here;
        s.skip -= here;
        if (s.skip) return Scanned::more;
        if (!s.left) return Scanned::done;
        MessagePack::Item item{};
        const uint8_t *next = MessagePack::read_head(in, p, item);
        if (!next) return in.status == Status::truncated ? Scanned::more : Scanned::bad;
        p = next;
        s.left--;
        switch (item.head) {
        case MessagePack::Head::str:
        case MessagePack::Head::bin:
        case MessagePack::Head::ext: s.skip = item.number; break;
        case MessagePack::Head::array: s.left += item.number; break;
        case MessagePack::Head::map: s.left += item.number * 2; break;
        case MessagePack::Head::nil:
        case MessagePack::Head::false_:
        case MessagePack::Head::true_:
        case MessagePack::Head::positive:
        case MessagePack::Head::negative:
        case MessagePack::Head::float32:
        case MessagePack::Head::float64:
        case MessagePack::Head::reserved: break;
        }
    }
}

// The end of the value at p, or nullptr. Statuses: truncated, bad_format.
inline const uint8_t *message_skip(Input &in, const uint8_t *p) {
    MessageScan scan = {};
    const uint8_t *start = p;
    Scanned result = message_scan(scan, in, p);
    if (result == Scanned::more) return input_fail(in, Status::truncated, start);
    return result == Scanned::done ? p : nullptr;
}

}  // namespace sparpack
