/* The least time that any codec needs, written by hand over the cheapest storage that Ruby offers. */
#include "record.h"

RUBY_FUNC_EXPORTED void Init_bench_floor(void) {
    VALUE floor = rb_define_module_under(rb_define_module("Bench"), "Floor");
    Init_record(floor);
    Init_template(floor);
    Init_encoder(floor);
    Init_values(floor);
    Init_objects(floor);
    Init_lz4(floor);
}
