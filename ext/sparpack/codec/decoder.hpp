// The state of a decode, how it fails, and how it charges the memory limit.
#pragma once

#include "../glue/fault.hpp"
#include "../glue/nan.hpp"
#include "../glue/pending.hpp"
#include "../plan/instance.hpp"
#include "options.hpp"

namespace sparpack {

using Cursor = const uint8_t *;

struct Decoder {
    Input in;
    const Options &options;
    const InstanceCells cells;
    int64_t memory;  // what is left of the limit
    uint32_t nan_keys;
    bool partial;  // more bytes may follow, so a limit in proportion to the message is not known yet
    Fault fault;
    Pending pending;
    VALUE stack[Pending::stack_size];

    Decoder(const uint8_t *bytes, size_t size, const Options &o)
        : in(bytes, size),
          options(o),
          cells(instance_cells()),
          memory(options_memory(o, size)),
          nan_keys(0),
          partial(false),
          pending(stack, Pending::stack_size) {}
};

// Whether a value is frozen: keys and set elements are frozen deep; with freeze: true everything is.
enum Role : uint8_t { role_plain = 0, role_frozen = 1, role_key = 2 };

SPARPACK_COLD inline Cursor fail(Decoder &d, Status status, Cursor at) { return input_fail(d.in, status, at); }

SPARPACK_COLD inline Cursor fail_limit(Decoder &d, Status status, Cursor at, int64_t limit) {
    d.fault.limit = static_cast<long>(limit);
    return input_fail(d.in, status, at);
}

inline bool too_deep(Decoder &d, int depth) { return depth < 0 || options_stack_full(d.options); }

SPARPACK_COLD inline Cursor fail_too_deep(Decoder &d, Cursor at) {
    return fail_limit(d, Status::too_deep, at, d.options.depth);
}

SPARPACK_COLD inline Cursor fail_memory(Decoder &d, Cursor at) {
    if (d.partial && d.options.memory < 0) return fail(d, Status::truncated, at);
    return fail_limit(d, Status::too_much_memory, at, options_memory(d.options, static_cast<size_t>(d.in.end - d.in.begin)));
}

SPARPACK_COLD inline Cursor fail_mismatch(Decoder &d, const Type &type, WireType found, Cursor at) {
    if (type.kind == Kind::struct_ || type.kind == Kind::union_) {
        d.fault.expected_class = type.klass;
    } else {
        d.fault.expected = kind_name(type.kind);
    }
    d.fault.found_type = wire_type_name(found);
    return input_fail(d.in, Status::mismatch, at);
}

// Adds to a scalar's fault which kind was expected.
SPARPACK_COLD inline Cursor name_kind(Decoder &d, const Type &type) {
    if (!d.fault.expected && (d.in.status == Status::varint_too_long || d.in.status == Status::integer_too_large))
        d.fault.expected = kind_name(type.kind);
    return nullptr;
}

SPARPACK_COLD inline bool nan_key(Decoder &d) { return ++d.nan_keys <= nan_keys_max; }

SPARPACK_COLD inline Cursor fail_nan_keys(Decoder &d, Cursor at) {
    return fail_limit(d, Status::too_many_nan_keys, at, nan_keys_max);
}

SPARPACK_INLINE bool charge(Decoder &d, int64_t cost) { return charge(d.memory, cost); }

SPARPACK_COLD inline Cursor at_field(Decoder &d, const Link *link, const Field &field) {
    fault_at_field(d.fault, link->plan->slots[field.slot].name);
    return nullptr;
}

}  // namespace sparpack
