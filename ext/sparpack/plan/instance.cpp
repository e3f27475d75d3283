#include "instance.hpp"

#include <cstdlib>

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

// Embedded fields come with the object. What does not fit there is malloc'ed by Ruby, which may collect garbage between
// object and fields, so that the object may be marked already.
bool fields_unbarriered([[maybe_unused]] VALUE object) {
#ifdef TYPED_DATA_EMBEDDED
    return RTYPEDDATA_EMBEDDED_P(object);
#else
    return true;
#endif
}

#ifndef TYPED_DATA_EMBEDDED
// Fields of this many bytes are told to the GC; smaller ones are in proportion to the objects, which it counts.
constexpr size_t size_counted = 256;

void instance_free(void *data) { free(data); }
#endif

size_t instance_size(const void *data) {
    if constexpr (embeds_data) return 0;
    const Plan *plan = static_cast<const Instance *>(data)->plan;
    return plan ? instance_bytes(plan) : 0;
}

}  // namespace

#ifdef TYPED_DATA_EMBEDDED
#define INSTANCE_FREE RUBY_DEFAULT_FREE
#else
#define INSTANCE_FREE instance_free
#endif

// Freeing follows no pointer: the plan may be gone in the same sweep.
const rb_data_type_t instance_type = {
    "sparpack/struct",
    {instance_mark, INSTANCE_FREE, instance_size, instance_compact, {nullptr}},
    nullptr,
    nullptr,
    RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | RUBY_TYPED_FROZEN_SHAREABLE | embeddable};

Instance *instance_get(VALUE object) { return static_cast<Instance *>(rb_check_typeddata(object, &instance_type)); }

// An object with room for its fields, which the caller fills before anything else is allocated: nothing that collects
// garbage runs in between, so that no write has to be told.
static VALUE instance_new(const Plan *plan, VALUE klass, Instance **instance) {
    size_t size = instance_bytes(plan);
#ifdef TYPED_DATA_EMBEDDED
    VALUE object = rb_data_typed_object_zalloc(klass, size, &instance_type);
    *instance = instance_data(object);
#else
    // The object first, for it owns the memory; then malloc itself: xmalloc may collect, and what it counts for each
    // object costs as much as the allocation.
    VALUE object = rb_data_typed_object_wrap(klass, nullptr, &instance_type);
    *instance = static_cast<Instance *>(malloc(size));
    if (SPARPACK_UNLIKELY(!*instance)) fault_no_memory();
    if (SPARPACK_UNLIKELY(size >= size_counted)) rb_gc_adjust_memory_usage(static_cast<ssize_t>(size));
    (*instance)->plan = nullptr;
    RTYPEDDATA_DATA(object) = *instance;
#endif
    return object;
}

VALUE instance_allocate(VALUE klass) {
    const Plan *plan = plan_of(klass);
    Instance *instance;
    VALUE object = instance_new(plan, klass, &instance);
    for (uint32_t i = 0, n = plan->width; i < n; i++) instance->field[i] = Qnil;
    instance->unknown = Qnil;
    instance->plan = plan;
    return object;
}

VALUE instance_build(const Plan *plan, VALUE klass, const VALUE *fields, VALUE unknown) {
    Instance *instance;
    VALUE object = instance_new(plan, klass, &instance);
    instance->unknown = unknown;
    instance->plan = plan;
    if (SPARPACK_LIKELY(fields_unbarriered(object))) {
        for (uint32_t i = 0, n = plan->width; i < n; i++) instance->field[i] = fields[i];
    } else {
        for (uint32_t i = 0, n = plan->width; i < n; i++) instance->field[i] = Qnil;
        for (uint32_t i = 0, n = plan->width; i < n; i++) instance_write(object, &instance->field[i], fields[i]);
        RB_OBJ_WRITTEN(object, Qundef, unknown);
    }
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
