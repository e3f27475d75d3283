// A fault on its way to becoming an exception. The codec answers a status and returns; each frame that it returns through
// adds its piece of the path, so that a path costs nothing until something fails.
#pragma once

#include "../bytes/status.hpp"
#include "ruby.hpp"

namespace sparpack {

struct Fault {
    Status status = Status::ok;
    const char *expected = nullptr;  // a type's name; nullptr leaves it to the status
    VALUE expected_class = Qnil;     // a struct or enum, wherever that says more
    const char *found_type = nullptr;
    VALUE found = Qundef;  // a value: its class is told, never what is in a string
    long limit = -1;
    VALUE path = Qnil;  // an Array of pieces, innermost first
};

// A value of the caller's as messages show it: cut where it is long, in UTF-8.
VALUE fault_quote(VALUE value);

// Pieces of a path, added from the inside out.
void fault_at_field(Fault &fault, VALUE name);
void fault_at_index(Fault &fault, size_t index);
void fault_at_key(Fault &fault, size_t index);
void fault_at_name(Fault &fault, VALUE key);
void fault_at_value(Fault &fault, size_t index);

// Makes and raises the exception. `offset` is that of a decode, -1 in an encode.
[[noreturn]] void fault_raise_encode(Fault &fault, VALUE root, const char *wire);
[[noreturn]] void fault_raise_decode(Fault &fault, VALUE root, const char *wire, long offset);

// The same for values without a schema; the errors are MessagePack's. Of what is unpacked, `found` is a number to tell.
[[noreturn]] void fault_raise_pack(Fault &fault);
[[noreturn]] void fault_raise_unpack(Fault &fault, long offset);

// An error of MessagePack's own, by its name there.
[[noreturn]] void fault_raise_header(const char *expected, uint8_t found);  // another head of a value than was asked for
[[noreturn]] void fault_message_pack(const char *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// A fault of a validation becomes an exception that is collected or raised.
VALUE fault_validation_error(Fault &fault, VALUE root);
[[noreturn]] void fault_raise_exception(VALUE exception);

[[noreturn]] void fault_no_memory();

// Faults of the caller.
[[noreturn]] void fault_unknown_name(VALUE klass, VALUE name, VALUE names);
[[noreturn]] void fault_enum_name(VALUE klass, VALUE field, VALUE enumeration, VALUE name);
[[noreturn]] void fault_argument(const char *format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void fault_type(const char *format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void fault_range(const char *format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void fault_io(const char *format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void fault_end(const char *format, ...) __attribute__((format(printf, 1, 2)));
[[noreturn]] void fault_schema(const char *format, ...) __attribute__((format(printf, 1, 2)));

void fault_init(VALUE sparpack);

}  // namespace sparpack
