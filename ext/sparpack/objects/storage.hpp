// Where an object keeps its fields. These functions are the only way from an object to its fields and back, and the only
// ones that know where they are. There are three storages: memory of the object's own (instance.hpp), which our own classes
// have, and in which fields may sleep (lazy_instance.hpp); instance variables (ivars.hpp), for adopted classes of other
// libraries; and what a mapping says (mapped.hpp), for plain classes. See docs/design/plan.md, "Storage".
#pragma once

#include "instance.hpp"
#include "ivars.hpp"
#include "lazy_instance.hpp"
#include "mapped.hpp"

namespace sparpack {

void storage_init();

// --- objects of our own ------------------------------------------------------------------------------------------------
// Functions without a plan take only objects of our own classes. They need not choose a storage, so they are fast.

SPARPACK_INLINE const Plan *storage_plan(VALUE object) { return instance_data(object)->plan; }

[[noreturn]] void storage_refuse(VALUE object);

// Makes an ordinary object of a lazy one. Raises TypeError for any other.
void storage_wake(VALUE object);

// True for any object of our own classes. A lazy one is an ordinary one from then on, as in all functions that say whether
// an object is ours.
SPARPACK_INLINE bool storage_is_any(VALUE object) { return SPARPACK_LIKELY(is_instance(object)) || lazy_wake(object); }

// Calls a function with each instance variable of an object that is anybody's, until it returns ST_STOP.
void storage_each_variable(VALUE object, int (*function)(ID, VALUE, st_data_t), st_data_t argument);

// Returns the plan of an object that may be anybody's. Raises TypeError if it is not ours.
SPARPACK_INLINE const Plan *storage_check(VALUE object) {
    if (SPARPACK_UNLIKELY(!is_instance(object))) storage_wake(object);
    return storage_plan(object);
}

// As storage_check, but a lazy object stays as it is.
SPARPACK_INLINE const Plan *storage_plan_of(VALUE object) {
    if (SPARPACK_UNLIKELY(!is_instance(object)) && !is_lazy(object)) storage_refuse(object);
    return storage_plan(object);
}

// What the check of an object compares first. A loop over objects of one plan asks for it once.
using StorageType = const rb_data_type_t *;
SPARPACK_INLINE StorageType storage_type(const Plan *plan) { return instance_type(plan); }

// True if an object is ours, not lazy, and of a struct's or union's type. A subclass without fields of its own and a
// singleton class inherit the plan. The class itself proves nothing, because Marshal gives objects any class that a dump
// names.
SPARPACK_INLINE bool storage_is_own(VALUE object, const Plan *plan, StorageType type) {
    return is_data(object, type) && storage_plan(object) == plan;
}

SPARPACK_INLINE bool storage_is_own(VALUE object, const Plan *plan) {
    return storage_is_own(object, plan, storage_type(plan));
}

// Returns the values of a struct, in the order of its slots. A field that is not set is nil.
SPARPACK_INLINE const VALUE *storage_view(VALUE object) { return instance_data(object)->field; }

// Returns the slot of a union that is set, or no_slot.
SPARPACK_INLINE uint32_t storage_variant(VALUE object) {
    VALUE slot = instance_data(object)->field[0];
    return NIL_P(slot) ? no_slot : static_cast<uint32_t>(FIX2LONG(slot));
}

// Returns the value of the slot that storage_variant has returned.
SPARPACK_INLINE VALUE storage_variant_value(VALUE object) { return instance_data(object)->field[1]; }

// Returns the value of a field, in a struct or a union.
SPARPACK_INLINE VALUE storage_read(VALUE object, uint32_t slot) {
    if (SPARPACK_LIKELY(storage_plan(object)->shape != Shape::union_)) return storage_view(object)[slot];
    return storage_variant(object) == slot ? storage_variant_value(object) : Qnil;
}

// The slots that may have a value: all of a struct, and the one that is set of a union.
struct Slots {
    uint32_t begin, end;
};

SPARPACK_INLINE Slots storage_slots(VALUE object) {
    const Plan *plan = storage_plan(object);
    if (plan->shape != Shape::union_) return {0, plan->count};
    uint32_t slot = storage_variant(object);
    return slot == no_slot ? Slots{0, 0} : Slots{slot, slot + 1};
}

// All VALUEs by which two objects of a plan differ: the fields, or in a union which one is set, and its value.
struct Values {
    const VALUE *first, *last;
    const VALUE *begin() const { return first; }
    const VALUE *end() const { return last; }
};

SPARPACK_INLINE Values storage_values(VALUE object) {
    const Instance *instance = instance_data(object);
    return {instance->field, instance->field + instance->plan->width};
}

SPARPACK_INLINE Extra storage_extra(VALUE object) { return instance_data(object)->extra; }

// Stores a value in a struct, as it is. The caller has looked whether the object is frozen.
SPARPACK_INLINE void storage_put(VALUE object, uint32_t slot, VALUE value) {
    RB_OBJ_WRITE(object, &instance_data(object)->field[slot], value);
}

// Stores a value in a struct or a union as it is, even if a setter would convert or refuse it. Raises FrozenError, and
// ArgumentError if the union holds another field.
void storage_write(VALUE object, uint32_t slot, VALUE value);

// Stores what an assignment makes of a value. Raises ConversionError, and as storage_write.
void storage_assign(VALUE object, uint32_t slot, VALUE value);

// True if an assignment to a slot stores a value as it is, by storage_put. Only Symbols and Strings may be converted, and a
// union holds just one value.
SPARPACK_INLINE bool storage_takes(const Plan *plan, uint32_t slot, VALUE value) {
    if (SPARPACK_LIKELY(plan->slots[slot].plain)) return SPARPACK_LIKELY(!SYMBOL_P(value));
    return RB_SPECIAL_CONST_P(value) && !RB_STATIC_SYM_P(value) && plan->shape != Shape::union_;
}

SPARPACK_INLINE void storage_set_extra(VALUE object, Extra extra) {
    RB_OBJ_WRITE(object, &instance_data(object)->extra.value, extra.value);
}

// Leaves a union without a field and without anything else.
void storage_clear(VALUE object);

// Makes an object without values.
VALUE storage_allocate(VALUE klass);

// --- objects of any storage --------------------------------------------------------------------------------------------
// Functions with a plan take an object that fits it. They choose the storage, so call them once for a list or a struct.

// Prepares a plan for its storage, before it has objects.
void storage_prepare(Plan *plan);

// Returns the plan of an object of any storage, or nullptr.
const Plan *storage_find(VALUE object);

// True if the objects of a plan are not ours.
SPARPACK_INLINE bool storage_is_adopted(const Plan *plan) { return SPARPACK_UNLIKELY(plan->storage != Storage::slots); }

bool storage_fits_adopted(VALUE object, const Plan *plan);

// True for a lazy object of a plan, which is left as it is.
SPARPACK_INLINE bool storage_is_lazy(VALUE object, const Plan *plan) {
    return is_lazy(object) && storage_plan(object) == plan;
}

// True if an object is of a struct's or union's type.
SPARPACK_INLINE bool storage_fits(VALUE object, const Plan *plan) {
    return SPARPACK_LIKELY(storage_is_own(object, plan)) || storage_fits_adopted(object, plan);
}

// How many values storage_view may write to its scratch.
SPARPACK_INLINE size_t storage_scratch(const Plan *plan) {
    return storage_is_adopted(plan) && plan->shape != Shape::union_ ? plan->count : 0;
}

struct View {
    const VALUE *values;  // by slots; nil is a field that is not set
    Extra extra;
};

// Returns all values of a struct. They are in the object's own memory, or in the scratch. Runs the readers of a mapped
// object, which the garbage collector may interrupt: it must scan the scratch.
View storage_view(const Plan *plan, VALUE object, VALUE *scratch);

// True if reading a view may run Ruby code, and objects take no extra.
SPARPACK_INLINE bool storage_is_mapped(const Plan *plan) { return plan->storage == Storage::mapped; }

// How many objects storage_view_batch may read at once; 0 if it cannot.
SPARPACK_INLINE size_t storage_batch(const Plan *plan) { return storage_is_mapped(plan) ? mapped_batch(plan) : 0; }

// Writes the values of the objects from a place of an array on to a scratch, one object after the other. Returns how many
// objects it has read: none, if the next one has to be read by storage_view. Runs readers as that does.
SPARPACK_INLINE size_t storage_view_batch(const Plan *plan, VALUE array, long first, VALUE *scratch) {
    return mapped_view_batch(plan, array, first, scratch);
}

uint32_t storage_variant(const Plan *plan, VALUE object);
VALUE storage_variant_value(const Plan *plan, VALUE object);
Extra storage_extra(const Plan *plan, VALUE object);

Slots storage_slots(const Plan *plan, VALUE object);

// Returns the value of a field, or Qundef if it is absent where that differs from nil.
VALUE storage_read(const Plan *plan, VALUE object, uint32_t slot);

// As storage_write and storage_set_extra.
void storage_write(const Plan *plan, VALUE object, uint32_t slot, VALUE value);
void storage_set_extra(const Plan *plan, VALUE object, Extra extra);

// Gives an object all that another one has. Raises FrozenError.
void storage_fill(const Plan *plan, VALUE object, VALUE other);

// Gives an object of a plan in Thrift's manner all that a decode has read into another one, which was blank before.
void storage_fill_from(const Plan *plan, VALUE object, VALUE other);

// Gives an object of a plan in Thrift's manner the state in which a decode begins to fill it.
void storage_reset(const Plan *plan, VALUE object);

// Makes an object of a plan in Thrift's manner as the gem does before it reads it: by `new`, if a constructor was
// overridden.
VALUE storage_new(const Plan *plan, VALUE klass);

// Returns what an adopted object has, which storage_restore gives back to it unless it is frozen.
VALUE storage_save(VALUE object);
void storage_restore(VALUE object, VALUE saved);

// Does what the constructor of Apache's gem does with a struct: sets what a Hash gives (which may be nil), and the defaults
// of all other fields. Returns false, perhaps in the middle, if a key is not the Symbol of a field.
bool storage_construct(const Plan *plan, VALUE object, VALUE given);

// What an object takes, without what its fields hold.
int64_t storage_cost(const Plan *plan);

// Makes an object without values. The class says nothing about the memory of an existing object, so a copy is made from that
// object's plan.
VALUE storage_blank(const Plan *plan, VALUE klass);

// What a decode gives storage_build for a field that is absent and has no default.
SPARPACK_INLINE VALUE storage_absent(const Plan *plan) { return storage_is_adopted(plan) ? Qundef : Qnil; }

// True if storage_build itself gives absent fields their defaults.
SPARPACK_INLINE bool storage_fills_absent(const Plan *plan) { return plan->manner != Manner::usual; }

// True if a union whose field is not known can be decoded.
SPARPACK_INLINE bool storage_may_be_unknown(const Plan *plan) { return plan->manner != Manner::thrift; }

// True if a decode looks for required fields.
SPARPACK_INLINE bool storage_requires(const Plan *plan) { return plan->manner != Manner::sparsam; }

// True if a union that holds no field is valid.
SPARPACK_INLINE bool storage_may_be_empty(const Plan *plan) { return plan->manner == Manner::sparsam; }

// Where objects take their memory from. Ask for it before making them.
using StorageSlab = InstanceSlab;
SPARPACK_INLINE StorageSlab storage_slab() { return instance_slab(); }

// Makes an object from its values: those of a struct by slots, or the slot of a union that is set (or nil) and its value. In
// Thrift's manner an object may be given in place of the class. It gets the values, and is returned. The values of a mapped
// object may be changed, and making it may run Ruby code.
VALUE storage_build(StorageSlab slab, const Plan *plan, VALUE klass, VALUE *values, Extra extra);

// What the plan of a mapping knows about the members of its objects: a part of the plan, with VALUEs that it marks.
SPARPACK_INLINE Mapped *storage_mapped(const Plan *plan, VALUE row) { return mapped_new(plan, row); }
SPARPACK_INLINE void storage_mapped_each(Mapped *mapped, void (*visit)(VALUE *)) { mapped_each(mapped, visit); }
// True if making such an object runs Ruby code.
SPARPACK_INLINE bool storage_constructs(const Plan *plan) { return mapped_runs_ruby(plan); }
// True if such an object is made without its constructor.
SPARPACK_INLINE bool storage_allocates(const Plan *plan) { return plan->mapped->building == Building::allocate; }

SPARPACK_INLINE size_t storage_mapped_size(const Plan *plan) { return plan->mapped ? mapped_size(plan) : 0; }

// Returns the name of the instance variable that has a field, as an ID.
SPARPACK_INLINE ID storage_ivar(VALUE field) { return ivars_name(field); }

}  // namespace sparpack
