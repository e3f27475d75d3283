// What is registered for extension types: how values of classes are packed, and how types are read. A Types object never
// changes, so packers and unpackers share their factory's; registering makes a new one.
#pragma once

#include "../glue/ruby.hpp"

namespace sparpack {

// Types that are packed and read without Ruby code, by their names in Ruby.
#define SPARPACK_BUILTINS(X) X(time) X(integer) X(decimal) X(set) X(symbol) X(rational) X(structure)

enum class Builtin : uint8_t {
    none,
#define X(name) name,
    SPARPACK_BUILTINS(X)
#undef X
};

// How values of a class are packed: by a builtin or by a proc.
struct TypeEntry {
    VALUE klass, proc;
    int8_t type;
    Builtin builtin;
    bool recursive;  // the proc is given a packer, too
    bool oversized;  // of Integers only those that MessagePack has no room for
};

// How an extension type is read.
struct TypeReader {
    VALUE klass, proc;
    Builtin builtin;
    bool recursive;  // the proc is given an unpacker
};

struct Types {
    // Which entry counts for a class was found out before.
    struct Place {
        VALUE klass;
        const TypeEntry *entry;
    };
    static constexpr size_t places = 64;

    size_t entry_count, reader_count;
    TypeEntry *entries;
    TypeReader *readers;
    bool modules;             // an entry is that of a module, which a class may include at any time
    uint16_t reader_of[256];  // from type -128 on: its number from 1 on, 0 if there is none
    Place found[places];
};

// The C part of a Sparpack::MessagePack::Types; nullptr for nil.
Types *types_of(VALUE object);

// Bytes that it takes; 0 for nil.
size_t types_memory(VALUE object);

// Of the exact class, else of the first registered that the value is one of; nullptr if there is none. Runs no Ruby code.
const TypeEntry *types_search(Types &types, VALUE object, VALUE value, VALUE klass);

SPARPACK_INLINE const TypeEntry *types_find(Types &types, VALUE object, VALUE value) {
    VALUE klass = CLASS_OF(value);
    const Types::Place &place = types.found[(klass >> 3 ^ klass >> 9) % Types::places];
    return SPARPACK_LIKELY(place.klass == klass) ? place.entry : types_search(types, object, value, klass);
}

SPARPACK_INLINE const TypeReader *types_reader(const Types *types, int8_t type) {
    uint16_t number = types ? types->reader_of[type + 128] : uint16_t{0};
    return number ? &types->readers[number - 1] : nullptr;
}

}  // namespace sparpack
