// Equality and hashes, over slots. Nested structs are compared here, without a method call for each. A cycle is found only
// after it has gone round a few times, because Ruby's own guard costs more than most comparisons. As often, the stack is
// looked at.
#include "../glue/fault.hpp"
#include "../glue/nan.hpp"
#include "storage.hpp"

namespace sparpack {

namespace {

constexpr int guard_depth = 32;

struct Compare {
    bool (*values)(VALUE, VALUE);
};

bool equal_values(VALUE a, VALUE b) { return RTEST(rb_equal(a, b)); }
bool eql_values(VALUE a, VALUE b) { return RTEST(rb_eql(a, b)); }

bool same(VALUE a, VALUE b, const Compare &compare, int depth);

struct Guarded {
    VALUE b;
    const Compare *compare;
};

VALUE same_guarded(VALUE a, VALUE data, int recursive) {
    const Guarded *guarded = reinterpret_cast<const Guarded *>(data);
    if (recursive) return Qtrue;  // equal so far, as in Ruby's containers
    return same(a, guarded->b, *guarded->compare, 0) ? Qtrue : Qfalse;
}

bool same_value(VALUE a, VALUE b, const Compare &compare, int depth) {
    if (a == b) return !RB_FLOAT_TYPE_P(a) || float_value(a) == float_value(a);  // NaN never equals
    if (RB_SPECIAL_CONST_P(a) && RB_SPECIAL_CONST_P(b) && !RB_FLOAT_TYPE_P(a) && !RB_FLOAT_TYPE_P(b)) return false;
    if (!storage_is_any(a) || !storage_is_any(b)) return compare.values(a, b);
    if (depth < guard_depth) return same(a, b, compare, depth + 1);
    fault_stack_check();  // Ruby's own guard would let it overflow
    Guarded guarded = {b, &compare};
    return RTEST(rb_exec_recursive_paired(same_guarded, a, b, reinterpret_cast<VALUE>(&guarded)));
}

bool same(VALUE a, VALUE b, const Compare &compare, int depth) {
    if (a == b) return true;
    if (!storage_is_any(b) || rb_obj_class(a) != rb_obj_class(b)) return false;
    if (storage_plan(a) != storage_plan(b)) return false;
    const VALUE *other = storage_values(b).begin();
    for (VALUE value : storage_values(a)) {
        if (!same_value(value, *other++, compare, depth)) return false;
    }
    bool extra = storage_extra(a).equals(storage_extra(b));
    RB_GC_GUARD(a);
    RB_GC_GUARD(b);
    return extra;
}

VALUE value_equal(VALUE self, VALUE other) {
    storage_check(self);
    return same(self, other, Compare{equal_values}, 0) ? Qtrue : Qfalse;
}

VALUE value_eql(VALUE self, VALUE other) {
    storage_check(self);
    return same(self, other, Compare{eql_values}, 0) ? Qtrue : Qfalse;
}

st_index_t hash_of(VALUE self, int depth);

// Only the outermost object of a cycle counts, so equal cycles have equal hashes wherever they are entered.
VALUE hash_guarded(VALUE self, VALUE, int recursive) {
    if (recursive) return rb_hash(rb_obj_class(self));
    return ST2FIX(hash_of(self, 0));
}

st_index_t hash_value(VALUE value, int depth) {
    if (storage_is_any(value)) {
        if (depth < guard_depth) return hash_of(value, depth + 1);
        fault_stack_check();
        return static_cast<st_index_t>(NUM2LONG(rb_exec_recursive_outer(hash_guarded, value, Qnil)));
    }
    if (RB_TYPE_P(value, T_STRING)) return rb_str_hash(value);
    return static_cast<st_index_t>(NUM2LONG(rb_hash(value)));
}

st_index_t hash_of(VALUE self, int depth) {
    st_index_t hash = rb_hash_start(static_cast<st_index_t>(NUM2LONG(rb_hash(rb_obj_class(self)))));
    for (VALUE value : storage_values(self)) hash = rb_hash_uint(hash, hash_value(value, depth));
    Extra extra = storage_extra(self);
    if (!extra.empty()) hash = rb_hash_uint(hash, hash_value(extra.to_ruby(), depth));
    RB_GC_GUARD(self);
    return rb_hash_end(hash);
}

VALUE value_hash(VALUE self) {
    storage_check(self);
    return ST2FIX(hash_of(self, 0));
}

}  // namespace

namespace {

// Sparpack::Native.too_many_nan?(elements): whether an Array holds too many NaNs to become a Set. An object that is or holds
// a NaN equals itself, so it counts once, as in a Set.
VALUE native_too_many_nan(VALUE, VALUE elements) {
    Check_Type(elements, T_ARRAY);
    VALUE found = Qfalse;
    for (long i = 0; i < RARRAY_LEN(elements); i++) {
        VALUE element = RARRAY_AREF(elements, i);
        if (SPARPACK_LIKELY(!has_nan(element))) continue;
        if (!found) found = rb_hash_new();
        rb_hash_aset(found, element, Qtrue);
        if (RHASH_SIZE(found) > nan_keys_max) return Qtrue;
    }
    return Qfalse;
}

}  // namespace

static int search_variable(ID, VALUE value, st_data_t argument) {
    NanSearch &search = *reinterpret_cast<NanSearch *>(argument);
    nan_search(search, value);
    return search.ended() ? ST_STOP : ST_CONTINUE;
}

// Searches an object's fields, because an object that holds a NaN equals no other. Returns false if it is not ours. A plain
// object equals itself alone, unless its class says otherwise.
bool nan_in_instance(NanSearch &search, VALUE object) {
    if (RB_BUILTIN_TYPE(object) == RUBY_T_OBJECT) {
        if (!rb_method_basic_definition_p(RBASIC_CLASS(object), rb_intern("eql?")))
            storage_each_variable(object, search_variable, reinterpret_cast<st_data_t>(&search));
        return true;
    }
    if (!storage_is_any(object)) return false;
    for (VALUE value : storage_values(object)) {
        nan_search(search, value);
        if (search.ended()) break;
    }
    RB_GC_GUARD(object);
    return true;
}

void compare_init(VALUE value, VALUE native) {
    define_methods(value, {{"==", value_equal}, {"eql?", value_eql}, {"hash", value_hash}});
    define_singleton_methods(native, {{"too_many_nan?", native_too_many_nan}});
}

}  // namespace sparpack
