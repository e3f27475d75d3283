// The objects. A struct's fields live in the object's own slot. `instance_view` and `instance_build` are the only ways from
// an object to its fields and back, so other storage can be added behind them.
#pragma once

#include "../glue/slab.hpp"
#include "plan.hpp"

namespace sparpack {

// In a union, field[0] is the slot that is set (or nil), and field[1] its value.
struct Instance {
    const Plan *plan;
    // nil, or a String of the unknown fields that were kept, in the binary protocol and in ascending order of ids. true in a
    // union whose variant was unknown and not kept.
    VALUE unknown;
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

SPARPACK_INLINE Instance *instance_data(VALUE object) { return data_of<Instance>(object); }
Instance *instance_get_slow(VALUE object);

// Raises TypeError for any other object.
SPARPACK_INLINE Instance *instance_get(VALUE object) {
    return SPARPACK_LIKELY(is_instance(object)) ? instance_data(object) : instance_get_slow(object);
}

SPARPACK_INLINE const VALUE *instance_view(const Instance *instance) { return instance->field; }

// True if an object is of a struct's or union's type. A subclass without fields of its own and a singleton class inherit the
// plan. The class itself proves nothing, because Marshal gives objects any class that a dump names.
SPARPACK_INLINE bool instance_fits(VALUE object, const Plan *plan, const rb_data_type_t *type) {
    return is_data(object, type) && instance_data(object)->plan == plan;
}

SPARPACK_INLINE bool instance_fits(VALUE object, const Type &type) {
    return instance_fits(object, type.link->plan, instance_type(type.link->plan));
}

// The first two make an object without values, from a class or from a known plan. The class says nothing about the memory of
// an existing object, so a copy is made from that object's plan.
VALUE instance_allocate(VALUE klass);
VALUE instance_blank(const Plan *plan, VALUE klass);
VALUE instance_build(InstanceSlab slab, const Plan *plan, VALUE klass, const VALUE *fields, VALUE unknown);

SPARPACK_INLINE void instance_write(VALUE object, VALUE *place, VALUE value) { RB_OBJ_WRITE(object, place, value); }

// Returns the slot of a union that is set, or no_slot.
SPARPACK_INLINE uint32_t union_slot(const Instance *instance) {
    return NIL_P(instance->field[0]) ? no_slot : static_cast<uint32_t>(FIX2LONG(instance->field[0]));
}

// Returns the value of a field, in a struct or a union.
SPARPACK_INLINE VALUE instance_value(const Instance *instance, uint32_t slot) {
    if (SPARPACK_LIKELY(instance->plan->shape != Shape::union_)) return instance->field[slot];
    return union_slot(instance) == slot ? instance->field[1] : Qnil;
}

// The slots that may have a value: all of a struct, and the one that is set of a union.
struct Slots {
    uint32_t begin, end;
};

SPARPACK_INLINE Slots instance_slots(const Instance *instance) {
    if (instance->plan->shape != Shape::union_) return {0, instance->plan->count};
    uint32_t slot = union_slot(instance);
    return slot == no_slot ? Slots{0, 0} : Slots{slot, slot + 1};
}

// True if a slot stores a value as it is. Only Symbols and Strings may be converted, and a union holds just one value.
SPARPACK_INLINE bool slot_holds(const Plan *plan, uint32_t slot, VALUE value) {
    if (SPARPACK_LIKELY(plan->slots[slot].plain)) return SPARPACK_LIKELY(!SYMBOL_P(value));
    return RB_SPECIAL_CONST_P(value) && !RB_STATIC_SYM_P(value) && plan->shape != Shape::union_;
}

void instance_store(VALUE object, uint32_t slot, VALUE value);

// Stores a value as it is, even if a setter would convert or refuse it.
void instance_hold(VALUE object, uint32_t slot, VALUE value);

}  // namespace sparpack
