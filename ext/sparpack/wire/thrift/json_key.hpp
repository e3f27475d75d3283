// Keys of maps in Thrift's JSON protocol.
#pragma once

#include "json.hpp"

namespace sparpack {

// The key of a map is a string, so numbers are in quotes. The wire refuses structs and containers as keys.
struct ThriftJson::Key : JsonKeys {
    template <int bits> static const uint8_t *read_integer(Input &in, const uint8_t *p, int64_t *value);
    static const uint8_t *read_i8(Input &in, const uint8_t *p, int64_t *value) { return read_integer<8>(in, p, value); }
    static const uint8_t *read_i16(Input &in, const uint8_t *p, int64_t *value) { return read_integer<16>(in, p, value); }
    static const uint8_t *read_i32(Input &in, const uint8_t *p, int64_t *value) { return read_integer<32>(in, p, value); }
    static const uint8_t *read_i64(Input &in, const uint8_t *p, int64_t *value) { return read_integer<64>(in, p, value); }
    static const uint8_t *read_bool(Input &in, const uint8_t *p, const Frame *, bool *value) {
        int64_t number = 0;
        if (SPARPACK_UNLIKELY(!(p = read_i64(in, p, &number)))) return nullptr;
        *value = number != 0;
        return p;
    }
    static const uint8_t *read_double(Input &in, const uint8_t *p, double *value) {
        return (p = expect(in, p, '"')) ? read_quoted_double(in, p, value) : nullptr;
    }
    static const uint8_t *read_text(Input &in, const uint8_t *p, StringBytes *string) {
        return ThriftJson::read_text(in, p, string);
    }
    static const uint8_t *read_binary(Input &in, const uint8_t *p, StringBytes *string) {
        return ThriftJson::read_binary(in, p, string);
    }
    static const uint8_t *read_uuid_bytes(Input &in, const uint8_t *p, uint8_t *bytes) {
        return ThriftJson::read_uuid_bytes(in, p, bytes);
    }
    static uint8_t *write_bool(Writer &w, uint8_t *p, Frame *, bool value) { return write_i64(w, p, value); }
};

}  // namespace sparpack
