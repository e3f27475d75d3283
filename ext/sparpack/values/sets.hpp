// Ruby's Set. Since Ruby 4.0 it is a C class. Before, it is an object with a Hash in @hash, which is filled directly.
#pragma once

#include "ruby.hpp"

namespace sparpack {

VALUE set_class();
bool is_set(VALUE object);
size_t set_size(VALUE set);

// Stops if the function returns ST_STOP.
void set_foreach(VALUE set, int (*function)(VALUE element, VALUE argument), VALUE argument);

// set_add_many inserts this many elements at a time. The memory of the Set depends on it (costs.hpp).
constexpr size_t elements_bulk = 64;

// A Set is filled before it becomes a Set, so Ruby code that runs meanwhile cannot find it.
VALUE set_start(size_t capacity);
void set_add_many(VALUE builder, const VALUE *elements, size_t count);
VALUE set_finish(VALUE builder, bool frozen);

void sets_init();

}  // namespace sparpack
