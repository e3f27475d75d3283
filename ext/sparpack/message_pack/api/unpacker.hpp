// Sparpack::MessagePack::Unpacker: reads values while their bytes arrive.
#pragma once

#include "../callbacks.hpp"

namespace sparpack {

// Reads [flags, payload, string, ext, container, memory, depth, decompressed, compressed], as Ruby passes them. For a limit,
// nil means none. The last one is a Compressed.
UnpackOptions unpack_options(VALUE row, VALUE types);

// Returns the one value of a String.
VALUE message_pack_load_with(VALUE bytes, const UnpackOptions &options);

}  // namespace sparpack
