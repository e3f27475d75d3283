// The pairs of a Hash in an order of their own, so that equal Hashes have equal bytes: by keys, nil before false, true,
// Integers, Floats, text (Strings and Symbols, by their bytes), and all else by its bytes when packed.
#pragma once

#include "../glue/ruby.hpp"

namespace sparpack {

// A hidden Array: key, value, key, value, … May run Ruby code, for keys of classes that are registered.
VALUE pairs_sort(VALUE hash, VALUE types);

}  // namespace sparpack
