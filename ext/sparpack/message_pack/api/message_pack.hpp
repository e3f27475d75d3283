// MessagePack without a schema, as the rest of the native code uses it.
#pragma once

#include "../../values/ruby.hpp"

namespace sparpack {

// Returns a value's bytes. `types` is a Sparpack::MessagePack::Types or nil; `row` is nil or [compatible, sorted, depth].
VALUE message_pack_dump(VALUE value, VALUE types, VALUE row);

// Returns the one value of a String. `row` is nil or holds an unpacker's options.
VALUE message_pack_load(VALUE bytes, VALUE types, VALUE row);

// Returns the class Sparpack::MessagePack::ExtensionValue.
VALUE message_pack_extension_class();

}  // namespace sparpack
