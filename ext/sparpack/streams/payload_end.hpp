// Payloads that arrive in pieces.
#pragma once

#include "../values/ruby.hpp"
#include "../wire/wires.hpp"

namespace sparpack {

// Returns an object that finds the end of a payload.
VALUE payload_end_new(WireId wire, int depth);

}  // namespace sparpack
