// Plans: made from what Ruby says of a class, owned by an object in a hidden instance variable of it.
#include "../glue/fault.hpp"
#include "../glue/sets.hpp"
#include "instance.hpp"

namespace sparpack {

namespace {

ID id_plan, id_seal;  // written by plan_init alone; id_plan has no @: Ruby code cannot see it
VALUE native;

void plan_each(Plan *plan, void (*visit)(VALUE *)) {
    visit(&plan->klass);
    for (uint32_t i = 0; i < plan->count; i++) {
        visit(&plan->slots[i].name);
        visit(&plan->slots[i].fallback);
        visit(&plan->slots[i].numbers);
    }
}

void plan_mark(void *data) {
    Plan *plan = static_cast<Plan *>(data);
    plan_each(plan, [](VALUE *place) { rb_gc_mark_movable(*place); });
    // The graph lies in the link, which other threads may read: it is not to move.
    if (const Link *link = __atomic_load_n(&plan->link, __ATOMIC_ACQUIRE)) rb_gc_mark(link->graph);
}

void plan_compact(void *data) {
    Plan *plan = static_cast<Plan *>(data);
    plan_each(plan, follow);
    follow(&plan->owner);
}

void plan_free(void *data) {
    Plan *plan = static_cast<Plan *>(data);
    xfree(plan->slots);
    xfree(const_cast<uint32_t *>(plan->names));
    xfree(plan);
}

size_t plan_size(const void *data) {
    const Plan *plan = static_cast<const Plan *>(data);
    return sizeof *plan + plan->count * sizeof *plan->slots + (plan->names_mask + 1) * sizeof *plan->names;
}

const rb_data_type_t plan_type = {"sparpack/plan",
                                  {plan_mark, plan_free, plan_size, plan_compact, {nullptr}},
                                  nullptr,
                                  nullptr,
                                  RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED};

const uint32_t *names_new(const Plan *plan, uint32_t *mask) {
    uint32_t size = 4;
    while (size < plan->count * 2) size *= 2;
    uint32_t *names = static_cast<uint32_t *>(xcalloc(size, sizeof *names));
    for (uint32_t slot = 0; slot < plan->count; slot++) {
        uint32_t i = name_hash(plan->slots[slot].name) & (size - 1);
        while (names[i]) i = (i + 1) & (size - 1);
        names[i] = slot + 1;
    }
    *mask = size - 1;
    return names;
}

bool is_immutable(VALUE value) { return RB_SPECIAL_CONST_P(value) || RB_FLOAT_TYPE_P(value) || RB_INTEGER_TYPE_P(value); }

// Sparpack::Native.compile(klass, shape, [[id, name, default, numbers], …]): the plan of a class, in order of declaration.
VALUE native_compile(VALUE, VALUE klass, VALUE shape, VALUE fields) {
    Check_Type(fields, T_ARRAY);
    VALUE owner = rb_data_typed_object_zalloc(rb_cObject, sizeof(Plan), &plan_type);
    Plan *plan = data_of<Plan>(owner);
    uint32_t count = static_cast<uint32_t>(RARRAY_LEN(fields));
    plan->shape = static_cast<Shape>(NUM2INT(shape));
    plan->owner = owner;
    RB_OBJ_WRITE(owner, &plan->klass, klass);
    plan->slots = static_cast<Slot *>(xcalloc(count ? count : 1, sizeof(Slot)));
    plan->width = plan->shape == Shape::union_ ? 2 : count;
#ifndef TYPED_DATA_EMBEDDED
    plan->cell = cell_kind(offsetof(Instance, field) / sizeof(VALUE) + plan->width);
#endif
    for (uint32_t i = 0; i < count; i++) {
        VALUE field = RARRAY_AREF(fields, i);
        Slot &slot = plan->slots[i];
        slot.id = static_cast<int16_t>(NUM2INT(RARRAY_AREF(field, 0)));
        // By its ID a Symbol becomes static: it will not move and not be freed.
        slot.name = ID2SYM(rb_sym2id(RARRAY_AREF(field, 1)));
        RB_OBJ_WRITE(owner, &slot.fallback, RARRAY_AREF(field, 2));
        RB_OBJ_WRITE(owner, &slot.numbers, RARRAY_AREF(field, 3));
        slot.copied = !is_immutable(slot.fallback);
        plan->has_defaults |= !NIL_P(slot.fallback);
        plan->count = i + 1;
    }
    plan->names = names_new(plan, &plan->names_mask);
    rb_ivar_set(klass, id_plan, owner);
    return owner;
}

// Sparpack::Native.share(klass, parent): a subclass without fields of its own has its parent's plan.
VALUE native_share(VALUE, VALUE klass, VALUE parent) {
    plan_of(parent);
    return rb_ivar_set(klass, id_plan, rb_attr_get(parent, id_plan));
}

VALUE native_sealed(VALUE, VALUE klass) { return NIL_P(rb_attr_get(klass, id_plan)) ? Qfalse : Qtrue; }

SPARPACK_COLD const Plan *plan_seal(VALUE klass) {
    rb_funcall(native, id_seal, 1, klass);
    VALUE owner = rb_attr_get(klass, id_plan);
    if (NIL_P(owner)) fault_type("%" PRIsVALUE " has no plan", klass);
    return data_of<Plan>(owner);
}

VALUE copy(VALUE value);

int copy_pair(VALUE key, VALUE value, VALUE hash) {
    rb_hash_aset(hash, key, copy(value));
    return ST_CONTINUE;
}

int copy_element(VALUE element, VALUE set) {
    set_add_many(set, &element, 1);
    return ST_CONTINUE;
}

// Of a default, which is frozen deep. Keys and set elements stay frozen, as decoded ones are.
VALUE copy(VALUE value) {
    if (is_immutable(value)) return value;
    if (RB_TYPE_P(value, T_STRING)) return rb_str_dup(value);
    if (RB_TYPE_P(value, T_ARRAY)) {
        VALUE array = rb_ary_new_capa(RARRAY_LEN(value));
        for (long i = 0; i < RARRAY_LEN(value); i++) rb_ary_push(array, copy(RARRAY_AREF(value, i)));
        return array;
    }
    if (RB_TYPE_P(value, T_HASH)) {
        VALUE hash = rb_hash_new();
        rb_hash_foreach(value, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(copy_pair), hash);
        return hash;
    }
    if (is_set(value)) {
        VALUE set = set_new(set_size(value));
        set_foreach(value, copy_element, set);
        return set;
    }
    if (!is_instance(value)) return value;
    VALUE object = instance_allocate(rb_obj_class(value));
    Instance *to = instance_data(object);
    const Instance *from = instance_data(value);
    for (uint32_t i = 0; i < from->plan->width; i++) instance_write(object, &to->field[i], copy(from->field[i]));
    instance_write(object, &to->unknown, from->unknown);
    RB_GC_GUARD(value);
    return object;
}

}  // namespace

const Plan *plan_of(VALUE klass) {
    VALUE owner = rb_attr_get(klass, id_plan);
    return SPARPACK_LIKELY(!NIL_P(owner)) ? data_of<Plan>(owner) : plan_seal(klass);
}

VALUE plan_default(const Slot &slot) { return slot.copied ? copy(slot.fallback) : slot.fallback; }

SPARPACK_COLD VALUE plan_enum_number(const Plan *plan, uint32_t index, VALUE value) {
    const Slot &slot = plan->slots[index];
    VALUE numbers = slot.numbers, enumeration = Qnil;
    if (numbers == Qfalse) return value;
    if (!NIL_P(numbers)) {
        VALUE number = rb_hash_lookup2(numbers, value, Qnil);
        if (!NIL_P(number)) return number;
    }
    // The module's name is wanted in a message, and a type that was named ahead is known only now.
    const Link *link = plan_link(plan);
    for (uint32_t i = 0; i < link->count; i++) {
        const Field &field = link->fields[i];
        if (field.slot != index) continue;
        if (field.type.kind != Kind::enum_) return value;
        numbers = field.type.numbers;
        enumeration = field.type.enumeration;
    }
    VALUE number = rb_hash_lookup2(numbers, value, Qnil);
    if (NIL_P(number)) fault_enum_name(plan->klass, slot.name, enumeration, value);
    return number;
}

void plan_init(VALUE sparpack) {
    id_plan = rb_intern("sparpack_plan");
    id_seal = rb_intern("seal");
    native = rb_const_get(sparpack, rb_intern("Native"));
    rb_gc_register_mark_object(native);
    rb_define_singleton_method(native, "compile", method(native_compile), 3);
    rb_define_singleton_method(native, "share", method(native_share), 2);
    rb_define_singleton_method(native, "sealed?", method(native_sealed), 1);
}

}  // namespace sparpack
