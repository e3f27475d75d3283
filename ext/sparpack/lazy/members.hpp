// What a patch does with the members of a struct while a passage goes by them, and with other values (patch.cpp).
#pragma once

#include "passage.hpp"

namespace sparpack {

// A struct or a union that is open, and what became of its fields so far.
struct Members {
    Node &node;
    const Link *link;
    uint32_t number;      // among all
    const uint8_t *open;  // its first byte
    const StepsOf &steps;
    const uint8_t *begin = nullptr;    // behind its head
    size_t count = 0;                  // how many fields the head says there are
    size_t head = 0;                   // the edit of the head, counted from 1
    bool is_array = false;             // fields go by position
    int32_t before = 0, written = 0;   // of the field before: its id, and that of the last one that stays
    const uint8_t *emptied = nullptr;  // of text: up to here all members are removed
    bool filled = false;               // of text: a member was added
};

void members_open(Members &m, const uint8_t *begin, const AnyFrame &frame);

// A field stays. `before` is the cursor in front of its header, and p the one behind it.
void members_keep(Members &m, Patch &patch, const uint8_t *before, const uint8_t *p, const AnyFrame &frame);

// A field changes whose value ends at `end`. Both return where its part of the bytes ends, or nullptr.
const uint8_t *members_change(Members &m, Patch &patch, Node &node, const uint8_t *before, const uint8_t *p,
                              const uint8_t *end, const AnyFrame &frame);
const uint8_t *members_remove(Members &m, Patch &patch, const uint8_t *before, const uint8_t *p, const uint8_t *end,
                              const AnyFrame &frame);

// A field that is nil from p to `end` gets a value.
void members_fill(Members &m, Patch &patch, Node &node, const uint8_t *p, const uint8_t *end);

// A field is not there, and the struct ends at p.
void members_absent(Members &m, Patch &patch, Node &node, const uint8_t *p);

// True if the next field's header may have to change.
inline bool members_wait(const Members &m) { return m.before != m.written; }

// Replaces a value in a list or a map.
void patch_replace(Patch &patch, Node &node, const uint8_t *p, const uint8_t *end);

// True if all changes were made.
bool patch_is_over(const Patch &patch);

[[noreturn]] void patch_refuse_absent(Patch &patch, const Node &node);
[[noreturn]] void patch_refuse_unset(Patch &patch, const Node &node);

// Raises DecodeError::LimitExceeded, because a payload makes so many new bytes of a few values.
[[noreturn]] void patch_refuse_size(const Patch &patch);

// Raises ArgumentError if two nodes of a list are the same element, counted from both ends.
[[noreturn]] void patch_refuse_same(const Node &one, const Node &other);

}  // namespace sparpack
