// Ruby's Set. Since 4.0 it is a class in C; before, an object with a Hash in @hash, built fastest by filling that Hash.
#pragma once

#include "ruby.hpp"

namespace sparpack {

bool is_set(VALUE object);
size_t set_size(VALUE set);

// Stops early where the function answers ST_STOP.
void set_foreach(VALUE set, int (*function)(VALUE element, VALUE argument), VALUE argument);

VALUE set_new(size_t capacity);
void set_add_many(VALUE set, const VALUE *elements, size_t count);
void set_freeze(VALUE set);

void sets_init();

}  // namespace sparpack
