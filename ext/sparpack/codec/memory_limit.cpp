// The memory limit of a payload whose size is not known when its decode begins. It is decoded with a part of the limit,
// which is enough for most. If it is not, we search for the end of the payload and decode it again, under the limit that a
// decode of its bytes alone has.
#include "../wire/walks.hpp"
#include "decoder.hpp"

namespace sparpack {

namespace {

// Returns whether the payload goes on beyond the bytes. Otherwise `size` is its size or, if the bytes are no payload, how
// many come before the fault.
template <class Wire> bool goes_on(const Decoder &d, size_t *size) {
    using Level = typename PullEnd<typename Wire::Events>::Level;
    Level few[depth_usual + 1], *levels = few;
    VALUE owner = 0;
    if (d.options.depth > depth_usual) {
        long bytes = (d.options.depth + 1L) * static_cast<long>(sizeof *levels);
        levels = static_cast<Level *>(rb_alloc_tmp_buffer(&owner, bytes));
    }
    PullEnd<typename Wire::Events> end;
    pull_end_begin(end, levels, d.options.depth, d.options.utf8_keep);
    const Pulled found = pull_end_find(end, d.start, input_left(d.in, d.start));
    if (owner) rb_free_tmp_buffer(&owner);
    *size = end.at;
    return found == Pulled::more;
}

constexpr bool (*goes_on_in[])(const Decoder &, size_t *) = {
#define X(name, grammar) goes_on<grammar>,
    SPARPACK_WIRES(X)
#undef X
};

}  // namespace

void limit_provisionally(Decoder &d, WireId wire, Cursor start, bool partial) {
    if (d.options.memory >= 0 && !partial) return;
    d.provisional = true;
    d.partial = partial;
    d.wire = wire;
    d.start = start;
    d.limit = d.memory = options_memory(d.options, 0) / attempt_share;
}

bool limit_retry(Decoder &d, PendingBefore before) {
    if (!d.provisional || d.in.status != Status::too_much_memory) return false;
    size_t size = 0;
    if (of_wire(goes_on_in, d.wire)(d, &size) && d.partial) return d.in.status = Status::truncated, false;
    d.provisional = false;
    d.limit = d.memory = options_memory(d.options, size);
    d.nan_keys = 0;
    read_on(d, before);
    return true;
}

}  // namespace sparpack
