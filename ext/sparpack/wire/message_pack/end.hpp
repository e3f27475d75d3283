// Finds the end of a MessagePack value. Each byte is looked at once, even if the value arrives in pieces of which the caller
// keeps nothing: what belongs to a head that is cut is kept here, and the bytes of strings are counted and passed over.
#pragma once

#include "../../bytes/limits.hpp"
#include "../pull.hpp"
#include "events.hpp"
#include "pass.hpp"

namespace sparpack {

struct MessagePackEnd {
    static constexpr int depth_max = untyped_depth_max;

    using Events = Pull<MessagePackEvents, Skip>;

    Events events;
    uint64_t skip;                          // bytes of a string still to come
    uint8_t head_size;                      // bytes in `head`
    uint8_t head[MessagePack::header_max];  // a head that was cut off
    Events::Level levels[depth_max + 1];
};

// Before the first value, and before each other one.
inline void message_pack_end_begin(MessagePackEnd &end) {
    pull_begin(end.events, end.levels, MessagePackEnd::depth_max);
    end.skip = 0;
    end.head_size = 0;
}

// Returns the least number of bytes that are still to come.
inline uint64_t message_pack_end_missing(const MessagePackEnd &end) {
    uint64_t missing = end.skip;
    for (int i = 0; i <= end.events.top; i++) missing += end.levels[i].left;
    return missing;
}

// Takes the bytes of a string from the piece, as many as there are.
inline void message_pack_end_skip(MessagePackEnd &end, const Input &in, const uint8_t *&p) {
    uint64_t left = input_left(in, p), here = left < end.skip ? left : end.skip;
    p += here;
    end.skip -= here;
}

// Passes a string whose head is complete but whose bytes are not all there. Returns false if it is not one.
inline bool message_pack_end_string(MessagePackEnd &end, Input &in, const uint8_t *&p) {
    MessagePack::Item item{};
    const uint8_t *data = MessagePack::read_head(in, p, item);
    if (!data) return false;
    in.status = Status::ok;
    end.levels[end.events.top].left--;
    end.skip = item.number;
    p = data;
    return true;
}

// Another thread may change the bytes while they are looked at.
SPARPACK_COLD inline Pulled fail_changed(Input &in, const uint8_t *p) {
    return input_fail(in, Status::bad_format, p), Pulled::bad;
}

// Reads the head whose first bytes were at the end of the last piece. Statuses: truncated, bad_format, too_deep.
inline Pulled message_pack_end_head(MessagePackEnd &end, Input &in, const uint8_t *&p) {
    size_t before = end.head_size, left = input_left(in, p), room = sizeof end.head - before;
    size_t more = left < room ? left : room;
    memcpy(end.head + before, p, more);
    Input head(end.head, before + more, false);
    const uint8_t *q = end.head;
    Skip sink;
    if (pull_step(end.events, head, q, sink) == Step::failed) {
        if (head.status != Status::truncated) return input_fail(in, head.status, p), Pulled::bad;
        q = end.head;
        if (!message_pack_end_string(end, head, q)) {
            end.head_size = static_cast<uint8_t>(before + more);
            return p += more, Pulled::more;
        }
    }
    end.head_size = 0;
    const size_t size = static_cast<size_t>(q - end.head);
    if (SPARPACK_UNLIKELY(size < before)) return fail_changed(in, p);
    p += size - before;
    return Pulled::event;
}

// Passes over the value at p, if nothing of it was met yet and all of it is there.
inline bool message_pack_end_pass(MessagePackEnd &end, const Input &in, const uint8_t *&p) {
    if (end.events.top != 0 || end.levels[0].left != 1 || end.head_size != 0 || end.skip != 0) return false;
    const uint8_t *q = message_pack_pass(p, in.end);
    if (!q) return false;
    end.levels[0].left = 0;
    p = q;
    return true;
}

// Continues at p and moves p: after `done` behind the value, after `more` to the end, after `bad` to the byte that is wrong.
inline Pulled message_pack_end_find(MessagePackEnd &end, Input &in, const uint8_t *&p) {
    if (message_pack_end_pass(end, in, p)) return Pulled::done;
    in.counts = Counts::unchecked;  // no piece is kept until all of a container has come
    for (;;) {
        message_pack_end_skip(end, in, p);
        if (end.skip) return Pulled::more;
        if (SPARPACK_UNLIKELY(end.head_size) && p < in.end) {
            Pulled head = message_pack_end_head(end, in, p);
            if (head != Pulled::event) return head;
            continue;
        }
        Skip sink;
        Pulled pulled = pull_all(end.events, in, p, sink);
        if (pulled == Pulled::done) return pulled;
        if (in.status != Status::truncated) return Pulled::bad;
        if (message_pack_end_string(end, in, p)) continue;
        if (SPARPACK_UNLIKELY(input_left(in, p) >= sizeof end.head)) return fail_changed(in, p);  // it was no cut head
        end.head_size = static_cast<uint8_t>(input_left(in, p));
        memcpy(end.head, p, end.head_size);
        p = in.end;
        return Pulled::more;
    }
}

// Returns the end of the value at p, or nullptr. Statuses: truncated, bad_format, too_deep.
inline const uint8_t *message_pack_skip(Input &in, const uint8_t *p) {
    if (const uint8_t *end = message_pack_pass(p, in.end)) return end;
    Skip sink;
    Pull<MessagePackEvents, Skip>::Level levels[MessagePackEnd::depth_max + 1];
    Pull<MessagePackEvents, Skip> events;
    pull_begin(events, levels, MessagePackEnd::depth_max);
    const uint8_t *start = p;
    if (pull_all(events, in, p, sink) == Pulled::done) return p;
    return in.status == Status::truncated ? input_fail(in, Status::truncated, start) : nullptr;
}

}  // namespace sparpack
