// Values that a decode has made and not yet handed to their container. They live in the outermost C frame, which the GC
// scans; only beyond that a GC-owned object holds them, for one per call would cost more than a small message.
#pragma once

#include "costs.hpp"

namespace sparpack {

struct Segment;

struct Pending {
    static constexpr size_t stack_size = 1024;

    VALUE *top;
    VALUE *end;
    Segment *segment;  // the one that top and end lie in; nullptr on the stack
    VALUE spill;       // owns the segments; Qfalse while the stack is enough

    // The places are an array of the frame's own.
    Pending(VALUE *stack, size_t size) : top(stack), end(stack + size), segment(nullptr), spill(Qfalse) {}
    Pending(const Pending &) = delete;
    Pending &operator=(const Pending &) = delete;
};

// Where to go back to when a frame is done.
struct PendingMark {
    VALUE *top;
    VALUE *end;
    Segment *segment;
};

VALUE *pending_spill(Pending &pending, size_t count, int64_t &memory);

SPARPACK_INLINE PendingMark pending_mark(const Pending &pending) { return {pending.top, pending.end, pending.segment}; }

// Room for `count` values side by side, which stays in place; it is not cleared. Answers nullptr where the limit does not
// allow it.
SPARPACK_INLINE VALUE *pending_take(Pending &pending, size_t count, int64_t &memory) {
    if (SPARPACK_UNLIKELY(static_cast<size_t>(pending.end - pending.top) < count))
        return pending_spill(pending, count, memory);
    VALUE *values = pending.top;
    pending.top += count;
    if (!values) __builtin_unreachable();  // so that nobody asks again
    return values;
}

// Gives back what lies beyond the stack, at the end; after an exception the GC does.
void pending_free(Pending &pending, int64_t &memory);

SPARPACK_INLINE void pending_end(Pending &pending, int64_t &memory) {
    if (SPARPACK_UNLIKELY(pending.spill != Qfalse)) pending_free(pending, memory);
}

SPARPACK_INLINE void pending_release(Pending &pending, const PendingMark &mark) {
    pending.top = mark.top;
    pending.end = mark.end;
    pending.segment = mark.segment;
}

}  // namespace sparpack
