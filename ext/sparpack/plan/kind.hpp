// The kinds of types in one list. A new type is one row here, and the compiler then names what is missing.
#pragma once

#include "../wire/wire_type.hpp"

namespace sparpack {

// What belongs to a type besides its kind: nothing, the type of its elements, the types of its keys and values, the names
// and numbers of an enum, or a class.
enum class Parts : uint8_t { none, element, pair, names, klass };

// X(name, name in messages, wire type, parts). Ruby refers to a kind by its position in Sparpack::Native::KINDS.
// The order tells what a kind is: bool and integers stand before double_, and what holds other values stands from list on.
#define SPARPACK_KINDS(X)                                 \
    X(bool_, "bool", WireType::bool_, Parts::none)        \
    X(i8, "i8", WireType::i8, Parts::none)                \
    X(i16, "i16", WireType::i16, Parts::none)             \
    X(i32, "i32", WireType::i32, Parts::none)             \
    X(i64, "i64", WireType::i64, Parts::none)             \
    X(double_, "double", WireType::double_, Parts::none)  \
    X(string, "string", WireType::string, Parts::none)    \
    X(binary, "binary", WireType::string, Parts::none)    \
    X(uuid, "uuid", WireType::uuid, Parts::none)          \
    X(enum_, "enum", WireType::i32, Parts::names)         \
    X(list, "list", WireType::list, Parts::element)       \
    X(set, "set", WireType::set, Parts::element)          \
    X(map, "map", WireType::map, Parts::pair)             \
    X(struct_, "struct", WireType::struct_, Parts::klass) \
    X(union_, "union", WireType::struct_, Parts::klass)   \
    X(any, "any", WireType::stop, Parts::none)

enum class Kind : uint8_t {
#define X(name, text, wire, parts) name,
    SPARPACK_KINDS(X)
#undef X
};

constexpr const char *kind_names[] = {
#define X(name, text, wire, parts) text,
    SPARPACK_KINDS(X)
#undef X
};

constexpr WireType kind_wires[] = {
#define X(name, text, wire, parts) wire,
    SPARPACK_KINDS(X)
#undef X
};

constexpr Parts kind_part_list[] = {
#define X(name, text, wire, parts) parts,
    SPARPACK_KINDS(X)
#undef X
};

constexpr size_t kind_count = sizeof kind_names / sizeof *kind_names;

inline const char *kind_name(Kind kind) { return kind_names[static_cast<size_t>(kind)]; }

// True for containers and structs.
inline bool kind_is_compound(Kind kind) { return kind >= Kind::list; }

// True for bools, integers, doubles and enums.
inline bool kind_is_number(Kind kind) { return kind <= Kind::double_ || kind == Kind::enum_; }

// `any` is that of a mapping's member without a type: whatever MessagePack can say. It has no wire type.

// True if a key of this kind may be hashed or compared by a Ruby method, which anybody may have replaced. Strings and small
// Integers never are.
inline bool kind_hashes_in_ruby(Kind kind) { return kind_is_compound(kind) || kind == Kind::i64 || kind == Kind::double_; }

inline Parts kind_parts(Kind kind) { return kind_part_list[static_cast<size_t>(kind)]; }

inline WireType kind_wire(Kind kind) { return kind_wires[static_cast<size_t>(kind)]; }

}  // namespace sparpack
