#include "ivars.hpp"

namespace sparpack {

namespace {

ID id_setfield, id_value, id_extra;  // written by ivars_init alone; id_extra has no @, so Ruby code cannot see it

struct Variables {
    const ID *names;
    VALUE *values;
    uint32_t count;
    uint32_t next;   // objects usually have their variables in the order of the fields
    uint32_t steps;  // how many comparisons may still be spent on finding variables in another order
    VALUE extra;
};

// Finds the slot of an instance variable. Returns no_slot if it is not a field's, or if `steps` are spent.
uint32_t slot_of(Variables &found, ID name) {
    for (uint32_t i = 0, slot = found.next; i < found.count && found.steps > 0; i++, found.steps--) {
        if (slot >= found.count) slot = 0;
        if (found.names[slot] == name) return slot;
        slot++;
    }
    return no_slot;
}

int find_one(ID name, VALUE value, st_data_t argument) {
    Variables &found = *reinterpret_cast<Variables *>(argument);
    uint32_t slot = found.next;
    if (SPARPACK_UNLIKELY(slot >= found.count || found.names[slot] != name)) {
        if (name == id_extra) {
            found.extra = value;
            return ST_CONTINUE;
        }
        slot = slot_of(found, name);
        if (slot == no_slot) return found.steps > 0 ? ST_CONTINUE : ST_STOP;
    }
    found.values[slot] = value;
    found.next = slot + 1;
    return ST_CONTINUE;
}

// Marshal can give an object anything as its extra, and keeps hold of Strings.
Extra checked(VALUE value, bool is_union) {
    Extra extra = Extra::of(value);
    if (extra.has_kept_fields()) {
        if (!RB_OBJ_FROZEN(value)) extra = Extra::of(unlocked_frozen(value));
        return extra.is_readable(is_union) ? extra : Extra::none();
    }
    return is_union && extra.is_unknown_variant() ? extra : Extra::none();
}

void set(VALUE object, ID name, VALUE value) { rb_ivar_set(object, name, value); }

}  // namespace

Extra ivars_view(const Plan *plan, VALUE object, VALUE *values) {
    Variables found = {plan->ivars, values, plan->count, 0, 4 * plan->count + 64, Qnil};
    for (uint32_t i = 0; i < plan->count; i++) values[i] = Qnil;
    rb_ivar_foreach(object, find_one, reinterpret_cast<st_data_t>(&found));
    if (SPARPACK_UNLIKELY(found.steps == 0)) {
        for (uint32_t i = 0; i < plan->count; i++) values[i] = rb_attr_get(object, plan->ivars[i]);
        found.extra = rb_attr_get(object, id_extra);
    }
    return SPARPACK_LIKELY(NIL_P(found.extra)) ? Extra::none() : checked(found.extra, false);
}

// Apache's constructor takes the name as a String, too.
uint32_t ivars_variant(const Plan *plan, VALUE object) { return plan_slot_of(plan, rb_attr_get(object, id_setfield)); }

VALUE ivars_variant_value(const Plan *plan, VALUE object) {
    if (plan->manner != Manner::sparsam) return rb_attr_get(object, id_value);
    uint32_t slot = ivars_variant(plan, object);
    return slot == no_slot ? Qnil : rb_attr_get(object, plan->ivars[slot]);
}

VALUE ivars_read(const Plan *plan, VALUE object, uint32_t slot) {
    if (plan->shape == Shape::union_)
        return ivars_variant(plan, object) == slot ? ivars_variant_value(plan, object) : Qundef;
    VALUE value = rb_attr_get(object, plan->ivars[slot]);
    return NIL_P(value) && !RTEST(rb_ivar_defined(object, plan->ivars[slot])) ? Qundef : value;
}

void ivars_write(const Plan *plan, VALUE object, uint32_t slot, VALUE value) {
    if (plan->shape != Shape::union_) return set(object, plan->ivars[slot], value);
    set(object, id_setfield, plan->slots[slot].name);
    set(object, plan->manner != Manner::sparsam ? id_value : plan->ivars[slot], value);
}

// A field that was set in a union since takes the place of what was unknown.
Extra ivars_extra(const Plan *plan, VALUE object) {
    bool is_union = plan->shape == Shape::union_;
    if (is_union && !NIL_P(rb_attr_get(object, id_setfield))) return Extra::none();
    return checked(rb_attr_get(object, id_extra), is_union);
}

void ivars_set_extra(VALUE object, Extra extra) {
    if (!extra.empty() || RTEST(rb_ivar_defined(object, id_extra))) set(object, id_extra, extra.value);
}

// Leaves the object as Apache's constructor does.
VALUE ivars_blank(const Plan *plan, VALUE klass) {
    VALUE object = rb_obj_alloc(klass);
    if (plan->shape == Shape::union_ && plan->manner != Manner::sparsam) {
        set(object, id_setfield, Qnil);
        set(object, id_value, Qnil);
    }
    return object;
}

// Sets the variables that a decode has read. For a field that it has not read, `new` has set the default.
static VALUE construct(const Plan *plan, VALUE klass, const VALUE *values) {
    bool constructs = __atomic_load_n(&plan->constructs, __ATOMIC_ACQUIRE);
    VALUE object = constructs ? rb_class_new_instance(0, nullptr, klass) : plan->allocator(klass);
    if (plan->shape == Shape::union_) {
        if (!NIL_P(values[0]) && !NIL_P(values[1]))
            ivars_write(plan, object, static_cast<uint32_t>(FIX2LONG(values[0])), values[1]);
    } else {
        for (uint32_t i = 0; i < plan->count; i++) {
            VALUE value = values[i];
            if (SPARPACK_UNLIKELY(value == Qundef || NIL_P(value))) value = constructs ? Qnil : plan->slots[i].default_value;
            if (!NIL_P(value)) set(object, plan->ivars[i], value);
        }
    }
    RB_GC_GUARD(object);
    return object;
}

// Copies a default as Apache's gem does: what it holds is shared.
static VALUE shallow_copy(VALUE value) {
    if (RB_SPECIAL_CONST_P(value)) return value;
    VALUE klass = RBASIC_CLASS(value);
    if (klass == rb_cString) return rb_str_dup(value);
    if (klass == rb_cArray) return rb_ary_dup(value);
    if (klass == rb_cHash) return rb_hash_dup(value);
    return rb_obj_dup(value);
}

// Sets the variables of a new object in the order in which Apache's gem does: those with defaults first.
static void fill_new(const Plan *plan, VALUE object, const VALUE *values) {
    if (SPARPACK_UNLIKELY(plan->has_defaults)) {
        for (uint32_t i = 0; i < plan->count; i++) {
            VALUE value = plan->slots[i].default_value;
            if (!NIL_P(value)) set(object, plan->ivars[i], values[i] == Qundef ? shallow_copy(value) : values[i]);
        }
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        if (values[i] != Qundef) {
            if (NIL_P(plan->slots[i].default_value)) set(object, plan->ivars[i], values[i]);
        } else if (SPARPACK_UNLIKELY(plan->sets_nil)) {
            set(object, plan->ivars[i], Qnil);
        }
    }
}

static void reset(const Plan *plan, VALUE object, uint32_t slot) {
    VALUE value = shallow_copy(plan->slots[slot].default_value);
    if (!NIL_P(value) || !NIL_P(rb_attr_get(object, plan->ivars[slot]))) set(object, plan->ivars[slot], value);
}

// The same for an object that exists. Before its first variable is set, a gem that resets objects leaves them alone.
template <class Values> static void fill_existing(const Plan *plan, VALUE object, Values value_of) {
    const bool resets = plan->resets && rb_ivar_count(object) > 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        VALUE value = value_of(i);
        if (value != Qundef) {
            set(object, plan->ivars[i], value);
        } else if (resets) {
            reset(plan, object, i);
        }
    }
}

void ivars_reset(const Plan *plan, VALUE object) {
    if (!plan->resets) return;
    if (plan->shape == Shape::union_) {
        if (!NIL_P(rb_attr_get(object, id_setfield))) set(object, id_setfield, Qnil);
        if (!NIL_P(rb_attr_get(object, id_value))) set(object, id_value, Qnil);
    } else if (rb_ivar_count(object) > 0) {
        for (uint32_t i = 0; i < plan->count; i++) reset(plan, object, i);
    }
}

namespace {

struct Given {
    const Plan *plan;
    VALUE object;
    bool known;
};

int give_one(VALUE key, VALUE value, VALUE argument) {
    Given &given = *reinterpret_cast<Given *>(argument);
    uint32_t slot = SYMBOL_P(key) ? plan_slot(given.plan, key) : no_slot;
    given.known = slot != no_slot;
    if (SPARPACK_UNLIKELY(!given.known)) return ST_STOP;
    set(given.object, given.plan->ivars[slot], value);
    return ST_CONTINUE;
}

}  // namespace

bool ivars_construct(const Plan *plan, VALUE object, VALUE given) {
    if (!NIL_P(given)) {
        Given all = {plan, object, true};
        rb_hash_foreach(given, give_one, reinterpret_cast<VALUE>(&all));
        if (SPARPACK_UNLIKELY(!all.known)) return false;
    }
    for (uint32_t i = 0; plan->has_defaults && i < plan->count; i++) {
        const Slot &slot = plan->slots[i];
        if (NIL_P(slot.default_value)) continue;
        if (!NIL_P(given) && rb_hash_lookup2(given, slot.name, Qundef) != Qundef) continue;
        set(object, plan->ivars[i], shallow_copy(slot.default_value));
    }
    return true;
}

void ivars_fill_from(const Plan *plan, VALUE object, VALUE other) {
    if (plan->shape == Shape::union_) {
        set(object, id_setfield, rb_attr_get(other, id_setfield));
        set(object, id_value, rb_attr_get(other, id_value));
    } else {
        fill_existing(plan, object, [&](uint32_t slot) { return ivars_read(plan, other, slot); });
    }
}

static int save_one(ID name, VALUE value, st_data_t saved) {
    rb_ary_push(saved, ID2SYM(name));
    rb_ary_push(saved, value);
    return ST_CONTINUE;
}

VALUE ivars_save(VALUE object) {
    VALUE saved = rb_ary_new();
    rb_ivar_foreach(object, save_one, saved);
    return saved;
}

void ivars_restore(VALUE object, VALUE saved) {
    if (RB_OBJ_FROZEN(object)) return;
    VALUE names = rb_obj_instance_variables(object);
    for (long i = 0; i < RARRAY_LEN(names); i++) rb_obj_remove_instance_variable(object, RARRAY_AREF(names, i));
    for (long i = 0; i < RARRAY_LEN(saved); i += 2) set(object, SYM2ID(RARRAY_AREF(saved, i)), RARRAY_AREF(saved, i + 1));
    RB_GC_GUARD(saved);
}

VALUE ivars_new(const Plan *plan, VALUE klass) {
    if (__atomic_load_n(&plan->constructs, __ATOMIC_ACQUIRE)) return rb_class_new_instance(0, nullptr, klass);
    VALUE object = ivars_blank(plan, klass);
    if (plan->shape == Shape::union_) return object;
    ivars_construct(plan, object, Qnil);
    for (uint32_t i = 0; plan->sets_nil && i < plan->count; i++) set(object, plan->ivars[i], Qnil);
    return object;
}

// `klass` may be an object that exists.
static VALUE build_thrift(const Plan *plan, VALUE klass, const VALUE *values) {
    bool is_new = RB_BUILTIN_TYPE(klass) == RUBY_T_CLASS;
    VALUE object = is_new ? plan->allocator(klass) : klass;
    if (plan->shape == Shape::union_) {
        set(object, id_setfield, plan->slots[FIX2LONG(values[0])].name);
        set(object, id_value, values[1]);
    } else if (is_new) {
        fill_new(plan, object, values);
    } else {
        fill_existing(plan, object, [&](uint32_t slot) { return values[slot]; });
    }
    RB_GC_GUARD(object);
    return object;
}

VALUE ivars_build(const Plan *plan, VALUE klass, const VALUE *values, Extra extra) {
    if (plan->manner == Manner::thrift) return build_thrift(plan, klass, values);
    if (plan->manner == Manner::sparsam) return construct(plan, klass, values);
    VALUE object = ivars_blank(plan, klass);
    if (plan->shape == Shape::union_) {
        set(object, id_setfield, NIL_P(values[0]) ? Qnil : plan->slots[FIX2LONG(values[0])].name);
        set(object, id_value, values[1]);
    } else {
        for (uint32_t i = 0; i < plan->count; i++) {
            if (values[i] != Qundef) set(object, plan->ivars[i], values[i]);
        }
    }
    if (SPARPACK_UNLIKELY(!extra.empty())) set(object, id_extra, extra.value);
    RB_GC_GUARD(object);
    return object;
}

void ivars_fill(const Plan *plan, VALUE object, VALUE other) {
    if (plan->shape == Shape::union_) {
        uint32_t slot = ivars_variant(plan, other);
        ID value = plan->manner != Manner::sparsam || slot == no_slot ? id_value : plan->ivars[slot];
        set(object, id_setfield, rb_attr_get(other, id_setfield));
        set(object, value, rb_attr_get(other, value));
    } else {
        for (uint32_t slot = 0; slot < plan->count; slot++) {
            VALUE value = ivars_read(plan, other, slot);
            if (value != Qundef) {
                set(object, plan->ivars[slot], value);
            } else if (ivars_read(plan, object, slot) != Qundef) {
                set(object, plan->ivars[slot], Qnil);  // Ruby removes no variable in one step
            }
        }
    }
    ivars_set_extra(object, ivars_extra(plan, other));
}

// With the extra, and what an exception has of its own: its message and its backtrace. Ruby makes room for more variables
// than it needs, at most a quarter more and one. Before Ruby 3.2 an object also has room for all variables that other
// objects of its class had before it. That is not known here.
int64_t ivars_cost(const Plan *plan) {
    size_t words = plan->shape == Shape::union_ ? 3 : plan->count + 1;
    if (plan->shape == Shape::exception) words += 2;
    constexpr size_t embedded = object_size / word_size - 2;
    size_t bytes = sizeof(struct RBasic) + words * word_size;
    if (objects_vary ? object_embeds(bytes) : words <= embedded) return object_cost(bytes);
    return block_cost(sizeof(struct RBasic) + embedded * word_size, (words + words / 4 + 1) * word_size);
}

ID ivars_name(VALUE field) {
    VALUE name = rb_str_new_cstr("@");
    rb_str_append(name, rb_sym2str(field));
    return rb_intern_str(name);
}

void ivars_init() {
    id_setfield = rb_intern("@setfield");
    id_value = rb_intern("@value");
    id_extra = rb_intern("sparpack_extra");
}

}  // namespace sparpack
