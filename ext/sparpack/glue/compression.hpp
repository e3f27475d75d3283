// Compressed payloads: what the optional library for LZ4 does, asked through Ruby (lib/sparpack/io/compression.rb).
#pragma once

#include "options.hpp"

namespace sparpack {

// Returns a payload in blocks, as a new String. Returns nil if it is too large for one block.
VALUE compress(VALUE payload, Compression form);

// Returns a message's hint at how to get the library.
VALUE compression_hint();

struct Decompressed {
    VALUE payload = Qnil;        // nil after a fault
    size_t end = 0;              // where the blocks end in the source
    Status status = Status::ok;  // truncated, bad_lz4_header, bad_lz4_block, decompressed_too_long, lz4_missing
    size_t at = 0;               // where the fault is
};

// Decompresses the payload that begins at an offset. It may have `limit` bytes.
Decompressed decompress(VALUE source, size_t offset, int64_t limit);

// Calls a function that reads a decompressed payload. If it raises an error about the bytes, the error says that its offset
// counts decompressed bytes. `start` is where the compressed payload begins.
VALUE read_decompressed(VALUE (*read)(VALUE), VALUE data, size_t start);

}  // namespace sparpack
