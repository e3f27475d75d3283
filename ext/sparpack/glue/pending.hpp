// Values that a decode has made but not yet handed to their container. They live in the outermost C frame, which the garbage
// collector scans. Only those beyond it need an object, because one per call would cost more than a small payload.
#pragma once

#include "../values/costs.hpp"

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

// A reader releases what it took also when it fails. Somebody may read on, as behind a field that is skipped, and would take
// what was left for values of its own. A debug build stops when that happens.
SPARPACK_INLINE void pending_check([[maybe_unused]] bool released) {
#ifdef SPARPACK_DEBUG
    if (SPARPACK_UNLIKELY(!released)) rb_bug("sparpack: a reader has not released all pending values that it took");
#endif
}

// Which values were taken before a read, for the check of a debug build. It is nothing in a release build.
struct PendingBefore {
#ifdef SPARPACK_DEBUG
    PendingMark mark;
#endif
};

SPARPACK_INLINE PendingBefore pending_before([[maybe_unused]] const Pending &pending) {
#ifdef SPARPACK_DEBUG
    return {pending_mark(pending)};
#else
    return {};
#endif
}

// To be called when a value ends or fails.
SPARPACK_INLINE void pending_check_released([[maybe_unused]] const Pending &pending,
                                            [[maybe_unused]] const PendingBefore &before) {
#ifdef SPARPACK_DEBUG
    const PendingMark &mark = before.mark;
    pending_check(pending.top == mark.top && pending.end == mark.end && pending.segment == mark.segment);
#endif
}

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

// Takes room for `count` values behind those that wait at `values`, of which there are `waiting`. If there is none, all move
// to where there is. Returns the place of the new ones, or nullptr as pending_take does.
SPARPACK_INLINE VALUE *pending_append(Pending &pending, VALUE **values, size_t waiting, size_t count, int64_t &memory) {
    VALUE *place = *values + waiting;
    pending_check(pending.top == place);
    if (SPARPACK_LIKELY(pending.top == place && static_cast<size_t>(pending.end - place) >= count)) {
        pending.top = place + count;
        return place;
    }
    VALUE *all = pending_take(pending, waiting + count, memory);
    if (SPARPACK_UNLIKELY(!all)) return nullptr;
    memcpy(all, *values, waiting * sizeof *all);
    *values = all;
    return all + waiting;
}

}  // namespace sparpack
