/* Allocates Ruby's own values as a decoder would: Strings with the same bytes, Arrays and Hashes in bulk. Keys are reused. */
#include "record.h"

#include <ruby/encoding.h>

static VALUE copy(VALUE value);

static VALUE copy_array(VALUE array) {
    long size = RARRAY_LEN(array);
    VALUE result = rb_ary_new_capa(size);
    VALUE values[64];
    for (long done = 0; done < size;) {
        long some = size - done < 64 ? size - done : 64;
        for (long i = 0; i < some; i++) values[i] = copy(RARRAY_AREF(array, done + i));
        rb_ary_cat(result, values, some);
        done += some;
    }
    RB_GC_GUARD(array);
    return result;
}

typedef struct {
    VALUE pairs[128];
    long count;
    VALUE hash;
} pairs_t;

static int copy_pair(VALUE key, VALUE value, VALUE argument) {
    pairs_t *pairs = (pairs_t *)argument;
    pairs->pairs[pairs->count++] = key;
    pairs->pairs[pairs->count++] = copy(value);
    if (pairs->count == 128) {
        rb_hash_bulk_insert(128, pairs->pairs, pairs->hash);
        pairs->count = 0;
    }
    return ST_CONTINUE;
}

static VALUE copy_hash(VALUE hash) {
    pairs_t pairs;
    pairs.count = 0;
    pairs.hash = rb_hash_new();
    rb_hash_foreach(hash, copy_pair, (VALUE)&pairs);
    rb_hash_bulk_insert(pairs.count, pairs.pairs, pairs.hash);
    return pairs.hash;
}

static VALUE copy(VALUE value) {
    if (RB_SPECIAL_CONST_P(value)) return value;
    switch (RB_BUILTIN_TYPE(value)) {
    case T_ARRAY: return copy_array(value);
    case T_HASH: return copy_hash(value);
    case T_FLOAT: return rb_float_new(RFLOAT_VALUE(value));
    case T_STRING: {
        VALUE string = rb_str_new(RSTRING_PTR(value), RSTRING_LEN(value));
        RB_ENCODING_SET_INLINED(string, RB_ENCODING_GET_INLINED(value));
        return string;
    }
    default: return value;
    }
}

static VALUE copy_values(VALUE self, VALUE value) { return copy(value); }

void Init_values(VALUE floor) { rb_define_module_function(floor, "copy", copy_values, 1); }
