#include "pending.hpp"

namespace sparpack {

struct Segment {
    Segment *next;
    size_t size;
    VALUE values[1];
};

namespace {

struct Spill {
    Segment *first;
};

size_t segment_bytes(size_t size) { return offsetof(Segment, values) + size * sizeof(VALUE); }

// Conservatively, as the stack is: places not filled yet may hold what was there before.
void spill_mark(void *data) {
    for (Segment *s = static_cast<Spill *>(data)->first; s; s = s->next) {
        rb_gc_mark_locations(s->values, s->values + s->size);
    }
}

void spill_free(void *data) {
    Spill *spill = static_cast<Spill *>(data);
    while (Segment *s = spill->first) {
        spill->first = s->next;
        xfree(s);
    }
    xfree(spill);
}

size_t spill_size(const void *data) {
    size_t size = sizeof(Spill);
    for (Segment *s = static_cast<const Spill *>(data)->first; s; s = s->next) size += segment_bytes(s->size);
    return size;
}

// Deliberately not WB_PROTECTED: it churns many values.
const rb_data_type_t spill_type = {"sparpack/pending",
                                   {spill_mark, spill_free, spill_size, nullptr, {nullptr}},
                                   nullptr,
                                   nullptr,
                                   RUBY_TYPED_FREE_IMMEDIATELY};

}  // namespace

SPARPACK_COLD VALUE *pending_spill(Pending &pending, size_t count) {
    if (!pending.spill) pending.spill = rb_data_typed_object_zalloc(0, sizeof(Spill), &spill_type);
    Segment **link = pending.segment ? &pending.segment->next : &data_of<Spill>(pending.spill)->first;
    // A segment left from a sibling serves again; too small ones stay in the chain behind a larger one.
    if (!*link || (*link)->size < count) {
        size_t size = count < 4096 ? 4096 : count;
        Segment *fresh = static_cast<Segment *>(xcalloc(1, segment_bytes(size)));
        fresh->size = size;
        fresh->next = *link;
        *link = fresh;
    }
    Segment *segment = pending.segment = *link;
    pending.top = segment->values + count;
    pending.end = segment->values + segment->size;
    return segment->values;
}

}  // namespace sparpack
