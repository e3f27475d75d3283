// Lines of an annotation as an aligned tree for a terminal: offset, bytes, name, type, value.
#pragma once

#include "text.hpp"

namespace sparpack {

struct PictureForm : Form {
    static constexpr size_t bytes_shown = 8, bytes_width = 3 * bytes_shown, name_width = 28, type_width = 18;

    Pen pen;
    const uint8_t *payload = nullptr;
    size_t offset_width = 4;
    size_t value_max = 64;  // bytes of a string
    bool colored = false;

    PictureForm() : Form{write, nullptr, false} {}

    // All offsets up to `size` have the same width.
    void set_offset_width(uint64_t size) {
        uint8_t digits[integer_text_max + 8];
        size_t width = static_cast<size_t>(integer_write_digits(digits, size) - digits);
        offset_width = width < 4 ? 4 : width;
    }

    static void write(Form &form, const Line &line, AnnotateLevel &, AnnotateLevel *inner) {
        static_cast<PictureForm &>(form).put_line(line, inner);
    }

private:
    void put_line(const Line &line, const AnnotateLevel *inner) {
        bool is_close = line.kind == Line::Kind::close;
        pen.reserve(room + 2 * static_cast<size_t>(line.depth));
        place(line);
        name(line, is_close ? inner : nullptr);
        type(line);
        value(line);
        if (SPARPACK_UNLIKELY(!line.fits)) misfit(*line.type);
        pen.reserve(8);
        if (colored) pen.put("\033[0m");
        pen.put('\n');
    }

    static constexpr size_t room = 512;

    SPARPACK_INLINE void fill(size_t width) {  // up to 32 spaces
        memset(pen.p, ' ', 32);
        pen.p += width;
    }

    SPARPACK_INLINE void pad(size_t used, size_t width) { fill(used < width ? width - used : 1); }

    SPARPACK_INLINE void place(const Line &line) {
        uint8_t digits[integer_text_max + 8];
        size_t size =
            static_cast<size_t>(integer_write_digits(digits, static_cast<uint64_t>(line.begin - payload)) - digits);
        if (colored) pen.put("\033[2m");
        fill(offset_width > size ? offset_width - size : 0);
        copy_bytes(pen.p, digits, size);
        pen.p += size;
        pen.put("  ");
        bytes(line.begin, static_cast<size_t>(line.end - line.begin));
        if (colored) pen.put("\033[0m");
        pen.put(' ');
    }

    SPARPACK_INLINE void bytes(const uint8_t *data, size_t size) {
        size_t shown = size < bytes_shown ? size : bytes_shown;
        uint8_t *q = pen.p;
        memset(q, ' ', bytes_width);
        for (size_t i = 0; i < shown; i++) store(q + 3 * i, hex_pairs.of[data[i]]);
        pen.p += bytes_width - 1;
        if (SPARPACK_UNLIKELY(size > shown)) {
            pen.put("…");
        } else {
            pen.put(' ');
        }
    }

    SPARPACK_INLINE void name(const Line &line, const AnnotateLevel *closed) {
        using Step = AnnotateLevel::Step;
        const AnnotateLevel &level = *line.in;
        size_t indent = 2 * static_cast<size_t>(line.depth);
        if (SPARPACK_LIKELY(indent <= 32)) {
            fill(indent);
        } else {
            pen.spaces(indent);
            pen.reserve(room);
        }
        size_t start = static_cast<size_t>(pen.p - pen.w->begin);  // what is reserved below may move the text
        size_t wide = 0;
        const FieldName *known = level.field_name();
        if (closed) {
            pen.put("end");
        } else if (level.step == Step::field || (known && level.step != Step::text)) {
            pen.number(level.step == Step::index ? static_cast<int64_t>(level.index) : level.id);
            if (known) pen.put(':'), wide = put_escaped<true>(pen, known->data, shorter(known->size));
        } else if (level.step == Step::index) {
            pen.put('[');
            pen.unsigned_number(level.index);
            pen.put(']');
        } else if (level.step == Step::whole) {
            pen.put("(payload)");
        } else if (level.step == Step::text) {
            put_string(pen, level.name, level.name_size, key_max);
        } else if (level.name_size == 0) {
            pen.put("key");
        } else {
            key(*line.in);
        }
        pen.reserve(room);
        pad(indent + static_cast<size_t>(pen.p - pen.w->begin) - start - wide, name_width);
    }

    // A key that is no text. The bytes of the others are on the line.
    void key(const AnnotateLevel &level) {
        pen.put('[');
        if (level.numbered) {
            pen.number(level.id);
        } else {
            pen.put("key");
        }
        pen.put(']');
    }

    static size_t shorter(size_t size) { return size < key_max ? size : key_max; }

    SPARPACK_INLINE void type(const Line &line) {
        const uint8_t *before = pen.w->begin;
        size_t start = static_cast<size_t>(pen.p - before);
        if (colored) pen.put("\033[36m");
        size_t color = static_cast<size_t>(pen.p - before) - start;
        if (line.kind == Line::Kind::scalar) {
            if (line.type && line.fits && line.type->kind > Kind::double_) {
                known_type(*line.type);
            } else {
                word(type_word(*line.scalar));
            }
        } else if (line.kind == Line::Kind::open) {
            open_type(line);
        }
        pen.reserve(room);
        pad(static_cast<size_t>(pen.p - pen.w->begin) - start - color, type_width);
        if (colored) pen.put("\033[32m");
    }

    SPARPACK_INLINE void known_type(const Type &type) {
        types.put(pen, type, [this](const Type &unknown) { put_type(pen, unknown); });
    }

    SPARPACK_INLINE void word(const char *text) {
        size_t size = strlen(text);
        copy_bytes(pen.p, text, size);
        pen.p += size;
    }

    SPARPACK_INLINE void open_type(const Line &line) {
        const event::Open &open = *line.open;
        if (line.type && line.fits) return known_type(*line.type);
        if (!line.type && line.in->step == AnnotateLevel::Step::whole && root) return put_name(pen, root->plan->klass);
        word(container_word(open.container));
        if (open.first == WireType::stop) return;
        pen.put('<');
        word(wire_type_name(open.first));
        if (open.container == event::Container::map) pen.put(','), word(wire_type_name(open.second));
        pen.put('>');
    }

    SPARPACK_INLINE void value(const Line &line) {
        if (line.kind == Line::Kind::open) {
            uint64_t count = line.open->count;
            if (line.open->container == event::Container::struct_ || count == event::Open::unknown) return;
            pen.unsigned_number(count);
            bool is_map = line.open->container == event::Container::map;
            word(is_map ? (count == 1 ? " pair" : " pairs") : (count == 1 ? " element" : " elements"));
        } else if (line.kind == Line::Kind::scalar) {
            scalar(line);
        }
    }

    SPARPACK_INLINE void scalar(const Line &line) {
        const event::Scalar &scalar = *line.scalar;
        switch (scalar.type) {
        case event::Type::nil: return pen.put("nil");
        case event::Type::boolean: return word(scalar.boolean ? "true" : "false");
        case event::Type::integer:
            if (scalar.negative) {
                pen.number(scalar.signed_integer());
            } else {
                pen.unsigned_number(scalar.integer);
            }
            if (line.type && line.type->kind == Kind::enum_) enum_name(*line.type, scalar);
            return;
        case event::Type::real: return pen.real(scalar.real);
        case event::Type::decimal: return put_shown(scalar.begin, scalar.size());
        case event::Type::text: return text(scalar);
        case event::Type::bytes: return string(scalar.text);
        case event::Type::ext:
            pen.number(scalar.text.type);
            pen.put(' ');
            return string(scalar.text);
        case event::Type::uuid:
            if (scalar.text.size == uuid_bytes) return pen.uuid(scalar.text.data);
            return put_shown(scalar.text.data, scalar.text.size);
        }
    }

    // The text of JSON is shown as it stands there.
    SPARPACK_INLINE void text(const event::Scalar &scalar) {
        if (SPARPACK_LIKELY(!scalar.text.escaped)) return string(scalar.text);
        put_shown(scalar.begin, scalar.size());
    }

    void put_shown(const uint8_t *data, size_t size) {
        size_t shown = size < value_max ? size : value_max;
        while (shown < size && shown > 0 && (data[shown] & 0xc0) == 0x80) shown--;
        put_token(pen, data, shown);
        if (shown < size) more(size);
    }

    SPARPACK_INLINE void string(const event::Text &text) {
        put_string(pen, text.data, text.size, value_max);
        if (SPARPACK_UNLIKELY(text.size > value_max)) more(text.size);
    }

    SPARPACK_COLD void more(size_t size) {
        pen.reserve(room);
        pen.put("… (");
        pen.unsigned_number(size);
        pen.put(" bytes)");
    }

    SPARPACK_COLD void enum_name(const Type &type, const event::Scalar &scalar) {
        pen.reserve(room);
        pen.put(" (");
        if (!put_enum_name(pen, type, scalar)) return pen.p -= 2, void();
        pen.reserve(room);
        pen.put(')');
    }

    SPARPACK_COLD void misfit(const Type &type) {
        pen.reserve(room);
        if (colored) pen.put("\033[31m");
        pen.put("  ✗ expected ");
        put_type(pen, type);
    }

    TypeTexts<32> types{};

public:
    const Link *root = nullptr;
};

}  // namespace sparpack
