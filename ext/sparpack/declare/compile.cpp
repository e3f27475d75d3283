// Compiles plans from what Ruby says about a class.
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../objects/storage.hpp"
#include "../values/sets.hpp"
#include "holder.hpp"

#include <ruby/ractor.h>

namespace sparpack {

namespace {

VALUE base_classes[3];  // in the order of Shape; written by plan_init alone

bool descends(VALUE klass, VALUE ancestor) {
    return RB_TYPE_P(klass, T_CLASS) && klass != ancestor && RTEST(rb_class_inherited_p(klass, ancestor));
}

// A class that can have fields is a subclass of Struct, Union or Exception, or adopted.
Shape shape_of(VALUE klass, Storage *storage = nullptr, Manner *manner = nullptr) {
    for (int i = 0; i < 3; i++) {
        if (descends(klass, base_classes[i])) return static_cast<Shape>(i);
    }
    if (VALUE holder = RB_TYPE_P(klass, T_CLASS) ? holder_adopted(klass) : 0) {
        if (storage) *storage = Storage::ivars;
        if (manner) *manner = data_of<Holder>(holder)->manner;
        return data_of<Holder>(holder)->shape;
    }
    fault_type("%" PRIsVALUE " is not a struct, union or exception", fault_quote(klass));
}

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

bool is_id(VALUE value) { return RB_FIXNUM_P(value) && FIX2LONG(value) == static_cast<int16_t>(FIX2LONG(value)); }

// True if a row is [id, name, default, coercion]. Converts nothing, because conversions may run Ruby code.
bool is_row(VALUE row) {
    if (!RB_TYPE_P(row, T_ARRAY) || RARRAY_LEN(row) != 4) return false;
    VALUE coercion = RARRAY_AREF(row, 3);
    return is_id(RARRAY_AREF(row, 0)) && SYMBOL_P(RARRAY_AREF(row, 1)) &&
           (NIL_P(coercion) || SYMBOL_P(coercion) || RB_TYPE_P(coercion, T_HASH));
}

// Ruby gives nil for a type that is not known yet, a Hash for an enum's numbers, or the kind of the type.
Coercion coercion_of(VALUE row) {
    if (NIL_P(row)) return Coercion::unknown;
    if (RB_TYPE_P(row, T_HASH)) return Coercion::enum_;
    if (SYM2ID(row) == rb_intern(kind_name(Kind::string))) return Coercion::text;
    return SYM2ID(row) == rb_intern(kind_name(Kind::uuid)) ? Coercion::uuid : Coercion::anything;
}

// Makes a plan of the rows of a class or a mapping, and returns what owns it.
VALUE compile(VALUE klass, VALUE fields, Shape shape, Storage storage, Manner manner) {
    Check_Type(fields, T_ARRAY);
    uint32_t count = static_cast<uint32_t>(RARRAY_LEN(fields));
    for (uint32_t i = 0; i < count; i++) {
        bool fits =
            is_row(RARRAY_AREF(fields, i)) && (shape != Shape::union_ || NIL_P(RARRAY_AREF(RARRAY_AREF(fields, i), 2)));
        if (!fits) fault_type("field %u cannot be compiled", i);
    }
    VALUE owner = rb_data_typed_object_zalloc(0, sizeof(Plan), &plan_type);
    Plan *plan = data_of<Plan>(owner);
    plan->shape = shape;
    plan->storage = storage;
    plan->manner = manner;
    plan->dropped = manner == Manner::thrift;  // until native_accelerate
    plan->owner = owner;
    RB_OBJ_WRITE(owner, &plan->klass, klass);
    plan->slots = static_cast<Slot *>(xcalloc(count ? count : 1, sizeof(Slot)));
    plan->width = plan->shape == Shape::union_ ? 2 : count;
    storage_prepare(plan);
    bool in_ivars = storage != Storage::slots && (shape != Shape::union_ || manner == Manner::sparsam);
    ID *ivars = in_ivars ? static_cast<ID *>(xcalloc(count ? count : 1, sizeof(ID))) : nullptr;
    plan->ivars = ivars;
    if (storage == Storage::ivars) plan->allocator = rb_get_alloc_func(klass);
    for (uint32_t i = 0; i < count; i++) {
        VALUE field = RARRAY_AREF(fields, i);
        Slot &slot = plan->slots[i];
        slot.id = static_cast<int16_t>(FIX2LONG(RARRAY_AREF(field, 0)));
        // Taking its ID makes a Symbol static: it never moves and is never freed.
        slot.name = ID2SYM(rb_sym2id(RARRAY_AREF(field, 1)));
        if (in_ivars) ivars[i] = storage_ivar(slot.name);
        RB_OBJ_WRITE(owner, &slot.default_value, RARRAY_AREF(field, 2));
        VALUE coercion = RARRAY_AREF(field, 3);
        slot.coercion = coercion_of(coercion);
        slot.plain = shape != Shape::union_ && slot.coercion < Coercion::uuid;
        RB_OBJ_WRITE(owner, &slot.numbers, slot.coercion == Coercion::enum_ ? coercion : Qnil);
        plan->count = i + 1;  // what the slot holds is marked from here on: a measure may run Ruby code
        if (manner == Manner::usual) plan_default_measure(slot, klass);
        plan->has_defaults |= !NIL_P(slot.default_value);
    }
    plan->names = names_new(plan, &plan->names_mask);
    RB_GC_GUARD(fields);
    return owner;
}

// Sparpack::Native.compile(klass, [[id, name, default, coercion], …]): makes the plan of a class, in order of declaration.
VALUE native_compile(VALUE, VALUE klass, VALUE fields) {
    Storage storage = Storage::slots;
    Manner manner = Manner::usual;
    Shape shape = shape_of(klass, &storage, &manner);
    VALUE owner = compile(klass, fields, shape, storage, manner);
    // Objects mark the owner. It is shareable, so that they can go from Ractor to Ractor.
    freeze_raw(owner);
    rb_ractor_make_shareable(owner);
    holder_publish(klass, owner);
    return Qnil;
}

// An allocator of Ruby's own for objects or exceptions calls no Ruby code, which could change what is being decoded.
bool has_usual_allocator(VALUE klass) {
    rb_alloc_func_t allocator = rb_get_alloc_func(klass);
    return allocator == rb_get_alloc_func(rb_cObject) || allocator == rb_get_alloc_func(rb_eStandardError);
}

// Sparpack::Native.map(mapping, [[id, name, default, coercion], …], [class, building, filler, calls_new, mandatory,
// members, readers], by_name): makes the plan of a mapping, which keeps it itself. A member is [place in a Struct, plain,
// mandatory].
VALUE native_map(VALUE, VALUE mapping, VALUE fields, VALUE row, VALUE by_name) {
    Check_Type(row, T_ARRAY);
    VALUE klass = rb_ary_entry(row, 0);
    Check_Type(klass, T_CLASS);
    VALUE owner = compile(mapping, fields, Shape::struct_, Storage::mapped, Manner::usual);
    Plan *plan = data_of<Plan>(owner);
    plan->by_name = RTEST(by_name);
    plan->mapped = storage_mapped(plan, row);
    plan->constructs = storage_constructs(plan);
    RB_OBJ_WRITTEN(owner, Qundef, klass);
    RB_OBJ_WRITTEN(owner, Qundef, rb_ary_entry(row, 2));
    VALUE readers = rb_ary_entry(row, 6);
    for (long i = 0; i < RARRAY_LEN(readers); i++) RB_OBJ_WRITTEN(owner, Qundef, RARRAY_AREF(readers, i));
    plan->allocator = rb_get_alloc_func(klass);
    bool is_struct = RTEST(rb_class_inherited_p(klass, rb_cStruct));
    if (storage_allocates(plan) && !plan->allocator)
        fault_schema("%" PRIsVALUE
                     ": no objects of it can be allocated: map a subclass, or use build: :keywords or :positional",
                     klass);
    if (storage_allocates(plan) && !is_struct && !has_usual_allocator(klass))
        fault_schema("%" PRIsVALUE ": it has an allocator of its own: use build: :keywords or :positional", klass);
    freeze_raw(owner);  // Ruby makes it shareable with the mapping, because each refers to the other
    rb_ivar_set(mapping, id_plan, owner);
    return Qnil;
}

// Returns the owner of a mapping's plan, or 0.
VALUE mapping_owner(VALUE object) {
    if (RB_SPECIAL_CONST_P(object) || RB_TYPE_P(object, T_CLASS)) return 0;
    VALUE owner = rb_attr_get(object, id_plan);
    return rb_typeddata_is_kind_of(owner, &plan_type) ? owner : 0;
}

void check_allocator(VALUE klass) {
    if (!has_usual_allocator(klass)) fault_type("%" PRIsVALUE " has an allocator of its own", fault_quote(klass));
}

// Sparpack::Native.share(klass, parent): gives a subclass without fields of its own the plan of its parent.
VALUE native_share(VALUE, VALUE klass, VALUE parent) {
    shape_of(klass);
    shape_of(parent);
    if (!descends(klass, parent)) fault_type("%" PRIsVALUE " is not a subclass of %" PRIsVALUE, klass, parent);
    const Plan *plan = plan_of(parent);
    if (plan->storage == Storage::ivars) check_allocator(klass);
    holder_publish(klass, plan->owner);
    return Qnil;
}

VALUE native_sealed(VALUE, VALUE klass) { return RB_TYPE_P(klass, T_CLASS) && holder_owner(klass) ? Qtrue : Qfalse; }

// Sparpack::Native.hold(klass): makes the place for a class's plan. This happens when the class is created, because several
// Ractors may be the first to use it.
VALUE native_hold(VALUE, VALUE klass) {
    shape_of(klass);
    if (holder_of(klass)) return Qnil;
    VALUE holder = rb_data_typed_object_zalloc(0, sizeof(Holder), &holder_type);
    RB_OBJ_WRITE(holder, &data_of<Holder>(holder)->klass, klass);
    rb_ivar_set(klass, id_plan, holder);
    return Qnil;
}

// Sparpack::Native.hold_adopted(klass, shape, fields, manner): makes a class of another library one that can have a plan.
// `shape` is its index in :struct, :union, :exception, and `manner` its index in :usual, :sparsam, :thrift.
VALUE native_hold_adopted(VALUE, VALUE klass, VALUE shape, VALUE fields, VALUE manner) {
    Check_Type(klass, T_CLASS);
    Check_Type(fields, T_ARRAY);
    int index = NUM2INT(shape), rules = NUM2INT(manner);
    if (index < 0 || index > static_cast<int>(Shape::exception)) fault_argument("no such shape");
    if (rules < 0 || rules > static_cast<int>(Manner::thrift)) fault_argument("no such manner");
    if (holder_of(klass)) fault_type("%" PRIsVALUE " has fields already", fault_quote(klass));
    check_allocator(klass);
    VALUE holder = rb_data_typed_object_zalloc(0, sizeof(Holder), &holder_type);
    Holder *data = data_of<Holder>(holder);
    RB_OBJ_WRITE(holder, &data->klass, klass);
    RB_OBJ_WRITE(holder, &data->adopted, fields);
    data->shape = static_cast<Shape>(index);
    data->manner = static_cast<Manner>(rules);
    rb_ivar_set(klass, id_plan, holder);
    return klass;
}

// Sparpack::Native.adopted(klass): [shape, fields] of the adopted class that a class is or descends from. A subclass has no
// fields of its own.
VALUE native_adopted(VALUE, VALUE klass) {
    VALUE holder = RB_TYPE_P(klass, T_CLASS) ? holder_adopted(klass) : 0;
    if (!holder) return Qnil;
    const Holder *data = data_of<Holder>(holder);
    VALUE fields = data->klass == klass ? data->adopted : rb_ary_new();
    return rb_assoc_new(INT2FIX(static_cast<int>(data->shape)), fields);
}

// Sparpack::Native.construct(klass): from now on the objects of a sealed class are made by `new`.
VALUE native_construct(VALUE, VALUE klass) {
    __atomic_store_n(&const_cast<Plan *>(plan_of(klass))->constructs, true, __ATOMIC_RELEASE);
    return Qnil;
}

// Sparpack::Native.fill_by(klass, defaults, resets, sets_nil, main_only): how a decode gives a sealed class in Thrift's
// manner its defaults, a Hash by names, which stay the library's own objects.
VALUE native_fill_by(VALUE, VALUE klass, VALUE defaults, VALUE resets, VALUE sets_nil, VALUE main_only) {
    Check_Type(defaults, T_HASH);
    Plan *plan = const_cast<Plan *>(plan_of(klass));
    if (plan->manner != Manner::thrift) fault_type("%" PRIsVALUE " is not in Thrift's manner", fault_quote(klass));
    plan->resets = RTEST(resets);
    plan->sets_nil = RTEST(sets_nil);
    plan->main_only = RTEST(main_only);
    for (uint32_t i = 0; i < plan->count; i++) {
        VALUE value = rb_hash_lookup(defaults, plan->slots[i].name);
        RB_OBJ_WRITE(plan->owner, &plan->slots[i].default_value, value);
        plan->has_defaults |= !NIL_P(value);
    }
    return Qnil;
}

// Sparpack::Native.call_by(klass, constructs, validates): which methods of a class in Thrift's manner have to be called, if
// they are not only those of a class that it leads to.
VALUE native_call_by(VALUE, VALUE klass, VALUE constructs, VALUE validates) {
    Plan *plan = const_cast<Plan *>(plan_of(klass));
    __atomic_store_n(&plan->constructs, RTEST(constructs), __ATOMIC_RELEASE);
    plan->validates = RTEST(validates);
    plan->calls = true;
    return Qnil;
}

// Sparpack::Native.accelerate(klass): from now on native code reads and writes objects of a class in Thrift's manner, whose
// plan is complete.
VALUE native_accelerate(VALUE, VALUE klass) {
    __atomic_store_n(&const_cast<Plan *>(plan_of(klass))->dropped, false, __ATOMIC_RELEASE);
    return Qnil;
}

// Sparpack::Native.drop(klass): from now on a sealed class is left to its own library.
VALUE native_drop(VALUE, VALUE klass) {
    __atomic_store_n(&const_cast<Plan *>(plan_of(klass))->dropped, true, __ATOMIC_RELEASE);
    return Qnil;
}

VALUE native_held(VALUE, VALUE klass) { return RB_TYPE_P(klass, T_CLASS) && holder_of(klass) ? Qtrue : Qfalse; }

// Sparpack::Native.symbol_serial(symbol): a number, which is smaller for Symbols that Ruby met earlier.
VALUE native_symbol_serial(VALUE, VALUE symbol) {
    if (!SYMBOL_P(symbol)) fault_type("not a Symbol");
    return SIZET2NUM(rb_sym2id(symbol));
}

SPARPACK_COLD const Plan *plan_seal(VALUE klass) {
    if (VALUE owner = mapping_owner(klass)) return data_of<Plan>(owner);
    if (!RB_TYPE_P(klass, T_CLASS)) fault_type("%" PRIsVALUE " is not a class", fault_quote(klass));
    native_call("seal", klass);
    VALUE owner = holder_owner(klass);
    if (!owner) fault_type("%" PRIsVALUE " has no plan", klass);
    return data_of<Plan>(owner);
}

}  // namespace

uint32_t plan_slot_of(const Plan *plan, VALUE name) {
    if (RB_TYPE_P(name, T_STRING)) {
        if (rb_enc_str_coderange(name) == ENC_CODERANGE_BROKEN) return no_slot;  // rb_check_symbol would raise
        VALUE symbol = name;
        symbol = rb_check_symbol(&symbol);
        return NIL_P(symbol) ? no_slot : plan_slot(plan, symbol);
    }
    return SYMBOL_P(name) ? plan_slot(plan, name) : no_slot;
}

const Plan *plan_adopted(VALUE klass) {
    VALUE holder = RB_TYPE_P(klass, T_CLASS) ? holder_adopted(klass) : 0;
    return holder ? plan_of(data_of<Holder>(holder)->klass) : nullptr;
}

const Plan *plan_sealed(VALUE klass) {
    VALUE owner = SPARPACK_LIKELY(RB_TYPE_P(klass, T_CLASS)) ? holder_owner(klass) : 0;
    return SPARPACK_LIKELY(owner != 0) ? data_of<Plan>(owner) : nullptr;
}

const Plan *plan_of(VALUE klass) {
    VALUE owner = SPARPACK_LIKELY(RB_TYPE_P(klass, T_CLASS)) ? holder_owner(klass) : 0;
    return SPARPACK_LIKELY(owner != 0) ? data_of<Plan>(owner) : plan_seal(klass);
}

void plan_init(VALUE sparpack) {
    id_plan = rb_intern("sparpack_plan");
    VALUE native = native_module();
    rb_define_const(native, "DEFAULT_OBJECTS", LONG2FIX(plan_default_objects));
    rb_define_const(native, "MAPPED_READERS", LONG2FIX(Mapped::readers_most));
    define_singleton_methods(native, {{"compile", native_compile},
                                      {"map", native_map},
                                      {"share", native_share},
                                      {"symbol_serial", native_symbol_serial}});
    constexpr const char *bases[] = {"Struct", "Union", "Exception"};
    for (int i = 0; i < 3; i++) {
        base_classes[i] = rb_const_get(sparpack, rb_intern(bases[i]));
        rb_gc_register_mark_object(base_classes[i]);
    }
    define_singleton_methods(native, {{"held?", native_held},
                                      {"hold_adopted", native_hold_adopted},
                                      {"construct", native_construct},
                                      {"fill_by", native_fill_by},
                                      {"call_by", native_call_by},
                                      {"accelerate", native_accelerate},
                                      {"drop", native_drop},
                                      {"adopted", native_adopted},
                                      {"hold", native_hold},
                                      {"sealed?", native_sealed}});
}

}  // namespace sparpack
