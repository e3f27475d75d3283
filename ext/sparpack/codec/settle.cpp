// The memory limit of a message whose size is not known when its decode begins. It is decoded with a part of the limit. Few
// messages take more. Only for those, the end is looked for, and they are decoded again under the same limit as a decode of
// their bytes alone.
#include "../wire/scan.hpp"
#include "decoder.hpp"

namespace sparpack {

namespace {

// Returns whether the message goes on beyond the bytes. Otherwise `size` is its size or, if the bytes are no message, how
// many come before the fault.
template <class Wire> bool goes_on(const Decoder &d, size_t *size) {
    ScanLevel<Wire> few[depth_usual], *levels = few;
    VALUE owner = 0;
    if (d.options.depth > depth_usual) {
        long bytes = d.options.depth * static_cast<long>(sizeof *levels);
        levels = static_cast<ScanLevel<Wire> *>(rb_alloc_tmp_buffer(&owner, bytes));
    }
    Scan<Wire> scan;
    scan_begin(scan, levels, d.options.depth);
    Scanned result = scan_feed(scan, d.start, input_left(d.in, d.start));
    if (owner) rb_free_tmp_buffer(&owner);
    *size = scan.at;
    return result == Scanned::more;
}

bool goes_on(const Decoder &d, size_t *size) {
    switch (d.wire) {
#define X(name, grammar) \
    case WireId::name: return goes_on<grammar>(d, size);
        SPARPACK_WIRES(X)
#undef X
    }
    __builtin_unreachable();
}

}  // namespace

void limit_provisionally(Decoder &d, WireId wire, Cursor start, bool partial) {
    if (d.options.memory >= 0 && !partial) return;
    d.provisional = true;
    d.partial = partial;
    d.wire = wire;
    d.start = start;
    d.limit = d.memory = options_memory(d.options, 0) / attempt_share;
}

bool limit_settle(Decoder &d) {
    if (!d.provisional || d.in.status != Status::too_much_memory) return false;
    size_t size = 0;
    if (goes_on(d, &size) && d.partial) return d.in.status = Status::truncated, false;
    d.provisional = false;
    d.limit = d.memory = options_memory(d.options, size);
    d.nan_keys = 0;
    d.in.status = Status::ok;
    d.fault = Fault();
    pending_release(d.pending, {d.stack, d.stack + Pending::stack_size, nullptr});
    return true;
}

}  // namespace sparpack
