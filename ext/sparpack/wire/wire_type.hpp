// The types of Thrift's wires, numbered as in the binary protocol. Other wires map them.
#pragma once

#include "../bytes/base.hpp"

namespace sparpack {

#define SPARPACK_WIRE_TYPES(X) \
    X(stop, 0)                 \
    X(bool_, 2)                \
    X(i8, 3)                   \
    X(double_, 4)              \
    X(i16, 6)                  \
    X(i32, 8)                  \
    X(i64, 10)                 \
    X(string, 11)              \
    X(struct_, 12)             \
    X(map, 13)                 \
    X(set, 14)                 \
    X(list, 15)                \
    X(uuid, 16)

enum class WireType : uint8_t {
#define X(name, number) name = number,
    SPARPACK_WIRE_TYPES(X)
#undef X
};

inline const char *wire_type_name(WireType type) {
    switch (type) {
    case WireType::stop: return "stop";
    case WireType::bool_: return "bool";
    case WireType::i8: return "i8";
    case WireType::double_: return "double";
    case WireType::i16: return "i16";
    case WireType::i32: return "i32";
    case WireType::i64: return "i64";
    case WireType::string: return "string";
    case WireType::struct_: return "struct";
    case WireType::map: return "map";
    case WireType::set: return "set";
    case WireType::list: return "list";
    case WireType::uuid: return "uuid";
    }
    return "an unknown type";
}

}  // namespace sparpack
