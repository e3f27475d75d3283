// Keys of maps in JSON, which are strings whatever their type is.
#pragma once

#include "wire.hpp"

namespace sparpack {

// A scalar that is the key of a map is text.
struct Json::Key : JsonKeys {
    static const uint8_t *read_bool(Input &in, const uint8_t *p, const Frame *, bool *value) {
        const uint8_t *start = p, *begin, *end;
        uint8_t room[24];
        if (!(p = JsonScan::quoted(in, p, room, &begin, &end))) return nullptr;
        size_t size = end ? static_cast<size_t>(end - begin) : 0;
        *value = size == 4 && memcmp(begin, "true", 4) == 0;
        if (*value || (size == 5 && memcmp(begin, "false", 5) == 0)) return p;
        return input_mismatch(in, start, "a string");
    }
    static const uint8_t *read_i8(Input &in, const uint8_t *p, int64_t *value) { return quoted_integer<8>(in, p, value); }
    static const uint8_t *read_i16(Input &in, const uint8_t *p, int64_t *value) { return quoted_integer<16>(in, p, value); }
    static const uint8_t *read_i32(Input &in, const uint8_t *p, int64_t *value) { return quoted_integer<32>(in, p, value); }
    static const uint8_t *read_i64(Input &in, const uint8_t *p, int64_t *value) { return quoted_integer<64>(in, p, value); }

    static const uint8_t *read_double(Input &in, const uint8_t *p, double *value) {
        const uint8_t *start = p, *begin, *end;
        uint8_t room[1100];  // the exact digits of the smallest double
        if (!(p = JsonScan::quoted(in, p, room, &begin, &end))) return nullptr;
        if (not_finite_of(begin, end, value)) return p;
        if (!end) return input_mismatch(in, start, "a string");
        Input text(begin, static_cast<size_t>(end - begin));
        if (JsonScan::real<true>(text, begin, value) == end) return p;
        if (text.status == Status::real_too_large) return input_fail(in, text.status, start);
        return input_mismatch(in, start, "a string");
    }

    static const uint8_t *read_text(Input &in, const uint8_t *p, StringBytes *string) {
        return Json::read_text(in, p, string);
    }
    static const uint8_t *read_binary(Input &in, const uint8_t *p, StringBytes *string) {
        return Json::read_binary(in, p, string);
    }
    static const uint8_t *read_uuid_bytes(Input &in, const uint8_t *p, uint8_t *bytes) {
        return Json::read_uuid_bytes(in, p, bytes);
    }

    // A key begins with a digit or a sign if it is a number. Either may be written as an escape sequence.
    static bool next_is_text(const Input &in, const uint8_t *p) {
        if (input_left(in, p) < 2 || *p != '"') return false;
        uint32_t first = p[1];
        if (const uint8_t *escape = p + 1; SPARPACK_UNLIKELY(first == '\\')) JsonText::read_escape(escape, in.end, first);
        return first != '-' && first - '0' > 9u;
    }

    static uint8_t *write_bool(Writer &w, uint8_t *p, Frame *, bool value) {
        return put(w, Json::write_bool(w, put(w, p, '"'), nullptr, value), '"');
    }
};

}  // namespace sparpack
