// Sparpack::MessagePack::Unpacker: reads values while their bytes arrive.
#pragma once

#include "unpack.hpp"

namespace sparpack {

// Calls a recursive extension type's proc with an unpacker of the payload, which may have `depth` levels. What it reads is
// charged to the same memory limit.
VALUE unpacker_call(const UnpackOptions &options, VALUE proc, VALUE payload, int depth, int64_t *memory);

// What such an unpacker costs.
int64_t unpacker_cost();

// Reads [flags, message, string, ext, container, memory, depth], as Ruby passes them. nil means no limit.
UnpackOptions unpack_options(VALUE row, VALUE types);

}  // namespace sparpack
