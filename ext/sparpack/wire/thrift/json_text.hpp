// What Thrift's JSON protocol is made of: names of types and white space.
#pragma once

#include "../contract.hpp"
#include "../json/scalars.hpp"

namespace sparpack {

struct ThriftJsonText : JsonScalars {
    // --- names of types --------------------------------------------------------------------------------------------------

    static const char *type_name(WireType type) {
        switch (type) {
        case WireType::bool_: return "tf";
        case WireType::i8: return "i8";
        case WireType::i16: return "i16";
        case WireType::i32: return "i32";
        case WireType::i64: return "i64";
        case WireType::double_: return "dbl";
        case WireType::string:
        case WireType::stop: return "str";  // of an empty map that comes from a wire which does not say its types
        case WireType::struct_: return "rec";
        case WireType::map: return "map";
        case WireType::set: return "set";
        case WireType::list: return "lst";
        case WireType::uuid: return "uid";
        }
        __builtin_unreachable();
    }

    static constexpr uint32_t letters(uint8_t a, uint8_t b) { return a | static_cast<uint32_t>(b) << 8; }
    static constexpr uint32_t letters(uint8_t a, uint8_t b, uint8_t c) {
        return letters(a, b) | static_cast<uint32_t>(c) << 16 | 1u << 24;  // another number than two letters, even if c is 0
    }

    // Returns stop for an unknown name.
    static SPARPACK_INLINE WireType type_of(uint32_t name) {
        switch (name) {
        case letters('t', 'f'): return WireType::bool_;
        case letters('i', '8'): return WireType::i8;
        case letters('i', '1', '6'): return WireType::i16;
        case letters('i', '3', '2'): return WireType::i32;
        case letters('i', '6', '4'): return WireType::i64;
        case letters('d', 'b', 'l'): return WireType::double_;
        case letters('s', 't', 'r'): return WireType::string;
        case letters('r', 'e', 'c'): return WireType::struct_;
        case letters('m', 'a', 'p'): return WireType::map;
        case letters('s', 'e', 't'): return WireType::set;
        case letters('l', 's', 't'): return WireType::list;
        case letters('u', 'i', 'd'): return WireType::uuid;
        default: return WireType::stop;
        }
    }

    static bool is_container(WireType type) {
        return type == WireType::struct_ || type == WireType::map || type == WireType::set || type == WireType::list;
    }

    // --- reading: syntax -------------------------------------------------------------------------------------------------

    SPARPACK_COLD static const uint8_t *expect_late(Input &in, const uint8_t *p, uint8_t byte, Status status);

    // Statuses: truncated, and the one that is passed.
    static SPARPACK_INLINE const uint8_t *expect(Input &in, const uint8_t *p, uint8_t byte,
                                                 Status status = Status::bad_json) {
        return SPARPACK_LIKELY(p < in.end && *p == byte) ? p + 1 : expect_late(in, p, byte, status);
    }

    // Statuses: truncated, bad_json. An unknown name gives stop.
    static SPARPACK_INLINE const uint8_t *read_type(Input &in, const uint8_t *p, WireType *type) {
        if (SPARPACK_LIKELY(input_left(in, p) >= 5 && *p == '"')) {
            bool three = p[3] != '"';
            *type = type_of(three ? letters(p[1], p[2], p[3]) : letters(p[1], p[2]));
            if (SPARPACK_LIKELY(*type != WireType::stop && (!three || p[4] == '"'))) return p + 4 + three;
        }
        return read_odd_type(in, p, type);
    }

    // Statuses: also bad_wire_type. A name that goes on for too long is refused before its end has come.
    SPARPACK_COLD static const uint8_t *read_odd_type(Input &in, const uint8_t *p, WireType *type);

    // Says what is wrong with the text of a number.
    SPARPACK_COLD static const uint8_t *number_fail(Input &in, const uint8_t *p, bool quoted, bool integer);

    // --- writing ---------------------------------------------------------------------------------------------------------

    // Writes the name of a type with its quotes and a comma.
    static SPARPACK_INLINE uint8_t *put_type(Writer &w, uint8_t *p, WireType type) {
        const char *name = type_name(type);
        size_t size = name[2] ? 3 : 2;
        writer_check(w, p, 6);
        *p = '"';
        memcpy(p + 1, name, size);
        memcpy(p + 1 + size, "\",", 2);
        return p + size + 3;
    }
};

}  // namespace sparpack
