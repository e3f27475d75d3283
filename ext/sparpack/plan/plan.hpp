// A plan is a schema compiled to native tables, once per class. It knows the slots of its objects and their names. The types
// of the fields are known only once all classes that they name are. They are in a Link, which a plan gets when it is first
// encoded or decoded, and which never changes.
#pragma once

#include "../values/costs.hpp"
#include "../wire/wires.hpp"
#include "kind.hpp"

namespace sparpack {

struct Plan;
struct Branch;
struct Link;
struct Mapped;

enum class Shape : uint8_t { struct_, union_, exception };

// Where the objects of a plan keep their fields: in memory of their own, in instance variables, or as a mapping of a plain
// class says (see storage.hpp).
enum class Storage : uint8_t { slots, ivars, mapped };

// Whose rules adopted classes follow. The usual ones: objects are as Apache's gem makes them. Sparsam's: a union has its
// value in the variable of its field and may be empty, an object must be of exactly the class, a decode sets no variable to
// nil, and all objects share a default. Thrift's are exactly those of Apache's gem, for its drop-in: the class must be
// exact, absent variables stay absent, each object gets a shallow copy of a default, and a decode can fill an object that
// exists.
enum class Manner : uint8_t { usual, sparsam, thrift };

enum class Requiredness : uint8_t { none, optional, required };

// What a scalar of a kind takes of the memory limit at most, and a string that a scan passes as a short one.
constexpr size_t string_scanned = 32;  // bytes
inline int64_t kind_cost_most(Kind kind) {
    switch (kind) {
    case Kind::i64: return integer_cost(sizeof(int64_t));
    case Kind::double_: return float_cost();
    case Kind::string: return string_cost(string_scanned);
    default: return 0;
    }
}

// How a scan passes over a field that comes at its place (lazy/scan_values.hpp). `end` stands behind the last field,
// `run` begins a run (runs.hpp), and columns take what is `taken` (lazy/columns/column.hpp).
enum class Pass : uint8_t { end, number32, number64, real, text, run, other, taken };

inline Pass pass_of(Kind kind) {
    switch (kind) {
    case Kind::i32: return Pass::number32;
    case Kind::i64: return Pass::number64;
    case Kind::double_: return Pass::real;
    case Kind::string: return Pass::text;
    default: return Pass::other;
    }
}

// What an assignment may convert: nothing, Symbols, or also Strings. If the type of a field was only named, this is unknown
// until the class is linked.
enum class Coercion : uint8_t { anything, text, uuid, enum_, unknown };

// One node of a type. The kind says which members of the unions are in use.
struct Type {
    Kind kind;
    WireType wire;
    union {
        const Type *element;   // list, set; the values of a map
        const Link *link;      // struct, union
        VALUE numbers;         // enum: {Symbol => Integer}, by Ruby's names and the IDL's
        const Branch *branch;  // without a type: where columns take it from (lazy/columns/column.hpp), or nullptr
    };
    union {
        const Type *key;    // map
        VALUE klass;        // struct, union
        VALUE enumeration;  // enum: its module
    };
    VALUE names;  // enum: {Integer => String}, the IDL's
};

// A field as the codec uses it. Fields are sorted by id.
struct Field {
    Type type;
    uint16_t slot;
    int16_t id;
    bool required;
    Pass pass;
};

// The types of a plan's fields, and the plans behind them. A link is immutable and owned by its graph.
struct Link {
    const Plan *plan;
    const Field *fields;     // sorted by id
    const uint16_t *places;  // slot -> index of its field
    FieldTable table;
    const void *rows[wire_count];  // atomic; the fields with a wire's heads, nullptr until it is used (plan/rows.hpp)
    int64_t cost;                  // of an object, without what its fields hold
    int64_t cost_most;             // the same, with the most that short scalars and strings take (lazy/scan_values.hpp)
    uint32_t count;
    bool is_union;
    bool runs_ruby;         // decoding may call `hash` of containers and structs, which may switch threads
    bool is_taken;          // columns take some of its fields, whose types in its rows say so (lazy/columns/column.hpp)
    bool name_is_shadowed;  // a name of a field in Ruby is that of another field in the IDL, which the table finds
    const Link *scattered;  // a struct among these, whose ids are too far apart to be the positions of an array; or nullptr
    const Link *untyped;    // one that has a member without a type; or nullptr
    const Link *nameless;   // one whose members have names but no ids; or nullptr
    VALUE graph;
};

// A field as Ruby sees it. Slots are in order of declaration.
struct Slot {
    VALUE name;           // a static Symbol
    VALUE default_value;  // the default, frozen deep; nil if there is none
    VALUE numbers;        // {Symbol => Integer} of an enum; otherwise nil
    int64_t cost;         // what a decode charges for a copy of the default
    int16_t id;
    Coercion coercion;
    bool plain;      // stores all but Symbols as they are, and is not in a union
    bool runs_ruby;  // copying the default may call `hash` of its keys
    bool copied;     // a new object gets a copy of the default
};

struct Plan {
    VALUE klass;       // the class that declared the fields, or a mapping; subclasses share its plan
    VALUE owner;       // the object that owns this plan
    const Link *link;  // atomic; nullptr until linked
    Slot *slots;
    const ID *ivars;        // the instance variables of the slots, if a struct keeps its fields there
    Mapped *mapped;         // how the objects of a mapping are read and made
    const uint32_t *names;  // Symbol -> slot + 1, open addressing
    uint32_t names_mask;
    uint32_t count;
    uint32_t width;       // VALUEs in an object: its fields; in a union, which one is set and its value
    uint32_t size_class;  // of the slab for an object's memory, before Ruby 3.3
    Shape shape;
    Storage storage;
    Manner manner;
    bool has_defaults;
    bool by_name;     // a mapping whose members have names but no ids
    bool constructs;  // atomic; making an object runs Ruby code, such as a `new` that somebody has overridden
    bool dropped;     // atomic; the class's own library has to read and write its objects, as before a plan is complete
    bool resets;      // to fill an object that exists, a decode first gives it the state of a new one
    bool sets_nil;    // a new object has nil in a variable that has no default
    bool validates;   // `validate` has to be called, because it is not a generated one
    bool calls;       // a method has to be called, of this class or of one that it leads to
    bool main_only;   // a default, here or in a class that this leads to, holds what Ractors must not share

    // The allocator of the class, if objects keep their fields in instance variables. To look it up takes longer than to
    // call it.
    rb_alloc_func_t allocator;
};

constexpr uint32_t no_slot = UINT32_MAX;

// Symbols of field names are static, so they are immediates and never move.
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

// Finds a slot by the name of its field, a Symbol or a String. Returns no_slot if there is none, and for anything else.
uint32_t plan_slot_of(const Plan *plan, VALUE name);

// Returns the plan of the adopted class that a class is or descends from, or nullptr. Seals that class.
const Plan *plan_adopted(VALUE klass);

// Returns the plan of a class, or nullptr before its first use.
const Plan *plan_sealed(VALUE klass);

// Returns the plan of a class or a mapping. The first call compiles a class, which seals it.
const Plan *plan_of(VALUE klass);

// The class of the objects that a mapping describes.
VALUE plan_class_of_mapping(const Plan *plan);

// Returns the link of a plan. If there is none yet, makes those of all classes that it reaches, which runs Ruby code.
const Link *plan_link_slow(const Plan *plan);

SPARPACK_INLINE const Link *plan_link(const Plan *plan) {
    const Link *link = __atomic_load_n(&plan->link, __ATOMIC_ACQUIRE);
    return SPARPACK_LIKELY(link != nullptr) ? link : plan_link_slow(plan);
}

// Returns a copy of a default, which the new object may change.
VALUE plan_default(const Slot &slot);

// The most objects of a default, because each new object gets a copy of all of them. Ruby knows it as DEFAULT_OBJECTS.
constexpr long plan_default_objects = 100000;

// Finds out what such a copy costs, and whether one is needed. Raises SchemaError if the default is too large.
void plan_default_measure(Slot &slot, VALUE klass);

// Returns what a slot stores for a Symbol or a String. Raises ConversionError for a name that an enum does not have.
VALUE plan_assigned(const Plan *plan, uint32_t slot, VALUE value);

// Returns the Integer that a Symbol or a String names, or Qundef.
VALUE enum_number(VALUE numbers, VALUE name);

// The String that is written for a number, or Qnil. A Hash that Sparpack::Enum has not made may hold anything.
inline VALUE enum_name(VALUE names, VALUE number) {
    VALUE name = rb_hash_lookup2(names, number, Qnil);
    return RB_TYPE_P(name, T_STRING) ? name : Qnil;
}

// Returns the fields of an object by name, as Value#to_h does: all of a struct, and the one of a union that is set.
VALUE value_fields(VALUE object);

void plan_init(VALUE sparpack);

}  // namespace sparpack
