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
int64_t segment_cost(size_t size) { return malloc_cost + static_cast<int64_t>(segment_bytes(size)); }

// Marks conservatively, as for the stack: places that are not filled yet may hold old values.
void spill_mark(void *data) {
    for (Segment *s = static_cast<Spill *>(data)->first; s; s = s->next) {
        rb_gc_mark_locations(s->values, s->values + s->size);
    }
}

void segments_free(Spill *spill) {
    while (Segment *s = spill->first) {
        spill->first = s->next;
        xfree(s);
    }
}

void spill_free(void *data) {
    segments_free(static_cast<Spill *>(data));
    xfree(data);
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

SPARPACK_COLD VALUE *pending_spill(Pending &pending, size_t count, int64_t &memory) {
    if (!pending.spill) {
        if (!charge(memory, data_cost(sizeof(Spill)))) return nullptr;
        pending.spill = rb_data_typed_object_zalloc(0, sizeof(Spill), &spill_type);
    }
    Segment **link = pending.segment ? &pending.segment->next : &data_of<Spill>(pending.spill)->first;
    // A segment that a sibling has left is used again. One that is too small stays in the chain behind a larger one.
    if (!*link || (*link)->size < count) {
        size_t size = count < segment_min ? segment_min : count;
        if (!charge(memory, segment_cost(size))) return nullptr;
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

void pending_free(Pending &pending, int64_t &memory) {
    Spill *spill = data_of<Spill>(pending.spill);
    for (Segment *s = spill->first; s; s = s->next) memory += segment_cost(s->size);
    segments_free(spill);
    RB_GC_GUARD(pending.spill);
    pending.spill = Qfalse;
}

}  // namespace sparpack
