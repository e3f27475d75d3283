// What structs, unions and exceptions have in common (Sparpack::Value): making them, and access to fields by name.
#include "storage.hpp"

#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"

namespace sparpack {

VALUE value_fields(VALUE object) {
    const Plan *plan = storage_check(object);
    VALUE hash = rb_hash_new();
    Slots slots = storage_slots(object);
    for (uint32_t i = slots.begin; i < slots.end; i++) rb_hash_aset(hash, plan->slots[i].name, storage_read(object, i));
    RB_GC_GUARD(object);
    return hash;
}

namespace {

VALUE names_of(const Plan *plan) {
    VALUE names = rb_ary_new_capa(plan->count);
    for (uint32_t i = 0; i < plan->count; i++) rb_ary_push(names, plan->slots[i].name);
    return names;
}

uint32_t slot_named(VALUE self, const Plan *plan, VALUE name) {
    uint32_t slot = plan_slot_of(plan, name);
    if (SPARPACK_UNLIKELY(slot == no_slot)) fault_unknown_name(rb_obj_class(self), name, names_of(plan));
    return slot;
}

struct Fill {
    VALUE object;
    const Plan *plan;
    uint32_t next;    // keywords usually come in the order of the fields
    uint64_t *given;  // one bit for each slot, if there are defaults
};

int fill_pair(VALUE name, VALUE value, VALUE data) {
    Fill *fill = reinterpret_cast<Fill *>(data);
    const Plan *plan = fill->plan;
    uint32_t slot = fill->next;
    if (SPARPACK_UNLIKELY(slot >= plan->count || plan->slots[slot].name != name))
        slot = slot_named(fill->object, plan, name);
    fill->next = slot + 1;
    if (fill->given) fill->given[slot / 64] |= uint64_t{1} << (slot % 64);
    if (SPARPACK_LIKELY(storage_takes(plan, slot, value) && !RB_OBJ_FROZEN_RAW(fill->object))) {
        storage_put(fill->object, slot, value);
    } else {
        storage_assign(fill->object, slot, value);
    }
    return ST_CONTINUE;
}

constexpr uint32_t given_stack = 16;

void fill(VALUE self, VALUE fields) {
    const Plan *plan = storage_plan(self);
    Fill fill = {self, plan, 0, nullptr};
    uint64_t given[given_stack] = {};
    VALUE given_owner = 0;
    if (plan->has_defaults) {
        size_t words = plan->count / 64 + 1;
        fill.given =
            words <= given_stack
                ? given
                : static_cast<uint64_t *>(rb_alloc_tmp_buffer(&given_owner, static_cast<long>(words * sizeof *given)));
        memset(fill.given, 0, words * sizeof *given);
    }
    if (!NIL_P(fields)) {
        rb_hash_foreach(fields, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(fill_pair), reinterpret_cast<VALUE>(&fill));
    }
    if (plan->has_defaults) {
        for (uint32_t slot = 0; slot < plan->count; slot++) {
            const Slot &s = plan->slots[slot];
            if (NIL_P(s.default_value) || fill.given[slot / 64] >> (slot % 64) & 1) continue;
            VALUE value = plan_default(s);
            rb_check_frozen(self);  // copying it may have run Ruby code
            storage_put(self, slot, value);
        }
        RB_GC_GUARD(given_owner);  // not freed, because a continuation may return into the copying of a default
    }
}

[[noreturn]] SPARPACK_COLD void initialize_refuse(int argc, VALUE *argv, VALUE self) {
    const Plan *plan = storage_plan(self);
    VALUE first = plan->count ? plan->slots[0].name : Qnil;
    VALUE hint = native_call("construction_hint", rb_obj_class(self), rb_ary_new_from_values(argc, argv), first);
    fault_argument("wrong number of arguments (given %d, expected 0: %" PRIsVALUE ")", argc, hint);
}

VALUE value_initialize(int argc, VALUE *argv, VALUE self) {
    storage_check(self);
    rb_check_frozen(self);
    if (argc == 0) {
        fill(self, Qnil);
    } else if (argc == 1 && rb_keyword_given_p()) {
        fill(self, argv[0]);
    } else {
        initialize_refuse(argc, argv, self);
    }
    if (SPARPACK_UNLIKELY(rb_block_given_p())) rb_yield(self);
    return self;
}

VALUE value_initialize_copy(VALUE self, VALUE other) {
    rb_check_frozen(self);
    if (self == other) return self;
    const Plan *to = storage_check(self), *from = storage_check(other);
    if (to != from) {
        VALUE klass = rb_obj_class(other);
        if (klass == rb_obj_class(self))  // Marshal can give an object another class
            fault_type("a %" PRIsVALUE " that has the fields of %" PRIsVALUE " cannot be copied", klass, from->klass);
        fault_type("%" PRIsVALUE " cannot be copied to %" PRIsVALUE, klass, rb_obj_class(self));
    }
    storage_fill(to, self, other);
    return self;
}

// Without arguments this is Kernel#dup, and as fast.
VALUE value_dup(int argc, VALUE *argv, VALUE self) {
    return argc == 0 ? rb_obj_dup(self) : native_call_with_keywords("duplicate", argc, argv, self);
}

VALUE value_get(VALUE self, VALUE name) {
    if (is_lazy(self)) return lazy_read(self, slot_named(self, storage_plan(self), name));
    const Plan *plan = storage_check(self);
    return storage_read(self, slot_named(self, plan, name));
}

VALUE value_set(VALUE self, VALUE name, VALUE value) {
    const Plan *plan = storage_check(self);
    storage_assign(self, slot_named(self, plan, name), value);
    return value;
}

VALUE value_set_p(VALUE self, VALUE name) { return NIL_P(value_get(self, name)) ? Qfalse : Qtrue; }

VALUE value_deconstruct_keys(VALUE self, VALUE names) {
    const Plan *plan = storage_check(self);
    if (NIL_P(names)) return value_fields(self);
    if (!RB_TYPE_P(names, T_ARRAY))
        fault_type("wrong argument type %" PRIsVALUE " (expected Array or nil)", rb_obj_class(names));
    VALUE hash = rb_hash_new();
    for (long i = 0; i < RARRAY_LEN(names); i++) {
        VALUE name = RARRAY_AREF(names, i);
        uint32_t slot = SYMBOL_P(name) ? plan_slot(plan, name) : no_slot;
        if (slot == no_slot) continue;
        if (plan->shape == Shape::union_ && storage_variant(self) != slot) continue;
        rb_hash_aset(hash, name, storage_read(self, slot));
    }
    RB_GC_GUARD(self);
    return hash;
}

VALUE inspect_guarded(VALUE self, VALUE, int recursive) {
    fault_stack_check();
    const Plan *plan = storage_check(self);
    VALUE text = rb_enc_sprintf(rb_utf8_encoding(), "#<%" PRIsVALUE, rb_obj_class(self));
    if (recursive) return rb_str_cat_cstr(text, " ...>");
    const char *separator = " ";
    VALUE message = plan->shape == Shape::exception ? rb_ivar_get(self, rb_intern("@plain_message")) : Qnil;
    if (!NIL_P(message)) {
        rb_str_catf(text, ": %+" PRIsVALUE, message);
        separator = ", ";
    }
    Slots slots = storage_slots(self);
    for (uint32_t i = slots.begin; i < slots.end; i++) {
        VALUE value = storage_read(self, i);
        if (NIL_P(value)) continue;
        rb_str_catf(text, "%s%" PRIsVALUE "=%+" PRIsVALUE, separator, plan->slots[i].name, value);
        separator = ", ";
    }
    if (!storage_extra(self).empty()) rb_str_catf(text, "%sunknown fields", separator);
    RB_GC_GUARD(self);
    rb_str_cat_cstr(text, ">");
    return rb_enc_str_asciionly_p(text) ? text : native_call("visible", text);  // String#inspect shows U+202E as it is
}

VALUE value_inspect(VALUE self) { return rb_exec_recursive(inspect_guarded, self, Qnil); }

// From here on: Sparpack::Native, which readers of fields cannot hide.

// Native.copy(object): Kernel#dup, even if the class overrides it.
VALUE native_copy(VALUE, VALUE object) { return rb_obj_dup(object); }

VALUE native_fill(VALUE, VALUE object, VALUE fields) {
    storage_check(object);
    rb_check_frozen(object);
    Check_Type(fields, T_HASH);
    fill(object, fields);
    return object;
}

VALUE native_fields(VALUE, VALUE object) { return value_fields(object); }
VALUE native_get(VALUE, VALUE object, VALUE name) { return value_get(object, name); }
VALUE native_set(VALUE, VALUE object, VALUE name, VALUE value) { return value_set(object, name, value); }

// Native.set_as_is(object, name, value): sets a field to a value that a setter would refuse.
VALUE native_set_as_is(VALUE, VALUE object, VALUE name, VALUE value) {
    const Plan *plan = storage_check(object);
    storage_write(object, slot_named(object, plan, name), value);
    return value;
}

// Native.lazy?(object): whether fields of it may still sleep.
VALUE native_lazy_p(VALUE, VALUE object) { return is_lazy(object) ? Qtrue : Qfalse; }

// Native.wake(object): wakes all fields of a lazy object, which is an ordinary one from then on.
VALUE native_wake(VALUE, VALUE object) {
    lazy_wake(object);
    return object;
}

// Returns the class that declared an object's fields. Its own class may be another, because Marshal can change that.
VALUE native_fields_of(VALUE, VALUE object) { return storage_check(object)->klass; }

VALUE native_unknown(VALUE, VALUE object) {
    storage_check(object);
    return storage_extra(object).to_ruby();
}

// Sparpack::Native.set_unknown(object, kept): what native_unknown returned for another object.
VALUE native_set_unknown(VALUE, VALUE object, VALUE unknown) {
    const Plan *plan = storage_check(object);
    rb_check_frozen(object);
    Extra extra = Extra::of(unknown);
    if (extra.has_kept_fields()) {
        extra = Extra::of(unlocked_frozen(unknown));
        if (!extra.is_readable(plan->shape == Shape::union_)) fault_argument("the kept fields cannot be read");
    } else if (!extra.empty() && !(extra.is_unknown_variant() && plan->shape == Shape::union_)) {
        fault_type("kept fields must be a String, got %" PRIsVALUE, rb_obj_class(unknown));
    }
    // Nobody could read the bytes of a union with both.
    if (!extra.empty() && plan->shape == Shape::union_ && storage_variant(object) != no_slot)
        fault_type("a union that holds a field has no unknown ones");
    storage_set_extra(object, extra);
    return extra.to_ruby();
}

// The name of the field that a union holds, or nil.
VALUE native_union_field(VALUE, VALUE object) {
    const Plan *plan = storage_check(object);
    if (plan->shape != Shape::union_) fault_type("not a union");
    uint32_t slot = storage_variant(object);
    return slot == no_slot ? Qnil : plan->slots[slot].name;
}

VALUE native_union_clear(VALUE, VALUE object) {
    const Plan *plan = storage_check(object);
    rb_check_frozen(object);
    if (plan->shape != Shape::union_) fault_type("not a union");
    storage_clear(object);
    return object;
}

}  // namespace

void compare_init(VALUE value, VALUE native);

void value_init(VALUE sparpack) {
    constexpr const char *bases[] = {"Struct", "Union", "Exception"};
    for (const char *name : bases) rb_define_alloc_func(rb_const_get(sparpack, rb_intern(name)), storage_allocate);
    VALUE value = rb_const_get(sparpack, rb_intern("Value"));
    define_private_methods(value, {{"initialize", value_initialize}, {"initialize_copy", value_initialize_copy}});
    define_methods(value, {{"dup", value_dup},
                           {"[]", value_get},
                           {"[]=", value_set},
                           {"set?", value_set_p},
                           {"deconstruct_keys", value_deconstruct_keys},
                           {"inspect", value_inspect}});

    VALUE native = native_module();
    compare_init(value, native);
    define_singleton_methods(native, {{"copy", native_copy},
                                      {"fill", native_fill},
                                      {"fields", native_fields},
                                      {"fields_of", native_fields_of},
                                      {"get", native_get},
                                      {"set", native_set},
                                      {"set_as_is", native_set_as_is},
                                      {"lazy?", native_lazy_p},
                                      {"wake", native_wake},
                                      {"unknown", native_unknown},
                                      {"set_unknown", native_set_unknown},
                                      {"union_field", native_union_field},
                                      {"union_clear", native_union_clear}});
}

}  // namespace sparpack
