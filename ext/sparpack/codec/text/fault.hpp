// What the message of a failed decode says if the wire is text: the line and the column, what stands there, and what may
// have been meant.
#pragma once

#include "../decoder.hpp"

namespace sparpack {

// `offset` is where the payload begins, and `base` is added to offsets. Returns a hint that ends the message, or nil.
SPARPACK_COLD VALUE text_fault(const Decoder &d, WireId wire, size_t offset, size_t base, FaultText *text);

}  // namespace sparpack
