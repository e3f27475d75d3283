// Values that are compressed with LZ4.
#pragma once

#include "../unpack.hpp"

namespace sparpack {

// Whether the bytes of an unpacking begin as a compressed value, and the caller's options let it be read as such: no
// extension type has its number, and the caller does not want unknown ones as they are.
bool is_compressed(const Unpack &u);

// Unpacks the compressed value that a String begins with, and sets `end` to where it ends. `before` is how many bytes came
// before the String.
VALUE load_compressed(VALUE bytes, const UnpackOptions &options, size_t before, size_t *end);

// Decompresses it. A fault raises an error.
VALUE decompress_value(VALUE bytes, const UnpackOptions &options, size_t before, size_t *end);

}  // namespace sparpack
