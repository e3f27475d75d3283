// The first storage: fields in the object's own memory. Only the seam (storage.hpp) includes this file.
#pragma once

#include "../glue/slab.hpp"
#include "extra.hpp"
#include "plan.hpp"

namespace sparpack {

// In a union, field[0] is the slot that is set (or nil), and field[1] its value.
struct Instance {
    const Plan *plan;
    Extra extra;
    VALUE field[1];
};

// All classes share these static types. A type per class would die with its plan, and then the garbage collector crashes.
#ifdef TYPED_DATA_EMBEDDED
constexpr size_t instance_type_count = 1;
#else
constexpr size_t instance_type_count = slab_classes + 1;
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

// What an object takes, without what its fields hold.
int64_t instance_cost(const Plan *plan);

// The slab's size class for a plan's objects, from its width.
uint32_t instance_size_class(uint32_t width);

SPARPACK_INLINE Instance *instance_data(VALUE object) { return data_of<Instance>(object); }

// Makes an object without values, and one from an array of them.
VALUE instance_blank(const Plan *plan, VALUE klass);
VALUE instance_build(InstanceSlab slab, const Plan *plan, VALUE klass, const VALUE *fields, Extra extra);

}  // namespace sparpack
