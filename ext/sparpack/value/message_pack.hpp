// MessagePack without a schema, as the rest of the native part uses it.
#pragma once

#include "../glue/ruby.hpp"

namespace sparpack {

// A value's bytes. `types` is a Sparpack::MessagePack::Types or nil.
VALUE message_pack(VALUE value, VALUE types, bool sorted);

// Sparpack::MessagePack::ExtensionValue, and one of them.
VALUE message_pack_extension_class();
VALUE message_pack_extension(int8_t type, VALUE payload);

}  // namespace sparpack
