// The third storage: objects of plain classes, Structs and Data, which a Sparpack::Mapping describes. A member is read from
// its instance variable or its place in a Struct if the reader does no more than that. Otherwise the reader is called.
// Objects are made by their constructor or, if the mapping says so, without it. Only the seam (storage.hpp) includes this
// file.
//
// Readers and constructors run Ruby code. So a decode reads a frozen copy of its source (Link::runs_ruby), and all members
// of an object are read before one is written.
#pragma once

#include "../plan/plan.hpp"
#include "extra.hpp"

namespace sparpack {

// How an object is made. Ruby knows these by their place, as Sparpack::Mapping::BUILDS.
enum class Building : uint8_t { keywords, positional, allocate };

struct Member {
    ID reader;
    ID variable;     // the instance variable that a plain reader returns, or that is set without a constructor
    int place;       // in a Struct; -1 if it is no member of one
    bool plain;      // the reader does nothing else, in objects of exactly the class
    bool mandatory;  // its keyword has no default
};

struct Mapped {
    VALUE klass;   // of the objects
    VALUE filler;  // a Proc that runs as a method of a new object; nil if native code makes the object without it
    Building building;
    bool variables;      // all members are plain instance variables
    bool calls_new;      // `new` is not Class#new
    uint32_t mandatory;  // how many arguments by position a constructor needs

    // The one at i is a Proc that returns all members of i + 1 objects, or nil if reading them one by one is faster. Ruby
    // knows their number as MAPPED_READERS.
    static constexpr long readers_most = 10;
    VALUE readers[readers_most];
    uint32_t batch;  // how many objects the last of these reads; 0 if there is none

    Member members[];
};

// Makes the Mapped of a plan from the row of Sparpack::Native.map. It is marked, updated and freed with the plan.
Mapped *mapped_new(const Plan *plan, VALUE row);
void mapped_each(Mapped *mapped, void (*visit)(VALUE *));
size_t mapped_size(const Plan *plan);

// An object of a subclass fits, too.
SPARPACK_INLINE bool mapped_fit(VALUE object, const Plan *plan) {
    VALUE klass = plan->mapped->klass;
    if (SPARPACK_LIKELY(!RB_SPECIAL_CONST_P(object) && RBASIC_CLASS(object) == klass)) return true;
    return RTEST(rb_obj_is_kind_of(object, klass));
}

// Writes the values of all members to an array. May run Ruby code.
void mapped_view(const Plan *plan, VALUE object, VALUE *values);

// How many objects mapped_view_batch may read; 0 if it would not be faster than reading each.
SPARPACK_INLINE size_t mapped_batch(const Plan *plan) { return plan->mapped->batch; }

// Writes the values of all members of the objects from a place of an array on. Returns how many objects it has read, none if
// the next one is not of exactly the class. May run Ruby code.
size_t mapped_view_batch(const Plan *plan, VALUE array, long first, VALUE *values);

VALUE mapped_read(const Plan *plan, VALUE object, uint32_t slot);

// Makes an object. An absent member is Qundef: it becomes nil, unless the constructor has a default for it.
VALUE mapped_build(const Plan *plan, VALUE *values);

// True if making an object runs Ruby code.
SPARPACK_INLINE bool mapped_runs_ruby(const Plan *plan) {
    return plan->mapped->building != Building::allocate || !NIL_P(plan->mapped->filler);
}

[[noreturn]] void mapped_refuse(const Plan *plan);

int64_t mapped_cost(const Plan *plan);

}  // namespace sparpack
