// Payloads that arrive in pieces.
#pragma once

#include "../values/ruby.hpp"
#include "../wire/wires.hpp"

namespace sparpack {

// Returns an object that finds the end of a payload. Its text must be UTF-8, unless `any_text` is true.
VALUE payload_end_new(WireId wire, int depth, bool any_text);

}  // namespace sparpack
