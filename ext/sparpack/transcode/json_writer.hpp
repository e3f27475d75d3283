// A sink that writes events as JSON. It refuses what JSON cannot express.
#pragma once

#include "../bytes/double_text.hpp"
#include "../bytes/integer_text.hpp"
#include "../wire/json/text.hpp"
#include "stream.hpp"

#include <cmath>

namespace sparpack {

struct JsonWriter {
    struct Level {
        uint64_t done;  // elements; keys and values count separately
        int depth;
        bool map;
        TranscodeKey key;
    };

    Writer &w;
    uint8_t *out;
    bool pretty;
    const char *why = nullptr;        // why an event was refused
    const uint8_t *finish = nullptr;  // where its bytes end

    JsonWriter(Writer &writer, bool wants_pretty) : w(writer), out(writer.begin), pretty(wants_pretty) {}

    static bool expects_key(const Level &level) { return level.map && level.done % 2 == 0; }

    // JSON has no structs.
    bool field(Level &, const event::Field &field) { return refuse("key", field.end); }

    SPARPACK_INLINE bool scalar(Level &level, const event::Scalar &scalar) {
        const char *obstacle = obstacle_of(scalar);
        if (SPARPACK_UNLIKELY(obstacle != nullptr)) return refuse(obstacle, scalar.end);
        uint8_t *p = begin(level, out, scalar.place);
        if (scalar.place == event::Place::key) {
            out = write_key(level, p, scalar);
        } else {
            out = end(level, write_scalar(p, scalar));
        }
        return true;
    }

    SPARPACK_INLINE bool open(Level &outer, Level &inner, const event::Open &open) {
        if (SPARPACK_UNLIKELY(open.place == event::Place::key)) return refuse("key", open.end);
        inner.depth = outer.depth + 1;
        inner.map = open.container == event::Container::map;
        out = write_text(begin(outer, out, open.place), inner.map ? "{" : "[", 1);
        return true;
    }

    SPARPACK_INLINE bool close(Level &inner, Level &outer, const event::Close &) {
        uint8_t *p = out;
        if (pretty && inner.done) p = write_line(p, static_cast<size_t>(outer.depth));
        out = end(outer, write_text(p, inner.map ? "}" : "]", 1));
        return true;
    }

private:
    bool refuse(const char *reason, const uint8_t *at) { return why = reason, finish = at, false; }

    // Returns why a scalar cannot be written as it is, or nullptr.
    static SPARPACK_INLINE const char *obstacle_of(const event::Scalar &scalar) {
        switch (scalar.type) {
        case event::Type::nil:
        case event::Type::boolean:
        case event::Type::integer: return nullptr;
        case event::Type::real: return std::isfinite(scalar.real) ? nullptr : "nan";
        case event::Type::text: return utf8_check(scalar.text.data, scalar.text.size) == Text::broken ? "utf8" : nullptr;
        case event::Type::bytes: return "binary";
        case event::Type::ext:
        case event::Type::uuid:
        case event::Type::decimal: break;
        }
        return "ext";
    }

    uint8_t *write_text(uint8_t *p, const char *text, size_t size) { return writer_append(w, p, text, size); }

    uint8_t *write_line(uint8_t *p, size_t depth) {
        p = writer_reserve(w, p, 1 + 2 * depth);
        *p = '\n';
        memset(p + 1, ' ', 2 * depth);
        return p + 1 + 2 * depth;
    }

    // Writes what comes before a value or a key.
    SPARPACK_INLINE uint8_t *begin(Level &level, uint8_t *p, event::Place place) {
        if (place != event::Place::key && place != event::Place::element) return p;
        if (level.done) p = write_text(p, ",", 1);
        return pretty ? write_line(p, static_cast<size_t>(level.depth)) : p;
    }

    // Counts a value. Outside of containers, a line ends.
    SPARPACK_INLINE uint8_t *end(Level &level, uint8_t *p) {
        if (level.depth == 0) return write_text(p, "\n", 1);
        level.done++;
        return p;
    }

    SPARPACK_INLINE uint8_t *write_scalar(uint8_t *p, const event::Scalar &scalar) {
        switch (scalar.type) {
        case event::Type::nil: return write_text(p, "null", 4);
        case event::Type::boolean: return scalar.boolean ? write_text(p, "true", 4) : write_text(p, "false", 5);
        case event::Type::integer:
            p = writer_reserve(w, p, integer_text_max);
            return scalar.negative ? integer_write(w, p, scalar.signed_integer()) : unsigned_write(w, p, scalar.integer);
        case event::Type::real: return double_write(w, writer_reserve(w, p, double_text_room), scalar.real);
        case event::Type::text: return JsonText::write_string(w, p, scalar.text.data, scalar.text.size);
        default: return p;  // an obstacle, which is never written
        }
    }

    // A key that is not text is written as it would be as a value, but in quotes.
    SPARPACK_INLINE uint8_t *write_key(Level &level, uint8_t *p, const event::Scalar &scalar) {
        size_t start = static_cast<size_t>(p - w.begin) + 1;
        bool text = scalar.type == event::Type::text;
        if (!text) p = write_text(p, "\"", 1);
        p = write_scalar(p, scalar);
        if (text) {
            key_keep(level.key, scalar.text.data, scalar.text.size);
        } else {
            key_keep(level.key, w.begin + start, static_cast<size_t>(p - w.begin) - start);
            p = write_text(p, "\"", 1);
        }
        level.done++;
        return write_text(p, ": ", pretty ? 2 : 1);
    }
};

}  // namespace sparpack
