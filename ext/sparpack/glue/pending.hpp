// Values that a decode has made but not yet handed to their container. They live in the outermost C frame, which the garbage
// collector scans. Only those beyond it need an object, because one per call would cost more than a small payload.
#pragma once

#include "costs.hpp"

namespace sparpack {

struct Segment;
constexpr size_t segment_min = 1024;  // in values

struct Pending {
    static constexpr size_t stack_size = 1024;

    VALUE *top;
    VALUE *end;
    Segment *segment;  // the one that top and end are in; nullptr for the stack
    VALUE spill;       // owns the segments; Qfalse while the stack is enough

    // `stack` is an array in the caller's frame.
    Pending(VALUE *stack, size_t size) : top(stack), end(stack + size), segment(nullptr), spill(Qfalse) {}
    Pending(const Pending &) = delete;
    Pending &operator=(const Pending &) = delete;
};

// Where to return to when a frame is done.
struct PendingMark {
    VALUE *top;
    VALUE *end;
    Segment *segment;
};

VALUE *pending_spill(Pending &pending, size_t count, int64_t &memory);

SPARPACK_INLINE PendingMark pending_mark(const Pending &pending) { return {pending.top, pending.end, pending.segment}; }

// Takes room for `count` adjacent values. It stays in place and is not cleared. Returns nullptr if the memory limit does not
// allow it.
SPARPACK_INLINE VALUE *pending_take(Pending &pending, size_t count, int64_t &memory) {
    if (SPARPACK_UNLIKELY(static_cast<size_t>(pending.end - pending.top) < count))
        return pending_spill(pending, count, memory);
    VALUE *values = pending.top;
    pending.top += count;
    if (!values) __builtin_unreachable();  // so that inlined callers drop their check
    return values;
}

// Frees what was taken beyond the stack, at the end of a decode. After an exception the garbage collector does it.
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
