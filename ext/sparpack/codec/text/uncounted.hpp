// Containers of wires that do not say how many elements follow. Elements wait in Pending, each behind the one before, and go
// to their container in one step, or in runs if there are many. The container is charged for the room that it may have, and
// for more room whenever that is used up.
#pragma once

#include "../../values/sets.hpp"
#include "../decoder.hpp"

namespace sparpack {

static_assert(run_size <= segment_min && 2 * pairs_bulk <= segment_min, "a segment has room for a run");

// Reads elements up to the end of their container. `next` looks whether there is one: (cursor, index) -> NextElement. `read`
// reads it to its place: (cursor, place, index) -> cursor. `flush` takes a run of elements: (values, count). It is called
// at least once, and the last time with `last`. An element has `width` places, and a run at most `most` elements.
// cost(count) is what a container of so many elements takes. room(count) is how many it has room for after it was full and
// grew (costs.hpp). The caller has charged cost(0). Statuses: those of next and read, container_too_large, too_much_memory.
template <int64_t (*cost)(size_t), size_t (*room)(size_t), class Next, class Read, class Flush>
SPARPACK_INLINE Cursor read_to_end(Decoder &d, Cursor p, size_t most, size_t width, Next next, Read read, Flush flush) {
    const PendingMark mark = pending_mark(d.pending);
    auto read_runs = [&]() -> Cursor {
        VALUE *values = mark.top;
        size_t waiting = 0;
        int64_t charged = 0, limit = 0;  // how many elements the container was charged for, and may have
        for (size_t index = 0;; index++) {
            Cursor start = p;
            NextElement found = next(p, index);
            if (SPARPACK_UNLIKELY(found == NextElement::failed)) return nullptr;
            if (found == NextElement::end) break;
            if (SPARPACK_UNLIKELY(static_cast<int64_t>(index) == limit)) {
                if (limit >= d.options.container)
                    return fail_limit(d, Status::container_too_large, start, d.options.container);
                int64_t more = static_cast<int64_t>(room(static_cast<size_t>(charged)));
                if (!charge(d, cost(static_cast<size_t>(more)) - cost(static_cast<size_t>(charged))))
                    return fail_memory(d, start);
                charged = more;
                limit = more < d.options.container ? more : d.options.container;
            }
            if (SPARPACK_UNLIKELY(waiting == most)) {
                flush(values, waiting, false);
                pending_release(d.pending, mark);
                values = mark.top;
                waiting = 0;
            }
            // If a new segment begins, what waits moves there: a container that is filled by shorter runs would take more
            // memory than it was charged for.
            VALUE *place = pending_append(d.pending, &values, waiting * width, width, d.memory);
            if (SPARPACK_UNLIKELY(!place)) return fail_memory(d, start);
            for (size_t i = 0; i < width; i++) place[i] = Qnil;
            if (SPARPACK_UNLIKELY(!(p = read(p, place, index)))) return nullptr;
            waiting++;
        }
        flush(values, waiting, true);
        return p;
    };
    p = read_runs();
    pending_release(d.pending, mark);
    return p;
}

// Reads the rest of a list.
template <class Next, class Read>
SPARPACK_INLINE Cursor read_list_to_end(Decoder &d, Cursor p, VALUE *out, Role role, Next next, Read read) {
    VALUE array = 0;
    auto flush = [&](const VALUE *values, size_t count, bool last) {
        if (SPARPACK_LIKELY(!array && last)) {
            array = rb_ary_new_from_values(static_cast<long>(count), values);
        } else {
            if (!array) array = rb_ary_new();
            rb_ary_cat(array, values, static_cast<long>(count));
        }
    };
    if (SPARPACK_UNLIKELY(!(p = read_to_end<array_cost, room_of_array>(d, p, run_size, 1, next, read, flush))))
        return nullptr;
    if (freezes(role)) freeze_raw(array);
    *out = array;
    RB_GC_GUARD(array);
    return p;
}

// Reads the rest of a set.
template <class Next, class Read> Cursor read_set_to_end(Decoder &d, Cursor p, VALUE *out, Role role, Next next, Read read) {
    VALUE builder = set_start(0);
    auto flush = [=](const VALUE *values, size_t count, bool) { set_add_many(builder, values, count); };
    if (!(p = read_to_end<set_grown_cost, room_of_table>(d, p, run_size, 1, next, read, flush))) return nullptr;
    *out = set_finish(builder, freezes(role));
    RB_GC_GUARD(builder);
    return p;
}

// Reads the rest of a map.
template <class Next, class Read>
Cursor read_map_to_end(Decoder &d, Cursor p, const Type &type, VALUE *out, Role role, Next next, Read read) {
    VALUE hash = rb_hash_new();
    bool hidden = kind_hashes_in_ruby(type.key->kind);  // hidden from Ruby code that runs while it is filled
    if (hidden) rb_obj_hide(hash);
    auto flush = [=](const VALUE *pairs, size_t count, bool) {
        if (count > 0) hash_insert(hash, pairs, count);
    };
    if (!(p = read_to_end<hash_grown_cost, room_of_table>(d, p, pairs_bulk, 2, next, read, flush))) return nullptr;
    if (hidden) rb_obj_reveal(hash, rb_cHash);
    if (freezes(role)) rb_obj_freeze(hash);
    *out = hash;
    RB_GC_GUARD(hash);
    return p;
}

}  // namespace sparpack
