#include "native_module.hpp"

#include "fault.hpp"

namespace sparpack {

namespace {

VALUE native;  // written by native_init alone

}  // namespace

VALUE native_module() { return native; }

VALUE native_call_with_keywords(const char *name, int argc, const VALUE *argv, VALUE self) {
    if (argc != 1 || !rb_keyword_given_p()) fault_argument("wrong number of arguments (given %d, expected 0)", argc);
    VALUE arguments[] = {self, argv[0]};
    return rb_funcallv_kw(native_module(), rb_intern(name), 2, arguments, RB_PASS_KEYWORDS);
}

void native_init(VALUE sparpack) {
    native = rb_const_get(sparpack, rb_intern("Native"));
    rb_gc_register_mark_object(native);
}

}  // namespace sparpack
