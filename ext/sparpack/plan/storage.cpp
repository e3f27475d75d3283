#include "storage.hpp"

#include "../glue/fault.hpp"

namespace sparpack {

SPARPACK_COLD void storage_refuse(VALUE object) {
    fault_type("expected a struct, union or exception of Sparpack, got %" PRIsVALUE, rb_obj_class(object));
}

VALUE storage_allocate(VALUE klass) { return storage_blank(plan_of(klass), klass); }

// The field that is set may be set again or to nil. Setting a second one is a mistake, because it would lose the first.
static void union_write(VALUE object, uint32_t slot, VALUE value) {
    Instance *instance = instance_data(object);
    uint32_t set = storage_variant(object);
    if (NIL_P(value)) {
        if (set != slot) return;
        instance->field[0] = Qnil;
    } else {
        if (set != no_slot && set != slot)
            fault_argument("%" PRIsVALUE " already holds %" PRIsVALUE
                           ": a union holds one field (set that one to nil first)",
                           rb_obj_class(object), instance->plan->slots[set].name);
        instance->field[0] = INT2FIX(slot);
        instance->extra = Extra::none();
    }
    RB_OBJ_WRITE(object, &instance->field[1], value);
}

void storage_write(VALUE object, uint32_t slot, VALUE value) {
    rb_check_frozen(object);
    if (storage_plan(object)->shape == Shape::union_) return union_write(object, slot, value);
    storage_put(object, slot, value);
}

// A function of its own, so that the common path needs no stack for it.
__attribute__((noinline)) static void assign_checked(VALUE object, uint32_t slot, VALUE value) {
    const Plan *plan = storage_plan(object);
    bool is_symbol = SYMBOL_P(value);
    if (is_symbol || (plan->slots[slot].coercion >= Coercion::uuid && RB_TYPE_P(value, T_STRING)))
        value = plan_assigned(plan, slot, value);
    storage_write(object, slot, value);  // which looks again whether it is frozen: linking may have run Ruby code
}

void storage_assign(VALUE object, uint32_t slot, VALUE value) {
    rb_check_frozen(object);
    if (SPARPACK_UNLIKELY(!storage_takes(storage_plan(object), slot, value))) return assign_checked(object, slot, value);
    storage_put(object, slot, value);
}

void storage_fill(VALUE object, VALUE other) {
    Instance *to = instance_data(object);
    const Instance *from = instance_data(other);
    for (uint32_t i = 0; i < from->plan->width; i++) RB_OBJ_WRITE(object, &to->field[i], from->field[i]);
    storage_set_extra(object, from->extra);
}

void storage_clear(VALUE object) {
    Instance *instance = instance_data(object);
    instance->field[0] = instance->field[1] = Qnil;
    instance->extra = Extra::none();
}

}  // namespace sparpack
