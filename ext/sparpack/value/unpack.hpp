// MessagePack's bytes to Ruby's own values: no schema, each value says what it is.
#pragma once

#include "../glue/fault.hpp"
#include "../glue/pending.hpp"
#include "../wire/message_pack.hpp"
#include "keys.hpp"

namespace sparpack {

// What a caller may ask for.
struct UnpackOptions {
    bool symbolize_keys = false;
    bool freeze = false;
    bool allow_unknown_ext = false;
    bool strict_utf8 = false;
    int flags = 0;         // these as Ruby has them
    VALUE types = Qfalse;  // an Array of 256: of each extension type, from -128 on, what reads it, or nil
};

// What an unpacking carries with it. Values wait in `pending` until their Array or Hash is made in one go.
struct Unpack {
    static constexpr int depth_max = 128;
    static constexpr int nan_keys_max = 16;  // no two are the same, yet all have one hash: a Hash compares each with each

    Input in;
    const UnpackOptions &options;
    Keys *keys;
    size_t room;  // elements for which memory may still be taken before they are read
    Fault fault;
    Pending pending;

    Unpack(const uint8_t *bytes, size_t size, const UnpackOptions &o)
        : in(bytes, size), options(o), keys(keys_here()), room(size) {}
};

// One value. Answers where the next one begins, or nullptr after a fault.
// Extension types may run Ruby code: the bytes must stay as they are.
// Statuses: truncated, bad_format, too_deep, unknown_ext, invalid_utf8, too_many_nan_keys.
const uint8_t *unpack_value(Unpack &u, const uint8_t *p, VALUE *out, int depth);

}  // namespace sparpack
