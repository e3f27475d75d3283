// A passage goes through a payload along paths. It passes over everything beside them, and ends where nothing behind
// matters.
#pragma once

#include "path.hpp"
#include "steps.hpp"

namespace sparpack {

struct Patch;

struct Passage {
    Scan &s;
    const StepsOf &steps;
    VALUE source;
    WireId wire;
    Patch *patch;   // or nullptr, which looks for the one leaf
    bool trusting;  // the payload was decoded before, so nothing has to be checked
    bool done = false;
    uint32_t structs = 0;  // how many were opened

    // The leaf, or the first node on the way to it that is absent.
    Node *found = nullptr;
    const Link *link = nullptr;   // of the struct that has it as a field
    const uint8_t *at = nullptr;  // where its value begins; nullptr if it is absent
    int flag = -1;                // the value of a bool that has no bytes of its own
    int depth = 0;

    // `trust` is for a payload that was decoded before.
    Passage(Scan &scan, VALUE bytes, WireId of, Patch *changes = nullptr, bool trust = false)
        : s(scan), steps(steps_of(of)), source(bytes), wire(of), patch(changes), trusting(trust) {}
};

// Goes through the payload of a root. Returns false if only a decode can tell.
bool passage_run(Passage &passage, Node &root);

}  // namespace sparpack
