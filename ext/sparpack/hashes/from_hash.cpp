// Hashes to objects: from_h. Values are converted to the form in which they are decoded. This is the fast form of
// lib/sparpack/objects/canonical.rb for what is usual and right. A function returns false for anything else, and then all of
// the Hash is left to Ruby, which also says what is wrong and where. So both must agree wherever this returns an object.
#include "../glue/nan.hpp"
#include "../glue/native_module.hpp"
#include "hashes.hpp"
#include "scalars.hpp"

namespace sparpack {

namespace {

struct Build {
    Pending pending;
    int64_t memory;  // without a limit
    StorageSlab slab;
    VALUE known;  // {object => what it was converted to}, by identity; Qfalse while there is none
    bool skip;    // names that are not fields
};

// Converts a value in place. With `keep`, a container stays the same object if nothing in it changes.
bool convert(Build &b, const Type &type, VALUE *value, bool keep, int depth);

// --- names -------------------------------------------------------------------------------------------------------------

constexpr uint32_t unsure_slot = no_slot - 1;

// Finds a field by bytes that are UTF-8.
SPARPACK_INLINE uint32_t slot_named(const Link *link, VALUE text, uint32_t hint) {
    if (SPARPACK_UNLIKELY(!is_utf8(text)) && !rb_enc_str_asciionly_p(text)) return unsure_slot;
    int index = link->table.find_name(string_bytes(text), string_size(text), hint);
    return index < 0 ? no_slot : link->fields[index].slot;
}

// Finds a field by its name in Ruby, or else in the IDL. `expected` is the slot that comes next if the Hash has the order of
// the fields.
SPARPACK_INLINE uint32_t slot_of(const Link *link, VALUE name, uint32_t expected) {
    const Plan *plan = link->plan;
    if (SYMBOL_P(name)) {
        if (SPARPACK_LIKELY(expected < plan->count && plan->slots[expected].name == name)) return expected;
        uint32_t slot = plan_slot(plan, name);
        return slot != no_slot ? slot : slot_named(link, rb_sym2str(name), plan->count);
    }
    if (!RB_TYPE_P(name, T_STRING)) return no_slot;
    if (SPARPACK_UNLIKELY(link->name_is_shadowed)) return unsure_slot;
    return slot_named(link, name, expected < plan->count ? link->places[expected] : plan->count);
}

struct Pairs {
    const Link *link;
    VALUE *values;      // of a struct by slots, of a union the slot and the value
    uint32_t expected;  // slot
    bool skip;
    bool usual;
};

int refuse_pair(Pairs *pairs) {
    pairs->usual = false;
    return ST_STOP;
}

// A name may be there twice, as a Symbol and as a String.
int take_field(VALUE name, VALUE value, VALUE data) {
    Pairs *pairs = reinterpret_cast<Pairs *>(data);
    uint32_t slot = slot_of(pairs->link, name, pairs->expected);
    if (SPARPACK_UNLIKELY(slot >= unsure_slot)) return slot == no_slot && pairs->skip ? ST_CONTINUE : refuse_pair(pairs);
    if (SPARPACK_UNLIKELY(pairs->values[slot] != Qundef)) return refuse_pair(pairs);
    pairs->values[slot] = value;
    pairs->expected = slot + 1;
    return ST_CONTINUE;
}

int take_variant(VALUE name, VALUE value, VALUE data) {
    Pairs *pairs = reinterpret_cast<Pairs *>(data);
    uint32_t slot = slot_of(pairs->link, name, 0);
    if (slot >= unsure_slot) return slot == no_slot && pairs->skip ? ST_CONTINUE : refuse_pair(pairs);
    bool found = !NIL_P(pairs->values[0]);
    if (NIL_P(value)) return found && FIX2LONG(pairs->values[0]) == slot ? refuse_pair(pairs) : ST_CONTINUE;
    if (found) return refuse_pair(pairs);
    pairs->values[0] = INT2FIX(slot);
    pairs->values[1] = value;
    return ST_CONTINUE;
}

bool take_pairs(Build &b, const Link *link, VALUE hash, int (*take)(VALUE, VALUE, VALUE), VALUE *values) {
    Pairs pairs = {link, values, 0, b.skip, true};
    rb_hash_foreach(hash, take, reinterpret_cast<VALUE>(&pairs));
    return pairs.usual;
}

// --- objects -----------------------------------------------------------------------------------------------------------

const Type &type_of(const Link *link, uint32_t slot) { return link->fields[link->places[slot]].type; }

bool build_struct(Build &b, const Link *link, VALUE hash, VALUE *values, int depth) {
    const Plan *plan = link->plan;
    for (uint32_t slot = 0; slot < plan->count; slot++) values[slot] = Qundef;
    if (!take_pairs(b, link, hash, take_field, values)) return false;
    for (uint32_t slot = 0; slot < plan->count; slot++) {
        if (values[slot] == Qundef) {
            const Slot &field = plan->slots[slot];
            values[slot] = NIL_P(field.default_value) ? storage_absent(plan) : plan_default(field);
        } else if (!NIL_P(values[slot]) && !convert(b, type_of(link, slot), &values[slot], false, depth + 1)) {
            return false;
        }
    }
    return true;
}

bool build_union(Build &b, const Link *link, VALUE hash, VALUE *values, int depth) {
    values[0] = values[1] = Qnil;
    if (!take_pairs(b, link, hash, take_variant, values)) return false;
    return NIL_P(values[0]) ||
           convert(b, type_of(link, static_cast<uint32_t>(FIX2LONG(values[0]))), &values[1], false, depth + 1);
}

// Makes an object from a Hash, in place.
bool build(Build &b, const Link *link, VALUE klass, VALUE *place, int depth) {
    if (SPARPACK_UNLIKELY(level_enter(depth) != Level::fine)) return false;
    PendingMark mark = pending_mark(b.pending);
    VALUE *values = pending_take(b.pending, link->is_union ? 2 : link->plan->count, b.memory);
    bool usual = link->is_union ? build_union(b, link, *place, values, depth) : build_struct(b, link, *place, values, depth);
    if (SPARPACK_LIKELY(usual)) *place = storage_build(b.slab, link->plan, klass, values, Extra::none());
    pending_release(b.pending, mark);
    return usual;
}

VALUE identity_hash() { return rb_funcall(rb_hash_new(), rb_intern("compare_by_identity"), 0); }

// Converts the fields of an object, and copies it only if one of them changes. If it contains itself, that reference stays.
// A class that is not linked yet cannot be one that the types name, so Ruby finds out its types.
bool convert_object(Build &b, VALUE *place, int depth) {
    VALUE object = *place, copy = Qfalse;
    const Plan *plan = storage_plan(object);
    const Link *link = __atomic_load_n(&plan->link, __ATOMIC_ACQUIRE);
    if (!link) return false;
    if (!b.known) b.known = identity_hash();
    VALUE known = rb_hash_lookup2(b.known, object, Qundef);
    if (known != Qundef) return *place = known, true;
    if (level_enter(depth) != Level::fine) return false;
    rb_hash_aset(b.known, object, object);
    Slots slots = storage_slots(object);
    for (uint32_t slot = slots.begin; slot < slots.end; slot++) {
        VALUE before = storage_read(object, slot), after = before;
        if (NIL_P(before)) continue;
        if (!convert(b, type_of(link, slot), &after, true, depth + 1)) return false;
        if (after == before) continue;
        if (!copy) copy = rb_obj_dup(object);
        if (storage_check(copy) != plan) return false;
        storage_assign(copy, slot, after);
    }
    if (copy) rb_hash_aset(b.known, object, *place = copy);
    RB_GC_GUARD(object);
    return true;
}

// --- containers --------------------------------------------------------------------------------------------------------

bool convert_all(Build &b, const Type &type, VALUE *values, size_t count, size_t step, bool keep, int depth) {
    for (size_t i = 0; i < count; i++, values += step) {
        if (!convert(b, type, values, keep, depth)) return false;
    }
    return true;
}

// Keeps the Array up to the first element that changes.
bool convert_kept_list(Build &b, const Type &type, VALUE *place, int depth) {
    VALUE array = *place, copy = Qfalse;
    for (long i = 0; i < RARRAY_LEN(array); i++) {
        VALUE before = RARRAY_AREF(array, i), after = before;
        if (!convert(b, *type.element, &after, true, depth + 1)) return false;
        if (!copy && after != before) copy = rb_ary_subseq(array, 0, i);
        if (copy) rb_ary_push(copy, after);
    }
    if (copy) *place = copy;
    RB_GC_GUARD(array);
    return true;
}

bool convert_long_list(Build &b, const Type &type, VALUE *place, int depth) {
    VALUE array = *place, copy = rb_ary_new_capa(RARRAY_LEN(array));
    for (long i = 0; i < RARRAY_LEN(array); i++) {
        VALUE element = RARRAY_AREF(array, i);
        if (!convert(b, *type.element, &element, false, depth + 1)) return false;
        rb_ary_push(copy, element);
    }
    RB_GC_GUARD(array);
    return *place = copy, true;
}

bool convert_list(Build &b, const Type &type, VALUE *place, bool keep, int depth) {
    if (!RB_TYPE_P(*place, T_ARRAY)) return true;
    if (SPARPACK_UNLIKELY(level_enter(depth) != Level::fine)) return false;
    if (keep) return convert_kept_list(b, type, place, depth);
    long size = RARRAY_LEN(*place);
    if (size > short_array) return convert_long_list(b, type, place, depth);
    size_t count = static_cast<size_t>(size);
    PendingMark mark = pending_mark(b.pending);
    VALUE *values = pending_take(b.pending, count, b.memory);
    for (long i = 0; i < size; i++) values[i] = RARRAY_AREF(*place, i);
    if (!convert_all(b, *type.element, values, count, 1, false, depth + 1)) return false;
    *place = array_new(values, count);
    pending_release(b.pending, mark);
    return true;
}

// True if so many elements are or hold a NaN that Ruby must count the different ones (Native.too_many_nan?).
bool many_nan(const Collected &all) {
    uint32_t nans = 0;
    for (size_t i = 0; i < all.count; i++) {
        VALUE value = all.values[i];
        if (RB_SPECIAL_CONST_P(value) || RB_BUILTIN_TYPE(value) == RUBY_T_STRING || !has_nan(value)) continue;
        if (++nans > nan_keys_max) return true;
    }
    return false;
}

bool by_identity(VALUE container) { return RTEST(rb_funcall(container, rb_intern("compare_by_identity?"), 0)); }

bool same(const VALUE *one, const VALUE *other, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (one[i] != other[i]) return false;
    }
    return true;
}

bool convert_set(Build &b, const Type &type, VALUE *place, bool keep, int depth) {
    bool is_array = RB_TYPE_P(*place, T_ARRAY);
    if (!is_array && !is_set(*place)) return true;
    if (level_enter(depth) != Level::fine) return false;
    size_t size = is_array ? static_cast<size_t>(RARRAY_LEN(*place)) : set_size(*place);
    bool stays = keep && !is_array;
    PendingMark mark = pending_mark(b.pending);
    VALUE *room = pending_take(b.pending, stays ? 2 * size : size, b.memory);
    Collected all = {room, size};
    if (is_array) {
        for (size_t i = 0; i < size; i++) room[i] = RARRAY_AREF(*place, static_cast<long>(i));
    } else {
        all = collect_set(*place, room);
    }
    if (stays) memcpy(room + size, room, all.count * sizeof *room);
    if (!convert_all(b, *type.element, room, all.count, 1, keep, depth + 1) || many_nan(all)) return false;
    stays = stays && same(room, room + size, all.count) && !by_identity(*place);
    if (!stays) *place = set_of_elements(room, all.count);
    pending_release(b.pending, mark);
    return true;
}

// --- maps --------------------------------------------------------------------------------------------------------------

bool convert_map(Build &b, const Type &type, VALUE *place, bool keep, int depth) {
    if (!RB_TYPE_P(*place, T_HASH)) return true;
    if (level_enter(depth) != Level::fine) return false;
    size_t size = 2 * RHASH_SIZE(*place);
    PendingMark mark = pending_mark(b.pending);
    VALUE *room = pending_take(b.pending, keep ? 2 * size : size, b.memory);
    Collected all = collect_hash(*place, room);
    if (keep) memcpy(room + size, room, all.count * sizeof *room);
    size_t count = all.count / 2;
    for (size_t i = 0; i < count; i++) {
        if (!read_key_text(*type.key, &room[2 * i])) return false;
    }
    if (!convert_all(b, *type.key, room, count, 2, keep, depth + 1)) return false;
    if (!convert_all(b, *type.element, room + 1, count, 2, keep, depth + 1)) return false;
    bool stays = keep && same(room, room + size, all.count) && !by_identity(*place);
    if (!stays) *place = hash_of_pairs(room, count);
    pending_release(b.pending, mark);
    return true;
}

bool convert(Build &b, const Type &type, VALUE *value, bool keep, int depth) {
    switch (type.kind) {
    case Kind::bool_:
    case Kind::i8:
    case Kind::i16:
    case Kind::i32:
    case Kind::i64: return true;
    case Kind::double_: return convert_real(value), true;
    case Kind::string: return convert_text(value);
    case Kind::binary: return convert_binary(value), true;
    case Kind::uuid: return convert_uuid(value);
    case Kind::enum_: return convert_enum(type, value);
    case Kind::list: return convert_list(b, type, value, keep, depth);
    case Kind::set: return convert_set(b, type, value, keep, depth);
    case Kind::map: return convert_map(b, type, value, keep, depth);
    case Kind::struct_:
    case Kind::union_:
        // to_h(deep: true) leaves a plain object as it is, so a Hash cannot stand for one.
        if (RB_TYPE_P(*value, T_HASH) && !storage_is_mapped(type.link->plan))
            return build(b, type.link, type.klass, value, depth);
        return storage_is_any(*value) ? convert_object(b, value, depth) : true;
    case Kind::any: return true;
    }
    __builtin_unreachable();
}

// Sparpack::Native.from_h(klass, hash, skip): the object, or nil if Ruby must make it or say why it cannot be made.
VALUE native_from_h(VALUE, VALUE klass, VALUE hash, VALUE skip) {
    Check_Type(hash, T_HASH);
    const Plan *plan = plan_of(klass);
    const Link *link = __atomic_load_n(&plan->link, __ATOMIC_ACQUIRE);
    if (SPARPACK_UNLIKELY(!link)) {
        if (!RTEST(native_call("try_to_link", klass))) return Qnil;
        link = plan_link(plan);
    }
    VALUE stack[Pending::stack_size];
    Build b = {{stack, Pending::stack_size}, unlimited, storage_slab(), Qfalse, RTEST(skip)};
    VALUE object = hash;
    bool usual = build(b, link, klass, &object, 0);
    RB_GC_GUARD(b.pending.spill);  // not freed, because a continuation may return into a key's `hash`
    RB_GC_GUARD(hash);
    return usual ? object : Qnil;
}

}  // namespace

void from_hash_init() { define_singleton_methods(native_module(), {{"from_h", native_from_h}}); }

}  // namespace sparpack
