// Objects to Hashes: to_h(deep: true). The walk goes by the values and not by their types, so a value of the wrong type is
// converted as well. Each container is copied to pending memory before its values are converted, because the `hash` of a key
// may run Ruby code that changes it.
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "hashes.hpp"

namespace sparpack {

namespace {

struct Walk {
    Pending pending;
    int64_t memory;  // without a limit
    VALUE root;
};

VALUE plain(Walk &w, VALUE value, int depth);

[[noreturn]] SPARPACK_COLD void refuse(const Walk &w, Level level) {
    fault_raise_exception(native_call("too_many_levels", w.root, level == Level::stack_full ? Qtrue : Qfalse));
}

SPARPACK_INLINE void enter(const Walk &w, int depth) {
    Level level = level_enter(depth);
    if (SPARPACK_UNLIKELY(level != Level::fine)) refuse(w, level);
}

VALUE union_to_hash(Walk &w, const Plan *plan, VALUE object, int depth) {
    VALUE hash = rb_hash_new();
    uint32_t slot = storage_variant(plan, object);
    if (slot != no_slot) {
        VALUE value = plain(w, storage_variant_value(plan, object), depth + 1);
        rb_hash_aset(hash, plan->slots[slot].name, value);
    }
    RB_GC_GUARD(object);
    return hash;
}

// All fields of an object, also those that are nil. `pairs` has room for them and for the values of an adopted object.
VALUE fields_to_hash(Walk &w, const Plan *plan, VALUE object, VALUE *pairs, int depth) {
    uint32_t count = plan->count;
    const VALUE *values = storage_view(plan, object, pairs + 2 * count).values;
    for (uint32_t i = 0; i < count; i++) {
        pairs[2 * i] = plan->slots[i].name;
        pairs[2 * i + 1] = values[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        VALUE *value = &pairs[2 * i + 1];
        if (!RB_SPECIAL_CONST_P(*value)) *value = plain(w, *value, depth + 1);
    }
    VALUE hash = rb_hash_new();
    if (count > 0) hash_insert(hash, pairs, count);
    RB_GC_GUARD(object);
    return hash;
}

VALUE object_to_hash(Walk &w, const Plan *plan, VALUE object, int depth) {
    enter(w, depth);
    if (plan->shape == Shape::union_) return union_to_hash(w, plan, object, depth);
    PendingMark mark = pending_mark(w.pending);
    VALUE *pairs = pending_take(w.pending, 2 * plan->count + storage_scratch(plan), w.memory);
    VALUE hash = fields_to_hash(w, plan, object, pairs, depth);
    pending_release(w.pending, mark);
    return hash;
}

VALUE array_to_array(Walk &w, VALUE array, int depth) {
    enter(w, depth);
    long size = RARRAY_LEN(array);
    if (size > short_array) {
        VALUE copy = rb_ary_new_capa(size);
        for (long i = 0; i < RARRAY_LEN(array); i++) rb_ary_push(copy, plain(w, RARRAY_AREF(array, i), depth + 1));
        RB_GC_GUARD(array);
        return copy;
    }
    PendingMark mark = pending_mark(w.pending);
    VALUE *values = pending_take(w.pending, static_cast<size_t>(size), w.memory);
    for (long i = 0; i < size; i++) values[i] = RARRAY_AREF(array, i);
    for (long i = 0; i < size; i++) values[i] = plain(w, values[i], depth + 1);
    pending_release(w.pending, mark);
    return array_new(values, static_cast<size_t>(size));
}

VALUE set_to_set(Walk &w, VALUE set, int depth) {
    enter(w, depth);
    PendingMark mark = pending_mark(w.pending);
    Collected all = collect_set(set, pending_take(w.pending, set_size(set), w.memory));
    for (size_t i = 0; i < all.count; i++) all.values[i] = plain(w, all.values[i], depth + 1);
    VALUE copy = set_of_elements(all.values, all.count);
    pending_release(w.pending, mark);
    return copy;
}

VALUE hash_to_hash(Walk &w, VALUE hash, int depth) {
    enter(w, depth);
    PendingMark mark = pending_mark(w.pending);
    Collected all = collect_hash(hash, pending_take(w.pending, 2 * RHASH_SIZE(hash), w.memory));
    for (size_t i = 0; i < all.count; i++) all.values[i] = plain(w, all.values[i], depth + 1);
    VALUE copy = hash_of_pairs(all.values, all.count / 2);
    pending_release(w.pending, mark);
    return copy;
}

VALUE plain(Walk &w, VALUE value, int depth) {
    if (RB_SPECIAL_CONST_P(value)) return value;
    switch (RB_BUILTIN_TYPE(value)) {
    case RUBY_T_STRING:
    case RUBY_T_FLOAT:
    case RUBY_T_BIGNUM:
    case RUBY_T_SYMBOL: return value;
    case RUBY_T_ARRAY: return array_to_array(w, value, depth);
    case RUBY_T_HASH: return hash_to_hash(w, value, depth);
    default: break;
    }
    if (SPARPACK_UNLIKELY(is_set(value))) return set_to_set(w, value, depth);
    const Plan *plan = storage_find(value);
    return plan ? object_to_hash(w, plan, value, depth) : value;
}

VALUE to_hash_deep(VALUE object) {
    VALUE stack[Pending::stack_size];
    Walk w = {{stack, Pending::stack_size}, unlimited, object};
    VALUE hash = plain(w, object, 0);
    RB_GC_GUARD(w.pending.spill);  // not freed, because a continuation may return into a reader or a key's `hash`
    return hash;
}

VALUE name_deep;  // :deep; written by to_hash_init alone

VALUE hash_of(int argc, VALUE *argv, VALUE self) {
    if (argc == 0) return value_fields(self);
    VALUE deep =
        argc == 1 && rb_keyword_given_p() && RHASH_SIZE(argv[0]) == 1 ? rb_hash_lookup2(argv[0], name_deep, Qundef) : Qundef;
    if (deep == Qundef) return native_call_with_keywords("to_h", argc, argv, self);
    storage_check(self);
    return RTEST(deep) ? to_hash_deep(self) : value_fields(self);
}

// A block makes the pairs of the Hash, as that of Struct#to_h does.
VALUE value_to_h(int argc, VALUE *argv, VALUE self) {
    VALUE hash = hash_of(argc, argv, self);
    return SPARPACK_LIKELY(!rb_block_given_p()) ? hash : rb_funcall_passing_block(hash, rb_intern("to_h"), 0, nullptr);
}

// Sparpack::Native.deep_fields(object): what to_h(deep: true) returns, for an object of any storage.
VALUE native_deep_fields(VALUE, VALUE object) { return to_hash_deep(object); }

}  // namespace

void to_hash_init(VALUE sparpack) {
    name_deep = ID2SYM(rb_intern("deep"));
    define_methods(rb_const_get(sparpack, rb_intern("Value")), {{"to_h", value_to_h}});
    define_singleton_methods(native_module(), {{"deep_fields", native_deep_fields}});
}

}  // namespace sparpack
