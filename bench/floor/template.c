/* A template is a prepared object graph. Each build allocates it again, which is decoding without parsing. */
#include <ruby/encoding.h>
#include <string.h>

#include "record.h"

static int utf8;

typedef struct node {
    enum { TEXT, RECORD_OF, LIST_OF } kind;
    long count;    /* of bytes, fields or elements */
    VALUE *value;  /* fields or elements that are not on the heap; NULL in a list of objects */
    char *text;    /* a string's bytes */
    long children; /* objects: fields at `place`, or elements of a list, which are repeated up to `count` */
    struct node *child;
    long *place;
} node_t;

static VALUE build(const node_t *node, memory_t memory);

static VALUE build_record(const node_t *node, memory_t memory) {
    VALUE field[node->count];
    memcpy(field, node->value, sizeof field);
    for (long i = 0; i < node->children; i++) field[node->place[i]] = build(&node->child[i], memory);
    return record_new(memory, node->count, field);
}

static VALUE build_list(const node_t *node, memory_t memory) {
    if (node->value) return rb_ary_new_from_values(node->count, node->value);

    if (node->count <= 1024) {
        VALUE element[node->count];
        for (long i = 0, next = 0; i < node->count; i++) {
            element[i] = build(&node->child[next], memory);
            if (++next == node->children) next = 0;
        }
        return rb_ary_new_from_values(node->count, element);
    }

    VALUE list = rb_ary_new_capa(node->count);
    for (long i = 0, next = 0; i < node->count; i++) {
        rb_ary_push(list, build(&node->child[next], memory));
        if (++next == node->children) next = 0;
    }
    return list;
}

static VALUE build(const node_t *node, memory_t memory) {
    switch (node->kind) {
    case RECORD_OF: return build_record(node, memory);
    case LIST_OF: return build_list(node, memory);
    case TEXT: break;
    }
    VALUE text = rb_str_new(node->text, node->count);
    RB_ENCODING_SET_INLINED(text, utf8);
    return text;
}

/* A template is made once per document and lives as long as the process. So nothing is freed, and it has no objects that
 * would have to be marked. In a tree, a Hash is a record, an Array a list, and [:cycle, count, list] a long list. */
static void node_fill(node_t *node, VALUE tree);

static void node_values(node_t *node, VALUE values) {
    node->count = RARRAY_LEN(values);
    node->value = ALLOC_N(VALUE, node->count);
    node->child = ALLOC_N(node_t, node->count);
    node->place = ALLOC_N(long, node->count);
    for (long i = 0; i < node->count; i++) {
        VALUE value = rb_ary_entry(values, i);
        node->value[i] = SPECIAL_CONST_P(value) ? value : Qnil;
        if (SPECIAL_CONST_P(value)) continue;
        node->place[node->children] = i;
        node_fill(&node->child[node->children++], value);
    }
}

static void node_list(node_t *node, VALUE list) {
    int cycle = rb_ary_entry(list, 0) == ID2SYM(rb_intern("cycle"));
    node->kind = LIST_OF;
    node_values(node, cycle ? rb_ary_entry(list, 2) : list);
    if (node->children > 0) {
        if (node->children != node->count) rb_raise(rb_eArgError, "a list of both objects and immediate values");
        node->value = NULL;
    }
    if (cycle) node->count = NUM2LONG(rb_ary_entry(list, 1));
}

static void node_fill(node_t *node, VALUE tree) {
    memset(node, 0, sizeof *node);
    switch (rb_type(tree)) {
    case T_HASH:
        node->kind = RECORD_OF;
        node_values(node, rb_funcall(tree, rb_intern("values"), 0));
        return;
    case T_ARRAY: node_list(node, tree); return;
    case T_STRING:
        node->kind = TEXT;
        node->count = RSTRING_LEN(tree);
        node->text = ALLOC_N(char, node->count + 1);
        memcpy(node->text, RSTRING_PTR(tree), (size_t)node->count);
        return;
    default: rb_raise(rb_eArgError, "neither an immediate value, String, Array nor Hash");
    }
}

static const rb_data_type_t template_type = {
    .wrap_struct_name = "Bench::Floor::Template",
    .flags = RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE template_new(VALUE self, VALUE tree) {
    node_t *node = ALLOC(node_t);
    node_fill(node, tree);
    return rb_data_typed_object_wrap(self, node, &template_type);
}

static VALUE template_build(VALUE self) { return build(RTYPEDDATA_DATA(self), COUNTED); }

static VALUE template_build_uncounted(VALUE self) { return build(RTYPEDDATA_DATA(self), UNCOUNTED); }

void Init_template(VALUE floor) {
    VALUE template = rb_define_class_under(floor, "Template", rb_cObject);
    utf8 = rb_utf8_encindex();
    rb_undef_alloc_func(template);
    rb_define_singleton_method(template, "new", template_new, 1);
    rb_define_method(template, "build", template_build, 0);
    rb_define_method(template, "build_uncounted", template_build_uncounted, 0);
}
