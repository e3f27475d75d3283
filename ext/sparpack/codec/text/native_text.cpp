// What lib/sparpack/render/native_text.rb needs: objects as JSON, escaped text, and whether methods are the ones that are
// known.
#include "../../bytes/json_marks.hpp"
#include "../../glue/fault.hpp"
#include "../../glue/native_module.hpp"
#include "../../values/text.hpp"
#include "../codec.hpp"

// Ruby's headers do not have this function. A precompiled library meets other builds of Ruby than the one that it was
// compiled with, and loading it must not fail where the function is hidden. Then it is null.
#ifdef __APPLE__
#define SPARPACK_WEAK __attribute__((weak_import))
#else
#define SPARPACK_WEAK __attribute__((weak))
#endif
extern "C" const void *rb_method_entry(VALUE module, ID name) SPARPACK_WEAK;

namespace sparpack {

namespace {

// Written by native_text_init alone.
ID id_as_json, id_classes, id_instance_method, id_owner, id_plain, id_to_json;
VALUE native_text, value_module, entry_class;
const void *value_entry;
bool shows_entries;

using MethodEntry = const void *(*)(VALUE module, ID name);

// Sparpack::Native.escape_marks(text, html, separators): the text, in which JsonMarks are escaped. It is the same String if
// there are none.
VALUE native_escape_marks(VALUE, VALUE given, VALUE html, VALUE separators) {
    Check_Type(given, T_STRING);
    VALUE text = unlocked(given);
    JsonMarks marks;
    marks.html = RTEST(html);
    marks.separators = RTEST(separators);
    const uint8_t *begin = string_bytes(text);
    if (SPARPACK_LIKELY(marks.growth(begin, begin + RSTRING_LEN(text)) == 0)) return given;
    text = rb_str_new(RSTRING_PTR(text), RSTRING_LEN(text));  // nobody else can change it between measuring and writing
    begin = string_bytes(text);
    size_t more = marks.growth(begin, begin + RSTRING_LEN(text));
    VALUE escaped = rb_str_new(nullptr, RSTRING_LEN(text) + static_cast<long>(more));
    marks.escape(begin, begin + RSTRING_LEN(text), reinterpret_cast<uint8_t *>(RSTRING_PTR(escaped)));
    RB_ENCODING_SET_INLINED(escaped, utf8_index);
    RB_GC_GUARD(text);
    return escaped;
}

// The entry of a method in Ruby's tables. It tells at a fraction of the time whether a method is still the one that is
// known, as no object is made of it. Ruby may move an entry or use its memory again, unless it is marked by this object.
void entry_mark(void *entry) { rb_gc_mark(reinterpret_cast<VALUE>(entry)); }

const rb_data_type_t entry_type = {"sparpack/method_entry",
                                   {entry_mark, nullptr, nullptr, nullptr, {nullptr}},
                                   nullptr,
                                   nullptr,
                                   RUBY_TYPED_FREE_IMMEDIATELY};

// True if Ruby has its function. One that most builds since Ruby 3.3 hide is not used there at all.
bool has_method_entry() {
    if (RUBY_API_VERSION_MAJOR != 3 || RUBY_API_VERSION_MINOR > 2) return false;
    MethodEntry volatile found = rb_method_entry;  // so that the compiler does not take for granted that there is one
    return found != nullptr;
}

// Returns nullptr if there is none, or if this Ruby does not show them.
const void *entry_of(VALUE module, ID name) { return shows_entries ? rb_method_entry(module, name) : nullptr; }

void check_module(VALUE object) {
    if (!RB_TYPE_P(object, T_MODULE) && !RB_TYPE_P(object, T_CLASS)) fault_type("expected a Module");
}

VALUE entry_object(VALUE klass, const void *entry) {
    return TypedData_Wrap_Struct(klass, &entry_type, const_cast<void *>(entry));
}

// Sparpack::Native.method_known(module, name): what `same_methods?` compares, an entry or else an UnboundMethod.
VALUE native_method_known(VALUE, VALUE module, VALUE name) {
    check_module(module);
    const void *entry = entry_of(module, rb_to_id(name));
    return entry ? entry_object(entry_class, entry) : rb_funcallv(module, id_instance_method, 1, &name);
}

VALUE method_of(VALUE module, VALUE name) { return rb_funcallv(module, id_instance_method, 1, &name); }

// True if a method is the one that is known. Raises NameError if it is gone.
bool same_method(VALUE module, VALUE name, VALUE known) {
    check_module(module);
    if (rb_typeddata_is_kind_of(known, &entry_type)) return entry_of(module, rb_to_id(name)) == RTYPEDDATA_DATA(known);
    return rb_equal(method_of(module, name), known);
}

// True if the methods are still the same: a module, a name and what is known of it, and so on. Raises NameError if one is
// gone.
bool same_methods(VALUE known) {
    Check_Type(known, T_ARRAY);
    for (long i = 0; i + 2 < RARRAY_LEN(known); i += 3) {
        if (!same_method(RARRAY_AREF(known, i), RARRAY_AREF(known, i + 1), RARRAY_AREF(known, i + 2))) return false;
    }
    return true;
}

// Sparpack::Native.same_methods?(known)
VALUE native_same_methods(VALUE, VALUE known) { return same_methods(known) ? Qtrue : Qfalse; }

// True if the class of an object, and those of all that it may hold, have the `as_json` of all structs.
bool renders_plainly(VALUE klass) {
    VALUE classes = rb_attr_get(klass, id_classes);
    if (NIL_P(classes)) classes = rb_funcall(native_text, rb_intern("classes"), 1, klass);
    Check_Type(classes, T_ARRAY);
    for (long i = 0; i < RARRAY_LEN(classes); i++) {
        VALUE each = RARRAY_AREF(classes, i);
        if (value_entry && entry_of(each, id_as_json) == value_entry) continue;
        if (!rb_method_boundp(each, id_as_json, 0)) return false;
        VALUE found = method_of(each, ID2SYM(id_as_json));
        if (rb_funcallv(found, id_owner, 0, nullptr) != value_module) return false;
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

// Sparpack::Native.know_plain(known): from now on, plain_json writes as long as Hash#to_json is this. After nil it never
// does.
VALUE native_know_plain(VALUE, VALUE known) { return rb_ivar_set(native_text, id_plain, known); }

// True if Hash#to_json is what know_plain was told. Unlike same_methods, this never raises.
bool hash_is_plain() {
    VALUE known = rb_attr_get(native_text, id_plain);
    if (NIL_P(known) || (!shows_entries && !rb_method_boundp(rb_cHash, id_to_json, 0))) return false;
    return same_method(rb_cHash, ID2SYM(id_to_json), known);
}

// Sparpack::Native.plain_json(object): what most calls of to_json return, or nil if NativeText has to look.
VALUE native_plain_json(VALUE, VALUE object) {
    const Plan *plan = storage_check(object);
    if (!hash_is_plain() || !renders_plainly(rb_obj_class(object))) return Qnil;
    Options options;
    options.depth = depth_usual;
    return encode_as_json(plan_link(plan), object, options);
}

}  // namespace

void native_text_init(VALUE sparpack) {
    id_as_json = rb_intern("as_json");
    id_classes = rb_intern("@rendered_classes");
    id_instance_method = rb_intern("instance_method");
    id_owner = rb_intern("owner");
    id_plain = rb_intern("plain");  // without an @, so that all Ractors may read it
    id_to_json = rb_intern("to_json");
    value_module = rb_const_get(sparpack, rb_intern("Value"));
    rb_gc_register_mark_object(value_module);
    shows_entries = has_method_entry();
    if ((value_entry = entry_of(value_module, id_as_json))) rb_gc_register_mark_object(entry_object(0, value_entry));
    native_text = rb_const_get(sparpack, rb_intern("NativeText"));
    rb_gc_register_mark_object(native_text);

    VALUE native = native_module();
    entry_class = rb_define_class_under(native, "MethodEntry", rb_cObject);
    rb_undef_alloc_func(entry_class);
    rb_undef_method(CLASS_OF(entry_class), "new");
    define_singleton_methods(native, {{"render", native_render},
                                      {"escape_marks", native_escape_marks},
                                      {"know_plain", native_know_plain},
                                      {"method_known", native_method_known},
                                      {"plain_json", native_plain_json},
                                      {"same_methods?", native_same_methods}});
}

}  // namespace sparpack
