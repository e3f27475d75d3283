// What is registered for extension types: how the values of a class are packed, and how a type is read. A Types object never
// changes, so packers and unpackers share that of their factory. Registering a type makes a new one.
#pragma once

#include "../values/ruby.hpp"

namespace sparpack {

// Types that are packed and read without a proc, with their names in Ruby.
#define SPARPACK_BUILTINS(X) X(time) X(integer) X(decimal) X(set) X(symbol) X(rational) X(structure) X(codec) X(named)

enum class Builtin : uint8_t {
    none,
#define X(name) name,
    SPARPACK_BUILTINS(X)
#undef X
};

// How values of a class are packed: by a builtin or by a proc.
struct TypeEntry {
    VALUE klass, proc;  // or a Sparpack::Codec in place of the proc; see embedded_types.hpp for `named`
    int8_t type;
    Builtin builtin;
    bool recursive;  // the proc also gets a packer
    bool oversized;  // only for Integers that MessagePack has no room for
};

// How an extension type is read.
struct TypeReader {
    VALUE klass, proc;
    Builtin builtin;
    bool recursive;  // the proc gets an unpacker
};

struct Types {
    // Remembers which entry applies to a class.
    struct Cached {
        VALUE klass;
        const TypeEntry *entry;
    };
    static constexpr size_t cache_size = 64;

    size_t entry_count, reader_count;
    TypeEntry *entries;
    TypeReader *readers;
    bool modules;             // an entry is for a module, which a class may include at any time
    uint16_t reader_of[256];  // type + 128 -> number of its reader, from 1 on; 0 if there is none
    Cached cache[cache_size];

    Cached &cached(VALUE klass) { return cache[(klass >> 3 ^ klass >> 9) % cache_size]; }
};

// Returns the C part of a Sparpack::MessagePack::Types; nullptr for nil.
Types *types_of(VALUE object);

// Returns how many bytes it takes; 0 for nil.
size_t types_memory(VALUE object);

// Finds the entry for the exact class, or else the first one that the value is a kind of. Returns nullptr if there is none.
// Runs no Ruby code.
const TypeEntry *types_search(Types &types, VALUE object, VALUE value, VALUE klass);

SPARPACK_INLINE const TypeEntry *types_find(Types &types, VALUE object, VALUE value) {
    VALUE klass = CLASS_OF(value);
    const Types::Cached &cached = types.cached(klass);
    return SPARPACK_LIKELY(cached.klass == klass) ? cached.entry : types_search(types, object, value, klass);
}

SPARPACK_INLINE const TypeReader *types_reader(const Types *types, int8_t type) {
    uint16_t number = types ? types->reader_of[type + 128] : uint16_t{0};
    return number ? &types->readers[number - 1] : nullptr;
}

}  // namespace sparpack
