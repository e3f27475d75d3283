#include "sets.hpp"

namespace sparpack {

namespace {

VALUE the_class;  // written by sets_init alone

// What set_foreach calls, with its argument.
struct Callback {
    int (*function)(VALUE element, VALUE argument);
    VALUE argument;
};

int call(VALUE element, VALUE data) {
    const Callback *callback = reinterpret_cast<const Callback *>(data);
    return callback->function(element, callback->argument);
}

#ifndef HAVE_RB_SET_FOREACH
ID id_hash;  // @hash

VALUE hash_of(VALUE set) { return rb_attr_get(set, id_hash); }

int call_with_pair(VALUE element, VALUE, VALUE data) { return call(element, data); }
#endif

}  // namespace

VALUE set_class() { return the_class; }

#ifdef HAVE_RB_SET_FOREACH

bool is_set(VALUE object) { return RTEST(rb_obj_is_kind_of(object, the_class)); }
size_t set_size(VALUE set) { return rb_set_size(set); }

void set_foreach(VALUE set, int (*function)(VALUE, VALUE), VALUE argument) {
    Callback callback = {function, argument};
    rb_set_foreach(set, call, reinterpret_cast<VALUE>(&callback));
}

VALUE set_start(size_t capacity) { return rb_obj_hide(rb_set_new_capa(capacity)); }

void set_add_many(VALUE builder, const VALUE *elements, size_t count) {
    for (size_t i = 0; i < count; i++) rb_set_add(builder, elements[i]);
}

VALUE set_finish(VALUE builder, bool frozen) {
    VALUE set = rb_obj_reveal(builder, the_class);
    return frozen ? rb_obj_freeze(set) : set;
}

#else

bool is_set(VALUE object) {
    if (RB_SPECIAL_CONST_P(object) || RB_BUILTIN_TYPE(object) != RUBY_T_OBJECT) return false;
    return (RBASIC_CLASS(object) == the_class || RTEST(rb_obj_is_kind_of(object, the_class))) &&
           RB_TYPE_P(hash_of(object), T_HASH);
}

size_t set_size(VALUE set) { return RHASH_SIZE(hash_of(set)); }

void set_foreach(VALUE set, int (*function)(VALUE, VALUE), VALUE argument) {
    Callback callback = {function, argument};
    rb_hash_foreach(hash_of(set), reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(call_with_pair),
                    reinterpret_cast<VALUE>(&callback));
}

VALUE set_start(size_t) {
    VALUE hash = rb_obj_hide(rb_hash_new());
    rb_hash_set_ifnone(hash, Qfalse);  // otherwise include? returns nil
    return hash;
}

void set_add_many(VALUE hash, const VALUE *elements, size_t count) {
    VALUE pairs[2 * elements_bulk];
    for (size_t i = 0; i < count;) {
        size_t n = 0;
        for (; n < elements_bulk && i < count; n++, i++) {
            pairs[2 * n] = elements[i];
            pairs[2 * n + 1] = Qtrue;
        }
        hash_insert(hash, pairs, n);
    }
}

VALUE set_finish(VALUE hash, bool frozen) {
    VALUE set = rb_obj_alloc(the_class);
    rb_obj_reveal(hash, rb_cHash);
    if (frozen) rb_obj_freeze(hash);
    rb_ivar_set(set, id_hash, hash);
    return frozen ? rb_obj_freeze(set) : set;
}

#endif

void sets_init() {
    rb_require("set");
    the_class = rb_const_get(rb_cObject, rb_intern("Set"));
    rb_gc_register_mark_object(the_class);
#ifndef HAVE_RB_SET_FOREACH
    id_hash = rb_intern("@hash");
#endif
}

}  // namespace sparpack
