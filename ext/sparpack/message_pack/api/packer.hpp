// Sparpack::MessagePack::Packer: what Ruby code writes with, also in the middle of a packing.
#pragma once

#include "../callbacks.hpp"

namespace sparpack {

struct Buffer;

// What an io has of the value that is being packed.
enum class Sent : uint8_t { nothing, some, sending };

struct Packer {
    Pack *active;   // the current packing; nullptr between values
    VALUE fiber;    // the fiber whose stack that is on; marking the fiber keeps its stack
    VALUE buffer;   // a Sparpack::MessagePack::Buffer; in a packer for one value, Qnil until somebody asks for it
    Buffer *bytes;  // the C part of that; nullptr in a packer for one value
    VALUE types;
    PackOptions options;
    Sent sent;
};

Packer &packer_of(VALUE object);

// Returns its buffer. Raises an ArgumentError for a packer that was made for one value, which has none.
Buffer &packer_buffer_in(const Packer &packer);

// Returns the current packing if it is in this fiber, otherwise nullptr.
Pack *packer_active_here(const Packer &packer);

// If there is a current packing in this fiber, writes a String to it that holds a packed value, and returns true.
bool packer_write_raw(VALUE self, VALUE string);

[[noreturn]] void packer_fail_sent(const Packer &packer);  // the io has part of a value, or is being written to
[[noreturn]] void packer_fail_fiber();

// Grows the output of a packing that has a sink.
uint8_t *packer_grow(Writer &w, uint8_t *p, size_t need);

void writers_init(VALUE klass);

}  // namespace sparpack
