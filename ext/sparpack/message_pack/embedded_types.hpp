// Extension types whose data is the payload of a codec: the objects of one class, or of any class, after its name.
#pragma once

#include "../glue/embedded.hpp"
#include "pack.hpp"
#include "unpack.hpp"

namespace sparpack {

// Written by Init alone.
void embedded_init(EmbeddedWrite write, EmbeddedRead read);

// Return and expect the same as builtin_write and builtin_read.
uint8_t *embedded_write(Pack &k, uint8_t *p, VALUE object, const TypeEntry &entry);
const uint8_t *embedded_read(Unpack &u, const uint8_t *p, size_t size, VALUE codec, VALUE *out);

// The payload stands after the size of a name, which is one byte, and the name. The proc of the entry returns the codec and
// the name of a class, in an Array, and that of the reader the codec for a name. They are called once for a row of objects
// of one class.
uint8_t *embedded_write_named(Pack &k, uint8_t *p, VALUE object, const TypeEntry &entry);
const uint8_t *embedded_read_named(Unpack &u, const uint8_t *p, size_t size, VALUE proc, VALUE *out);

}  // namespace sparpack
