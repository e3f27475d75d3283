// What lib/sparpack/render/native_text.rb needs: objects as JSON, escaped text, and whether methods are the ones that are
// known.
#include "../bytes/json_marks.hpp"
#include "../glue/native_module.hpp"
#include "../values/text.hpp"
#include "codec.hpp"

namespace sparpack {

namespace {

// Written by native_text_init alone.
ID id_as_json, id_classes, id_instance_method, id_owner;
VALUE native_text, value_module;

// Sparpack::Native.escape_marks(text, html, separators): the text, in which JsonMarks are escaped. It is the same String if
// there are none.
VALUE native_escape_marks(VALUE, VALUE text, VALUE html, VALUE separators) {
    Check_Type(text, T_STRING);
    JsonMarks marks;
    marks.html = RTEST(html);
    marks.separators = RTEST(separators);
    const uint8_t *begin = string_bytes(text), *end = begin + RSTRING_LEN(text);
    size_t more = marks.growth(begin, end);
    if (SPARPACK_LIKELY(more == 0)) return text;
    VALUE escaped = rb_str_new(nullptr, RSTRING_LEN(text) + static_cast<long>(more));
    begin = string_bytes(text);
    marks.escape(begin, begin + RSTRING_LEN(text), reinterpret_cast<uint8_t *>(RSTRING_PTR(escaped)));
    RB_ENCODING_SET_INLINED(escaped, utf8_index);
    RB_GC_GUARD(text);
    return escaped;
}

VALUE method_of(VALUE module, VALUE name) { return rb_funcall(module, id_instance_method, 1, name); }

// True if the methods are still the same: a module, a name and an UnboundMethod, and so on. Raises NameError if one is gone.
bool same_methods(VALUE known) {
    Check_Type(known, T_ARRAY);
    for (long i = 0; i + 2 < RARRAY_LEN(known); i += 3) {
        VALUE found = method_of(RARRAY_AREF(known, i), RARRAY_AREF(known, i + 1));
        if (!rb_equal(found, RARRAY_AREF(known, i + 2))) return false;
    }
    return true;
}

// Sparpack::Native.same_methods?(known)
VALUE native_same_methods(VALUE, VALUE known) { return same_methods(known) ? Qtrue : Qfalse; }

// True if the class of an object, and those of all that it may hold, have the `as_json` of all structs. Raises NameError if
// one has none.
bool renders_plainly(VALUE klass) {
    VALUE classes = rb_attr_get(klass, id_classes);
    if (NIL_P(classes)) classes = rb_funcall(native_text, rb_intern("classes"), 1, klass);
    Check_Type(classes, T_ARRAY);
    for (long i = 0; i < RARRAY_LEN(classes); i++) {
        VALUE found = method_of(RARRAY_AREF(classes, i), ID2SYM(id_as_json));
        if (rb_funcall(found, id_owner, 0) != value_module) return false;
    }
    return true;
}

// Sparpack::Native.render(object, levels, known, names = false, text = false): its JSON. Returns false if the methods in
// `known` are not the same any more, and nil if only Ruby knows the JSON. `levels` is how many there may be. `names` is
// whether enums go by their names, and `text` whether an i64 is a string.
VALUE native_render(int argc, VALUE *argv, VALUE) {
    rb_check_arity(argc, 3, 5);
    VALUE object = argv[0], levels = argv[1], known = argv[2];
    const Plan *plan = storage_check(object);
    Options options;
    options.depth = NUM2INT(levels);
    options.enum_names = argc > 3 && RTEST(argv[3]);
    options.integer_text = argc > 4 && RTEST(argv[4]);
    if (options.depth < 1 || options.depth > depth_usual) return Qnil;
    if (!same_methods(known)) return Qfalse;
    if (!renders_plainly(rb_obj_class(object))) return Qnil;
    return encode_as_json(plan_link(plan), object, options);
}

}  // namespace

void native_text_init(VALUE sparpack) {
    id_as_json = rb_intern("as_json");
    id_classes = rb_intern("@rendered_classes");
    id_instance_method = rb_intern("instance_method");
    id_owner = rb_intern("owner");
    value_module = rb_const_get(sparpack, rb_intern("Value"));
    rb_gc_register_mark_object(value_module);
    native_text = rb_const_get(sparpack, rb_intern("NativeText"));
    rb_gc_register_mark_object(native_text);

    VALUE native = native_module();
    define_singleton_methods(
        native, {{"render", native_render}, {"escape_marks", native_escape_marks}, {"same_methods?", native_same_methods}});
}

}  // namespace sparpack
