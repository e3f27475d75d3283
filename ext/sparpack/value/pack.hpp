// Ruby's own values to MessagePack's bytes.
#pragma once

#include "../glue/fault.hpp"
#include "../glue/output.hpp"
#include "../wire/message_pack.hpp"

namespace sparpack {

// What a packing carries with it. Where Ruby code runs in the middle (to_msgpack, extension types), that code may write on
// by a packer: the cursor then lies in `cursor`, and what is written goes behind it.
struct Pack {
    static constexpr int depth_max = 128;

    Output output;
    Fault fault;
    VALUE packer;     // a Sparpack::MessagePack::Packer, made when one is needed; Qfalse until then
    VALUE types;      // what is registered for classes, a Sparpack::MessagePack::Types; Qfalse if nothing is
    uint8_t *cursor;  // while Ruby code runs
    int depth;        // while Ruby code runs: levels that are left
    bool compatible;  // the older format, without str8 and bin

    Pack() : packer(Qfalse), types(Qfalse), cursor(nullptr), depth(0), compatible(false) {}
};

// One value. Answers the next place in the output, or nullptr after a fault.
// Statuses: too_deep, value_mismatch, value_out_of_range, value_not_utf8, value_changed, container_too_large.
uint8_t *pack_value(Pack &k, uint8_t *p, VALUE value, int depth);

}  // namespace sparpack
