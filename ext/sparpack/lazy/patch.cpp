// Codec#patch: a payload with some values changed, and all else copied.
#include "patch.hpp"

#include "../codec/payload.hpp"
#include "../glue/compression.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../values/merge.hpp"

namespace sparpack {

namespace {

// --- changes -----------------------------------------------------------------------------------------------------------

void add_path(Fault &fault, const Node &node) {
    for (const Node *at = &node; at->parent; at = at->parent) {
        const Type &type = *at->parent->type;
        if (type.kind == Kind::list && at->index >= 0 && RB_FIXNUM_P(at->step)) {
            fault_at_index(fault, static_cast<size_t>(at->index));
        } else if (type.kind == Kind::list || type.kind == Kind::map) {
            fault_at_name(fault, at->step);
        } else {
            fault_at_field(fault, type.link->plan->slots[type.link->fields[at->field].slot].name);
        }
    }
}

[[noreturn]] void refuse(const CodecFacts &facts, Fault &fault, const Node &node) {
    add_path(fault, node);
    fault_raise_encode(fault, facts.klass, wire_name(facts.wire));
}

[[noreturn]] void refuse(const CodecFacts &facts, Status status, const Node &node) {
    Fault fault;
    fault.status = status;
    refuse(facts, fault, node);
}

[[noreturn]] void refuse_overlap(VALUE path) {
    native_call("refuse_overlap", path);
    fault_argument("two paths overlap");
}

struct Building {
    Patch &patch;
    Node *nodes;
    size_t used;
    VALUE holder;  // an Array of what belongs to the nodes
};

VALUE key_of(const Node &parent, const Node &node) {
    return parent.type->kind == Kind::list ? LONG2NUM(node.index) : node.key;
}

void add_key(const Building &building, Node &parent, const Node &node) {
    if (!parent.nodes) rb_ary_push(building.holder, parent.nodes = rb_hash_new());
    rb_hash_aset(parent.nodes, key_of(parent, node), LONG2FIX(&node - building.nodes));
}

Node *child_like(const Building &building, Node &parent, const Node &node) {
    switch (parent.type->kind) {
    case Kind::list:
        if (!parent.nodes) {
            if (!parent.last || parent.last->index < node.index) return nullptr;
            for (Node *child = parent.child; child; child = child->next) add_key(building, parent, *child);
        }
        [[fallthrough]];
    case Kind::map: {
        const VALUE number = parent.nodes ? rb_hash_lookup(parent.nodes, key_of(parent, node)) : Qnil;
        return NIL_P(number) ? nullptr : &building.nodes[FIX2LONG(number)];
    }
    default:
        for (Node *child = parent.child; child; child = child->next) {
            if (child->field == node.field) return child;
        }
        return nullptr;
    }
}

// Fields are in ascending order of their ids, in which absent ones are added.
void add_child(const Building &building, Node &parent, Node &node) {
    const Kind kind = parent.type->kind;
    Node **place = &parent.child;
    if (kind == Kind::map || parent.nodes) add_key(building, parent, node);
    if (kind == Kind::map || kind == Kind::list) {
        if (parent.last) place = &parent.last->next;
        parent.last = &node;
    } else {
        while (*place && (*place)->field < node.field) place = &(*place)->next;
    }
    node.next = *place;
    node.parent = &parent;
    *place = &node;
}

// Elements come in the order of their indexes.
void sort_elements(const Building &building) {
    for (size_t i = 0; i < building.used; i++) {
        Node &node = building.nodes[i];
        if (node.nodes && node.type->kind == Kind::list)
            node.child = merge_sorted(node.child, static_cast<size_t>(RHASH_SIZE(node.nodes)),
                                      [](const Node &a, const Node &b) { return a.index < b.index; });
    }
}

void set_value(Patch &patch, Node &node, VALUE value, int depth) {
    const CodecFacts &facts = patch.facts;
    const Type &parent = *node.parent->type;
    if (NIL_P(value) && (parent.kind == Kind::struct_ || parent.kind == Kind::union_)) {
        if (parent.link->fields[node.field].required) refuse(facts, Status::missing_field, node);
        node.removed = true;
        return;
    }
    Fault fault;
    node.from = string_size(patch.bytes);
    // A continuation may return into this call, when other values follow already.
    VALUE bytes = rb_str_buf_new(0);
    if (!encode_part(*node.type, value, facts.wire, *facts.options, depth, bytes, fault)) refuse(facts, fault, node);
    rb_str_set_len(patch.bytes, static_cast<long>(node.from));
    rb_str_buf_append(patch.bytes, bytes);
    rb_str_set_len(bytes, 0);
    node.size = string_size(patch.bytes) - node.from;
    node.flag = value == Qtrue;
}

void add_change(Building &building, VALUE path, VALUE value) {
    Patch &patch = building.patch;
    const int count = static_cast<int>(RARRAY_LEN(path));
    Node *at = patch.root;
    for (int i = 0; i < count; i++) {
        const VALUE *steps = RARRAY_CONST_PTR(path);
        const Node node = path_step(*at->type, patch.facts.klass, steps[i], i, count, steps);
        if (at->type->kind == Kind::any) native_call("refuse_untyped", path);
        Node *child = child_like(building, *at, node);
        if (child && (child->leaf || i == count - 1)) refuse_overlap(path);
        if (!child) {
            child = &building.nodes[building.used++];
            *child = node;
            add_child(building, *at, *child);
        }
        at = child;
    }
    at->leaf = true;
    patch.leaves++;
    set_value(patch, *at, value, patch.facts.options->depth - count);
}

size_t count_steps(VALUE path) {
    if (!RB_TYPE_P(path, T_ARRAY)) native_call("refuse_path", path);
    if (RARRAY_LEN(path) == 0) fault_argument("a path needs at least one step");
    return static_cast<size_t>(RARRAY_LEN(path));
}

// A path may be an Array that somebody else changes.
int copy_change(VALUE path, VALUE value, VALUE copy) {
    rb_ary_push(copy, rb_assoc_new(RB_TYPE_P(path, T_ARRAY) ? rb_ary_dup(path) : path, value));
    return ST_CONTINUE;
}

// --- edits -------------------------------------------------------------------------------------------------------------

// Most are in order already.
void sort_edits(Patch &patch) {
    Edit *edits = patch_edits(patch);
    const size_t count = patch_count(patch);
    for (size_t i = 1; i < count; i++) {
        const Edit edit = edits[i];
        size_t place = i;
        for (; place > 0 && edits[place - 1].begin > edit.begin; place--) edits[place] = edits[place - 1];
        edits[place] = edit;
    }
}

VALUE apply(Patch &patch, VALUE source) {
    sort_edits(patch);
    const size_t count = patch_count(patch);
    const size_t whole = string_size(source);
    size_t size = whole, last = 0;
    for (size_t i = 0; i < count; i++) {
        Edit &edit = patch_edits(patch)[i];
        if (edit.end > whole) edit.end = whole;  // the payload has changed
        if (edit.begin > whole) edit.begin = whole;
        if (edit.begin < last) edit.begin = last;  // a comma that another edit removes, too
        if (edit.end < edit.begin) edit.end = edit.begin;
        size += edit.size;
        size -= edit.end - edit.begin;
        last = edit.end;
    }
    VALUE result = rb_str_new(nullptr, static_cast<long>(size));
    uint8_t *to = reinterpret_cast<uint8_t *>(RSTRING_PTR(result));
    const uint8_t *from = string_bytes(source), *bytes = string_bytes(patch.bytes);
    last = 0;
    for (size_t i = 0; i < count; i++) {
        const Edit &edit = patch_edits(patch)[i];
        memcpy(to, from + last, edit.begin - last);
        to += edit.begin - last;
        memcpy(to, bytes + edit.from, edit.size);
        to += edit.size;
        last = edit.end;
    }
    memcpy(to, from + last, whole - last);
    if (traits_of(patch.facts.wire).text) RB_ENCODING_SET_INLINED(result, utf8_index);
    RB_GC_GUARD(source);
    RB_GC_GUARD(patch.bytes);
    return result;
}

// Goes through all nodes without a frame for each level, because paths may have as many as their caller likes.
void forget(Node &root) {
    for (Node *node = &root; node;) {
        node->met = false;
        node->met_in = 0;
        if (node->child) {
            node = node->child;
            continue;
        }
        while (node != &root && !node->next) node = node->parent;
        node = node == &root ? nullptr : node->next;
    }
}

// `values` is how many bytes the new values have.
bool find(Patch &patch, VALUE source, const Options &options, size_t values, bool trusting) {
    Scan s(string_bytes(source), string_size(source), options);
    Passage g(s, source, patch.facts.wire, &patch, trusting);
    patch.base = s.in.begin;
    patch.source = source;
    rb_str_set_len(patch.edits, 0);
    patch.left = patch.leaves;
    patch.room = values + static_cast<uint64_t>(options_memory(options, string_size(source)));
    forget(*patch.root);
    return passage_run(g, *patch.root) && patch.left == 0 && (trusting || s.fits());
}

// Unknown fields stay as they are.
Options reading(const Options &options) {
    Options read = options;
    read.unknown = Unknown::skip;
    read.freeze = false;
    return read;
}

VALUE decompressed(const CodecFacts &facts, VALUE source, const Options &options) {
    const uint8_t *begin = string_bytes(source);
    if (!is_compressed(facts.wire, begin, begin + string_size(source))) return source;
    decode_payload(facts.link, facts.klass, source, facts.wire, options);  // raises if its objects take too much
    VALUE payload = decompress(source, 0, options.decompressed).payload;
    if (NIL_P(payload)) fault_argument("the payload has changed");
    return payload;
}

VALUE patched(Patch &patch, VALUE source, const Options &options) {
    const CodecFacts &facts = patch.facts;
    const size_t values = string_size(patch.bytes);
    if (!find(patch, source, options, values, false)) {
        decode_payload(facts.link, facts.klass, source, facts.wire, options);
        if (!find(patch, source, options, values, true)) fault_argument("this payload cannot be patched");
    }
    VALUE result = apply(patch, source);
    if (facts.options->compression == Compression::none) return result;
    return compress_encoded(result, facts.klass, facts.wire, *facts.options);
}

// codec.patch(bytes, changes)
VALUE codec_patch(VALUE self, VALUE source, VALUE changes) {
    const CodecFacts facts = codec_facts(self);
    if (!RB_TYPE_P(source, T_STRING)) return rb_funcall(self, rb_intern("decode"), 1, source);
    if (!RB_TYPE_P(changes, T_HASH)) native_call("refuse_changes", changes);
    const Options options = reading(*facts.options);
    VALUE pairs = rb_ary_new();
    rb_hash_foreach(changes, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(copy_change), pairs);
    size_t steps = 0;
    for (long i = 0; i < RARRAY_LEN(pairs); i++) steps += count_steps(RARRAY_AREF(RARRAY_AREF(pairs, i), 0));
    VALUE nodes_buffer = 0;
    Node *nodes = static_cast<Node *>(ALLOCV(nodes_buffer, (steps + 1) * sizeof(Node)));
    memset(nodes, 0, (steps + 1) * sizeof(Node));
    Type type;
    nodes[0] = path_root(type, facts.link, facts.klass);
    Patch patch{facts, nullptr, source, rb_str_buf_new(64), nodes, rb_str_buf_new(8 * sizeof(Edit))};
    Building building = {patch, nodes, 1, rb_ary_new()};
    for (long i = 0; i < RARRAY_LEN(pairs); i++) {
        VALUE pair = RARRAY_AREF(pairs, i);
        add_change(building, RARRAY_AREF(pair, 0), RARRAY_AREF(pair, 1));
    }
    sort_elements(building);
    // Encoding the values and the keys may have run Ruby code.
    source = facts.link->runs_ruby ? unlocked_frozen(source) : unlocked(source);
    VALUE result = patched(patch, decompressed(facts, source, options), options);
    RB_GC_GUARD(nodes_buffer);  // not freed, because a continuation may return into a reader
    RB_GC_GUARD(self);
    RB_GC_GUARD(pairs);
    RB_GC_GUARD(building.holder);
    RB_GC_GUARD(patch.bytes);
    RB_GC_GUARD(patch.edits);
    return result;
}

}  // namespace

void patch_refuse_absent(Patch &patch, const Node &node) { refuse(patch.facts, Status::part_absent, node); }
void patch_refuse_unset(Patch &patch, const Node &node) { refuse(patch.facts, Status::union_unset, node); }

void patch_refuse_size(const Patch &patch) {
    Fault fault;
    fault.status = Status::too_much_memory;
    fault.limit = static_cast<long>(options_memory(*patch.facts.options, string_size(patch.source)));
    VALUE hint = rb_utf8_str_new_cstr("; it repeats what the patch changes");
    fault_raise_decode(fault, patch.facts.klass, wire_name(patch.facts.wire), 0, 0, hint);
}

void patch_refuse_same(const Node &one, const Node &other) {
    fault_argument("two paths lead to the same element, [%ld] and [%ld]", one.index, other.index);
}

void codec_patch_init(VALUE sparpack) {
    define_methods(rb_const_get(sparpack, rb_intern("Codec")), {{"patch", codec_patch}});
}

}  // namespace sparpack
