// The second storage: instance variables of objects of other libraries, as Apache's compiler generates their classes. A
// field `name` is in @name, and absent while that is not set. A union has the name of its field in @setfield, and the value
// in @value or, in Sparsam's manner, in @name. The extra is in a hidden instance variable. Only the seam (storage.hpp)
// includes this file.
//
// Nothing here calls Ruby code, except `new` if the plan says so: an adopted class has an allocator of Ruby's own (see
// compile.cpp), and instance variables are read and written without accessors.
#pragma once

#include "../plan/plan.hpp"
#include "extra.hpp"

namespace sparpack {

// An object of a subclass fits, too, unless the plan's manner is exact.
SPARPACK_INLINE bool ivars_fit(VALUE object, const Plan *plan) {
    if (SPARPACK_LIKELY(!RB_SPECIAL_CONST_P(object) && RBASIC_CLASS(object) == plan->klass)) return true;
    switch (plan->manner) {
    case Manner::usual: return RTEST(rb_obj_is_kind_of(object, plan->klass));
    case Manner::sparsam: return rb_obj_class(object) == plan->klass;
    case Manner::thrift: return false;  // an object may have methods of its own
    }
    __builtin_unreachable();
}

// Writes the values of a struct to an array, by slots. An absent field is nil there. Returns what is beside the fields.
Extra ivars_view(const Plan *plan, VALUE object, VALUE *values);

// Returns the slot of a union that is set, or no_slot.
uint32_t ivars_variant(const Plan *plan, VALUE object);
VALUE ivars_variant_value(const Plan *plan, VALUE object);

// Returns the value of a field, or Qundef if it is absent.
VALUE ivars_read(const Plan *plan, VALUE object, uint32_t slot);

void ivars_write(const Plan *plan, VALUE object, uint32_t slot, VALUE value);

Extra ivars_extra(const Plan *plan, VALUE object);
void ivars_set_extra(VALUE object, Extra extra);

// Makes an object with the class's allocator, without `initialize`. The values are as in storage_build; Qundef is an absent
// field.
VALUE ivars_build(const Plan *plan, VALUE klass, const VALUE *values, Extra extra);

VALUE ivars_blank(const Plan *plan, VALUE klass);

// Gives an object all that another one has. A field that is absent there becomes nil.
void ivars_fill(const Plan *plan, VALUE object, VALUE other);

// Gives an object all that a decode has read into another one, which had no values before.
void ivars_fill_from(const Plan *plan, VALUE object, VALUE other);

void ivars_reset(const Plan *plan, VALUE object);

// See storage_save.
VALUE ivars_save(VALUE object);
void ivars_restore(VALUE object, VALUE saved);

// See storage_new.
VALUE ivars_new(const Plan *plan, VALUE klass);

// See storage_construct.
bool ivars_construct(const Plan *plan, VALUE object, VALUE given);

int64_t ivars_cost(const Plan *plan);

void ivars_init();

// Returns the name of the instance variable of a field.
ID ivars_name(VALUE field);

}  // namespace sparpack
