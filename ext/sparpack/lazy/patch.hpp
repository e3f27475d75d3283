// The changes of a patch, and the edits of the bytes that they become.
#pragma once

#include "../plan/codec_facts.hpp"
#include "../values/text.hpp"
#include "members.hpp"

namespace sparpack {

// Bytes of the payload that others replace.
struct Edit {
    size_t begin, end;
    size_t from, size;  // in the String of new bytes
};

struct Patch {
    const CodecFacts &facts;
    const uint8_t *base;  // of the payload
    VALUE source;
    VALUE bytes;  // all new bytes: those of the values first
    Node *root;
    VALUE edits;  // a String of Edits: a field may come more than once, and each is changed
    size_t leaves = 0, left = 0;
    uint64_t room = 0;  // how many new bytes there may still be: a payload that repeats a field must not repeat a long value
};

inline Edit *patch_edits(const Patch &patch) { return reinterpret_cast<Edit *>(RSTRING_PTR(patch.edits)); }
inline size_t patch_count(const Patch &patch) { return string_size(patch.edits) / sizeof(Edit); }

}  // namespace sparpack
