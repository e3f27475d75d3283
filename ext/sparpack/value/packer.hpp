// Sparpack::MessagePack::Packer: what Ruby code writes by, also in the middle of a packing.
#pragma once

#include "pack.hpp"

namespace sparpack {

struct Buffer;

// What an io has of a value that is under way.
enum class Sent : uint8_t { nothing, some, sending };

struct Packer {
    Pack *active;   // the packing that is under way; nullptr between values
    VALUE fiber;    // whose stack that lies on: as long as it is marked, the stack is there
    VALUE buffer;   // a Sparpack::MessagePack::Buffer; Qnil until one that is made for a value is asked for it
    Buffer *bytes;  // the C part of that; nullptr in one that is made for a value
    VALUE types;
    PackOptions options;
    Sent sent;
};

Packer &packer_of(VALUE object);

// Its buffer. One that was made for the value that is being packed has none: that is an ArgumentError.
Buffer &packer_buffer_in(const Packer &packer);

// The packing that is under way in this fiber; nullptr if none is.
Pack *packer_active_here(const Packer &packer);

// Whether there is such a packing, which then has the String's bytes: those of a value that is packed already.
bool packer_write_raw(VALUE self, VALUE string);

[[noreturn]] void packer_fail_sent(const Packer &packer);  // the io has a part of a value, or is asked just now
[[noreturn]] void packer_fail_fiber();

// An ExtensionValue, or another Struct of a number and a payload.
uint8_t *packer_write_struct(Pack &k, uint8_t *p, VALUE value);

// Calls what is registered for the value's class (nullptr: nothing is), or its to_msgpack: either may write on by the
// packer. Answers the next place in the output, or nullptr after a fault.
uint8_t *packer_call(Pack &k, uint8_t *p, VALUE value, const TypeEntry *entry, int depth);

// Writes what was packed, up to p, to the sink's io, and a String behind it (or nil). Answers where to go on.
uint8_t *packer_send(Pack &k, uint8_t *p, VALUE string);

// Grows the output of a packing that has a sink.
uint8_t *packer_grow(Writer &w, uint8_t *p, size_t need);

void writers_init(VALUE klass);

}  // namespace sparpack
