// A fault on its way to becoming an exception. The codec returns a status, and each frame that it returns through adds its
// piece of the path. So a path costs nothing until something fails.
#pragma once

#include "../bytes/status.hpp"
#include "../values/ruby.hpp"

namespace sparpack {

struct Fault {
    Status status = Status::ok;
    const char *expected = nullptr;  // name of a type, or what a whole payload has to be; if nullptr, the status says it
    VALUE expected_class = Qnil;     // a struct or an enum, if that says more
    const char *found_type = nullptr;
    VALUE found = Qundef;  // a value: messages name its class, never the contents of a string
    VALUE owner = Qnil;    // the class that does not have the unknown field, or lacks the one whose name was `found`
    long limit = -1;
    VALUE path = Qnil;    // an Array of pieces, innermost first; nil for none
    bool suggest = true;  // whether the message suggests a similar name, which may take milliseconds
};

// What the message of a fault in text says besides. `found` and `more` are Strings or nil.
struct FaultText {
    size_t line = 1;  // in the payload; 0 if that is not known
    size_t column = 1;
    const char *expected = nullptr;  // in place of what the status expects
    VALUE found = Qnil;              // in place of what the status finds
    VALUE more = Qnil;               // follows what was found
};

// Returns a value of the caller as messages show it: in UTF-8, and cut if it is long.
VALUE fault_quote(VALUE value);

// Returns the name of a field as messages show it, such as `Listing.title`.
VALUE fault_member(VALUE klass, VALUE name);

// These add a piece of the path, from the inside out. They run no Ruby code.
void fault_at_field(Fault &fault, VALUE name);  // a Symbol
void fault_at_index(Fault &fault, size_t index);
void fault_at_key(Fault &fault, size_t index);
void fault_at_name(Fault &fault, VALUE key);
void fault_at_value(Fault &fault, size_t index);

// These make the exception and raise it. `offset` is where decoding failed, and `payload` where the payload begins. `hint`
// ends the message, unless it is nil. `text` is given if the wire is text.
[[noreturn]] void fault_raise_encode(Fault &fault, VALUE root, const char *wire);
[[noreturn]] void fault_raise_decode(Fault &fault, VALUE root, const char *wire, long offset, long payload,
                                     VALUE hint = Qnil, const FaultText *text = nullptr);

// Raises EncodeError because a continuation has returned into an encode that has ended.
[[noreturn]] void fault_ended();

// The same for objects of another library, whose errors Ruby makes of ours. `subject` is the object.
[[noreturn]] void fault_raise_foreign_encode(Fault &fault, VALUE subject, const char *wire);
[[noreturn]] void fault_raise_foreign_decode(Fault &fault, VALUE root, const char *wire, long offset);

// The same for values without a schema, with MessagePack's error classes. When unpacking, `found` is a number to show.
// `bytes` are all that there is, or nil if that is not known.
[[noreturn]] void fault_raise_pack(Fault &fault);
[[noreturn]] void fault_raise_unpack(Fault &fault, long offset, long payload, VALUE bytes = Qnil);

// These raise an error class of Sparpack::MessagePack. For the second one, `error` is the name of the class.
[[noreturn]] void fault_raise_header(const char *expected, uint8_t found);  // the next value is of another kind
[[noreturn]] void fault_message_pack(const char *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Turns a fault of a validation into an exception, which is then collected or raised.
VALUE fault_validation_error(Fault &fault, VALUE root);
[[noreturn]] void fault_raise_exception(VALUE exception);

[[noreturn]] void fault_no_memory();

// Raises SystemStackError if little is left of the stack. Ruby turns an overflow into that only where it gets a signal.
void fault_stack_check();

// These raise errors of the caller.
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
