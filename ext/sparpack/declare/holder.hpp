// What keeps plans alive. A plan has an owner, and a class has a holder in a hidden instance variable: the place for the
// owner of its plan. Only compile.cpp includes this file.
#pragma once

#include "../glue/fault.hpp"
#include "../objects/storage.hpp"

namespace sparpack {

namespace {

ID id_plan;  // written by plan_init alone; without an @, so Ruby code cannot see it

void plan_each(Plan *plan, void (*visit)(VALUE *)) {
    visit(&plan->klass);
    if (plan->mapped) storage_mapped_each(plan->mapped, visit);
    for (uint32_t i = 0; i < plan->count; i++) {
        visit(&plan->slots[i].name);
        visit(&plan->slots[i].default_value);
        visit(&plan->slots[i].numbers);
    }
}

void plan_mark(void *data) {
    Plan *plan = static_cast<Plan *>(data);
    plan_each(plan, [](VALUE *place) { rb_gc_mark_movable(*place); });
    // Pins defaults, which threads without Ruby's lock may read (glue/crew.hpp).
    for (uint32_t i = 0; i < plan->count; i++) rb_gc_mark(plan->slots[i].default_value);
    // Pins the graph: it holds the link, which other threads may be reading.
    if (const Link *link = __atomic_load_n(&plan->link, __ATOMIC_ACQUIRE)) rb_gc_mark(link->graph);
}

void plan_compact(void *data) {
    Plan *plan = static_cast<Plan *>(data);
    plan_each(plan, gc_update);
    gc_update(&plan->owner);
}

void plan_free(void *data) {
    Plan *plan = static_cast<Plan *>(data);
    xfree(plan->slots);
    xfree(const_cast<ID *>(plan->ivars));
    xfree(plan->mapped);
    xfree(const_cast<uint32_t *>(plan->names));
    xfree(plan);
}

size_t plan_size(const void *data) {
    const Plan *plan = static_cast<const Plan *>(data);
    size_t ivars = plan->ivars ? plan->count * sizeof *plan->ivars : 0;
    return sizeof *plan + plan->count * sizeof *plan->slots + ivars + (plan->names_mask + 1) * sizeof *plan->names +
           storage_mapped_size(plan);
}

const rb_data_type_t plan_type = {"sparpack/plan",
                                  {plan_mark, plan_free, plan_size, plan_compact, {nullptr}},
                                  nullptr,
                                  nullptr,
                                  RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | RUBY_TYPED_FROZEN_SHAREABLE};

struct Holder {
    VALUE klass;  // the class that it belongs to; a copy of the class has it, too, until it gets its own
    VALUE owner;  // atomic; owner of the plan, 0 until the class is sealed

    // What an adopted class declares: its fields, an Array, and its shape. 0 for our own classes.
    VALUE adopted;
    Shape shape;
    Manner manner;
};

// Pins the owner, because other threads may read it at any time.
void holder_mark(void *data) {
    Holder *holder = static_cast<Holder *>(data);
    rb_gc_mark_movable(holder->klass);
    rb_gc_mark_movable(holder->adopted);
    if (VALUE owner = __atomic_load_n(&holder->owner, __ATOMIC_ACQUIRE)) rb_gc_mark(owner);
}

void holder_compact(void *data) {
    Holder *holder = static_cast<Holder *>(data);
    gc_update(&holder->klass);
    if (holder->adopted) gc_update(&holder->adopted);
}

size_t holder_size(const void *) { return sizeof(Holder); }

const rb_data_type_t holder_type = {"sparpack/holder",
                                    {holder_mark, RUBY_DEFAULT_FREE, holder_size, holder_compact, {nullptr}},
                                    nullptr,
                                    nullptr,
                                    RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED};

// Returns 0 if the class has none of its own.
SPARPACK_INLINE VALUE holder_of(VALUE klass) {
    VALUE holder = rb_attr_get(klass, id_plan);
    return !NIL_P(holder) && data_of<Holder>(holder)->klass == klass ? holder : 0;
}

SPARPACK_INLINE VALUE holder_owner(VALUE klass) {
    VALUE holder = holder_of(klass);
    return SPARPACK_LIKELY(holder != 0) ? __atomic_load_n(&data_of<Holder>(holder)->owner, __ATOMIC_ACQUIRE) : 0;
}

// If several threads seal a class at once, the first one wins, and the plans of the others are thrown away.
void holder_publish(VALUE klass, VALUE owner) {
    VALUE holder = holder_of(klass);
    if (!holder) fault_type("%" PRIsVALUE " was created without Class#inherited: an override must call super", klass);
    VALUE none = 0;
    if (__atomic_compare_exchange_n(&data_of<Holder>(holder)->owner, &none, owner, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        RB_OBJ_WRITTEN(holder, Qundef, owner);
}

// Returns the holder of the adopted class that a class is or descends from, or 0.
VALUE holder_adopted(VALUE klass) {
    for (; klass; klass = rb_class_get_superclass(klass)) {
        VALUE holder = RB_TYPE_P(klass, T_CLASS) ? holder_of(klass) : 0;
        if (holder && data_of<Holder>(holder)->adopted) return holder;
    }
    return 0;
}

}  // namespace

}  // namespace sparpack
