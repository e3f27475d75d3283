// Ruby's Set. Since 4.0 it is a class in C; before, an object with a Hash in @hash, built fastest by filling that Hash.
#pragma once

#include "ruby.hpp"

namespace sparpack {

bool is_set(VALUE object);
size_t set_size(VALUE set);

// Stops early where the function answers ST_STOP.
void set_foreach(VALUE set, int (*function)(VALUE element, VALUE argument), VALUE argument);

// A Set is filled before it is one: until then nothing that runs in the middle can find it.
VALUE set_start(size_t capacity);
void set_add_many(VALUE builder, const VALUE *elements, size_t count);
VALUE set_finish(VALUE builder, bool frozen);

void sets_init();

}  // namespace sparpack
