// Where the elements of a long list begin. The scan that checks a payload notes that for the structs of one list of an
// object, so that waking the list need not search for them again.
#pragma once

#include "../values/ruby.hpp"

namespace sparpack {

// A shorter list is scanned again.
constexpr size_t index_least = 16;

// A hidden String: this, and for each element where it begins, counted from the list's own begin; then where the last one
// ends.
struct ElementIndex {
    size_t list;  // where the list begins in the payload
    size_t count;
    uint32_t starts[1];
};

SPARPACK_INLINE size_t index_size(size_t count) { return offsetof(ElementIndex, starts) + (count + 1) * sizeof(uint32_t); }

SPARPACK_INLINE ElementIndex *index_of(VALUE index) { return reinterpret_cast<ElementIndex *>(RSTRING_PTR(index)); }

// Returns the index if it is that of the list at an offset, or nullptr.
SPARPACK_INLINE const ElementIndex *index_for(VALUE index, size_t offset) {
    if (NIL_P(index) || index_of(index)->list != offset) return nullptr;
    return index_of(index);
}

}  // namespace sparpack
