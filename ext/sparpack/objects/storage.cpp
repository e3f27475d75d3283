#include "storage.hpp"

#include "../glue/fault.hpp"

namespace sparpack {

SPARPACK_COLD void storage_refuse(VALUE object) {
    fault_type("expected a struct, union or exception of Sparpack, got %" PRIsVALUE, rb_obj_class(object));
}

SPARPACK_COLD void storage_wake(VALUE object) {
    if (!lazy_wake(object)) storage_refuse(object);
}

VALUE storage_allocate(VALUE klass) { return instance_blank(plan_of(klass), klass); }

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
[[gnu::noinline]] static void assign_checked(VALUE object, uint32_t slot, VALUE value) {
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

void storage_clear(VALUE object) {
    Instance *instance = instance_data(object);
    instance->field[0] = instance->field[1] = Qnil;
    instance->extra = Extra::none();
}

void storage_init() { ivars_init(); }

// --- objects of any storage --------------------------------------------------------------------------------------------

void storage_prepare(Plan *plan) {
    switch (plan->storage) {
    case Storage::slots: plan->size_class = instance_size_class(plan->width); return;
    case Storage::ivars:
    case Storage::mapped: plan->size_class = instance_adopted; return;
    }
}

const Plan *storage_find(VALUE object) {
    if (storage_is_any(object)) return storage_plan(object);
    return RB_SPECIAL_CONST_P(object) ? nullptr : plan_adopted(rb_obj_class(object));
}

SPARPACK_COLD bool storage_fits_adopted(VALUE object, const Plan *plan) {
    switch (plan->storage) {
    case Storage::slots: return storage_is_lazy(object, plan) && lazy_wake(object);
    case Storage::ivars: return ivars_fit(object, plan);
    case Storage::mapped: return mapped_fit(object, plan);
    }
    __builtin_unreachable();
}

View storage_view(const Plan *plan, VALUE object, VALUE *scratch) {
    switch (plan->storage) {
    case Storage::slots: return {storage_view(object), storage_extra(object)};
    case Storage::ivars: {
        Extra extra = ivars_view(plan, object, scratch);
        return {scratch, extra};
    }
    case Storage::mapped: mapped_view(plan, object, scratch); return {scratch, Extra::none()};
    }
    __builtin_unreachable();
}

uint32_t storage_variant(const Plan *plan, VALUE object) {
    switch (plan->storage) {
    case Storage::slots: return storage_variant(object);
    case Storage::ivars: return ivars_variant(plan, object);
    case Storage::mapped: return no_slot;
    }
    __builtin_unreachable();
}

VALUE storage_variant_value(const Plan *plan, VALUE object) {
    switch (plan->storage) {
    case Storage::slots: return storage_variant_value(object);
    case Storage::ivars: return ivars_variant_value(plan, object);
    case Storage::mapped: return Qnil;
    }
    __builtin_unreachable();
}

Slots storage_slots(const Plan *plan, VALUE object) {
    if (plan->shape != Shape::union_) return {0, plan->count};
    uint32_t slot = storage_variant(plan, object);
    return slot == no_slot ? Slots{0, 0} : Slots{slot, slot + 1};
}

Extra storage_extra(const Plan *plan, VALUE object) {
    switch (plan->storage) {
    case Storage::slots: return storage_extra(object);
    case Storage::ivars: return ivars_extra(plan, object);
    case Storage::mapped: return Extra::none();
    }
    __builtin_unreachable();
}

VALUE storage_read(const Plan *plan, VALUE object, uint32_t slot) {
    switch (plan->storage) {
    case Storage::slots: return storage_read(object, slot);
    case Storage::ivars: return ivars_read(plan, object, slot);
    case Storage::mapped: return mapped_read(plan, object, slot);
    }
    __builtin_unreachable();
}

void storage_write(const Plan *plan, VALUE object, uint32_t slot, VALUE value) {
    switch (plan->storage) {
    case Storage::slots: return storage_write(object, slot, value);
    case Storage::ivars: return ivars_write(plan, object, slot, value);
    case Storage::mapped: mapped_refuse(plan);
    }
}

void storage_set_extra(const Plan *plan, VALUE object, Extra extra) {
    switch (plan->storage) {
    case Storage::slots: return storage_set_extra(object, extra);
    case Storage::ivars: return ivars_set_extra(object, extra);
    case Storage::mapped: mapped_refuse(plan);
    }
}

void storage_fill(const Plan *plan, VALUE object, VALUE other) {
    rb_check_frozen(object);
    switch (plan->storage) {
    case Storage::slots: {
        Instance *to = instance_data(object);
        const Instance *from = instance_data(other);
        for (uint32_t i = 0; i < plan->width; i++) RB_OBJ_WRITE(object, &to->field[i], from->field[i]);
        return storage_set_extra(object, from->extra);
    }
    case Storage::ivars: return ivars_fill(plan, object, other);
    case Storage::mapped: mapped_refuse(plan);
    }
}

void storage_fill_from(const Plan *plan, VALUE object, VALUE other) {
    if (plan->storage == Storage::ivars) ivars_fill_from(plan, object, other);
}

void storage_reset(const Plan *plan, VALUE object) {
    if (plan->storage == Storage::ivars) ivars_reset(plan, object);
}

VALUE storage_new(const Plan *plan, VALUE klass) {
    return plan->storage == Storage::ivars ? ivars_new(plan, klass) : storage_blank(plan, klass);
}

VALUE storage_save(VALUE object) { return ivars_save(object); }
void storage_restore(VALUE object, VALUE saved) { ivars_restore(object, saved); }

bool storage_construct(const Plan *plan, VALUE object, VALUE given) {
    return plan->storage == Storage::ivars && ivars_construct(plan, object, given);
}

void storage_each_variable(VALUE object, int (*function)(ID, VALUE, st_data_t), st_data_t argument) {
    rb_ivar_foreach(object, function, argument);
}

int64_t storage_cost(const Plan *plan) {
    switch (plan->storage) {
    case Storage::slots: return instance_cost(plan);
    case Storage::ivars: return ivars_cost(plan);
    case Storage::mapped: return mapped_cost(plan);
    }
    __builtin_unreachable();
}

VALUE storage_blank(const Plan *plan, VALUE klass) {
    switch (plan->storage) {
    case Storage::slots: return instance_blank(plan, klass);
    case Storage::ivars: return ivars_blank(plan, klass);
    case Storage::mapped: mapped_refuse(plan);
    }
    __builtin_unreachable();
}

VALUE storage_build(StorageSlab slab, const Plan *plan, VALUE klass, VALUE *values, Extra extra) {
    if (instance_is_usual(plan)) return instance_build(slab, plan, klass, values, extra);
    switch (plan->storage) {
    case Storage::slots: return instance_build(slab, plan, klass, values, extra);
    case Storage::ivars: return ivars_build(plan, klass, values, extra);
    case Storage::mapped: return mapped_build(plan, values);
    }
    __builtin_unreachable();
}

}  // namespace sparpack
