#include "io.hpp"

#include <ruby/io.h>
#include <cerrno>

#include "native_module.hpp"

namespace sparpack {

namespace {

// Returns the File behind a Tempfile, which only delegates to it, and any other io itself.
VALUE file_of(VALUE io) {
    if (!RB_TYPE_P(io, T_OBJECT) || !rb_respond_to(io, rb_intern("__getobj__"))) return io;
    ID name = rb_intern("Tempfile");
    bool is_tempfile = rb_const_defined(rb_cObject, name) && CLASS_OF(io) == rb_const_get(rb_cObject, name);
    return is_tempfile ? rb_funcall(io, rb_intern("__getobj__"), 0) : io;
}

// True for an IO whose method `write` nobody has replaced.
bool is_rubys_own(VALUE io) {
    return RB_TYPE_P(io, T_FILE) && rb_method_basic_definition_p(CLASS_OF(io), rb_intern("write"));
}

VALUE path_of(VALUE io) {
#if RUBY_API_VERSION_MAJOR > 3 || RUBY_API_VERSION_MINOR >= 3
    return rb_io_path(io);
#else
    rb_io_t *file;
    GetOpenFile(io, file);
    return file->pathv;
#endif
}

// True if IO#write writes exactly the bytes that it is given. An io that transcodes or converts line ends does not.
bool writes_as_is(VALUE io) {
    if (!RTEST(rb_funcall(io, rb_intern("binmode?"), 0))) return false;
    VALUE encoding = rb_funcall(io, rb_intern("external_encoding"), 0);
    return NIL_P(encoding) || encoding == rb_enc_from_encoding(rb_ascii8bit_encoding());
}

// Larger than any slot. Bytes inside a slot move with it.
constexpr size_t held_from = 4 << 10;

void write_bytes(VALUE given, const void *bytes, size_t size) {
    VALUE io = rb_io_get_write_io(file_of(given));
    if (rb_io_bufwrite(io, bytes, size) < 0) {
        int error = errno;
        rb_syserr_fail_str(error, path_of(io));
    }
}

struct Writing {
    VALUE io, string;
};

VALUE write_held(VALUE argument) {
    const Writing &writing = *reinterpret_cast<const Writing *>(argument);
    write_bytes(writing.io, RSTRING_PTR(writing.string), string_size(writing.string));
    return Qnil;
}

// Other threads run during the write, so the String is locked: they may read it, and get an error if they change it.
void write_string(VALUE io, VALUE string) {
    size_t size = string_size(string);
    if (size < held_from) {
        char bytes[held_from];
        memcpy(bytes, RSTRING_PTR(string), size);
        return write_bytes(io, bytes, size);
    }
    Writing writing = {io, string};
    VALUE argument = reinterpret_cast<VALUE>(&writing);
    if (RB_OBJ_FROZEN(string)) {
        write_held(argument);
    } else {
        rb_str_locktmp(string);
        rb_ensure(write_held, argument, rb_str_unlocktmp, string);
    }
    RB_GC_GUARD(string);
}

// Native.write(io, string): writes a String that others may have, too. A frozen String that shares its memory is written in
// its place. That memory waits for the garbage collector.
VALUE native_write(VALUE, VALUE io, VALUE string) {
    Check_Type(string, T_STRING);
    bool as_bytes = io_takes_bytes(io, string_size(string));
    if (as_bytes && RSTRING_LEN(string) >= static_cast<long>(held_from)) string = rb_str_new_frozen(string);
    VALUE size = LONG2NUM(RSTRING_LEN(string));
    io_write(io, rb_intern("write"), string, as_bytes);
    return size;
}

// Native.write_own(io, string): writes a String that nobody else has, and whose memory the caller uses again.
VALUE native_write_own(VALUE, VALUE io, VALUE string) {
    Check_Type(string, T_STRING);
    io_write(io, rb_intern("write"), string, io_takes_bytes(io, string_size(string)));
    return Qnil;
}

}  // namespace

bool io_takes_bytes(VALUE given, size_t size) {
    VALUE io = file_of(given);
    if (!is_rubys_own(io)) return false;
#if RUBY_API_VERSION_MAJOR > 3 || RUBY_API_VERSION_MINOR >= 3
    if (size >= held_from) return true;
#else
    (void)size;
#endif
    return !writes_as_is(io);
}

void io_write(VALUE io, ID writer, VALUE string, bool as_bytes) {
    if (as_bytes) return write_string(io, string);
    rb_funcall(io, writer, 1, string);
}

void io_written(VALUE io, VALUE string) {
    if (is_rubys_own(file_of(io)) && !RB_OBJ_FROZEN(string)) rb_str_resize(string, 0);
}

void io_init() {
    VALUE native = native_module();
    define_singleton_methods(native, {{"write", native_write}, {"write_own", native_write_own}});
}

}  // namespace sparpack
