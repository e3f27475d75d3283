// Map keys recur, and Ruby has one frozen String for each. Each Ractor has a table that finds this String without asking
// Ruby. Its size is fixed: a key that falls into a taken entry replaces the one there.
#pragma once

#include "text.hpp"

namespace sparpack {

struct KeyCache {
    static constexpr size_t entry_count = 512, size_max = 64;

    // Keys of up to 16 bytes are compared as two words, without looking at the String.
    struct Entry {
        uint64_t first, last;
        VALUE string;  // 0 if the entry is free
        VALUE symbol;  // 0 until somebody asks for it
        size_t size;
    };

    Entry table[entry_count];
    VALUE types;  // the registered types of the Ractor's default factory; 0 if there are none
};

// One bit for each entry.
struct KeyMarks {
    uint64_t bits[KeyCache::entry_count / 64];
};

// Returns this Ractor's table, which the first call makes.
KeyCache *key_cache_here();

// Returns the one frozen String of these bytes, from Ruby's own table.
VALUE key_cache_intern(const uint8_t *data, size_t size);

// Puts a key that is not longer than size_max into the table.
KeyCache::Entry *key_cache_add(KeyCache *keys, const uint8_t *data, size_t size);

// What a key is compared by, and its bucket in the table. A key longer than size_max has none.
struct KeyWords {
    uint64_t first = 0, last = 0;

    SPARPACK_INLINE KeyWords(const uint8_t *data, size_t size) {
        if (size >= 8) {
            first = load<uint64_t>(data);
            last = load<uint64_t>(data + size - 8);
        } else if (size >= 4) {
            first = load<uint32_t>(data);
            last = load<uint32_t>(data + size - 4);
        } else {
            for (size_t i = 0; i < size; i++) first = first << 8 | data[i];
        }
    }

    SPARPACK_INLINE size_t bucket(size_t size) const {
        return ((first ^ (last << 23 | last >> 41) ^ size) * 0x9e3779b97f4a7c15u) >> 55;
    }

    SPARPACK_INLINE bool is_in(const KeyCache::Entry &entry, const uint8_t *data, size_t size) const {
        return SPARPACK_LIKELY(entry.size == size && entry.first == first && entry.last == last && entry.string) &&
               (size <= 16 || memcmp(RSTRING_PTR(entry.string) + 8, data + 8, size - 16) == 0);
    }
};

SPARPACK_INLINE bool key_cache_keep(size_t size) { return size <= KeyCache::size_max && technique::key_cache; }

// Returns the String of a key. Only the table keeps it, and may replace it, so the caller must keep it, too.
SPARPACK_INLINE VALUE key_cache_find(KeyCache *keys, const uint8_t *data, size_t size, KeyCache::Entry **where = nullptr) {
    KeyWords words(data, size);
    if (SPARPACK_UNLIKELY(!key_cache_keep(size))) return key_cache_intern(data, size);
    KeyCache::Entry *entry = &keys->table[words.bucket(size)];
    if (SPARPACK_UNLIKELY(!words.is_in(*entry, data, size))) entry = key_cache_add(keys, data, size);
    if (where) *where = entry;
    return entry->string;
}

// Returns the Symbol of bytes that are UTF-8.
inline VALUE key_cache_symbol(KeyCache *keys, const uint8_t *data, size_t size) {
    KeyCache::Entry *entry = nullptr;
    VALUE string = key_cache_find(keys, data, size, &entry);
    if (!entry) return rb_str_intern(string);
    if (!entry->symbol) entry->symbol = rb_str_intern(string);
    return entry->symbol;
}

}  // namespace sparpack
