#include "keys.hpp"

#include <ruby/ractor.h>

namespace sparpack {

namespace {

void keys_mark(void *data) {
    Keys *keys = static_cast<Keys *>(data);
    for (const Keys::Entry &entry : keys->table) {
        if (!entry.string) continue;
        rb_gc_mark(entry.string);  // this also pins it
        if (entry.symbol) rb_gc_mark(entry.symbol);
    }
    if (keys->types) rb_gc_mark(keys->types);
}

const rb_ractor_local_storage_type storage_type = {keys_mark, ruby_xfree};
rb_ractor_local_key_t storage;

}  // namespace

SPARPACK_COLD static Keys *keys_make() {
    Keys *keys = static_cast<Keys *>(ruby_xcalloc(1, sizeof(Keys)));
    rb_ractor_local_storage_ptr_set(storage, keys);
    return keys;
}

Keys *keys_here() {
    Keys *keys = static_cast<Keys *>(rb_ractor_local_storage_ptr(storage));
    return SPARPACK_LIKELY(keys) ? keys : keys_make();
}

SPARPACK_COLD VALUE keys_intern(const uint8_t *data, size_t size) {
    return rb_enc_interned_str(reinterpret_cast<const char *>(data), static_cast<long>(size), rb_utf8_encoding());
}

void keys_init() { storage = rb_ractor_local_storage_ptr_newkey(&storage_type); }

}  // namespace sparpack
