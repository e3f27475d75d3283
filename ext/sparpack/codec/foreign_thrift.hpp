// The protocols and transports of Apache's gem that native code can stand in for. They are recognised by their exact class,
// so that subclasses and objects with methods of their own keep what they override.
#pragma once

#include "../glue/ruby.hpp"
#include "../wire/wires.hpp"

namespace sparpack {

enum class ThriftTransport : uint8_t { memory };

// Where a struct is read from, or written to.
struct ThriftEnd {
    WireId wire;
    ThriftTransport kind;
    VALUE transport;
    int64_t string;  // the protocol's limit for strings that are read
};

// Bytes that a transport has.
struct ThriftInput {
    VALUE bytes;
    size_t offset;
};

// Returns false for a protocol or a transport that is not known, or not in a usual state.
bool thrift_end_of(VALUE protocol, ThriftEnd *end);

// Finds the bytes that a transport has. Nothing changes in it. Returns false if it is not in a usual state.
bool thrift_input(const ThriftEnd &end, ThriftInput *input);

// Moves a transport to where a struct ends.
void thrift_read_up_to(const ThriftEnd &end, const ThriftInput &input, size_t next);

// Returns the String that a transport appends bytes to, or 0 if it is not in a usual state.
VALUE thrift_output(const ThriftEnd &end);

void thrift_ends_init();

}  // namespace sparpack
