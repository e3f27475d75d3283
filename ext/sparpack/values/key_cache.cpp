#include "key_cache.hpp"

#include <ruby/ractor.h>

namespace sparpack {

namespace {

void key_cache_mark(void *data) {
    KeyCache *keys = static_cast<KeyCache *>(data);
    for (const KeyCache::Entry &entry : keys->table) {
        if (!entry.string) continue;
        rb_gc_mark(entry.string);  // this also pins it
        if (entry.symbol) rb_gc_mark(entry.symbol);
    }
    if (keys->types) rb_gc_mark(keys->types);
}

const rb_ractor_local_storage_type key_cache_type = {key_cache_mark, ruby_xfree};
rb_ractor_local_key_t key_cache_key;

}  // namespace

SPARPACK_COLD static KeyCache *key_cache_make() {
    KeyCache *keys = static_cast<KeyCache *>(ruby_xcalloc(1, sizeof(KeyCache)));
    rb_ractor_local_storage_ptr_set(key_cache_key, keys);
    return keys;
}

KeyCache *key_cache_here() {
    KeyCache *keys = static_cast<KeyCache *>(rb_ractor_local_storage_ptr(key_cache_key));
    return SPARPACK_LIKELY(keys) ? keys : key_cache_make();
}

SPARPACK_COLD VALUE key_cache_intern(const uint8_t *data, size_t size) {
    return text_interned(data, size, rb_utf8_encoding());
}

SPARPACK_COLD KeyCache::Entry *key_cache_add(KeyCache *keys, const uint8_t *data, size_t size) {
    VALUE string = key_cache_intern(data, size);
    KeyWords words(string_bytes(string), size);  // not of the source, which another thread may have changed
    KeyCache::Entry &entry = keys->table[words.bucket(size)];
    entry = {words.first, words.last, string, 0, size};
    return &entry;
}

void key_cache_init() { key_cache_key = rb_ractor_local_storage_ptr_newkey(&key_cache_type); }

}  // namespace sparpack
