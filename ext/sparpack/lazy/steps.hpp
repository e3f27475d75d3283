// What a walk along a path asks of a wire: one function for each part of it. So digging and patching are compiled once for
// all wires. Almost all of their time goes to what they pass, and that each wire scans in loops of its own
// (scan_values.hpp).
#pragma once

#include "scan.hpp"

namespace sparpack {

// The frame of any wire.
struct AnyFrame {
    alignas(8) uint8_t bytes[64];
};

// A scalar that is the key of a map, as it stands in the bytes.
struct FoundKey {
    bool known;           // if not, it has to be decoded
    int64_t number;       // of an integer or a bool
    const uint8_t *data;  // of text and binary
    size_t size;
};

// Each function takes a cursor and returns the next one. It returns nullptr if only a decode can tell, or would fail.
// `depth` is how many levels there may be below.
struct StepsOf {
    const WireTraits &traits;
    const uint8_t *(*begin)(const Input &in, const uint8_t *p);
    // The name of a member in JSON begins here. `before` is the cursor before its header was read, and p the one behind it.
    const uint8_t *(*name)(const Input &in, const uint8_t *before, const AnyFrame &frame, bool first);

    // Opens a struct or a union. In wires in which nil stands for an absent field, `next` then stops at it.
    const uint8_t *(*open)(Scan &s, const uint8_t *p, AnyFrame &frame, bool is_union);
    int (*next)(Scan &s, const uint8_t *&p, AnyFrame &frame, const Link *link, uint32_t expected);
    int32_t (*id)(const AnyFrame &frame);     // of the field, in a wire whose ids are relative; otherwise 0
    int (*flag)(const AnyFrame &frame);       // 0 or 1 if the header of a bool has its value; otherwise -1
    bool (*is_array)(const AnyFrame &frame);  // whether fields go by position
    size_t (*count)(const AnyFrame &frame);   // how many fields follow, in a wire that counts them; otherwise 0
    int (*mismatch)(const AnyFrame &frame);   // the index of a field that has another type
    const uint8_t *(*pass_nil)(const Input &in, const uint8_t *p);  // returns p if there is a value

    // The first passes over a value and checks it. The second only finds its end, and asks for no type if it is a field.
    const uint8_t *(*pass_field)(Scan &s, const uint8_t *p, const Type &type, const AnyFrame &frame, int depth);
    const uint8_t *(*skip_field)(Scan &s, const uint8_t *p, const AnyFrame &frame, int depth);
    const uint8_t *(*pass_element)(Scan &s, const uint8_t *p, const Type &type, int depth);
    const uint8_t *(*skip_element)(Scan &s, const uint8_t *p, const Type &type, int depth);
    const uint8_t *(*pass_key)(Scan &s, const uint8_t *p, const Type &type, int depth);
    const uint8_t *(*skip_key)(Scan &s, const uint8_t *p, const Type &type, int depth);
    const uint8_t *(*pass_structs)(Scan &s, const uint8_t *p, const Link *link, size_t count, int depth);

    const uint8_t *(*list)(Scan &s, const uint8_t *p, const Type &type, size_t *count);
    const uint8_t *(*map)(Scan &s, const uint8_t *p, const Type &type, size_t *count);
    // In wires that do not count elements, what stands before each of them, and at the end.
    NextElement (*next_element)(Scan &s, const uint8_t *&p, size_t index, size_t count);
    NextElement (*next_key)(Scan &s, const uint8_t *&p, size_t index, size_t count);
    const uint8_t *(*next_value)(Scan &s, const uint8_t *p);
    void (*read_key)(Scan &s, const uint8_t *p, const Type &type, FoundKey *key);
};

const StepsOf &steps_of(WireId wire);

// Charges the defaults of a struct's absent fields. Returns false if one of them is required.
bool steps_absent(Scan &s, const Link *link, uint64_t seen);

}  // namespace sparpack
