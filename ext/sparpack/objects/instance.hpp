// The first storage: fields in the object's own memory. Only the seam (storage.hpp) includes this file.
#pragma once

#include <cstdlib>

#include "../glue/fault.hpp"
#include "../plan/plan.hpp"
#include "extra.hpp"
#include "slab.hpp"

namespace sparpack {

// In a union, field[0] is the slot that is set (or nil), and field[1] its value.
struct Instance {
    const Plan *plan;
    Extra extra;
    VALUE field[1];
};

// A size class for plans of another storage. No object has its type, so no object of our own fits such a plan.
#ifdef TYPED_DATA_EMBEDDED
constexpr uint32_t instance_adopted = 1;
#else
constexpr uint32_t instance_adopted = slab_classes + 1;
#endif

// All classes share these static types. A type per class would die with its plan, and then the garbage collector crashes.
#ifdef TYPED_DATA_EMBEDDED
constexpr size_t instance_type_count = 1;
#else
constexpr size_t instance_type_count = slab_classes + 2;
#endif
extern const rb_data_type_t instance_types[instance_type_count];

SPARPACK_INLINE bool is_instance(VALUE object) {
    if (RB_SPECIAL_CONST_P(object) || RB_BUILTIN_TYPE(object) != RUBY_T_DATA || !RTYPEDDATA_P(object)) return false;
    uintptr_t type = reinterpret_cast<uintptr_t>(RTYPEDDATA_TYPE(object));
    return type - reinterpret_cast<uintptr_t>(instance_types) < sizeof instance_types;
}

// Where objects take their memory from. Ask for it before making them.
#ifdef TYPED_DATA_EMBEDDED
struct InstanceSlab {};
SPARPACK_INLINE InstanceSlab instance_slab() { return {}; }
#else
using InstanceSlab = Slab *;
SPARPACK_INLINE InstanceSlab instance_slab() { return slab_prepare(); }
#endif

// Returns the type of a plan's objects.
SPARPACK_INLINE const rb_data_type_t *instance_type([[maybe_unused]] const Plan *plan) {
#ifdef TYPED_DATA_EMBEDDED
    return instance_types;
#else
    return &instance_types[plan->size_class];
#endif
}

// Functions of the types, for data whose beginning is an Instance.
void instance_mark(void *data);
void instance_compact(void *data);

// What an object takes, without what its fields hold.
int64_t instance_cost(const Plan *plan);

// The slab's size class for a plan's objects, from its width.
uint32_t instance_size_class(uint32_t width);

SPARPACK_INLINE Instance *instance_data(VALUE object) { return data_of<Instance>(object); }

SPARPACK_INLINE size_t instance_bytes(const Plan *plan) { return offsetof(Instance, field) + plan->width * sizeof(VALUE); }

#ifdef TYPED_DATA_EMBEDDED

SPARPACK_INLINE bool instance_is_usual(const Plan *plan) { return SPARPACK_LIKELY(plan->size_class != instance_adopted); }

// Makes an object with room for its fields. If they are embedded, no garbage is collected before the caller has filled them,
// so they need no write barriers. Otherwise Ruby mallocs them and may mark the object meanwhile: `needs_barrier` is true
// then.
SPARPACK_INLINE VALUE instance_new(InstanceSlab, const Plan *plan, VALUE klass, Instance **instance, bool *needs_barrier) {
    VALUE object = rb_data_typed_object_zalloc(klass, instance_bytes(plan), instance_types);
    *instance = instance_data(object);
    *needs_barrier = !RTYPEDDATA_EMBEDDED_P(object);
    return object;
}

#else

// True if the objects of a plan are ours and small enough for a slab.
SPARPACK_INLINE bool instance_is_usual(const Plan *plan) { return SPARPACK_LIKELY(plan->size_class < slab_classes); }

// Takes the memory of an object from a slab, or `size` bytes from malloc if it is too large for one.
SPARPACK_INLINE Instance *instance_memory_new(InstanceSlab slab, uint32_t kind, size_t size) {
    void *memory;
    if (SPARPACK_LIKELY(kind < slab_classes)) {
        memory = slab_take(slab, kind);
    } else {
        memory = malloc(size);
        rb_gc_adjust_memory_usage(static_cast<ssize_t>(size));  // slabs are in proportion to objects, which Ruby counts
    }
    if (SPARPACK_UNLIKELY(!memory)) fault_no_memory();
    return static_cast<Instance *>(memory);
}

// Makes an object with room for its fields. The object comes first, because it owns the memory. That comes from a slab or
// malloc, not xmalloc, so no garbage is collected before the caller has filled the fields, and they need no write barriers.
SPARPACK_INLINE VALUE instance_new(InstanceSlab slab, const Plan *plan, VALUE klass, Instance **instance,
                                   bool *needs_barrier) {
    uint32_t kind = plan->size_class;
    VALUE object = rb_data_typed_object_wrap(klass, nullptr, &instance_types[kind]);
    *instance = instance_memory_new(slab, kind, instance_bytes(plan));
    (*instance)->plan = nullptr;
    RTYPEDDATA_DATA(object) = *instance;
    *needs_barrier = false;
    return object;
}

#endif

// Makes an object without values.
VALUE instance_blank(const Plan *plan, VALUE klass);

// Makes an object from the values of its fields.
SPARPACK_INLINE VALUE instance_build(InstanceSlab slab, const Plan *plan, VALUE klass, const VALUE *fields, Extra extra) {
    Instance *instance;
    bool needs_barrier;
    VALUE object = instance_new(slab, plan, klass, &instance, &needs_barrier);
    instance->extra = extra;
    instance->plan = plan;
    if (SPARPACK_LIKELY(!needs_barrier)) {
        for (uint32_t i = 0, n = plan->width; i < n; i++) instance->field[i] = fields[i];
    } else {
        for (uint32_t i = 0, n = plan->width; i < n; i++) instance->field[i] = Qnil;
        for (uint32_t i = 0, n = plan->width; i < n; i++) RB_OBJ_WRITE(object, &instance->field[i], fields[i]);
        RB_OBJ_WRITTEN(object, Qundef, extra.value);
        RB_OBJ_WRITTEN(object, Qundef, plan->owner);
    }
    return object;
}

}  // namespace sparpack
