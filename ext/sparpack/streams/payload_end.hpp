// Payloads that arrive in pieces.
#pragma once

#include "../values/ruby.hpp"
#include "../wire/wires.hpp"

namespace sparpack {

// Returns an object that finds the end of a payload, in which text may have to be UTF-8.
VALUE payload_end_new(WireId wire, int depth, bool any_text);

}  // namespace sparpack
