// Extension types that are packed and read without a proc: Time, large Integers, BigDecimal, Set, Symbol, Rational, Struct
// and Data, and those of embedded_types.hpp.
#pragma once

#include "pack.hpp"
#include "unpack.hpp"

namespace sparpack {

// Returns the next place in the output, or nullptr after a fault. Statuses: those of pack_value.
uint8_t *builtin_write(Pack &k, uint8_t *p, VALUE value, const TypeEntry &entry, int depth);

// Reads an extension type's data: `size` bytes at p. Statuses: those of unpack_value, bad_timestamp, bad_ext_data.
const uint8_t *builtin_read(Unpack &u, const uint8_t *p, size_t size, const TypeReader &reader, VALUE *out, int depth);

}  // namespace sparpack
