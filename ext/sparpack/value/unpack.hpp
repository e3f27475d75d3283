// MessagePack's bytes to Ruby's own values: no schema, each value says what it is.
#pragma once

#include "../glue/fault.hpp"
#include "../glue/pending.hpp"
#include "../wire/message_pack.hpp"
#include "keys.hpp"
#include "types.hpp"

namespace sparpack {

// What a caller may ask for.
struct UnpackOptions {
    static constexpr int depth_max = 128;

    bool symbolize_keys = false;
    bool freeze = false;
    bool allow_unknown_ext = false;
    bool strict_utf8 = false;
    bool limited = false;         // one of these was asked for
    size_t message = SIZE_MAX;    // bytes of one value
    size_t string = SIZE_MAX;     // bytes of one str or bin
    size_t ext = SIZE_MAX;        // bytes of one extension type's payload
    size_t container = SIZE_MAX;  // elements or pairs
    int64_t memory = unlimited;   // bytes that the objects take
    int depth = depth_max;
    VALUE types_object = Qnil;  // a Sparpack::MessagePack::Types that the caller keeps
    Types *types = nullptr;
};

// What an unpacking carries with it. Values wait in `pending` until their Array or Hash is made in one go.
struct Unpack {
    static constexpr int nan_keys_max = 16;  // no two are the same, yet all have one hash: a Hash compares each with each

    Input in;
    const UnpackOptions &options;
    Keys *keys;
    KeyMarks charged;  // places of keys that this unpacking has paid for; only under a limit
    VALUE source;      // the String that the bytes are in; others may change it while Ruby code runs, unless it is frozen
    size_t room;       // elements for which memory may still be taken before they are read
    int64_t memory;    // bytes that are left of the limit
    Fault fault;
    Pending pending;

    // The places for pending values are an array of the caller's frame: where frames of it may lie in one another, as those
    // of recursive extension types do, a small one.
    template <size_t places>
    Unpack(VALUE string, const uint8_t *bytes, size_t size, const UnpackOptions &o, VALUE (&stack)[places])
        : in(bytes, size),
          options(o),
          keys(keys_here()),
          source(string),
          room(size),
          memory(o.memory),
          pending(stack, places) {
        if (SPARPACK_UNLIKELY(o.memory != unlimited)) charged = {};
    }
};

// One value. Answers where the next one begins, or nullptr after a fault. Extension types may run Ruby code: the bytes must
// be those of a String that nobody changes.
// Statuses: truncated, bad_format, too_deep, unknown_ext, invalid_utf8, too_many_nan_keys, value_changed, bad_timestamp,
// string_too_long, container_too_large, too_much_memory, ext_too_long.
const uint8_t *unpack_value(Unpack &u, const uint8_t *p, VALUE *out, int depth);

// Charges a key or another name that Ruby has one String of, or a Symbol. What comes again in the same message is not made
// again.
bool unpack_charge_name(Unpack &u, const uint8_t *data, size_t size, bool symbol);

[[noreturn]] void unpack_raise(Unpack &u, size_t before);  // `before` is how many bytes came before these

// Raises if there are more bytes than one value may have.
SPARPACK_INLINE void unpack_check_size(Unpack &u) {
    if (SPARPACK_LIKELY(input_left(u.in, u.in.begin) <= u.options.message)) return;
    input_fail(u.in, Status::message_too_long, u.in.begin);
    unpack_raise(u, 0);
}

}  // namespace sparpack
