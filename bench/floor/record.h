/* Objects like those that a decoder makes. They have the same two leading words and the same write-barrier protection as the
 * gem's structs. Their fields are in separate memory or, from Ruby 3.3 on, in the object's slot. */
#pragma once

#include <ruby.h>

typedef struct {
    long count;
    VALUE unknown;
    VALUE field[];
} record_t;

#ifdef TYPED_DATA_EMBEDDED /* an enum, from Ruby 3.3 on */
#define RECORD(object) ((record_t *)RTYPEDDATA_GET_DATA(object))
#else
#define RECORD(object) ((record_t *)RTYPEDDATA_DATA(object))
#endif

/* How memory for fields is allocated. COUNTED is Ruby's xmalloc, and the garbage collector counts every byte. UNCOUNTED is
 * malloc, the cheapest memory, but the garbage collector then runs too rarely for a real library. */
typedef enum { COUNTED, UNCOUNTED } memory_t;

VALUE record_new(memory_t memory, long count, const VALUE *field);

void Init_record(VALUE floor);
void Init_template(VALUE floor);
void Init_encoder(VALUE floor);
void Init_values(VALUE floor);
void Init_objects(VALUE floor);
void Init_lz4(VALUE floor);
