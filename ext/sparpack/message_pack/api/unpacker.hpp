// Sparpack::MessagePack::Unpacker: reads values while their bytes arrive.
#pragma once

#include "../callbacks.hpp"

namespace sparpack {

// Reads [flags, payload, string, ext, container, memory, depth], as Ruby passes them. nil means no limit.
UnpackOptions unpack_options(VALUE row, VALUE types);

}  // namespace sparpack
