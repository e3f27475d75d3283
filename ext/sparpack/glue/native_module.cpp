#include "native_module.hpp"

namespace sparpack {

namespace {

VALUE native;  // written by native_init alone

}  // namespace

VALUE native_module() { return native; }

void native_init(VALUE sparpack) {
    native = rb_const_get(sparpack, rb_intern("Native"));
    rb_gc_register_mark_object(native);
}

}  // namespace sparpack
