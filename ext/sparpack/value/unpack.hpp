// MessagePack's bytes to Ruby's own values: no schema, each value says what it is.
#pragma once

#include "../glue/fault.hpp"
#include "../glue/pending.hpp"
#include "../wire/message_pack.hpp"
#include "keys.hpp"

namespace sparpack {

// What an unpacking carries with it. Values wait in `pending` until their Array or Hash is made in one go.
struct Unpack {
    static constexpr int depth_max = 128;

    Input in;
    Keys *keys;
    size_t room;  // elements for which memory may still be taken before they are read
    Fault fault;
    Pending pending;

    Unpack(const uint8_t *bytes, size_t size) : in(bytes, size), keys(keys_here()), room(size) {}
};

// One value. Answers where the next one begins, or nullptr after a fault.
// Statuses: truncated, bad_format, too_deep.
const uint8_t *unpack_value(Unpack &u, const uint8_t *p, VALUE *out, int depth);

}  // namespace sparpack
