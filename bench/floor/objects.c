/* Builds objects whose fields are instance variables, as a decoder would build them of a library's classes: by Ruby's public
 * functions, and from values that are prepared. */
#include <ruby/encoding.h>
#include <string.h>

#include "record.h"

typedef struct node {
    enum { PLAIN, TEXT, LIST, OBJECT } kind;
    VALUE value; /* a plain value, or the class of an object */
    char *text;
    long count; /* of bytes, elements or instance variables */
    ID *name;
    struct node *child;
} node_t;

enum { ELEMENTS = 64 }; /* the benchmark's lists have ten */

static VALUE build(const node_t *node) {
    switch (node->kind) {
    case PLAIN: return node->value;
    case TEXT: {
        VALUE text = rb_str_new(node->text, node->count);
        RB_ENCODING_SET_INLINED(text, rb_utf8_encindex());
        return text;
    }
    case LIST: {
        VALUE element[ELEMENTS];
        for (long i = 0; i < node->count; i++) element[i] = build(&node->child[i]);
        return rb_ary_new_from_values(node->count, element);
    }
    case OBJECT: break;
    }
    VALUE object = rb_obj_alloc(node->value);
    for (long i = 0; i < node->count; i++) rb_ivar_set(object, node->name[i], build(&node->child[i]));
    return object;
}

/* As for a template, nothing is freed. Classes are constants, so they need not be marked. */
static void node_fill(node_t *node, VALUE value);

static int node_variable(ID name, VALUE value, st_data_t data) {
    node_t *node = (node_t *)data;
    node->name[node->count] = name;
    node_fill(&node->child[node->count++], value);
    return ST_CONTINUE;
}

static void node_fill(node_t *node, VALUE value) {
    memset(node, 0, sizeof *node);
    if (RB_SPECIAL_CONST_P(value)) {
        node->kind = PLAIN;
        node->value = value;
    } else if (RB_TYPE_P(value, T_STRING)) {
        node->kind = TEXT;
        node->count = RSTRING_LEN(value);
        node->text = ALLOC_N(char, node->count + 1);
        memcpy(node->text, RSTRING_PTR(value), (size_t)node->count);
    } else if (RB_TYPE_P(value, T_ARRAY)) {
        node->kind = LIST;
        node->count = RARRAY_LEN(value);
        if (node->count > ELEMENTS) rb_raise(rb_eArgError, "a list of more than %d elements", ELEMENTS);
        node->child = ALLOC_N(node_t, node->count);
        for (long i = 0; i < node->count; i++) node_fill(&node->child[i], rb_ary_entry(value, i));
    } else if (RB_TYPE_P(value, T_OBJECT)) {
        long count = (long)rb_ivar_count(value);
        node->kind = OBJECT;
        node->value = rb_obj_class(value);
        node->name = ALLOC_N(ID, count);
        node->child = ALLOC_N(node_t, count);
        rb_ivar_foreach(value, node_variable, (st_data_t)node);
    } else {
        rb_raise(rb_eArgError, "neither an immediate value, String, Array nor plain object");
    }
}

static const rb_data_type_t objects_type = {
    .wrap_struct_name = "Bench::Floor::Objects",
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE objects_new(VALUE self, VALUE object) {
    node_t *node = ALLOC(node_t);
    node_fill(node, object);
    return rb_data_typed_object_wrap(self, node, &objects_type);
}

static VALUE objects_build(VALUE self) { return build(RTYPEDDATA_DATA(self)); }

void Init_objects(VALUE floor) {
    VALUE objects = rb_define_class_under(floor, "Objects", rb_cObject);
    rb_undef_alloc_func(objects);
    rb_define_singleton_method(objects, "new", objects_new, 1);
    rb_define_method(objects, "build", objects_build, 0);
}
