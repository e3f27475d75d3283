// Lines of an annotation as JSON, one object in each. docs/inspect.md has the members.
#pragma once

#include "line_path.hpp"

namespace sparpack {

struct JsonForm : Form {
    Pen pen;
    const uint8_t *payload = nullptr;
    size_t value_max = SIZE_MAX;
    const Link *root = nullptr;

    JsonForm() : Form{write, nullptr, false} {}

    static void write(Form &form, const Line &line, AnnotateLevel &in, AnnotateLevel *) {
        static_cast<JsonForm &>(form).put_line(line, in);
    }

private:
    void put_line(const Line &line, const AnnotateLevel &in) {
        bool is_close = line.kind == Line::Kind::close;
        pen.reserve(room);
        pen.put("{\"offset\":");
        pen.unsigned_number(static_cast<uint64_t>(line.begin - payload));
        pen.put(",\"size\":");
        pen.unsigned_number(static_cast<uint64_t>(line.end - line.begin));
        pen.put(",\"depth\":");
        pen.unsigned_number(static_cast<uint64_t>(line.depth));
        pen.put(",\"kind\":\"");
        pen.put_text(is_close ? "close" : line.kind == Line::Kind::open ? "open" : "value");
        pen.put("\",\"path\":\"");
        path.put(pen, in);
        pen.reserve(room);
        pen.put("\"");
        if (!is_close) described(line);
        pen.reserve(room);
        pen.put("}\n");
    }

    static constexpr size_t room = 512;

    LinePath path{};
    TypeTexts<64> types{};

    void described(const Line &line) {
        const AnnotateLevel &level = *line.in;
        if (level.step == AnnotateLevel::Step::field) {
            pen.put(",\"id\":");
            pen.number(level.id);
        }
        pen.reserve(room);
        pen.put(",\"type\":\"");
        bool is_scalar = line.kind == Line::Kind::scalar;
        if (line.type && line.fits) {
            types.put(pen, *line.type, [this](const Type &type) { put_quoted_type(type); });
        } else if (is_scalar) {
            pen.put_text(type_word(*line.scalar));
        } else if (!line.type && level.step == AnnotateLevel::Step::whole && root) {
            size_t start = static_cast<size_t>(pen.p - pen.w->begin);
            put_name(pen, root->plan->klass);
            quote_again(pen, start);
        } else {
            container(*line.open);
        }
        pen.reserve(room);
        pen.put("\"");
        if (is_scalar) {
            pen.put(",\"value\":");
            value(*line.scalar);
            if (line.type && line.type->kind == Kind::enum_) label(*line.type, *line.scalar);
        } else if (line.open->container != event::Container::struct_ && line.open->count != event::Open::unknown) {
            pen.put(",\"count\":");
            pen.unsigned_number(line.open->count);
        }
        pen.reserve(room);
        if (line.fits || !line.type) return;
        pen.put(",\"expected\":\"");
        put_quoted_type(*line.type);
        pen.reserve(room);
        pen.put("\"");
    }

    void put_quoted_type(const Type &type) {
        size_t start = static_cast<size_t>(pen.p - pen.w->begin);
        put_type(pen, type);
        quote_again(pen, start);
    }

    void container(const event::Open &open) {
        pen.put_text(container_word(open.container));
        if (open.first == WireType::stop) return;
        pen.put("\\u003c");
        pen.put_text(wire_type_name(open.first));
        if (open.container == event::Container::map) pen.put(","), pen.put_text(wire_type_name(open.second));
        pen.put(">");
    }

    // JSON readers of other languages lose digits of larger integers, so these are strings.
    void integer(const event::Scalar &scalar) {
        constexpr int64_t exact = int64_t{1} << 53;
        int64_t number = scalar.signed_integer();
        bool is_safe = (scalar.negative || number >= 0) && number < exact && number > -exact;
        if (!is_safe) pen.put("\"");
        if (scalar.negative) {
            pen.number(number);
        } else {
            pen.unsigned_number(scalar.integer);
        }
        if (!is_safe) pen.put("\"");
    }

    // The name of an enum's value.
    void label(const Type &type, const event::Scalar &scalar) {
        size_t start = static_cast<size_t>(pen.p - pen.w->begin);
        pen.reserve(room);
        pen.put(",\"label\":\"");
        size_t content = static_cast<size_t>(pen.p - pen.w->begin);
        if (!put_enum_name(pen, type, scalar)) return pen.p = pen.w->begin + start, void();
        escape_angles(content);
        pen.reserve(room);
        pen.put("\"");
    }

    void value(const event::Scalar &scalar) {
        switch (scalar.type) {
        case event::Type::nil: return pen.put("null");
        case event::Type::boolean: return pen.put_text(scalar.boolean ? "true" : "false");
        case event::Type::integer: return integer(scalar);
        case event::Type::real:
            if (std::isfinite(scalar.real)) return pen.real(scalar.real);
            pen.put("\"");
            pen.real(scalar.real);
            return pen.put("\"");
        case event::Type::decimal: {
            pen.reserve(scalar.size() + 2);
            if (scalar.decimal.integer) pen.put("\"");
            pen.put(scalar.begin, scalar.size());
            if (scalar.decimal.integer) pen.put("\"");
            return;
        }
        case event::Type::text:
        case event::Type::bytes:
        case event::Type::ext: return string(scalar);
        case event::Type::uuid:
            pen.put("\"");
            if (scalar.text.size == uuid_bytes) {
                pen.uuid(scalar.text.data);
            } else {
                put_token(pen, scalar.text.data, scalar.text.size);
            }
            return pen.put("\"");
        }
    }

    // Bytes that are not UTF-8 are an object with their hexadecimal digits. So is the content of an extension type.
    void string(const event::Scalar &scalar) {
        const event::Text &text = scalar.text;
        size_t size = text.size > value_max ? value_max : text.size;
        while (size < text.size && size > 0 && (text.data[size] & 0xc0) == 0x80) size--;
        bool is_text = scalar.type == event::Type::text && utf8_check(text.data, size) != Text::broken;
        if (!is_text) {
            pen.put("{\"hex\":\"");
            pen.hex(text.data, size);
            pen.reserve(room);
            pen.put("\"");
            if (scalar.type == event::Type::ext) pen.put(",\"ext\":"), pen.number(text.type);
            pen.put("}");
        } else {
            size_t start = static_cast<size_t>(pen.p - pen.w->begin) + 1;
            pen.put("\"");
            if (text.escaped) {  // JSON, whose escapes stay
                if (size < text.size) size = whole_escapes(text.data, size);
                put_escaped<false>(pen, text.data, size);
            } else {
                put_escaped<true>(pen, text.data, size);
            }
            escape_angles(start);
            pen.reserve(room);
            pen.put("\"");
        }
        if (size < text.size) pen.put(",\"length\":"), pen.unsigned_number(text.unescaped);
    }

    // True for the two escapes of a character beyond U+FFFF, such as \ud83d\ude00. Something follows each escape: the end of
    // the text, at least.
    static bool is_pair(const uint8_t *escape) {
        const uint8_t first = escape[3] | 0x20;
        if ((escape[2] | 0x20) != 'd' || (first != '8' && first != '9' && first != 'a' && first != 'b')) return false;
        if (escape[6] != '\\' || escape[7] != 'u' || (escape[8] | 0x20) != 'd') return false;
        const uint8_t second = escape[9] | 0x20;
        return second >= 'c' && second <= 'f';
    }

    // Where a text can be cut without cutting an escape.
    static size_t whole_escapes(const uint8_t *data, size_t size) {
        size_t i = 0;
        while (i < size) {
            size_t step = data[i] != '\\' ? 1 : data[i + 1] != 'u' ? 2 : is_pair(data + i) ? 12 : 6;
            if (i + step > size) break;
            i += step;
        }
        return i;
    }

    void escape_angles(size_t start) {
        size_t size = static_cast<size_t>(pen.p - pen.w->begin) - start, more = 0;
        for (size_t i = 0; i < size; i++) more += pen.w->begin[start + i] == '<' ? 5 : 0;
        if (more == 0) return;
        pen.reserve(more);
        uint8_t *from = pen.w->begin + start + size, *to = from + more;
        pen.p = to;
        while (from != to) {
            if (*--from == '<') {
                to -= 6;
                memcpy(to, "\\u003c", 6);
            } else {
                *--to = *from;
            }
        }
    }
};

}  // namespace sparpack
