// The pairs of a Hash in an order of their own, so that equal Hashes have equal bytes: by keys, nil before false, true,
// Integers, Floats, text (Strings and Symbols, by their bytes), and all else by its bytes when packed.
#pragma once

#include "pack.hpp"

namespace sparpack {

// Each pair is a key, a value, and the bytes of a key that was packed for its place, else nil: a key is packed once, however
// many Hashes it is in. That would double with each level, and it may run Ruby code.
constexpr long pair_parts = 3;

// Makes a hidden Array of them. Keys are packed behind p for a moment, and have so many levels. Answers where to go on, or
// nullptr after a fault. Statuses: as pack_value.
uint8_t *pairs_sort(Pack &k, uint8_t *p, VALUE hash, int depth, VALUE *sorted);

}  // namespace sparpack
