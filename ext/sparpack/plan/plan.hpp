// A plan: a schema compiled to native tables, once per class. It knows the slots of its objects and their names. What the
// fields' types are is known once all classes that they name are: a Link, which a plan gets when it is first encoded or
// decoded, and which never changes.
#pragma once

#include "../glue/costs.hpp"
#include "../wire/fields.hpp"
#include "kind.hpp"

namespace sparpack {

struct Plan;
struct Link;

enum class Shape : uint8_t { struct_, union_, exception };
enum class Requiredness : uint8_t { none, optional, required };

// What assigning to a field may change: nothing; Symbols; Strings, too. Of a field whose type was named ahead, what it is is
// not known until the class is linked.
enum class Takes : uint8_t { anything, text, uuid, enum_, unknown };

// One node of a type. What the unions hold is told by the kind.
struct Type {
    Kind kind;
    WireType wire;
    union {
        const Type *element;  // list, set; of a map, its values
        const Link *link;     // struct, union
        VALUE numbers;        // enum: {Symbol => Integer}, by Ruby's names and the IDL's
    };
    union {
        const Type *key;    // map
        VALUE klass;        // struct, union
        VALUE enumeration;  // enum: its module
    };
    VALUE names;  // enum: {Integer => Symbol}
};

// A field on its way through a wire; sorted by id.
struct Field {
    Type type;
    FieldHead head;
    uint16_t slot;
    bool required;
};

// The types of a plan's fields, and the plans behind them: immutable, owned by the graph that it was linked in.
struct Link {
    const Plan *plan;
    const Field *fields;     // and one that is none
    const uint16_t *places;  // slot -> index of its field
    FieldTable table;
    int64_t cost;  // of an object, without what its fields hold
    uint32_t count;
    bool is_union;
    bool runs_ruby;  // decoding may call `hash` of containers and structs, and so switch threads
    VALUE graph;
};

// A field as Ruby sees it; in order of declaration.
struct Slot {
    VALUE name;      // a static Symbol
    VALUE fallback;  // the default, frozen deep; nil where there is none
    VALUE numbers;   // of an enum, {Symbol => Integer}; else nil
    int64_t cost;    // of a copy of the default, as a decode charges it
    int16_t id;
    Takes takes;
    bool plain;      // all but Symbols are held as they are, and there is no union to look at
    bool runs_ruby;  // copying the default may call `hash` of its keys
    bool copied;     // a default that a new object gets a copy of
};

struct Plan {
    VALUE klass;       // the class that declared the fields; subclasses share its plan
    VALUE owner;       // the object that owns this plan
    const Link *link;  // atomic; nullptr until linked
    Slot *slots;
    const uint32_t *names;  // Symbol -> slot + 1, open addressing
    uint32_t names_mask;
    uint32_t count;
    uint32_t width;  // VALUEs in an object: its fields; of a union, which one is set and its value
    uint32_t cell;   // the kind of cell that an object's memory is, before Ruby 3.3
    Shape shape;
    bool has_defaults;
};

constexpr uint32_t no_slot = UINT32_MAX;

// Symbols of field names are static: immediates, which never move.
SPARPACK_INLINE uint32_t name_hash(VALUE symbol) {
    return static_cast<uint32_t>((static_cast<uint64_t>(symbol) * 0x9e3779b97f4a7c15u) >> 32);
}

SPARPACK_INLINE uint32_t plan_slot(const Plan *plan, VALUE symbol) {
    for (uint32_t i = name_hash(symbol) & plan->names_mask;; i = (i + 1) & plan->names_mask) {
        uint32_t slot = plan->names[i];
        if (slot == 0) return no_slot;
        if (plan->slots[slot - 1].name == symbol) return slot - 1;
    }
}

// The plan of a class: compiled when it is asked for first, which seals the class.
const Plan *plan_of(VALUE klass);

// The link of a plan, made together with those of all classes that it names where it does not exist yet. Runs Ruby then.
const Link *plan_link_slow(const Plan *plan);

SPARPACK_INLINE const Link *plan_link(const Plan *plan) {
    const Link *link = __atomic_load_n(&plan->link, __ATOMIC_ACQUIRE);
    return SPARPACK_LIKELY(link != nullptr) ? link : plan_link_slow(plan);
}

// A copy of a default that the new object may change.
VALUE plan_default(const Slot &slot);

// What such a copy takes, and whether one is needed.
void plan_default_measure(Slot &slot);

// What a slot holds of a Symbol or a String that is assigned. Raises ArgumentError for a name that an enum does not have.
VALUE plan_assigned(const Plan *plan, uint32_t slot, VALUE value);

// The Integer that a Symbol or a String names, or Qundef.
VALUE enum_number(VALUE numbers, VALUE name);

void plan_init(VALUE sparpack);

}  // namespace sparpack
