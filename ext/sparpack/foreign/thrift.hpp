// The protocols and transports of Apache's gem that native code can stand in for. They are recognised by their exact class,
// so that subclasses and objects with methods of their own keep what they override.
#pragma once

#include "../values/ruby.hpp"
#include "../wire/wires.hpp"

namespace sparpack {

enum class ThriftTransport : uint8_t { memory, framed, buffered, http, header };

// Where a struct is read from, or written to.
struct ThriftEnd {
    WireId wire;
    ThriftTransport kind;
    VALUE transport;
    int64_t string;     // the protocol's limit for strings; of a source alone
    bool binary_uuids;  // the protocol reads a uuid as ASCII-8BIT
};

// Bytes that a transport has. `holder` has the instance variables, or is a StringIO.
struct ThriftInput {
    VALUE bytes;
    size_t offset;
    VALUE holder;
};

// True if the protocols of a class read a uuid as ASCII-8BIT, as the gem's native ones do.
bool thrift_binary_uuids(VALUE protocol_class);

// Both return false for a protocol or a transport that is not known, or not in a usual state.
bool thrift_source_of(VALUE protocol, ThriftEnd *end);
bool thrift_target_of(VALUE protocol, ThriftEnd *end);

// True if the transport has no bytes and would now read a frame, by a method of its own.
bool thrift_wants_frame(const ThriftEnd &end);

// Makes the transport read a frame. Raises what the transport raises.
void thrift_read_frame(const ThriftEnd &end);

// Finds the bytes that a transport has. Nothing changes in it. Returns false if it is not in a usual state.
bool thrift_input(const ThriftEnd &end, ThriftInput *input);

// Returns whether a transport is still as it was, although Ruby code may have run. `bytes` is a frozen copy of what it had,
// which others may follow by now.
bool thrift_input_same(const ThriftEnd &end, const ThriftInput &input, VALUE bytes);

// What the transport below a buffer did when it gave no bytes: it raised an error, or returned something else. It must not
// be asked again, so the gem's own methods get this.
struct ThriftRefusal {
    bool happened = false;
    VALUE error = Qnil;
    VALUE returned = Qnil;
};

// Reads more bytes into a buffered transport, as its own methods do when a struct goes on beyond its buffer. Those that it
// has from the offset on are kept. Returns false for all other transports, and if there are no bytes.
bool thrift_more(const ThriftEnd &end, ThriftInput *input, ThriftRefusal *refusal);

// Puts the bytes that a transport had back into it, if it can take them. `copy` is as above.
void thrift_restore(const ThriftEnd &end, const ThriftInput &input, VALUE copy);

// Moves a transport to where a struct ends.
void thrift_read_up_to(const ThriftEnd &end, const ThriftInput &input, size_t next);

// Finds where a transport appends bytes: a String, or a StringIO. Returns 0 if it is not in a usual state.
VALUE thrift_output(const ThriftEnd &end);

// Writes bytes to such a StringIO.
void thrift_write_to(VALUE string_io, VALUE bytes);

// Returns how many bytes are there.
size_t thrift_written(VALUE target);

// Takes away what is there beyond a size.
void thrift_unwrite(VALUE target, size_t size);

// Does what FramedTransport#flush does if the frame goes to a MemoryBufferTransport, and returns the new buffer. Returns 0
// for all other transports.
VALUE thrift_flush(VALUE transport);

void thrift_ends_init();

}  // namespace sparpack
