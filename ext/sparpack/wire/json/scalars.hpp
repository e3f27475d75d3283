// The scalars that all wires which are JSON write alike.
#pragma once

#include "../../bytes/base64.hpp"
#include "../../bytes/double_text.hpp"
#include "../../bytes/integer_text.hpp"
#include "../../bytes/uuid.hpp"
#include "scan.hpp"

namespace sparpack {

// Values. A wire derives from this.
struct JsonScalars {
    static constexpr size_t number_max = double_text_room + 2;
    static constexpr size_t scalar_max = larger(number_max, uuid_text + 2);

    static constexpr size_t string_room(size_t size) { return JsonScan::string_room(size); }
    static constexpr size_t binary_room(size_t size) { return 2 + base64_text_size(size); }

    static SPARPACK_INLINE bool is_finite(double value) { return value - value == 0; }

    static void unescape(const StringBytes &string, uint8_t *to) { JsonScan::unescape(string, to); }
    static void unescape_binary(const StringBytes &string, uint8_t *to) { JsonScan::base64_decode(string, to); }

    static SPARPACK_INLINE uint8_t *put(Writer &w, uint8_t *p, char byte) {
        return writer_put(w, p, static_cast<uint8_t>(byte));
    }

    static SPARPACK_INLINE uint8_t *write_i8(Writer &w, uint8_t *p, int64_t value) { return integer_write(w, p, value); }
    static SPARPACK_INLINE uint8_t *write_i16(Writer &w, uint8_t *p, int64_t value) { return integer_write(w, p, value); }
    static SPARPACK_INLINE uint8_t *write_i32(Writer &w, uint8_t *p, int64_t value) { return integer_write(w, p, value); }
    static SPARPACK_INLINE uint8_t *write_i64(Writer &w, uint8_t *p, int64_t value) { return integer_write(w, p, value); }
    static uint8_t *write_i64_text(Writer &w, uint8_t *p, int64_t value) {
        return put(w, integer_write(w, put(w, p, '"'), value), '"');
    }

    static SPARPACK_INLINE uint8_t *write_double(Writer &w, uint8_t *p, double value) {
        return SPARPACK_LIKELY(is_finite(value)) ? double_write(w, p, value) : write_not_finite(w, p, value);
    }

    SPARPACK_COLD static uint8_t *write_not_finite(Writer &w, uint8_t *p, double value) {
        const char *text = value != value ? "\"NaN\"" : value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
        size_t size = strlen(text);
        writer_check(w, p, size);
        memcpy(p, text, size);
        return p + size;
    }

    static SPARPACK_INLINE uint8_t *write_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return JsonScan::write_string(w, p, data, size);
    }

    static SPARPACK_INLINE uint8_t *write_plain_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return JsonScan::write_plain_string(w, p, data, size);
    }

    // Reserves its own room.
    static uint8_t *write_long_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return JsonScan::write_long_string(w, p, data, size);
    }

    static uint8_t *write_binary(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return put(w, base64_write(w, put(w, p, '"'), data, size), '"');
    }

    static uint8_t *write_uuid(Writer &w, uint8_t *p, const uint8_t *bytes) {
        writer_check(w, p, uuid_text + 2);
        *p++ = '"';
        uuid_format(bytes, reinterpret_cast<char *>(p));
        return put(w, p + uuid_text, '"');
    }
};

// Keys of maps. Numbers are in quotes, too. A wire's Key derives from this.
struct JsonKeys : JsonScalars {
    static uint8_t *write_i8(Writer &w, uint8_t *p, int64_t value) { return write_i64_text(w, p, value); }
    static uint8_t *write_i16(Writer &w, uint8_t *p, int64_t value) { return write_i64_text(w, p, value); }
    static uint8_t *write_i32(Writer &w, uint8_t *p, int64_t value) { return write_i64_text(w, p, value); }
    static uint8_t *write_i64(Writer &w, uint8_t *p, int64_t value) { return write_i64_text(w, p, value); }

    static uint8_t *write_double(Writer &w, uint8_t *p, double value) {
        if (SPARPACK_UNLIKELY(!is_finite(value))) return write_not_finite(w, p, value);
        return put(w, double_write(w, put(w, p, '"'), value), '"');
    }
};

}  // namespace sparpack
