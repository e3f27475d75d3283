// The objects: a struct's fields live in the object's own slots. `instance_view` and `instance_build` are the only ways
// from an object to its fields and back, so that other storage can stand behind them.
#pragma once

#include "../glue/cells.hpp"
#include "plan.hpp"

namespace sparpack {

// A union's field[0] is the slot that is set (or nil), field[1] its value.
struct Instance {
    const Plan *plan;
    // nil, or a String of the unknown fields that were kept, in the binary protocol, by ascending id; true in a union
    // whose variant was unknown and not kept.
    VALUE unknown;
    VALUE field[1];
};

// The same static types for all classes: one of its own per class that dies with its plan crashes the GC.
#ifdef TYPED_DATA_EMBEDDED
constexpr size_t instance_type_count = 1;
#else
constexpr size_t instance_type_count = cell_kinds + 1;
#endif
extern const rb_data_type_t instance_types[instance_type_count];

SPARPACK_INLINE bool is_instance(VALUE object) {
    if (RB_SPECIAL_CONST_P(object) || RB_BUILTIN_TYPE(object) != RUBY_T_DATA || !RTYPEDDATA_P(object)) return false;
    uintptr_t type = reinterpret_cast<uintptr_t>(RTYPEDDATA_TYPE(object));
    return type - reinterpret_cast<uintptr_t>(instance_types) < sizeof instance_types;
}

// What objects take memory from, to be asked for before they are made.
#ifdef TYPED_DATA_EMBEDDED
struct InstanceCells {};
SPARPACK_INLINE InstanceCells instance_cells() { return {}; }
#else
using InstanceCells = Cells *;
SPARPACK_INLINE InstanceCells instance_cells() { return cells_prepare(); }
#endif

// The type of a plan's objects.
SPARPACK_INLINE const rb_data_type_t *instance_type([[maybe_unused]] const Plan *plan) {
#ifdef TYPED_DATA_EMBEDDED
    return instance_types;
#else
    return &instance_types[plan->cell];
#endif
}

// What an object takes, without what its fields hold.
int64_t instance_cost(const Plan *plan);

SPARPACK_INLINE Instance *instance_data(VALUE object) { return data_of<Instance>(object); }
Instance *instance_get_slow(VALUE object);

// Raises TypeError for anything else.
SPARPACK_INLINE Instance *instance_get(VALUE object) {
    return SPARPACK_LIKELY(is_instance(object)) ? instance_data(object) : instance_get_slow(object);
}

SPARPACK_INLINE const VALUE *instance_view(const Instance *instance) { return instance->field; }

// Whether an object is of a struct's or union's type. A subclass without fields of its own, or a singleton class, has its
// plan by inheritance; the class itself proves nothing, for Marshal gives objects any class that their dump names.
SPARPACK_INLINE bool instance_fits(VALUE object, const Plan *plan, const rb_data_type_t *type) {
    return is_data(object, type) && instance_data(object)->plan == plan;
}

SPARPACK_INLINE bool instance_fits(VALUE object, const Type &type) {
    return instance_fits(object, type.link->plan, instance_type(type.link->plan));
}

// An object without values, of the class's plan, or of one whose plan is known. The class alone says nothing about the
// memory of an object that exists: a copy is made from that object's plan.
VALUE instance_allocate(VALUE klass);
VALUE instance_blank(const Plan *plan, VALUE klass);
VALUE instance_build(InstanceCells cells, const Plan *plan, VALUE klass, const VALUE *fields, VALUE unknown);

SPARPACK_INLINE void instance_write(VALUE object, VALUE *place, VALUE value) { RB_OBJ_WRITE(object, place, value); }

// Of a union, the slot that is set; no_slot where there is none.
SPARPACK_INLINE uint32_t union_slot(const Instance *instance) {
    return NIL_P(instance->field[0]) ? no_slot : static_cast<uint32_t>(FIX2LONG(instance->field[0]));
}

// The value of a field, in a struct or a union.
SPARPACK_INLINE VALUE instance_value(const Instance *instance, uint32_t slot) {
    if (SPARPACK_LIKELY(instance->plan->shape != Shape::union_)) return instance->field[slot];
    return union_slot(instance) == slot ? instance->field[1] : Qnil;
}

// The slots that may have a value: all of a struct, of a union the one that is set.
struct Slots {
    uint32_t begin, end;
};

SPARPACK_INLINE Slots instance_slots(const Instance *instance) {
    if (instance->plan->shape != Shape::union_) return {0, instance->plan->count};
    uint32_t slot = union_slot(instance);
    return slot == no_slot ? Slots{0, 0} : Slots{slot, slot + 1};
}

// Whether a slot holds a value as it is: only Symbols and Strings are looked at, and unions hold one value.
SPARPACK_INLINE bool slot_holds(const Plan *plan, uint32_t slot, VALUE value) {
    if (SPARPACK_LIKELY(plan->slots[slot].plain)) return SPARPACK_LIKELY(!SYMBOL_P(value));
    return RB_SPECIAL_CONST_P(value) && !RB_STATIC_SYM_P(value) && plan->shape != Shape::union_;
}

void instance_store(VALUE object, uint32_t slot, VALUE value);

}  // namespace sparpack
