// Paths to values that are nested in structs, lists and maps, as callers give them: names of fields, indexes of elements and
// keys of maps. A path is resolved by the schema before any byte is looked at.
#pragma once

#include "../plan/plan.hpp"

namespace sparpack {

// A value that paths lead to or through.
struct Node {
    const Type *type;
    Node *child;  // the first one. Elements come in the order of their indexes, so negative ones come first
    Node *last;   // child of a change
    Node *next;   // of the same parent
    Node *parent;
    VALUE step;  // as it was given

    // How the parent finds it: by the index of its field, the index of an element, or a key.
    uint32_t field;
    long index;
    VALUE key;  // as a decode makes it
    bool has_number;
    int64_t number;  // of a key that is an integer or a bool

    VALUE nodes;  // of changes in a map, and in a list if they do not come in order: {key or index => number}; or 0

    // Of a change: the bytes of the new value, in a String of all of them.
    bool leaf;
    bool removed;
    bool flag;  // a bool, as headers of the compact protocol have it
    bool met;
    uint32_t met_in;  // the struct in which it was met, by number
    size_t from, size;
};

// The node of the value that a payload holds.
Node path_root(Type &type, const Link *link, VALUE klass);

// Returns the node for the next step from a value. Raises ArgumentError if the schema does not have it: step `at` of all.
Node path_step(const Type &type, VALUE klass, VALUE step, int at, int count, const VALUE *steps);

// Returns what a step leads to in a value that was decoded, or nil.
VALUE path_follow(const Type &type, VALUE value, const Node &node);

}  // namespace sparpack
