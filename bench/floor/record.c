#include "record.h"

#include <stdlib.h>
#include <string.h>

static VALUE record_class;

static void record_mark(void *data) {
    const record_t *record = data;
    for (long i = 0; i < record->count; i++) rb_gc_mark_movable(record->field[i]);
}

static void record_compact(void *data) {
    record_t *record = data;
    for (long i = 0; i < record->count; i++) record->field[i] = rb_gc_location(record->field[i]);
}

#ifdef TYPED_DATA_EMBEDDED
#define EMBEDDABLE RUBY_TYPED_EMBEDDABLE
#else
#define EMBEDDABLE 0
#endif

#define RECORD_TYPE(free)                                                                \
    {                                                                                    \
        .wrap_struct_name = "Bench::Floor::Record",                                      \
        .function = {.dmark = record_mark, .dfree = (free), .dcompact = record_compact}, \
        .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | EMBEDDABLE      \
    }

static const rb_data_type_t types[] = {[COUNTED] = RECORD_TYPE(RUBY_DEFAULT_FREE), [UNCOUNTED] = RECORD_TYPE(free)};

/* Until they are copied, the fields are in the caller's frame, where the garbage collector sees them. Nothing is allocated
 * after that and the new record is young, so no write barrier is needed. */
VALUE record_new(memory_t memory, long count, const VALUE *field) {
    size_t size = sizeof(record_t) + (size_t)count * sizeof(VALUE);
#ifdef TYPED_DATA_EMBEDDED
    VALUE object = rb_data_typed_object_zalloc(record_class, size, &types[COUNTED]);
    record_t *record = RECORD(object);
    (void)memory;
#else
    VALUE object = rb_data_typed_object_wrap(record_class, NULL, &types[memory]);
    record_t *record = memory == COUNTED ? xmalloc(size) : malloc(size);
    if (!record) rb_memerror();
    RTYPEDDATA_DATA(object) = record;
#endif
    record->count = count;
    record->unknown = Qnil;
    memcpy(record->field, field, (size_t)count * sizeof(VALUE));
    return object;
}

/* Lets the benchmark check that it allocates the right objects. */
static VALUE record_fields(VALUE self) { return rb_ary_new_from_values(RECORD(self)->count, RECORD(self)->field); }

void Init_record(VALUE floor) {
    record_class = rb_define_class_under(floor, "Record", rb_cObject);
    rb_gc_register_mark_object(record_class);
    rb_undef_alloc_func(record_class);
    rb_define_method(record_class, "fields", record_fields, 0);
}
