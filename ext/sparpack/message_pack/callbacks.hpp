// What the engine asks of api/: the calls of Ruby code in the middle of a value, and the io that takes what was packed.
#pragma once

#include "pack.hpp"
#include "unpack.hpp"

namespace sparpack {

// Writes an ExtensionValue, or another Struct of a type's number and data.
uint8_t *packer_write_struct(Pack &k, uint8_t *p, VALUE value);

// Calls what is registered for the value's class, or its to_msgpack if `entry` is nullptr. Either may write with the packer.
// Returns the next place in the output, or nullptr after a fault.
uint8_t *packer_call(Pack &k, uint8_t *p, VALUE value, const TypeEntry *entry, int depth);

// Writes what was packed up to p to the sink's io, followed by a String (or nil). Returns where to continue.
uint8_t *packer_send(Pack &k, uint8_t *p, VALUE string);

// Calls a recursive extension type's proc with an unpacker of its data, which may have `depth` levels. What it reads is
// charged to the same memory limit.
VALUE unpacker_call(const UnpackOptions &options, VALUE proc, VALUE data, int depth, int64_t *memory);

// What such an unpacker costs.
int64_t unpacker_cost();

// Calls a function of Sparpack::MessagePack::Extensions.
VALUE extensions_call(const char *function, int argc, const VALUE *argv);

// Returns a new Sparpack::MessagePack::ExtensionValue.
VALUE message_pack_extension(int8_t type, VALUE data);

}  // namespace sparpack
