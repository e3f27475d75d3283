// The state of a decode, how it fails, and how it charges the memory limit.
#pragma once

#include "../glue/fault.hpp"
#include "../glue/nan.hpp"
#include "../glue/options.hpp"
#include "../glue/pending.hpp"
#include "../objects/storage.hpp"
#include "../plan/rows.hpp"

namespace sparpack {

using Cursor = const uint8_t *;

struct Decoder {
    Input in;
    const Options &options;
    const StorageSlab slab;
    int64_t memory;  // what is left of the limit
    int64_t limit;   // of memory
    Cursor start;    // of the payload
    uint32_t nan_keys;
    WireId wire;       // if the limit is provisional
    bool provisional;  // a larger limit is settled on when it is exceeded
    bool partial;      // more bytes of the payload may follow
    Fault fault;
    size_t failed;  // see read_structs
    Pending pending;
    VALUE stack[Pending::stack_size];

    Decoder(const uint8_t *bytes, size_t size, const Options &o)
        : in(bytes, size),
          options(o),
          slab(storage_slab()),
          memory(options_memory(o, size)),
          limit(memory),
          start(bytes),
          nan_keys(0),
          wire(),
          provisional(false),
          partial(false),
          pending(stack, Pending::stack_size) {}
};

// Two bits: whether a value is frozen, and whether its NaNs are counted. Keys and elements of sets are counted. They are
// also frozen deep, unless the options leave them plain. With freeze: true everything is frozen.
enum Role : uint8_t { role_plain = 0, role_frozen = 1, role_plain_key = 2, role_key = 3 };

SPARPACK_INLINE bool freezes(Role role) { return role & role_frozen; }
SPARPACK_INLINE bool counts_nan(Role role) { return role & role_plain_key; }

// The role of keys and elements of sets of a type.
SPARPACK_INLINE Role key_role(const Decoder &d, const Type &type) {
    return kind_is_compound(type.kind) && SPARPACK_UNLIKELY(d.options.plain_keys) ? role_plain_key : role_key;
}

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
    return fail_limit(d, Status::too_much_memory, at, d.limit);
}

SPARPACK_COLD inline void expect(Decoder &d, const Type &type) {
    if (type.kind == Kind::struct_ || type.kind == Kind::union_) {
        d.fault.expected_class = type.klass;
    } else if (type.kind == Kind::enum_) {
        d.fault.expected_class = type.enumeration;
    } else {
        d.fault.expected = kind_name(type.kind);
    }
}

SPARPACK_COLD inline Cursor fail_mismatch(Decoder &d, const Type &type, WireType found, Cursor at) {
    expect(d, type);
    d.fault.found_type = wire_type_name(found);
    return input_fail(d.in, Status::mismatch, at);
}

// Completes the fault of a value with the type that was expected. A wire only says what it found.
SPARPACK_COLD inline Cursor name_type(Decoder &d, const Type &type) {
    if (d.fault.expected || !NIL_P(d.fault.expected_class)) return nullptr;
    bool is_integer = type.kind < Kind::double_ || type.kind == Kind::enum_;  // otherwise a varint is a size
    if (is_integer && (d.in.status == Status::varint_too_long || d.in.status == Status::integer_too_large)) expect(d, type);
    if (d.in.status == Status::bad_text) d.fault.expected = kind_name(type.kind);
    if (d.in.status != Status::mismatch) return nullptr;
    expect(d, d.in.part == Part::key ? *type.key : d.in.part == Part::element ? *type.element : type);
    d.fault.found_type = d.in.found;
    return nullptr;
}

// Completes the fault of an unknown field with the class that lacks it, which may have fields of similar names.
SPARPACK_COLD inline Cursor name_owner(Decoder &d, const Link *link) {
    if (d.in.status == Status::unknown_field) d.fault.owner = link->plan->klass;
    return nullptr;
}

// The same where a struct or a union was expected. `form` is what a struct is in the bytes.
SPARPACK_COLD inline Cursor name_class(Decoder &d, const Link *link, const char *form) {
    if (d.in.status == Status::mismatch && NIL_P(d.fault.expected_class)) {
        d.fault.expected = form;
        d.fault.expected_class = link->plan->klass;
        d.fault.found_type = d.in.found;
    }
    return nullptr;
}

SPARPACK_COLD inline bool nan_key(Decoder &d) { return ++d.nan_keys <= nan_keys_max; }

SPARPACK_COLD inline Cursor fail_nan_keys(Decoder &d, Cursor at) {
    return fail_limit(d, Status::too_many_nan_keys, at, nan_keys_max);
}

// Takes room for `count` values, reads with them, (VALUE *) -> cursor, and releases them, also if that fails. Whoever
// takes pending values without it does the same.
template <class Read> SPARPACK_INLINE Cursor read_with_room(Decoder &d, Cursor p, size_t count, Read read) {
    const PendingMark mark = pending_mark(d.pending);
    VALUE *values = pending_take(d.pending, count, d.memory);
    if (SPARPACK_UNLIKELY(!values)) return fail_memory(d, p);
    p = read(values);
    pending_release(d.pending, mark);
    return p;
}

// Forgets a failure. Whoever reads on after one has to call this. `before` is from before the value that failed. What that
// was charged is not given back, because its objects were made, and may not have been collected yet. Its NaN keys stay
// counted, because they were compared.
SPARPACK_COLD inline void read_on(Decoder &d, const PendingBefore &before) {
    pending_check_released(d.pending, before);
    d.in.status = Status::ok;
    d.in.part = Part::whole;
    d.in.found = nullptr;
    d.in.missing = 0;
    d.fault = Fault();
}

// Sets the limit of a payload that other bytes may follow, so that its size is not known. The first attempt gets a small
// part of the limit. `partial` says that the end of the payload may be missing.
void limit_provisionally(Decoder &d, WireId wire, Cursor start, bool partial);

// Called when a decode has failed. `before` is from its begin. Returns whether to decode again, because the limit was
// provisional and is larger. A payload that goes on beyond the bytes is truncated.
SPARPACK_COLD bool limit_retry(Decoder &d, PendingBefore before);

// True if a decode has failed and more bytes may help. They do not if a string is too long.
SPARPACK_COLD inline bool wants_bytes(const Decoder &d) {
    if (d.in.status != Status::truncated) return false;
    return static_cast<int64_t>(input_left(d.in, d.in.at) + d.in.missing) <= d.options.string;
}

SPARPACK_INLINE bool charge(Decoder &d, int64_t cost) { return charge(d.memory, cost); }

SPARPACK_COLD inline Cursor at_field(Decoder &d, const Link *link, const Field &field) {
    fault_at_field(d.fault, link->plan->slots[field.slot].name);
    return nullptr;
}

}  // namespace sparpack
