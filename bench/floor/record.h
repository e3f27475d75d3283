/* Objects as a decoder makes them: the same two leading words and the same write-barrier protection as a struct of the
 * gem, its fields in memory of its own (from Ruby 3.3 on: in the object's slot). */
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

/* Where a record's fields live: COUNTED is xmalloc, the way of Ruby's API, which tells the collector of every byte;
 * UNCOUNTED is malloc, the least that memory costs, but the collector then runs too seldom for a real library. */
typedef enum { COUNTED, UNCOUNTED } memory_t;

VALUE record_new(memory_t memory, long count, const VALUE *field);

void Init_record(VALUE floor);
void Init_template(VALUE floor);
void Init_encoder(VALUE floor);
void Init_values(VALUE floor);
