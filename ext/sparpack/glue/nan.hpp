// NaN in keys. A NaN equals nothing, not even itself, but all NaNs have the same hash. So a Hash compares each key that is
// or holds a NaN with all such keys before it. Code that reads keys from others must count them.
#pragma once

#include "../bytes/limits.hpp"
#include "../values/floats.hpp"

namespace sparpack {

// The most NaN keys of a payload with a schema, and the most NaNs in an Array that becomes a Set. Ruby knows it as
// NAN_KEYS_MAX.
constexpr uint32_t nan_keys_max = 256;

// The most NaN keys of one Hash or Set without a schema. The number is smaller because each container counts its own, and a
// payload may hold many containers.
constexpr uint32_t nan_keys_untyped_max = 16;

SPARPACK_INLINE bool is_nan(VALUE value) {
    return !RB_SPECIAL_CONST_P(value) && RB_BUILTIN_TYPE(value) == RUBY_T_FLOAT && float_value(value) != float_value(value);
}

// A search for NaNs: how many levels it may still enter, how many values it may still look at, and how many NaNs it still
// looks for. An object that holds itself twice has no end.
struct NanSearch {
    int depth;
    uint32_t left, wanted;
    bool ended() const { return wanted == 0; }
};

void nan_search(NanSearch &search, VALUE value);

// True if a value is a NaN or holds one, and also if there is more to look at than a key should hold. Runs no Ruby code for
// objects of Ruby's own classes and of Sparpack.
inline bool has_nan(VALUE value) {
    NanSearch search = {untyped_depth_max, 1 << 20, 1};
    nan_search(search, value);
    return search.ended();
}

// How many NaNs there are in a value that was just read, up to `most`.
inline uint32_t nan_count(VALUE value, uint32_t most) {
    NanSearch search = {untyped_depth_max, UINT32_MAX, most};
    nan_search(search, value);
    return most - search.wanted;
}

// Searches the fields of Sparpack's own objects, which glue/ cannot know, and those of plain objects. Returns false for any
// other object.
using NanInFields = bool (*)(NanSearch &search, VALUE object);
void nan_init(NanInFields function);

}  // namespace sparpack
