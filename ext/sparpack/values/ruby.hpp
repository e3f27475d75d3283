// Ruby's headers, and the differences between Ruby's versions. Any function of Ruby may longjmp unless it says otherwise.
#pragma once

#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/version.h>

#include <initializer_list>
#include <type_traits>

#include "../bytes/technique.hpp"
#include "unlocked.hpp"

namespace sparpack {

// rb_define_method and its relatives take functions of any arity.
using Method = VALUE (*)(ANYARGS);
template <class F> inline Method method(F *function) { return reinterpret_cast<Method>(function); }

// A method that is a function. The function says how many arguments it takes.
struct NativeMethod {
    const char *name;
    Method function;
    int arity;

    template <class... Values>
    NativeMethod(const char *its_name, VALUE (*its_function)(VALUE self, Values... arguments))
        : name(its_name), function(method(its_function)), arity(sizeof...(Values)) {
        static_assert((std::is_same_v<Values, VALUE> && ...), "Ruby passes nothing but objects");
    }
    NativeMethod(const char *its_name, VALUE (*its_function)(int argc, VALUE *argv, VALUE self))
        : name(its_name), function(method(its_function)), arity(-1) {}
};

using NativeMethods = std::initializer_list<NativeMethod>;

inline void define_methods(VALUE klass, NativeMethods methods) {
    for (const NativeMethod &each : methods) (rb_define_method)(klass, each.name, each.function, each.arity);
}
inline void define_private_methods(VALUE klass, NativeMethods methods) {
    for (const NativeMethod &each : methods) (rb_define_private_method)(klass, each.name, each.function, each.arity);
}
inline void define_module_functions(VALUE module, NativeMethods methods) {
    for (const NativeMethod &each : methods) (rb_define_module_function)(module, each.name, each.function, each.arity);
}
inline void define_singleton_methods(VALUE object, NativeMethods methods) {
    for (const NativeMethod &each : methods) (rb_define_singleton_method)(object, each.name, each.function, each.arity);
}

// From Ruby 3.3 on, structs live in the object's own slot.
#ifdef TYPED_DATA_EMBEDDED
constexpr bool embeds_data = true;
constexpr VALUE embeddable = RUBY_TYPED_EMBEDDABLE;
#else
constexpr bool embeds_data = false;
constexpr VALUE embeddable = 0;
#endif

// Since Ruby 3.3 the memory of an Array is never transient.
#ifndef RARRAY_CONST_PTR_TRANSIENT
#define RARRAY_CONST_PTR_TRANSIENT RARRAY_CONST_PTR
#endif

// RB_OBJ_FREEZE. In Ruby 3.3 it calls a function that is declared outside of extern "C", so C++ does not find it.
SPARPACK_INLINE void freeze_raw(VALUE object) {
#if RUBY_API_VERSION_MAJOR == 3 && RUBY_API_VERSION_MINOR < 3
    RB_OBJ_FREEZE(object);
#else
    rb_obj_freeze(object);
#endif
}

template <class T> SPARPACK_INLINE T *data_of(VALUE object) {
#ifdef TYPED_DATA_EMBEDDED
    return static_cast<T *>(RTYPEDDATA_GET_DATA(object));
#else
    return static_cast<T *>(RTYPEDDATA_DATA(object));
#endif
}

SPARPACK_INLINE bool is_data(VALUE object, const rb_data_type_t *type) {
    return !RB_SPECIAL_CONST_P(object) && RB_BUILTIN_TYPE(object) == RUBY_T_DATA && RTYPEDDATA_P(object) &&
           RTYPEDDATA_TYPE(object) == type;
}

// RB_GC_GUARD without a trip to memory: the object stays in a register or on the stack up to here.
SPARPACK_INLINE void keep_alive(VALUE object) { __asm__ volatile("" : : "g"(object)); }

// The bytes of a String, until somebody writes to it, as Ruby code may. The caller keeps it alive.
SPARPACK_INLINE const uint8_t *string_bytes(VALUE string) { return reinterpret_cast<const uint8_t *>(RSTRING_PTR(string)); }
SPARPACK_INLINE size_t string_size(VALUE string) { return static_cast<size_t>(RSTRING_LEN(string)); }

// Code that fills a large Hash inserts this many pairs at a time. The memory of the Hash depends on it (costs.hpp).
constexpr size_t pairs_bulk = 128;

// Inserts pairs at once while the Hash is empty. Later Ruby would index all existing pairs again for each run.
SPARPACK_INLINE void hash_insert(VALUE hash, const VALUE *pairs, size_t count) {
    if (SPARPACK_LIKELY(RHASH_SIZE(hash) == 0 && technique::bulk_hashes))
        return rb_hash_bulk_insert(static_cast<long>(2 * count), pairs, hash);
    for (size_t i = 0; i < count; i++) rb_hash_aset(hash, pairs[2 * i], pairs[2 * i + 1]);
}

// Appends elements at once.
SPARPACK_INLINE void array_append(VALUE array, const VALUE *values, size_t count) {
    if (SPARPACK_LIKELY(technique::bulk_arrays)) {
        rb_ary_cat(array, values, static_cast<long>(count));
        return;
    }
    for (size_t i = 0; i < count; i++) rb_ary_push(array, values[i]);
}

SPARPACK_INLINE VALUE array_new(const VALUE *values, size_t count) {
    if (SPARPACK_LIKELY(technique::bulk_arrays)) return rb_ary_new_from_values(static_cast<long>(count), values);
    VALUE array = rb_ary_new_capa(static_cast<long>(count));
    array_append(array, values, count);
    return array;
}

// Marking and compacting share one list of places: marking pins nothing, and compacting follows what moved.
SPARPACK_INLINE void gc_update(VALUE *place) {
    VALUE moved = rb_gc_location(*place);
    if (moved != *place) *place = moved;
}

}  // namespace sparpack
