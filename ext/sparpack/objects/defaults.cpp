// Defaults are frozen deep in the plan. Objects get copies that they may change.
#include "../bytes/limits.hpp"
#include "../glue/fault.hpp"
#include "../values/sets.hpp"
#include "storage.hpp"

namespace sparpack {

namespace {

bool is_immutable(VALUE value) { return RB_SPECIAL_CONST_P(value) || RB_FLOAT_TYPE_P(value) || RB_INTEGER_TYPE_P(value); }

// What a copy costs, and of how many objects it consists.
struct Cost {
    int64_t sum;
    long objects;
    int depth;
    VALUE klass, name;  // of the field
};

void cost_add(Cost *cost, VALUE value);

int cost_add_pair(VALUE, VALUE value, VALUE cost) {
    cost_add(reinterpret_cast<Cost *>(cost), value);
    return ST_CONTINUE;
}

// A copy of a long String shares its bytes.
int64_t cost_of_string(VALUE string) {
    return string_cost(RB_FL_ANY_RAW(string, RSTRING_NOEMBED) ? 0 : string_size(string));
}

// Counts an object before what it holds, because objects that share others may stand for very many. Keys and set elements
// are shared by copies, too.
void cost_add(Cost *cost, VALUE value) {
    if (is_immutable(value)) return;
    if (cost->depth == depth_max)
        fault_schema("%" PRIsVALUE ": the default is nested more than %d levels deep, or contains itself",
                     fault_member(cost->klass, cost->name), depth_max);
    if (++cost->objects > plan_default_objects)
        fault_schema("%" PRIsVALUE ": the default has more than %ld objects", fault_member(cost->klass, cost->name),
                     plan_default_objects);
    cost->depth++;
    if (RB_TYPE_P(value, T_STRING)) {
        cost->sum += cost_of_string(value);
    } else if (RB_TYPE_P(value, T_ARRAY)) {
        cost->sum += array_cost(static_cast<size_t>(RARRAY_LEN(value)));
        for (long i = 0; i < RARRAY_LEN(value); i++) cost_add(cost, RARRAY_AREF(value, i));
    } else if (RB_TYPE_P(value, T_HASH)) {
        cost->sum += hash_grown_cost(RHASH_SIZE(value));
        rb_hash_foreach(value, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(cost_add_pair), reinterpret_cast<VALUE>(cost));
    } else if (is_set(value)) {
        cost->sum += set_grown_cost(set_size(value));
    } else if (const Plan *plan = storage_find(value)) {
        cost->sum += storage_cost(plan);
        Slots slots = storage_slots(plan, value);
        for (uint32_t i = slots.begin; i < slots.end; i++) cost_add(cost, storage_read(plan, value, i));
    }
    cost->depth--;
}

VALUE copy(VALUE value);

int copy_pair(VALUE key, VALUE value, VALUE hash) {
    rb_hash_aset(hash, key, copy(value));
    return ST_CONTINUE;
}

int copy_element(VALUE element, VALUE builder) {
    set_add_many(builder, &element, 1);
    return ST_CONTINUE;
}

// Copies a default. Keys and set elements stay frozen, as decoded ones are.
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
        VALUE builder = set_start(set_size(value));
        set_foreach(value, copy_element, builder);
        return set_finish(builder, false);
    }
    const Plan *plan = storage_find(value);
    if (!plan) return value;
    VALUE object = storage_blank(plan, rb_obj_class(value));
    Slots slots = storage_slots(plan, value);
    for (uint32_t i = slots.begin; i < slots.end; i++) {
        VALUE each = storage_read(plan, value, i);
        if (each != Qundef) storage_write(plan, object, i, copy(each));
    }
    storage_set_extra(plan, object, storage_extra(plan, value));
    RB_GC_GUARD(value);
    return object;
}

// True for a key that is hashed by a Ruby method, which anybody may have replaced. A default may hold what its type does not
// allow, because nested structs are checked only when they are encoded.
bool hashes_in_ruby(VALUE key) {
    if (RB_SPECIAL_CONST_P(key)) return false;
    return !RB_TYPE_P(key, T_STRING) || RBASIC_CLASS(key) != rb_cString;
}

bool runs_ruby(VALUE value);

int pair_runs_ruby(VALUE key, VALUE value, VALUE found) {
    if (!hashes_in_ruby(key) && !runs_ruby(value)) return ST_CONTINUE;
    *reinterpret_cast<bool *>(found) = true;
    return ST_STOP;
}

int element_runs_ruby(VALUE element, VALUE found) { return pair_runs_ruby(element, Qnil, found); }

bool runs_ruby(VALUE value) {
    bool found = false;
    if (is_immutable(value) || RB_TYPE_P(value, T_STRING)) return false;
    if (RB_TYPE_P(value, T_ARRAY)) {
        for (long i = 0; i < RARRAY_LEN(value) && !found; i++) found = runs_ruby(RARRAY_AREF(value, i));
    } else if (RB_TYPE_P(value, T_HASH)) {
        rb_hash_foreach(value, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(pair_runs_ruby),
                        reinterpret_cast<VALUE>(&found));
    } else if (is_set(value)) {
        set_foreach(value, element_runs_ruby, reinterpret_cast<VALUE>(&found));
    } else if (const Plan *plan = storage_find(value)) {
        Slots slots = storage_slots(plan, value);
        for (uint32_t i = slots.begin; i < slots.end && !found; i++) found = runs_ruby(storage_read(plan, value, i));
    }
    return found;
}

}  // namespace

void plan_default_measure(Slot &slot, VALUE klass) {
    Cost cost = {0, 0, 0, klass, slot.name};
    cost_add(&cost, slot.default_value);  // first, because it finds a default that contains itself
    slot.cost = cost.sum;
    slot.runs_ruby = runs_ruby(slot.default_value);
    slot.copied = !is_immutable(slot.default_value);
}

VALUE plan_default(const Slot &slot) { return slot.copied ? copy(slot.default_value) : slot.default_value; }

}  // namespace sparpack
