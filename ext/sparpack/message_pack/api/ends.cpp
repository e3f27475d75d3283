// Where values end, without unpacking them.
#include "../../glue/native_module.hpp"
#include "../../wire/message_pack/end.hpp"

namespace sparpack {

namespace {

// Returns the end of the value at an offset, or nullptr if there is none, or only an unpacker can tell.
const uint8_t *value_end(VALUE bytes, size_t at) {
    Input in(string_bytes(bytes), string_size(bytes));
    return at < string_size(bytes) ? message_pack_skip(in, in.begin + at) : nullptr;
}

size_t offset_of(VALUE bytes, VALUE offset) {
    Check_Type(bytes, T_STRING);
    return RB_FIXNUM_P(offset) && FIX2LONG(offset) >= 0 ? static_cast<size_t>(FIX2LONG(offset)) : SIZE_MAX;
}

// Sparpack::Native.message_pack_end(bytes, offset): where the value ends that begins at an offset, or nil.
VALUE native_end(VALUE, VALUE bytes, VALUE offset) {
    const size_t at = offset_of(bytes, offset);
    bytes = unlocked(bytes);
    const uint8_t *end = value_end(bytes, at);
    VALUE found = end ? SIZET2NUM(static_cast<size_t>(end - string_bytes(bytes))) : Qnil;
    RB_GC_GUARD(bytes);
    return found;
}

// Sparpack::Native.message_pack_count(bytes, offset): how many values begin at an offset, and where the next one begins.
// These are not all: there are none if only an unpacker can tell.
VALUE native_count(VALUE, VALUE bytes, VALUE offset) {
    const size_t first = offset_of(bytes, offset);
    bytes = unlocked(bytes);
    size_t at = first, count = 0;
    while (const uint8_t *end = value_end(bytes, at)) {
        at = static_cast<size_t>(end - string_bytes(bytes));
        count++;
        if (at - first > step_bytes) break;
    }
    RB_GC_GUARD(bytes);
    return rb_assoc_new(SIZET2NUM(count), SIZET2NUM(at));
}

}  // namespace

void ends_init(VALUE native) {
    define_singleton_methods(native, {{"message_pack_end", native_end}, {"message_pack_count", native_count}});
}

}  // namespace sparpack
