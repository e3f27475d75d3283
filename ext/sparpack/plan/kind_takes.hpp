// Whether a value without a wire type of its own, as the events of MessagePack and JSON have them, can be one of a kind.
#pragma once

#include "../wire/events.hpp"
#include "kind.hpp"

namespace sparpack {

SPARPACK_INLINE bool kind_takes(Kind kind, const event::Scalar &scalar) {
    bool is_text = scalar.type == event::Type::text, is_integer = scalar.type == event::Type::integer;
    switch (kind) {
    case Kind::bool_: return scalar.type == event::Type::boolean;
    case Kind::i8:
    case Kind::i16:
    case Kind::i32: return is_integer;
    case Kind::i64:
    case Kind::enum_: return is_integer || is_text;
    case Kind::double_:
        return is_integer || is_text || scalar.type == event::Type::real || scalar.type == event::Type::decimal;
    case Kind::string: return is_text;
    case Kind::binary:
    case Kind::uuid: return is_text || scalar.type == event::Type::bytes;
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::struct_:
    case Kind::union_: return false;
    case Kind::any: return true;
    }
    __builtin_unreachable();
}

}  // namespace sparpack
