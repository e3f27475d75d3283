// MessagePack without a schema, as the rest of the native part uses it.
#pragma once

#include "../glue/ruby.hpp"

namespace sparpack {

// A value's bytes. `types` is a Sparpack::MessagePack::Types or nil; the row is nil or [compatible, sorted, depth].
VALUE message_dump(VALUE value, VALUE types, VALUE row);

// The one value of a String; the row is nil or that of an unpacker's options.
VALUE message_load(VALUE bytes, VALUE types, VALUE row);

// Sparpack::MessagePack::ExtensionValue, and one of them.
VALUE message_pack_extension_class();
VALUE message_pack_extension(int8_t type, VALUE payload);

}  // namespace sparpack
