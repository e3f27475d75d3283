// Containers of wires that do not say how many elements follow. Elements wait in a run, which goes to the container whenever
// it is full. The container is charged for the room that it may have: twice as much whenever that is used up.
#pragma once

#include "decoder.hpp"

namespace sparpack {

// Reads elements up to the end of their container. `next` looks whether there is one: (cursor, index) -> NextElement. `read`
// reads it to its place: (cursor, place, index) -> cursor. `flush` takes a run: (count). `values` has room for `room`
// elements of `width` places each. cost(count) is what the container takes. The caller has charged cost(0).
// Statuses: those of next and read, container_too_large, too_much_memory.
template <int64_t (*cost)(size_t), class Next, class Read, class Flush>
Cursor read_to_end(Decoder &d, Cursor p, VALUE *values, size_t room, size_t width, Next next, Read read, Flush flush) {
    size_t index = 0, waiting = 0, charged = 0;
    for (;; index++) {
        Cursor start = p;
        NextElement found = next(p, index);
        if (found == NextElement::failed) return nullptr;
        if (found == NextElement::end) break;
        if (static_cast<int64_t>(index) >= d.options.container)
            return fail_limit(d, Status::container_too_large, start, d.options.container);
        if (index == charged) {
            size_t more = charged ? 2 * charged : 4;
            if (!charge(d, cost(more) - cost(charged))) return fail_memory(d, start);
            charged = more;
        }
        if (!(p = read(p, values + waiting * width, index))) return nullptr;
        if (++waiting < room) continue;
        flush(waiting);
        waiting = 0;
    }
    if (waiting) flush(waiting);
    return p;
}

}  // namespace sparpack
