#include "mapped.hpp"

#include "../glue/fault.hpp"
#include "ivars.hpp"

namespace sparpack {

namespace {

VALUE read_member(const Member &member, VALUE object, bool exact) {
    if (SPARPACK_LIKELY(exact && member.plain))
        return member.place < 0 ? rb_attr_get(object, member.variable) : RSTRUCT_GET(object, member.place);
    return rb_funcallv_public(object, member.reader, 0, nullptr);
}

bool is_exact(const Mapped *mapped, VALUE object) { return SPARPACK_LIKELY(RBASIC_CLASS(object) == mapped->klass); }

// Reads all members of some objects. Ruby calls methods from Ruby code in half the time that it needs from here. Only a
// TracePoint could have changed the Array.
void read_members(const Plan *plan, uint32_t number, const VALUE *objects, VALUE *values) {
    long count = static_cast<long>(plan->count * number);
    for (long i = 0; i < count; i++) values[i] = Qnil;  // the garbage collector looks at them while readers run
    VALUE read = rb_proc_call_with_block(plan->mapped->readers[number - 1], static_cast<int>(number), objects, Qnil);
    if (!RB_TYPE_P(read, T_ARRAY) || RARRAY_LEN(read) != count)
        fault_type("the members of %" PRIsVALUE " changed while they were read", plan->mapped->klass);
    for (long i = 0; i < count; i++) values[i] = RARRAY_AREF(read, i);
    RB_GC_GUARD(read);
}

// Runs the filler as a method of a new object, so the class needs no method for it.
VALUE filled(const Plan *plan, const VALUE *values) {
    VALUE object = plan->allocator(plan->mapped->klass);
    int count = static_cast<int>(plan->count);
    rb_funcall_with_block(object, rb_intern("instance_exec"), count, values, plan->mapped->filler);
    return object;
}

VALUE nil_if_absent(VALUE value) { return value == Qundef ? Qnil : value; }

void make_absent_nil(VALUE *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) values[i] = nil_if_absent(values[i]);
}

VALUE allocate(const Plan *plan, VALUE *values) {
    const Mapped *mapped = plan->mapped;
    make_absent_nil(values, plan->count);
    if (!NIL_P(mapped->filler)) return filled(plan, values);
    VALUE object = plan->allocator(mapped->klass);
    for (uint32_t n = 0; n < plan->count; n++) {
        // Before Ruby 3.2, a class knows the places of its variables. The last one first makes room for all at once.
        uint32_t i = SPARPACK_RUBY_SINCE(3, 2) ? n : plan->count - 1 - n;
        const Member &member = mapped->members[i];
        if (member.place < 0) {
            rb_ivar_set(object, member.variable, values[i]);
        } else if (!NIL_P(values[i])) {
            RSTRUCT_SET(object, member.place, values[i]);
        }
    }
    RB_GC_GUARD(object);
    return object;
}

// A subclass of the class may come out of `new`, but nothing else.
VALUE checked(const Mapped *mapped, VALUE object) {
    if (SPARPACK_LIKELY(RTEST(rb_obj_is_kind_of(object, mapped->klass)))) return object;
    fault_type("%" PRIsVALUE ".new returned an instance of %" PRIsVALUE, mapped->klass, rb_obj_class(object));
}

VALUE construct(const Plan *plan, int count, const VALUE *arguments, int keywords) {
    const Mapped *mapped = plan->mapped;
    if (mapped->calls_new)
        return checked(mapped, rb_funcallv_kw(mapped->klass, rb_intern("new"), count, arguments, keywords));
    VALUE object = plan->allocator(mapped->klass);
    rb_obj_call_init_kw(object, count, arguments, keywords);
    return object;
}

// Absent members at the end are left out as long as the constructor has defaults for them.
VALUE by_position(const Plan *plan, VALUE *values) {
    uint32_t count = plan->count;
    while (count > plan->mapped->mandatory && values[count - 1] == Qundef) count--;
    make_absent_nil(values, count);
    return construct(plan, static_cast<int>(count), values, RB_NO_KEYWORDS);
}

// Keywords in a Hash, because some members are absent or `new` has to be called. A keyword that must be given is nil if its
// member is absent.
SPARPACK_COLD VALUE by_hash(const Plan *plan, const VALUE *values) {
    VALUE hash = rb_hash_new();
    for (uint32_t i = 0; i < plan->count; i++) {
        bool given = values[i] != Qundef || plan->mapped->members[i].mandatory;
        if (given) rb_hash_aset(hash, plan->slots[i].name, nil_if_absent(values[i]));
    }
    if (RHASH_SIZE(hash) == 0) return construct(plan, 0, nullptr, RB_NO_KEYWORDS);
    return construct(plan, 1, &hash, RB_PASS_KEYWORDS);
}

// Ruby passes keywords that stand in a call without a Hash. Only Ruby code can call that way, so the filler does: twice as
// fast as a call with a Hash.
VALUE by_keywords(const Plan *plan, const VALUE *values) {
    const Mapped *mapped = plan->mapped;
    bool all = !NIL_P(mapped->filler) && !mapped->calls_new;
    for (uint32_t i = 0; i < plan->count && all; i++) all = values[i] != Qundef;
    return SPARPACK_LIKELY(all) ? filled(plan, values) : by_hash(plan, values);
}

}  // namespace

void mapped_each(Mapped *mapped, void (*visit)(VALUE *)) {
    visit(&mapped->klass);
    visit(&mapped->filler);
    for (VALUE &reader : mapped->readers) visit(&reader);
}

size_t mapped_size(const Plan *plan) { return sizeof(Mapped) + plan->count * sizeof(Member); }

Mapped *mapped_new(const Plan *plan, VALUE row) {
    Check_Type(row, T_ARRAY);
    VALUE members = rb_ary_entry(row, 5);
    Check_Type(members, T_ARRAY);
    VALUE readers = rb_ary_entry(row, 6);
    Check_Type(readers, T_ARRAY);
    if (RARRAY_LEN(members) != static_cast<long>(plan->count)) fault_type("a member has no field");
    for (uint32_t i = 0; i < plan->count; i++) Check_Type(RARRAY_AREF(members, i), T_ARRAY);
    Mapped *mapped = static_cast<Mapped *>(xcalloc(1, mapped_size(plan)));
    mapped->klass = rb_ary_entry(row, 0);
    mapped->building = static_cast<Building>(FIX2INT(rb_ary_entry(row, 1)));
    mapped->filler = rb_ary_entry(row, 2);
    mapped->calls_new = RTEST(rb_ary_entry(row, 3)) || !rb_get_alloc_func(mapped->klass);
    mapped->mandatory = static_cast<uint32_t>(FIX2INT(rb_ary_entry(row, 4)));
    for (uint32_t i = 0; i < Mapped::readers_most; i++) {
        mapped->readers[i] = rb_ary_entry(readers, i);
        if (!NIL_P(mapped->readers[i])) mapped->batch = i + 1;
    }
    mapped->variables = true;
    for (uint32_t i = 0; i < plan->count; i++) {
        VALUE each = RARRAY_AREF(members, i);
        Member &member = mapped->members[i];
        VALUE place = rb_ary_entry(each, 0);
        member.reader = rb_sym2id(plan->slots[i].name);
        member.variable = plan->ivars[i];
        member.place = NIL_P(place) ? -1 : FIX2INT(place);
        member.plain = RTEST(rb_ary_entry(each, 1));
        member.mandatory = RTEST(rb_ary_entry(each, 2));
        mapped->variables &= member.plain && member.place < 0;
    }
    return mapped;
}

void mapped_view(const Plan *plan, VALUE object, VALUE *values) {
    const Mapped *mapped = plan->mapped;
    const bool exact = is_exact(mapped, object);
    if (SPARPACK_LIKELY(exact && mapped->variables)) {
        ivars_view(plan, object, values);
        return;
    }
    if (exact && !NIL_P(mapped->readers[0])) return read_members(plan, 1, &object, values);
    for (uint32_t i = 0; i < plan->count; i++) values[i] = Qnil;  // the garbage collector looks at them while readers run
    for (uint32_t i = 0; i < plan->count; i++) values[i] = read_member(mapped->members[i], object, exact);
}

size_t mapped_view_batch(const Plan *plan, VALUE array, long first, VALUE *values) {
    const Mapped *mapped = plan->mapped;
    VALUE objects[Mapped::readers_most];
    uint32_t number = 0;
    for (long i = first; i < RARRAY_LEN(array) && number < mapped->batch; i++) {
        VALUE object = RARRAY_AREF(array, i);
        if (RB_SPECIAL_CONST_P(object) || !is_exact(mapped, object)) break;
        objects[number++] = object;
    }
    if (number == 0 || NIL_P(mapped->readers[number - 1])) return 0;
    read_members(plan, number, objects, values);
    return number;
}

VALUE mapped_read(const Plan *plan, VALUE object, uint32_t slot) {
    return read_member(plan->mapped->members[slot], object, is_exact(plan->mapped, object));
}

VALUE mapped_build(const Plan *plan, VALUE *values) {
    switch (plan->mapped->building) {
    case Building::keywords: return by_keywords(plan, values);
    case Building::positional: return by_position(plan, values);
    case Building::allocate: return allocate(plan, values);
    }
    __builtin_unreachable();
}

SPARPACK_COLD void mapped_refuse(const Plan *plan) {
    fault_type("an instance of %" PRIsVALUE " can only be made anew", plan->mapped->klass);
}

VALUE plan_class_of_mapping(const Plan *plan) { return plan->mapped->klass; }

// With the Hash of keywords, if there may be one.
int64_t mapped_cost(const Plan *plan) {
    const Mapped *mapped = plan->mapped;
    bool is_struct = plan->count > 0 && mapped->members[0].place >= 0;
    int64_t cost = is_struct ? structure_cost(plan->count) : ivars_cost(plan);
    return mapped->building == Building::keywords ? cost + hash_grown_cost(plan->count) : cost;
}

}  // namespace sparpack
