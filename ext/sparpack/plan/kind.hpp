// The kinds of types in one list. A new type is one row here, and the compiler then names what is missing.
#pragma once

#include "../wire/wire_type.hpp"

namespace sparpack {

// X(name, name in messages, wire type). Ruby refers to a kind by its position in Sparpack::Native::KINDS.
#define SPARPACK_KINDS(X)                   \
    X(bool_, "bool", WireType::bool_)       \
    X(i8, "i8", WireType::i8)               \
    X(i16, "i16", WireType::i16)            \
    X(i32, "i32", WireType::i32)            \
    X(i64, "i64", WireType::i64)            \
    X(double_, "double", WireType::double_) \
    X(string, "string", WireType::string)   \
    X(binary, "binary", WireType::string)   \
    X(uuid, "uuid", WireType::uuid)         \
    X(enum_, "enum", WireType::i32)         \
    X(list, "list", WireType::list)         \
    X(set, "set", WireType::set)            \
    X(map, "map", WireType::map)            \
    X(struct_, "struct", WireType::struct_) \
    X(union_, "union", WireType::struct_)   \
    X(any, "any", WireType::stop)

enum class Kind : uint8_t {
#define X(name, text, wire) name,
    SPARPACK_KINDS(X)
#undef X
};

constexpr const char *kind_names[] = {
#define X(name, text, wire) text,
    SPARPACK_KINDS(X)
#undef X
};

constexpr WireType kind_wires[] = {
#define X(name, text, wire) wire,
    SPARPACK_KINDS(X)
#undef X
};

constexpr size_t kind_count = sizeof kind_names / sizeof *kind_names;

inline const char *kind_name(Kind kind) { return kind_names[static_cast<size_t>(kind)]; }

// True for containers and structs.
inline bool kind_is_compound(Kind kind) { return kind >= Kind::list; }

// `any` is that of a mapping's member without a type: whatever MessagePack can say. It has no wire type.

// True if a key of this kind may be hashed or compared by a Ruby method, which anybody may have replaced. Strings and small
// Integers never are.
inline bool kind_hashes_in_ruby(Kind kind) { return kind_is_compound(kind) || kind == Kind::i64 || kind == Kind::double_; }

inline WireType kind_wire(Kind kind) { return kind_wires[static_cast<size_t>(kind)]; }

}  // namespace sparpack
