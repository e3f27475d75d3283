// Ruby's own values to MessagePack's bytes.
#pragma once

#include "../glue/fault.hpp"
#include "../glue/output.hpp"
#include "../wire/message_pack.hpp"

namespace sparpack {

struct Pack {
    static constexpr int depth_max = 128;

    Output output;
    Fault fault;
};

// One value. Answers the next place in the output, or nullptr after a fault.
// Statuses: too_deep, value_mismatch, value_out_of_range, value_not_utf8, value_changed.
uint8_t *pack_value(Pack &k, uint8_t *p, VALUE value, int depth);

}  // namespace sparpack
