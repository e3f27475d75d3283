// Validation finds what encoding would refuse, and with :strict also unknown enum values, without writing. The linked frames
// on the stack say where a fault lies. Only a fault makes text of them.
#include "../bytes/uuid.hpp"
#include "../glue/fault.hpp"
#include "../glue/pending.hpp"
#include "../values/numbers.hpp"
#include "../values/sets.hpp"
#include "../values/text.hpp"
#include "codec.hpp"

namespace sparpack {

namespace {

struct PathNode {
    const PathNode *parent;
    void (*add)(Fault &, size_t);  // nullptr for a field
    VALUE name;
    size_t index;
};

constexpr int suggestions_max = 3;

struct Validation {
    Pending pending;  // for the values of objects that are not our own
    int64_t memory;   // without a limit
    VALUE root;
    VALUE faults;
    Check check;
    int suggestions;   // how many names of enums may still get a suggestion, because each takes time
    int explanations;  // how many numbers of enums may still get an explanation

    // The walk goes on while all faults are wanted, or none was found. It ends where an object is too deep: an object that
    // refers to itself twice has 2**63 such places.
    bool all;
    bool goes_on() const { return all || RARRAY_LEN(faults) == 0; }
};

void add_fault(Validation &v, Fault &fault, const PathNode *path) {
    for (; path; path = path->parent) {
        if (path->add) {
            path->add(fault, path->index);
        } else {
            fault_at_field(fault, path->name);
        }
    }
    rb_ary_push(v.faults, fault_validation_error(fault, v.root));
}

void add_status(Validation &v, Status status, const PathNode *path) {
    Fault fault;
    fault.status = status;
    if (status == Status::too_deep) {
        fault.limit = options_usual.depth;
        v.all = false;
    }
    add_fault(v, fault, path);
}

void add_value(Validation &v, Status status, const Type &type, VALUE value, const PathNode *path) {
    Fault fault;
    fault.status = status;
    fault.found = value;
    if (type.kind == Kind::struct_ || type.kind == Kind::union_) {
        fault.expected_class = type.klass;
    } else if (type.kind == Kind::enum_) {
        fault.expected_class = type.enumeration;
        bool is_name = SYMBOL_P(value) || RB_TYPE_P(value, T_STRING);
        int &left = is_name ? v.suggestions : v.explanations;
        fault.suggest = left > 0;
        left -= fault.suggest;
    } else if (status != Status::value_not_utf8 && status != Status::value_not_uuid) {
        fault.expected = kind_name(type.kind);
    }
    add_fault(v, fault, path);
}

void check_struct(Validation &v, const Link *link, VALUE object, const PathNode *path, int depth);
void check_value(Validation &v, const Type &type, VALUE value, const PathNode *path, int depth);

template <class T> void check_integer(Validation &v, const Type &type, VALUE value, const PathNode *path) {
    int64_t number;
    Conversion result = integer_in<T>(value, &number);
    if (result == Conversion::ok) return;
    add_value(v, result == Conversion::mismatch ? Status::value_mismatch : Status::value_out_of_range, type, value, path);
}

void check_real(Validation &v, const Type &type, VALUE value, const PathNode *path) {
    double number;
    Conversion result = real_of(value, &number);
    if (result == Conversion::ok) return;
    add_value(v, result == Conversion::mismatch ? Status::value_mismatch : Status::value_out_of_range, type, value, path);
}

void check_text(Validation &v, const Type &type, VALUE value, const PathNode *path) {
    VALUE string = SYMBOL_P(value) ? rb_sym2str(value) : value;
    if (!RB_TYPE_P(string, T_STRING)) {
        add_value(v, Status::value_mismatch, type, value, path);
    } else if (!text_utf8(string, false)) {
        add_value(v, Status::value_not_utf8, type, value, path);
    }
}

void check_uuid(Validation &v, const Type &type, VALUE value, const PathNode *path) {
    uint8_t bytes[uuid_bytes];
    if (!RB_TYPE_P(value, T_STRING)) {
        add_value(v, Status::value_mismatch, type, value, path);
    } else if (!uuid_parse(RSTRING_PTR(value), string_size(value), bytes)) {
        add_value(v, Status::value_not_uuid, type, value, path);
    }
}

void check_enum(Validation &v, const Type &type, VALUE value, const PathNode *path) {
    bool is_number = RB_INTEGER_TYPE_P(value);
    if (!is_number && enum_number(type.numbers, value) == Qundef)
        return add_value(v, Status::value_mismatch, type, value, path);
    if (is_number && NIL_P(rb_hash_lookup2(type.names, value, Qnil))) {
        int64_t number;
        bool fits = integer_in<int32_t>(value, &number) == Conversion::ok;
        add_value(v, fits ? Status::value_mismatch : Status::value_out_of_range, type, value, path);
    }
}

void check_list(Validation &v, const Type &type, VALUE array, const PathNode *path, int depth) {
    for (long i = 0; i < RARRAY_LEN(array) && v.goes_on(); i++) {
        PathNode here = {path, fault_at_index, Qnil, static_cast<size_t>(i)};
        check_value(v, *type.element, RARRAY_AREF(array, i), &here, depth);
    }
    RB_GC_GUARD(array);
}

struct Iteration {
    Validation &v;
    const Type &type;
    const PathNode *path;
    size_t index;
    int depth;
};

int check_element(VALUE element, VALUE data) {
    Iteration &iteration = *reinterpret_cast<Iteration *>(data);
    PathNode here = {iteration.path, fault_at_index, Qnil, iteration.index++};
    check_value(iteration.v, *iteration.type.element, element, &here, iteration.depth);
    return iteration.v.goes_on() ? ST_CONTINUE : ST_STOP;
}

int check_pair(VALUE key, VALUE value, VALUE data) {
    Iteration &iteration = *reinterpret_cast<Iteration *>(data);
    PathNode at_key = {iteration.path, fault_at_key, Qnil, iteration.index};
    check_value(iteration.v, *iteration.type.key, key, &at_key, iteration.depth);
    PathNode at_value = {iteration.path, fault_at_value, Qnil, iteration.index++};
    if (iteration.v.goes_on()) check_value(iteration.v, *iteration.type.element, value, &at_value, iteration.depth);
    return iteration.v.goes_on() ? ST_CONTINUE : ST_STOP;
}

void check_container(Validation &v, const Type &type, VALUE value, const PathNode *path, int depth) {
    const bool is_map = type.kind == Kind::map, is_array = !is_map && RB_TYPE_P(value, T_ARRAY);
    if (!is_array && !(is_map ? RB_TYPE_P(value, T_HASH) : type.kind == Kind::set && is_set(value)))
        return add_value(v, Status::value_mismatch, type, value, path);
    if (depth < 0) return add_status(v, Status::too_deep, path);
    if (is_array) return check_list(v, type, value, path, depth);
    Iteration iteration = {v, type, path, 0, depth};
    if (!is_map) return set_foreach(value, check_element, reinterpret_cast<VALUE>(&iteration));
    rb_hash_foreach(value, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(check_pair), reinterpret_cast<VALUE>(&iteration));
}

void check_value(Validation &v, const Type &type, VALUE value, const PathNode *path, int depth) {
    switch (type.kind) {
    case Kind::bool_:
        if (value != Qtrue && value != Qfalse) add_value(v, Status::value_mismatch, type, value, path);
        return;
    case Kind::i8: return check_integer<int8_t>(v, type, value, path);
    case Kind::i16: return check_integer<int16_t>(v, type, value, path);
    case Kind::i32: return check_integer<int32_t>(v, type, value, path);
    case Kind::i64: return check_integer<int64_t>(v, type, value, path);
    case Kind::double_: return check_real(v, type, value, path);
    case Kind::string: return check_text(v, type, value, path);
    case Kind::binary:
        if (!RB_TYPE_P(value, T_STRING)) add_value(v, Status::value_mismatch, type, value, path);
        return;
    case Kind::uuid: return check_uuid(v, type, value, path);
    case Kind::enum_: return check_enum(v, type, value, path);
    case Kind::list:
    case Kind::set:
    case Kind::map: return check_container(v, type, value, path, depth - 1);
    case Kind::struct_:
    case Kind::union_:
        if (!storage_fits(value, type.link->plan)) {
            add_value(v, Status::value_mismatch, type, value, path);
        } else if (v.check == Check::recursive) {
            check_struct(v, type.link, value, path, depth - 1);
        }
        return;
    case Kind::any: return;
    }
}

void check_field(Validation &v, const Link *link, const Field &field, VALUE value, const PathNode *path, int depth) {
    PathNode here = {path, nullptr, link->plan->slots[field.slot].name, 0};
    if (NIL_P(value)) {
        if (field.required) add_status(v, Status::missing_field, &here);
    } else if (v.check >= Check::strict) {
        check_value(v, field.type, value, &here, depth);
    }
}

// A union may have thousands of variants, so only the one that is set is checked.
void check_union(Validation &v, const Link *link, VALUE object, const PathNode *path, int depth) {
    uint32_t slot = storage_variant(link->plan, object);
    Extra extra = storage_extra(link->plan, object);
    if (slot != no_slot) {
        VALUE value = storage_variant_value(link->plan, object);
        const Field &field = link->fields[link->places[slot]];
        PathNode here = {path, nullptr, link->plan->slots[slot].name, 0};
        if (NIL_P(value)) return add_value(v, Status::value_mismatch, field.type, value, &here);  // only if adopted
        check_field(v, link, field, value, path, depth);
    } else if (!extra.has_kept_fields()) {
        add_status(v, extra.is_unknown_variant() ? Status::union_unknown : Status::union_unset, path);
    }
    RB_GC_GUARD(object);
}

// `depth` is how many levels there may be below this one.
void check_struct(Validation &v, const Link *link, VALUE object, const PathNode *path, int depth) {
    if (depth < 0) return add_status(v, Status::too_deep, path);
    if (link->is_union) return check_union(v, link, object, path, depth);
    PendingMark mark = pending_mark(v.pending);
    VALUE *scratch = pending_take(v.pending, storage_scratch(link->plan), v.memory);
    const VALUE *values = storage_view(link->plan, object, scratch).values;
    for (uint32_t i = 0; i < link->count && v.goes_on(); i++)
        check_field(v, link, link->fields[i], values[link->fields[i].slot], path, depth);
    pending_release(v.pending, mark);
    RB_GC_GUARD(object);
}

}  // namespace

VALUE validate(const Link *link, VALUE object, Check check, bool all) {
    VALUE stack[Pending::stack_size];
    Validation v = {{stack, Pending::stack_size},
                    unlimited,
                    rb_obj_class(object),
                    rb_ary_new(),
                    check,
                    suggestions_max,
                    suggestions_max,
                    all};
    if (check != Check::none) check_struct(v, link, object, nullptr, options_usual.depth - 1);
    RB_GC_GUARD(v.pending.spill);  // not freed, because a continuation may return into a reader
    return v.faults;
}

}  // namespace sparpack
