#include "instance.hpp"

#include "../glue/fault.hpp"

namespace sparpack {

namespace {

// The plan is alive here: an object keeps its class, and the class its plan.
void instance_mark(void *data) {
    Instance *instance = static_cast<Instance *>(data);
    if (!instance->plan) return;  // being made
    rb_gc_mark_movable(instance->unknown);
    for (uint32_t i = 0, n = instance->plan->width; i < n; i++) rb_gc_mark_movable(instance->field[i]);
}

void instance_compact(void *data) {
    Instance *instance = static_cast<Instance *>(data);
    if (!instance->plan) return;
    follow(&instance->unknown);
    for (uint32_t i = 0, n = instance->plan->width; i < n; i++) follow(&instance->field[i]);
}

size_t instance_bytes(const Plan *plan) { return offsetof(Instance, field) + plan->width * sizeof(VALUE); }

size_t instance_size(const void *data) {
    if constexpr (embeds_data) return 0;
    const Plan *plan = static_cast<const Instance *>(data)->plan;
    return plan ? instance_bytes(plan) : 0;
}

}  // namespace

// Freeing follows no pointer: the plan may be gone in the same sweep.
const rb_data_type_t instance_type = {
    "sparpack/struct",
    {instance_mark, RUBY_DEFAULT_FREE, instance_size, instance_compact, {nullptr}},
    nullptr,
    nullptr,
    RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | RUBY_TYPED_FROZEN_SHAREABLE | embeddable};

Instance *instance_get(VALUE object) { return static_cast<Instance *>(rb_check_typeddata(object, &instance_type)); }

VALUE instance_allocate(VALUE klass) {
    const Plan *plan = plan_of(klass);
    // Memory first would leak if the object could not be made: the object first, without fields until they are set.
    VALUE object = rb_data_typed_object_zalloc(klass, instance_bytes(plan), &instance_type);
    Instance *instance = instance_data(object);
    for (uint32_t i = 0, n = plan->width; i < n; i++) instance->field[i] = Qnil;
    instance->unknown = Qnil;
    instance->plan = plan;
    return object;
}

VALUE instance_build(const Plan *plan, VALUE klass, const VALUE *fields, VALUE unknown) {
    uint32_t n = plan->width;
    VALUE object = rb_data_typed_object_zalloc(klass, instance_bytes(plan), &instance_type);
    Instance *instance = instance_data(object);
    // The memory may have been made by a collection that has marked the object already: every write is told.
    instance->plan = plan;
    instance_write(object, &instance->unknown, unknown);
    for (uint32_t i = 0; i < n; i++) instance_write(object, &instance->field[i], fields[i]);
    return object;
}

void instance_store(VALUE object, uint32_t slot, VALUE value) {
    rb_check_frozen(object);
    Instance *instance = instance_data(object);
    if (SPARPACK_UNLIKELY(SYMBOL_P(value))) value = plan_enum_number(instance->plan, slot, value);
    if (SPARPACK_LIKELY(instance->plan->shape != Shape::union_)) {
        instance_write(object, &instance->field[slot], value);
        return;
    }
    // Setting the field that is set, or unsetting it, is fine; a second one is a mistake that would lose the first.
    uint32_t set = union_slot(instance);
    if (NIL_P(value)) {
        if (set != slot) return;
        instance->field[0] = Qnil;
    } else {
        if (set != no_slot && set != slot)
            fault_argument("%" PRIsVALUE " holds %" PRIsVALUE " already: a union holds one field (set that to nil first)",
                           rb_obj_class(object), instance->plan->slots[set].name);
        instance->field[0] = INT2FIX(slot);
        instance->unknown = Qnil;
    }
    instance_write(object, &instance->field[1], value);
}

}  // namespace sparpack
