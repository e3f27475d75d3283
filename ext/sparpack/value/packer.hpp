// Sparpack::MessagePack::Packer: what Ruby code writes by, also in the middle of a packing.
#pragma once

#include "pack.hpp"

namespace sparpack {

// A packer for a packing that has none yet.
VALUE packer_new(VALUE types, bool compatible);

// Calls what is registered for the value's class, or its to_msgpack: either may write on by the packer. Answers the next
// place in the output.
uint8_t *packer_call(Pack &k, uint8_t *p, VALUE value, int depth);

}  // namespace sparpack
