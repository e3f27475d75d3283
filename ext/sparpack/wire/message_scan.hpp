// Where does a MessagePack value end that is still being received? Each byte is looked at once, whatever the pieces are.
#pragma once

#include "message_pack.hpp"
#include "scan.hpp"

namespace sparpack {

struct MessageScan {
    static constexpr int depth_max = 1024;

    uint64_t left[depth_max];  // values that are missing at each level
    int depth = 0;             // levels that are open
    uint64_t skip = 0;         // bytes of a string that are still to come
    bool started = false;
};

// Goes on at p, which becomes the first byte that was not looked at: after `done`, that behind the value.
inline Scanned message_scan(MessageScan &s, Input &in, const uint8_t *&p, int depth_max) {
    if (!s.started) {
        s.started = true;
        s.depth = 1;
        s.left[0] = 1;
        s.skip = 0;
    }
    for (;;) {
        if (s.skip) {
            uint64_t here = input_left(in, p) < s.skip ? input_left(in, p) : s.skip;
            p += here;
            s.skip -= here;
            if (s.skip) return Scanned::more;
        }
        while (s.depth && !s.left[s.depth - 1]) s.depth--;
        if (!s.depth) {
            s.started = false;
            return Scanned::done;
        }
        MessagePack::Item item{};
        const uint8_t *next = MessagePack::read_head(in, p, item);
        if (!next) return in.status == Status::truncated ? Scanned::more : Scanned::bad;
        p = next;
        s.left[s.depth - 1]--;
        switch (item.head) {
        case MessagePack::Head::str:
        case MessagePack::Head::bin:
        case MessagePack::Head::ext: s.skip = item.number; break;
        case MessagePack::Head::array:
        case MessagePack::Head::map:
            if (s.depth > depth_max || s.depth == MessageScan::depth_max) return Scanned::bad;
            s.left[s.depth++] = item.head == MessagePack::Head::map ? item.number * 2 : item.number;
            break;
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

}  // namespace sparpack
