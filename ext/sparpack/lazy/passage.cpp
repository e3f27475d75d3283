#include "passage.hpp"

#include "../codec/codec.hpp"
#include "../values/text.hpp"
#include "members.hpp"

namespace sparpack {

namespace {

const uint8_t *pass_struct(Passage &g, const uint8_t *p, Node &node, int depth);
const uint8_t *pass_list(Passage &g, const uint8_t *p, Node &node, int depth);
const uint8_t *pass_map(Passage &g, const uint8_t *p, Node &node, int depth);

// Nothing behind this place matters.
const uint8_t *finish(Passage &g) { return g.done = true, nullptr; }

// A node that is not there, or that has no value. Whether a patch can do without it, it says itself.
const uint8_t *finish_absent(Passage &g, Node &node, const Link *link) {
    if (g.patch) patch_refuse_absent(*g.patch, node);
    g.found = &node;
    g.link = link;
    return finish(g);
}

const uint8_t *finish_found(Passage &g, Node &node, const uint8_t *p, int depth, int flag) {
    g.found = &node;
    g.at = p;
    g.depth = depth;
    g.flag = flag;
    return finish(g);
}

const uint8_t *descend(Passage &g, const uint8_t *p, Node &node, int depth) {
    switch (node.type->kind) {
    case Kind::list: return pass_list(g, p, node, depth - 1);
    case Kind::map: return pass_map(g, p, node, depth - 1);
    case Kind::struct_:
    case Kind::union_: return pass_struct(g, p, node, depth - 1);
    default: return nullptr;  // a value without a type
    }
}

// Finds the end of a value that was decoded before. Some can only be decoded again, such as text that is not UTF-8.
const uint8_t *pass_trusted(Passage &g, const uint8_t *p, const uint8_t *skipped, const Type &type, int depth) {
    if (skipped) return skipped;
    const size_t offset = static_cast<size_t>(p - g.s.in.begin);
    size_t end = 0;
    VALUE value = decode_part(type, g.source, g.wire, g.s.options, offset, depth, checked_memory, false, &end);
    return value == Qundef ? nullptr : g.s.in.begin + end;
}

const uint8_t *pass_element(Passage &g, const uint8_t *p, const Type &type, int depth) {
    if (!g.trusting) return g.steps.pass_element(g.s, p, type, depth);
    return pass_trusted(g, p, g.steps.skip_element(g.s, p, type, depth), type, depth);
}

const uint8_t *pass_field(Passage &g, const uint8_t *p, const Type &type, const AnyFrame &frame, int depth) {
    if (!g.trusting) return g.steps.pass_field(g.s, p, type, frame, depth);
    return pass_trusted(g, p, g.steps.skip_field(g.s, p, frame, depth), type, depth);
}

// True if the bytes end behind a value of text, which may be a number that goes on. Something follows in a whole payload.
bool is_cut(const Passage &g, const uint8_t *end) { return g.steps.traits.text && end == g.s.in.end; }

// The value of a node in a list or a map.
const uint8_t *pass_node(Passage &g, const uint8_t *p, Node &node, int depth) {
    if (!node.leaf) return descend(g, p, node, depth);
    if (!g.patch) return finish_found(g, node, p, depth, -1);
    const uint8_t *end = pass_element(g, p, *node.type, depth);
    if (!end || is_cut(g, end)) return nullptr;
    patch_replace(*g.patch, node, p, end);
    return patch_is_over(*g.patch) ? finish(g) : end;
}

bool too_deep(const Passage &g, int depth) {
    return depth < 0 || (depth < g.s.options.depth_watched && options_stack_full(g.s.options));
}

// --- structs -----------------------------------------------------------------------------------------------------------

Node *child_of(Node &node, int index) {
    for (Node *child = node.child; child; child = child->next) {
        if (static_cast<int>(child->field) == index) return child;
    }
    return nullptr;
}

// A field that a path leads to. `before` is the cursor in front of its header.
const uint8_t *pass_child(Passage &g, Members &m, const uint8_t *before, const uint8_t *p, const AnyFrame &frame, Node &node,
                          int depth) {
    if (!node.leaf) {
        if (g.patch) members_keep(m, *g.patch, before, p, frame);
        const uint8_t *end = descend(g, p, node, depth);
        // A decode has skipped it, because something in it has another type.
        if (!end && !g.done && g.trusting && g.s.options.mismatch_skip) patch_refuse_absent(*g.patch, node);
        return end;
    }
    const int flag = node.type->kind == Kind::bool_ ? g.steps.flag(frame) : -1;
    if (!g.patch) return finish_found(g, node, p, depth, flag);
    const uint8_t *end = pass_field(g, p, *node.type, frame, depth);
    if (!end || is_cut(g, end)) return nullptr;
    if (!(end = members_change(m, *g.patch, node, before, p, end, frame))) return nullptr;
    return patch_is_over(*g.patch) && !members_wait(m) ? finish(g) : end;
}

const uint8_t *pass_struct(Passage &g, const uint8_t *p, Node &node, int depth) {
    Scan &s = g.s;
    const Link *link = node.type->link;
    if (too_deep(g, depth)) return nullptr;
    const size_t waiting = s.waiting;
    if (!g.trusting) {
        if (storage_is_adopted(link->plan) || link->count > scanned_fields_max || !s.charges(link->cost)) return nullptr;
        s.takes(link->count + 1);
    }
    AnyFrame frame;
    Members m{node, link, ++g.structs, p, g.steps};
    if (!(p = g.steps.open(s, p, frame, link->is_union))) return nullptr;
    members_open(m, p, frame);
    uint64_t seen = 0;
    size_t values = 0;
    for (uint32_t expected = 0;;) {
        const uint8_t *before = p;
        int index = g.steps.next(s, p, frame, link, expected);
        if (index == next_end) break;
        if (index == next_failed) return nullptr;
        if (index == next_mismatch) {
            if (!g.trusting) return nullptr;
            Node *child = child_of(node, g.steps.mismatch(frame));
            const uint8_t *end = g.steps.skip_field(s, p, frame, depth);
            if (!end) return nullptr;
            const bool removed = child && child->leaf && !link->is_union;
            if (removed) {
                if (!(end = members_remove(m, *g.patch, before, p, end, frame))) return nullptr;
            } else {
                members_keep(m, *g.patch, before, p, frame);
            }
            p = end;
            continue;
        }
        const uint8_t *nil = g.steps.pass_nil(s.in, p);
        Node *child = index >= 0 ? child_of(node, index) : nullptr;
        if (nil != p) {
            if (child && child->leaf && g.patch && !child->removed && !link->is_union) {
                members_fill(m, *g.patch, *child, p, nil);
                if (patch_is_over(*g.patch)) return finish(g);
            }
            p = nil;
            continue;
        }
        values++;
        if (child) {
            child->met_in = m.number;
            p = pass_child(g, m, before, p, frame, *child, depth);
        } else {
            if (g.patch) {
                members_keep(m, *g.patch, before, p, frame);
                if (patch_is_over(*g.patch)) return finish(g);
            }
            if (index < 0) {
                if (s.options.unknown != Unknown::skip || (link->is_union && !g.trusting)) return nullptr;
                p = g.steps.skip_field(s, p, frame, depth);
            } else {
                p = pass_field(g, p, link->fields[index].type, frame, depth);
            }
        }
        if (!p) return nullptr;
        expected = index < 0 ? link->count : static_cast<uint32_t>(index) + 1;
        if (index >= 0 && index < 64) seen |= uint64_t{1} << index;
    }
    if (!g.trusting && (link->is_union ? values != 1 : !steps_absent(s, link, seen))) return nullptr;
    for (Node *child = node.child; child; child = child->next) {
        if (child->met_in == m.number) continue;
        if (!g.patch || !child->leaf || (link->is_union && !child->removed)) return finish_absent(g, *child, link);
        members_absent(m, *g.patch, *child, p);
    }
    if (g.patch && patch_is_over(*g.patch)) return finish(g);
    s.waiting = waiting;
    return p;
}

// --- lists -------------------------------------------------------------------------------------------------------------

// Counts the elements of a list in a wire that does not say how many there are.
bool count_elements(Passage &g, const uint8_t *p, const Type &element, int depth, size_t *count) {
    const int64_t memory = g.s.memory;
    for (size_t index = 0;; index++) {
        const NextElement next = g.steps.next_element(g.s, p, index, *count);
        if (next == NextElement::failed) return false;
        if (next == NextElement::end) return g.s.memory = memory, *count = index, true;
        if (!(p = pass_element(g, p, element, depth))) return false;
    }
}

// Where a node's element is, counted from the beginning. Those in front of it have negative places.
long place_of(const Node &node, size_t count) { return node.index < 0 ? node.index + static_cast<long>(count) : node.index; }

// The nodes of a list in the order of their places. Those that are counted from the end come first in the list.
struct Elements {
    Node *front, *back;
    const size_t count;

    Elements(const Node &list, size_t all) : front(list.child), back(list.child), count(all) {
        while (front && front->index < 0) front = front->next;
    }

    // Returns nullptr behind the last one.
    Node *next() {
        Node *behind = back && back->index < 0 ? back : nullptr;
        if (behind && (!front || place_of(*behind, count) < front->index)) {
            back = back->next;
            return behind;
        }
        if (!front) return nullptr;
        if (behind && place_of(*behind, count) == front->index) patch_refuse_same(*behind, *front);
        Node *found = front;
        front = front->next;
        return found;
    }
};

// Passes over elements up to a place, and over what stands before it. Returns nullptr also if there are not as many, with
// `end` where the list ends.
const uint8_t *pass_elements(Passage &g, const uint8_t *p, const Type &element, size_t *index, size_t to, size_t count,
                             int depth, const uint8_t **end) {
    if (g.steps.traits.counts_elements && element.kind == Kind::struct_ && !g.trusting && to > *index) {
        if (!(p = g.steps.pass_structs(g.s, p, element.link, to - *index, depth - 1))) return nullptr;
        *index = to;
    }
    for (;; (*index)++) {
        const NextElement next = g.steps.next_element(g.s, p, *index, count);
        if (next == NextElement::failed) return nullptr;
        if (next == NextElement::end) return *end = p, nullptr;
        if (*index == to) return p;
        if (!(p = pass_element(g, p, element, depth))) return nullptr;
    }
}

const uint8_t *pass_list(Passage &g, const uint8_t *p, Node &node, int depth) {
    const Type &element = *node.type->element;
    size_t count = 0, index = 0;
    if (depth < 0 || !(p = g.steps.list(g.s, p, *node.type, &count))) return nullptr;
    if (!g.steps.traits.counts_elements) {
        bool from_end = false;
        for (const Node *child = node.child; child; child = child->next) from_end |= child->index < 0;
        if (from_end && !count_elements(g, p, element, depth, &count)) return nullptr;
        if (!from_end && g.wire == WireId::json) count = FIXNUM_MAX;
    }
    const size_t waiting = g.s.waiting;
    if (g.steps.traits.counts_elements && !g.trusting) {
        if (static_cast<int64_t>(count) > g.s.options.container || !g.s.charges(array_cost(count))) return nullptr;
        g.s.takes(1 + (count < run_size ? count : run_size));
    }
    for (Elements elements(node, count);;) {
        Node *child = elements.next();
        const long place = child ? place_of(*child, count) : 0;
        if (child && (place < 0 || place >= static_cast<long>(count))) return finish_absent(g, *child, nullptr);
        const uint8_t *end = nullptr;
        p = pass_elements(g, p, element, &index, child ? static_cast<size_t>(place) : count, count, depth, &end);
        if (!p && end && child) return finish_absent(g, *child, nullptr);
        if (!p) {
            g.s.waiting = waiting;
            return end;
        }
        if (!child || !(p = pass_node(g, p, *child, depth))) return nullptr;
        index++;
    }
}

// --- maps --------------------------------------------------------------------------------------------------------------

// Returns Qundef if there is none. The key was passed before, and charged.
VALUE key_at(const Passage &g, const uint8_t *p, const Type &type, int depth) {
    const size_t offset = static_cast<size_t>(p - g.s.in.begin);
    return decode_part(type, g.source, g.wire, g.s.options, offset, depth, checked_memory, true);
}

bool key_is(Passage &g, const uint8_t *p, const Type &type, const FoundKey &key, const Node &node, int depth) {
    if (key.known && key.data) {
        return key.size == string_size(node.key) && memcmp(key.data, string_bytes(node.key), key.size) == 0;
    }
    if (key.known) return node.has_number && node.number == key.number;
    const VALUE found = key_at(g, p, type, depth);
    return found != Qundef && rb_eql(found, node.key);
}

// Of so many keys, one is looked for by its hash.
constexpr size_t keys_many = 16;

// Looks at `likely` first: changes often come in the order of the map.
Node *child_of_key(Passage &g, const Node &node, Node *likely, const uint8_t *p, int depth) {
    const Type &type = *node.type->key;
    FoundKey key{};
    g.steps.read_key(g.s, p, type, &key);
    if (likely && key_is(g, p, type, key, *likely, depth)) return likely;
    if (node.nodes && RHASH_SIZE(node.nodes) > keys_many) {
        const VALUE found = key_at(g, p, type, depth);
        const VALUE number = found == Qundef ? Qnil : rb_hash_lookup(node.nodes, found);
        return NIL_P(number) ? nullptr : g.patch->root + FIX2LONG(number);
    }
    for (Node *child = node.child; child; child = child->next) {
        if (key_is(g, p, type, key, *child, depth)) return child;
    }
    return nullptr;
}

const uint8_t *pass_map(Passage &g, const uint8_t *p, Node &node, int depth) {
    Scan &s = g.s;
    const Type &type = *node.type;
    size_t count = 0;
    if (depth < 0 || !(p = g.steps.map(s, p, type, &count))) return nullptr;
    const size_t waiting = s.waiting;
    if (g.steps.traits.counts_elements && !g.trusting) {
        if (static_cast<int64_t>(count) > s.options.container || !s.charges(hash_cost(count))) return nullptr;
        s.takes(1 + 2 * (count < pairs_bulk ? count : pairs_bulk));
    }
    const uint32_t number = ++g.structs;
    Node *likely = node.child;
    for (size_t index = 0;; index++) {
        const NextElement next = g.steps.next_key(s, p, index, count);
        if (next == NextElement::failed) return nullptr;
        if (next == NextElement::end) break;
        const uint8_t *key = p;
        p = g.trusting ? g.steps.skip_key(s, p, *type.key, depth) : g.steps.pass_key(s, p, *type.key, depth);
        if (!p || !(p = g.steps.next_value(s, p))) return nullptr;
        Node *child = child_of_key(g, node, likely, key, depth);
        if (child) {
            child->met_in = number;
            likely = child->next;
        }
        p = child ? pass_node(g, p, *child, depth) : pass_element(g, p, *type.element, depth);
        if (!p) return nullptr;
    }
    for (Node *child = node.child; child; child = child->next) {
        if (child->met_in != number) return finish_absent(g, *child, nullptr);
    }
    s.waiting = waiting;
    return p;
}

}  // namespace

bool passage_run(Passage &g, Node &root) {
    const uint8_t *p = g.steps.begin(g.s.in, g.s.in.begin);
    p = pass_struct(g, p, root, g.s.options.depth - 1);
    return g.done || p;
}

}  // namespace sparpack
