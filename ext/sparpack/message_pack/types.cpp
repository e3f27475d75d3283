#include "types.hpp"

#include "../glue/fault.hpp"

namespace sparpack {

namespace {

void types_mark(void *data) {
    Types *types = static_cast<Types *>(data);
    for (size_t i = 0; i < types->entry_count; i++) {
        rb_gc_mark(types->entries[i].klass);
        rb_gc_mark(types->entries[i].proc);
    }
    for (size_t i = 0; i < types->reader_count; i++) {
        rb_gc_mark(types->readers[i].klass);
        rb_gc_mark(types->readers[i].proc);
    }
    for (const Types::Cached &cached : types->cache) {
        if (cached.klass) rb_gc_mark(cached.klass);  // so that no other class gets its address
    }
}

void types_free(void *data) {
    Types *types = static_cast<Types *>(data);
    ruby_xfree(types->entries);
    ruby_xfree(types->readers);
    ruby_xfree(types);
}

size_t types_size(const void *data) {
    const Types *types = static_cast<const Types *>(data);
    return sizeof(Types) + types->entry_count * sizeof(TypeEntry) + types->reader_count * sizeof(TypeReader);
}

// Deliberately not WB_PROTECTED: there are few of them. Ractors may share frozen ones, which no longer change.
const rb_data_type_t types_type = {"sparpack/types",
                                   {types_mark, types_free, types_size, nullptr, {nullptr}},
                                   nullptr,
                                   nullptr,
                                   RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE};

VALUE types_alloc(VALUE klass) { return rb_data_typed_object_zalloc(klass, sizeof(Types), &types_type); }

Builtin builtin_of(VALUE name) {
    if (NIL_P(name)) return Builtin::none;
    Check_Type(name, T_SYMBOL);
#define X(word) \
    if (SYM2ID(name) == rb_intern(#word)) return Builtin::word;
    SPARPACK_BUILTINS(X)
#undef X
    fault_argument("no built-in type is named %" PRIsVALUE, fault_quote(name));
}

// Whoever uses a codec checks that it is one.
VALUE proc_of(VALUE proc, Builtin builtin) {
    if (builtin != Builtin::codec && !NIL_P(proc) && !rb_obj_is_proc(proc))
        fault_type("expected a Proc, got %" PRIsVALUE, rb_obj_class(proc));
    return proc;
}

VALUE class_of(VALUE klass) {
    if (!NIL_P(klass) && !RB_TYPE_P(klass, T_CLASS) && !RB_TYPE_P(klass, T_MODULE))
        fault_type("expected a Class or Module, got %" PRIsVALUE, rb_obj_class(klass));
    return klass;
}

int8_t number_of(VALUE type) {
    int number = NUM2INT(type);
    if (number < INT8_MIN || number > INT8_MAX) fault_argument("an extension type must be from -128 to 127, got %d", number);
    return static_cast<int8_t>(number);
}

VALUE row_of(VALUE rows, long index, long size) {
    VALUE row = rb_ary_entry(rows, index);
    Check_Type(row, T_ARRAY);
    if (RARRAY_LEN(row) != size) fault_argument("expected a row of %ld parts, got %ld", size, RARRAY_LEN(row));
    return row;
}

// setup(entries, readers): [[class, type, proc, builtin, recursive, oversized]] and [[type, class, proc, builtin,
// recursive]]. Can be called once.
VALUE types_setup(VALUE self, VALUE entries, VALUE readers) {
    Types &types = *types_of(self);
    Check_Type(entries, T_ARRAY);
    Check_Type(readers, T_ARRAY);
    if (types.entries || types.readers) fault_argument("registered types cannot be changed");
    long entry_count = RARRAY_LEN(entries), reader_count = RARRAY_LEN(readers);
    types.entries = static_cast<TypeEntry *>(ruby_xcalloc(static_cast<size_t>(entry_count) + 1, sizeof(TypeEntry)));
    types.readers = static_cast<TypeReader *>(ruby_xcalloc(static_cast<size_t>(reader_count) + 1, sizeof(TypeReader)));
    for (long i = 0; i < entry_count; i++) {
        VALUE row = row_of(entries, i, 6);
        Builtin builtin = builtin_of(rb_ary_entry(row, 3));
        TypeEntry entry = {class_of(rb_ary_entry(row, 0)),    proc_of(rb_ary_entry(row, 2), builtin),
                           number_of(rb_ary_entry(row, 1)),   builtin,
                           bool(RTEST(rb_ary_entry(row, 4))), bool(RTEST(rb_ary_entry(row, 5)))};
        if (entry.builtin == Builtin::none && NIL_P(entry.proc)) continue;  // only read; packed as if it were not registered
        types.entries[types.entry_count++] = entry;
        // No class becomes one of a schema by including a module later.
        if (!RB_TYPE_P(entry.klass, T_CLASS) && builtin != Builtin::named) types.modules = true;
    }
    for (size_t i = types.entry_count; i-- > 0;) {
        VALUE klass = types.entries[i].klass;
        types.cached(klass) = {klass, &types.entries[i]};
    }
    for (long i = 0; i < reader_count && i < 256; i++) {
        VALUE row = row_of(readers, i, 5);
        int8_t type = number_of(rb_ary_entry(row, 0));
        Builtin builtin = builtin_of(rb_ary_entry(row, 3));
        TypeReader reader = {class_of(rb_ary_entry(row, 1)), proc_of(rb_ary_entry(row, 2), builtin), builtin,
                             bool(RTEST(rb_ary_entry(row, 4)))};
        if (reader.builtin == Builtin::none && NIL_P(reader.proc)) continue;
        if (reader.builtin == Builtin::structure && !RB_TYPE_P(reader.klass, T_CLASS))
            fault_type("a structure needs a class, got %" PRIsVALUE, rb_obj_class(reader.klass));
        types.readers[types.reader_count++] = reader;
        types.reader_of[type + 128] = static_cast<uint16_t>(types.reader_count);
    }
    return self;
}

}  // namespace

Types *types_of(VALUE object) {
    return NIL_P(object) ? nullptr : static_cast<Types *>(rb_check_typeddata(object, &types_type));
}

size_t types_memory(VALUE object) { return NIL_P(object) ? 0 : types_size(RTYPEDDATA_DATA(object)); }

SPARPACK_COLD const TypeEntry *types_search(Types &types, VALUE object, VALUE value, VALUE klass) {
    VALUE exact = rb_obj_class(value);
    const TypeEntry *found = nullptr;
    for (size_t i = 0; i < types.entry_count && !found; i++) {
        if (types.entries[i].klass == exact) found = &types.entries[i];
    }
    for (size_t i = 0; i < types.entry_count && !found; i++) {
        if (RTEST(rb_obj_is_kind_of(value, types.entries[i].klass))) found = &types.entries[i];
    }
    // Results are kept unless a class could change them by including a module. Frozen Types stay as they are, for Ractors.
    bool lasts = !types.modules || (found && found->klass == exact);
    if (klass == exact && lasts && !RB_OBJ_FROZEN(object)) types.cached(klass) = {klass, found};
    return found;
}

void types_init(VALUE klass) {
    rb_define_alloc_func(klass, types_alloc);
    define_private_methods(klass, {{"setup", types_setup}});
}

}  // namespace sparpack
