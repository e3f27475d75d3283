// What the message of a failed decode says if the wire is text: the line and the column, what stands there, and what may
// have been meant.
#pragma once

#include "../decoder.hpp"

namespace sparpack {

// `offset` is where the payload begins, and `base` is added to offsets. Returns a hint that ends the message, or nil. Runs
// no Ruby code. If a member is missing, `members` are those of its object.
SPARPACK_COLD VALUE text_fault(const Decoder &d, WireId wire, size_t offset, size_t base, FaultText *text, VALUE *members);

// Returns a hint at one of the members, whose name is similar to that of the missing one, or nil. The payload begins at
// `base`. Runs Ruby code.
SPARPACK_COLD VALUE missing_hint(const Fault &fault, VALUE members, size_t base);

}  // namespace sparpack
