// Codec#dig: one value of a payload, without making any other object.
#include "../codec/payload.hpp"
#include "../glue/fault.hpp"
#include "../plan/codec_facts.hpp"
#include "passage.hpp"

namespace sparpack {

namespace {

// Follows the rest of a path in a value that is there.
VALUE follow(VALUE value, const Node *node) {
    for (; node && !NIL_P(value); node = node->child) value = path_follow(*node->parent->type, value, *node);
    return value;
}

// Returns what a decode gives a field that is absent.
VALUE absent(const Link *link, const Node &node, const Options &options) {
    if (!link || link->is_union) return Qnil;
    const Slot &slot = link->plan->slots[link->fields[node.field].slot];
    return slot.copied && !options.freeze ? plan_default(slot) : slot.default_value;
}

// Returns Qundef if only a decode can tell.
VALUE find(const CodecFacts &facts, VALUE source, Node &root) {
    const Options &options = *facts.options;
    const uint8_t *begin = string_bytes(source);
    if (is_compressed(facts.wire, begin, begin + string_size(source))) return Qundef;
    Scan s(begin, string_size(source), options);
    Passage g(s, source, facts.wire);
    if (!passage_run(g, root) || !g.found || !s.fits()) return Qundef;
    const Node &node = *g.found;
    VALUE value = Qundef;
    if (!g.at) {
        value = absent(g.link, node, options);
    } else if (g.flag >= 0) {
        value = g.flag ? Qtrue : Qfalse;
    } else {
        value = decode_part(*node.type, source, facts.wire, options, static_cast<size_t>(g.at - begin), g.depth, s.memory);
    }
    return value == Qundef ? value : follow(value, node.child);
}

// codec.dig(bytes, *path)
VALUE codec_dig(int argc, VALUE *argv, VALUE self) {
    const CodecFacts facts = codec_facts(self);
    if (argc < 2) fault_argument("expected the bytes and a path of at least one step");
    VALUE source = argv[0];
    if (!RB_TYPE_P(source, T_STRING)) return rb_funcall(self, rb_intern("decode"), 1, source);
    const int count = argc - 1;
    VALUE buffer = 0;
    Node *nodes = static_cast<Node *>(ALLOCV(buffer, static_cast<size_t>(count + 1) * sizeof(Node)));
    memset(nodes, 0, static_cast<size_t>(count + 1) * sizeof(Node));
    Type type;
    nodes[0] = path_root(type, facts.link, facts.klass);
    for (int i = 0; i < count; i++) {
        nodes[i + 1] = path_step(*nodes[i].type, facts.klass, argv[i + 1], i, count, argv + 1);
        nodes[i + 1].parent = &nodes[i];
        nodes[i].child = &nodes[i + 1];
    }
    nodes[count].leaf = true;
    source = facts.link->runs_ruby ? unlocked_frozen(source) : unlocked(source);
    VALUE value = find(facts, source, nodes[0]);
    if (value == Qundef) {
        VALUE object = decode_payload(facts.link, facts.klass, source, facts.wire, *facts.options);
        value = follow(object, &nodes[1]);
    }
    RB_GC_GUARD(buffer);  // not freed, because a continuation may return into a reader or a constructor
    RB_GC_GUARD(self);
    RB_GC_GUARD(source);
    return value;
}

}  // namespace

void codec_dig_init(VALUE sparpack) { define_methods(rb_const_get(sparpack, rb_intern("Codec")), {{"dig", codec_dig}}); }

}  // namespace sparpack
