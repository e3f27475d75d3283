#include "io.hpp"

#include <ruby/io.h>
#include <cerrno>

namespace sparpack {

namespace {

// Nobody has changed how it writes.
bool is_rubys_own(VALUE io) {
    return RB_TYPE_P(io, T_FILE) && rb_method_basic_definition_p(CLASS_OF(io), rb_intern("write"));
}

#if RUBY_API_VERSION_MAJOR > 3 || RUBY_API_VERSION_MINOR >= 3
// What is smaller is not worth the look at the io. Larger than any slot.
constexpr size_t bytes_from = 4 << 10;

struct Writing {
    VALUE io, string;
};

VALUE write_bytes(VALUE argument) {
    const Writing &writing = *reinterpret_cast<const Writing *>(argument);
    VALUE io = rb_io_get_write_io(writing.io);
    if (rb_io_bufwrite(io, RSTRING_PTR(writing.string), static_cast<size_t>(RSTRING_LEN(writing.string))) < 0) {
        int error = errno;
        rb_syserr_fail_str(error, rb_io_path(io));
    }
    return Qnil;
}

VALUE reveal(VALUE string) { return rb_obj_reveal(string, rb_cString); }

// Its bytes are not in its slot, where they would move along.
bool can_hold_still(VALUE string) {
    return static_cast<size_t>(RSTRING_LEN(string)) >= bytes_from && RBASIC_CLASS(string) == rb_cString;
}

// Other threads run while it writes: none finds the String.
void write_held(VALUE io, VALUE string) {
    Writing writing = {io, string};
    if (RB_OBJ_FROZEN(string)) {
        write_bytes(reinterpret_cast<VALUE>(&writing));
    } else {
        rb_obj_hide(string);
        rb_ensure(write_bytes, reinterpret_cast<VALUE>(&writing), reveal, string);
    }
    RB_GC_GUARD(string);
}

// What it writes is what it is given: it transcodes nothing, and has no line ends of its own.
bool writes_as_is(VALUE io) {
    if (!(rb_io_mode(io) & FMODE_BINMODE)) return false;
    VALUE encoding = rb_funcall(io, rb_intern("external_encoding"), 0);
    return NIL_P(encoding) || encoding == rb_enc_from_encoding(rb_ascii8bit_encoding());
}
#endif

// Native.write(io, string): a String that nobody else knows of.
VALUE native_write(VALUE, VALUE io, VALUE string) {
    Check_Type(string, T_STRING);
    io_write(io, rb_intern("write"), string, io_takes_bytes(io, static_cast<size_t>(RSTRING_LEN(string))));
    return Qnil;
}

}  // namespace

#if RUBY_API_VERSION_MAJOR > 3 || RUBY_API_VERSION_MINOR >= 3

bool io_takes_bytes(VALUE io, size_t size) { return size >= bytes_from && is_rubys_own(io) && writes_as_is(io); }

void io_write(VALUE io, ID writer, VALUE string, bool as_bytes) {
    if (as_bytes && can_hold_still(string)) return write_held(io, string);
    rb_funcall(io, writer, 1, string);
}

#else

bool io_takes_bytes(VALUE, size_t) { return false; }
void io_write(VALUE io, ID writer, VALUE string, bool) { rb_funcall(io, writer, 1, string); }

#endif

void io_written(VALUE io, VALUE string) {
    if (is_rubys_own(io) && !RB_OBJ_FROZEN(string)) rb_str_resize(string, 0);
}

void io_init(VALUE sparpack) {
    VALUE native = rb_const_get(sparpack, rb_intern("Native"));
    rb_define_singleton_method(native, "write", method(native_write), 2);
}

}  // namespace sparpack
