// Objects whose fields sleep: of each field that nobody has read, only the place of its bytes is known. They have types of
// their own, so whoever expects an ordinary object does not take them for one. Reading a field wakes it, and what needs all
// fields makes an ordinary object of a lazy one, in place. Only the seam (storage.hpp) and the room lazy/ include this file.
#pragma once

#include "instance.hpp"

namespace sparpack {

// What a lazy object knows beside its fields.
struct LazyPart {
    VALUE bytes;  // the payload, a frozen String
    VALUE codec;
    VALUE index;        // where the elements of a list begin (lazy/element_index.hpp), or nil
    size_t start, end;  // of the object in the payload
    int levels;         // how many there may be below the object
    uint8_t large;      // how many objects around it, and itself, are more than half as large as what is around them
    WireId wire;
    bool copied;   // the bytes are what an encode in their wire would write: nothing in them is skipped or missing
    bool touched;  // a field was woken or set
    bool closed;   // all fields sleep, and where they begin is not known yet
    bool kept;     // there are fields among the object's own that its class does not know, and a decode keeps them
};

// How many fields an object may have.
constexpr uint32_t lazy_fields_max = 64;

// A sleeper is an immediate that Ruby does not have, so the garbage collector passes over it. It says where a value begins.
constexpr VALUE sleeper_tag = 0x1c, sleeper_mask = 0xff;
constexpr int sleeper_shift = 8;

constexpr bool sleepers_exist = sizeof(VALUE) == 8 && (sleeper_tag & RUBY_IMMEDIATE_MASK) != 0 &&
                                (sleeper_tag & RUBY_FIXNUM_FLAG) == 0 &&
                                (sleeper_tag & RUBY_FLONUM_MASK) != RUBY_FLONUM_FLAG && sleeper_tag != RUBY_SYMBOL_FLAG &&
                                sleeper_tag != RUBY_Qtrue && sleeper_tag != RUBY_Qnil && sleeper_tag != RUBY_Qundef;

SPARPACK_INLINE VALUE sleeper(size_t offset) { return static_cast<VALUE>(offset) << sleeper_shift | sleeper_tag; }
SPARPACK_INLINE bool is_sleeper(VALUE value) { return (value & sleeper_mask) == sleeper_tag; }
SPARPACK_INLINE size_t sleeper_offset(VALUE value) { return value >> sleeper_shift; }

extern const rb_data_type_t lazy_types[instance_type_count];

SPARPACK_INLINE bool is_lazy(VALUE object) {
    if (RB_SPECIAL_CONST_P(object) || RB_BUILTIN_TYPE(object) != RUBY_T_DATA || !RTYPEDDATA_P(object)) return false;
    uintptr_t type = reinterpret_cast<uintptr_t>(RTYPEDDATA_TYPE(object));
    return type - reinterpret_cast<uintptr_t>(lazy_types) < sizeof lazy_types;
}

// It stands behind the fields.
SPARPACK_INLINE LazyPart *lazy_part(Instance *instance) {
    return reinterpret_cast<LazyPart *>(&instance->field[instance->plan->width]);
}
SPARPACK_INLINE LazyPart *lazy_part(VALUE object) { return lazy_part(instance_data(object)); }

// Makes a lazy object from values and sleepers, by slots; from none if it is closed.
VALUE lazy_build(InstanceSlab slab, const Plan *plan, VALUE klass, const VALUE *fields, const LazyPart &part);

// What the room lazy/ does for these objects. All may allocate.
struct LazyCalls {
    // Returns the value that sleeps in a slot. Runs Ruby code only if a decode of the class does.
    VALUE (*wake)(const Plan *plan, uint32_t slot, size_t offset, const LazyPart &part);

    // Finds the fields of a closed object, and makes its scalars. Writes the index and `kept`, too.
    void (*open)(const Plan *plan, LazyPart &part, VALUE *fields);

    // Decodes the object.
    VALUE (*decode)(const Plan *plan, const LazyPart &part);
};
void lazy_init(const LazyCalls &calls);

// To be called before a field of a lazy object is set.
void lazy_touch(VALUE object);

// Returns the value of a field of a lazy object, and wakes it first.
VALUE lazy_read(VALUE object, uint32_t slot);

// Makes an ordinary object of a lazy one. Returns false, and does nothing, for any other.
bool lazy_wake(VALUE object);

}  // namespace sparpack
