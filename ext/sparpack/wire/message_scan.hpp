// Finds the end of a MessagePack value. Each byte is looked at once, even if the value arrives in pieces. For each level it
// counts the values that are still missing.
#pragma once

#include "message_pack.hpp"
#include "scan.hpp"

namespace sparpack {

// A scan begins when it is filled with zeros.
struct MessageScan {
    static constexpr int depth_max = 128;

    int depth;                              // open levels; 0 before a value
    uint64_t skip;                          // bytes of a string still to come
    uint8_t head_size;                      // bytes in `head`
    uint8_t head[MessagePack::header_max];  // a head that was cut off
    uint64_t left[depth_max + 1];           // values missing per level; left[0] is for the value itself
};

// Returns the least number of bytes that are still to come.
inline uint64_t message_scan_missing(const MessageScan &s) {
    uint64_t missing = s.skip;
    for (int i = 0; i < s.depth; i++) missing += s.left[i];
    return missing;
}

// Reads the head at p, which may have begun in the bytes before. Returns what follows it. If it is cut off, keeps its bytes
// and returns nullptr. Statuses: truncated, bad_format.
inline const uint8_t *message_scan_head(MessageScan &s, Input &in, const uint8_t *p, MessagePack::Item &item) {
    size_t before = s.head_size, left = input_left(in, p), room = sizeof s.head - before;
    if (SPARPACK_LIKELY(before == 0)) {
        const uint8_t *next = MessagePack::read_head(in, p, item);
        if (next || in.status != Status::truncated) return next;
    }
    size_t size = left < room ? left : room;
    memcpy(s.head + before, p, size);
    Input head(s.head, before + size);
    const uint8_t *next = before ? MessagePack::read_head(head, s.head, item) : nullptr;
    if (before && !next && head.status != Status::truncated) return input_fail(in, head.status, p);
    s.head_size = static_cast<uint8_t>(next ? 0 : before + size);
    return next ? p + (static_cast<size_t>(next - s.head) - before) : input_fail(in, Status::truncated, p);
}

// Continues at p and moves p: after `done` behind the value, after `more` to the end, after `bad` to the byte that is wrong.
inline Scanned message_scan(MessageScan &s, Input &in, const uint8_t *&p) {
    if (!s.depth && !s.skip) s.left[s.depth++] = 1;
    for (;;) {
        uint64_t here = input_left(in, p) < s.skip ? input_left(in, p) : s.skip;
        p += here;
        s.skip -= here;
        if (s.skip) return Scanned::more;
        while (s.depth && !s.left[s.depth - 1]) s.depth--;
        if (!s.depth) return Scanned::done;
        if (p == in.end) return Scanned::more;
        MessagePack::Item item{};
        const uint8_t *next = message_scan_head(s, in, p, item);
        if (!next) {
            if (in.status != Status::truncated) return Scanned::bad;
            p = in.end;
            return Scanned::more;
        }
        s.left[s.depth - 1]--;
        switch (item.head) {
        case MessagePack::Head::str:
        case MessagePack::Head::bin:
        case MessagePack::Head::ext: s.skip = item.number; break;
        case MessagePack::Head::array:
        case MessagePack::Head::map:
            if (s.depth > MessageScan::depth_max) {
                s.left[s.depth - 1]++;
                input_fail(in, Status::too_deep, p);
                return Scanned::bad;
            }
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
        p = next;
    }
}

// Returns the end of the value at p, or nullptr. Statuses: truncated, bad_format, too_deep.
inline const uint8_t *message_skip(Input &in, const uint8_t *p) {
    MessageScan scan;
    scan.depth = scan.head_size = 0;
    scan.skip = 0;
    const uint8_t *start = p;
    Scanned result = message_scan(scan, in, p);
    if (result == Scanned::more) return input_fail(in, Status::truncated, start);
    return result == Scanned::done ? p : nullptr;
}

}  // namespace sparpack
