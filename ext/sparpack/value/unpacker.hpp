// Sparpack::MessagePack::Unpacker: reads values as their bytes come.
#pragma once

#include "unpack.hpp"

namespace sparpack {

// Calls a recursive extension type's proc with an unpacker of the payload, in which `depth` levels may be. What is read
// there is taken from the same limit of memory.
VALUE unpacker_call(const UnpackOptions &options, VALUE proc, VALUE payload, int depth, int64_t *memory);

// What such an unpacker takes.
int64_t unpacker_cost();

// [flags, message, string, ext, container, memory, depth] as Ruby has them; nil is no limit.
UnpackOptions unpack_options(VALUE row, VALUE types);

}  // namespace sparpack
