// Sorts the pairs of a Hash, so that equal Hashes have equal bytes. Keys come in this order: nil, false, true, Integers,
// Floats, text (Strings and Symbols, by their bytes), and all others by their packed bytes.
#pragma once

#include "pack.hpp"

namespace sparpack {

// A pair is a key, a value, and the bytes of a key that was packed to find its place, otherwise nil. A key is packed once,
// however many Hashes it is in. Packing it again would double the work with each level, and may run Ruby code.
constexpr long pair_parts = 3;

// Makes a hidden Array of pairs. Keys are packed behind p for a moment, with up to `depth` levels. Returns where to
// continue, or nullptr after a fault. Statuses: those of pack_value.
uint8_t *pairs_sort(Pack &k, uint8_t *p, VALUE hash, int depth, VALUE *sorted);

}  // namespace sparpack
