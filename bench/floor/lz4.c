/* Calls liblz4 directly, with memory that the caller provides. Without liblz4, the functions are missing. */
#include "record.h"

#ifdef HAVE_LZ4_H
#include <lz4.h>

static int size_of(VALUE string) {
    if (RSTRING_LEN(string) > LZ4_MAX_INPUT_SIZE) rb_raise(rb_eArgError, "too many bytes for one block");
    return (int)RSTRING_LEN(string);
}

static VALUE checked(int size) {
    if (size < 0) rb_raise(rb_eArgError, "not an LZ4 block, or not enough room");
    return INT2FIX(size);
}

/* Both take the bytes and a String whose memory they write into, and return the number of bytes that they have written. */
static VALUE lz4_compress(VALUE self, VALUE bytes, VALUE room) {
    StringValue(bytes);
    StringValue(room);
    rb_str_modify(room);
    return checked(LZ4_compress_default(RSTRING_PTR(bytes), RSTRING_PTR(room), size_of(bytes), size_of(room)));
}

static VALUE lz4_decompress(VALUE self, VALUE block, VALUE room) {
    StringValue(block);
    StringValue(room);
    rb_str_modify(room);
    return checked(LZ4_decompress_safe(RSTRING_PTR(block), RSTRING_PTR(room), size_of(block), size_of(room)));
}

void Init_lz4(VALUE floor) {
    rb_define_module_function(floor, "lz4_compress", lz4_compress, 2);
    rb_define_module_function(floor, "lz4_decompress", lz4_decompress, 2);
}
#else
void Init_lz4(VALUE floor) {}
#endif
