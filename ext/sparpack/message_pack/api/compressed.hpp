// Values that are compressed with LZ4.
#pragma once

#include "../unpack.hpp"

namespace sparpack {

// Whether the bytes of an unpacking begin as a compressed value, and the caller's options let it be read as such: no
// extension type has its number, and the caller does not want unknown ones as they are. If more bytes `may_follow`, a
// beginning is enough that may go on as a compressed value.
bool is_compressed(const Unpack &u, bool may_follow = false);

// Whether an unpacking may have failed because the value is compressed, and is_compressed.
bool failed_compressed(const Unpack &u);

// Unpacks the compressed value that a String begins with, and sets `end` to where it ends. `before` is how many bytes came
// before the String.
VALUE load_compressed(VALUE bytes, const UnpackOptions &options, size_t before, size_t *end);

// Decompresses it, and changes the options to those for what was compressed. A fault raises an error.
VALUE decompress_value(VALUE bytes, UnpackOptions &options, size_t before, size_t *end);

}  // namespace sparpack
