// Lines of an annotation as text that `sparpack assemble` turns into the same bytes (lib/sparpack/assembly.rb). A value that
// the assembler would write in another way, such as a number with more bytes than it needs, has its bytes on its line, too.
#pragma once

#include "../wire/json/events.hpp"
#include "../wire/message_pack/events.hpp"
#include "../wire/thrift/compact.hpp"
#include "../wire/thrift/events.hpp"
#include "../wire/thrift/json.hpp"
#include "text.hpp"

namespace sparpack {

// How the assembler writes the events of a grammar. `spell` writes a line up to its content: what a string holds or, in
// JSON, the token. It returns the end of what it wrote, and the caller has given it `spell_room` bytes.
constexpr size_t spell_room = 128;

// Where the content of a string begins, or else where the line ends.
inline const uint8_t *content_of(const Line &line) {
    if (line.kind != Line::Kind::scalar && line.kind != Line::Kind::key) return line.end;
    switch (line.scalar->type) {
    case event::Type::text:
    case event::Type::bytes:
    case event::Type::ext: return line.scalar->text.data;
    default: return line.end;
    }
}

template <class Grammar> struct Notation;

// Compact and binary.
template <class Wire> struct Notation<ThriftEvents<Wire>> {
    static constexpr bool tokens = false;

    struct Level {
        typename Wire::Frame frame{};
        WireType type = WireType::stop;  // of the field whose value comes next
    };

    static const uint8_t *content(const Line &line) { return content_of(line); }

    static uint8_t *spell(Writer &w, uint8_t *p, const Line &line, Level &in, Level *) {
        bool is_field = line.in->step == AnnotateLevel::Step::field && line.kind != Line::Kind::close;
        WireType type = line.kind == Line::Kind::open ? type_of(line.open->container) : WireType::stop;
        if (line.kind == Line::Kind::scalar || line.kind == Line::Kind::key) type = line.scalar->wire_type;
        if (is_field) p = Wire::write_field(w, p, in.frame, static_cast<int32_t>(line.in->id), type);
        switch (line.kind) {
        case Line::Kind::close: return line.close->container == event::Container::struct_ ? Wire::write_stop(w, p) : p;
        case Line::Kind::open: {
            const event::Open &open = *line.open;
            size_t count = static_cast<size_t>(open.count);
            if (open.container == event::Container::struct_) return p;
            if (open.container == event::Container::map) return Wire::write_map(w, p, open.first, open.second, count);
            return Wire::write_list(w, p, open.first, count);
        }
        case Line::Kind::key:
        case Line::Kind::scalar: break;
        }
        const event::Scalar &scalar = *line.scalar;
        int64_t number = scalar.type == event::Type::integer ? scalar.signed_integer() : 0;
        switch (type) {
        case WireType::bool_: return Wire::write_bool(w, p, is_field ? &in.frame : nullptr, scalar.boolean);
        case WireType::i8: return Wire::write_i8(w, p, number);
        case WireType::i16: return Wire::write_i16(w, p, number);
        case WireType::i32: return Wire::write_i32(w, p, number);
        case WireType::i64: return Wire::write_i64(w, p, number);
        case WireType::double_: return Wire::write_double(w, p, std::isnan(scalar.real) ? __builtin_nan("") : scalar.real);
        case WireType::string: return Wire::write_size(w, p, scalar.text.size);
        case WireType::uuid: return copy_bytes(p, scalar.text.data, uuid_bytes), p + uuid_bytes;
        default: return p;
        }
    }

private:
    static WireType type_of(event::Container container) {
        return container == event::Container::struct_ ? WireType::struct_
               : container == event::Container::map   ? WireType::map
               : container == event::Container::set   ? WireType::set
                                                      : WireType::list;
    }
};

template <> struct Notation<MessagePackEvents> {
    using M = MessagePack;

    static constexpr bool tokens = false;

    struct Level {};

    static const uint8_t *content(const Line &line) { return content_of(line); }

    static uint8_t *spell(Writer &w, uint8_t *p, const Line &line, Level &, Level *) {
        if (line.kind == Line::Kind::close) return p;
        if (line.kind == Line::Kind::open) {
            size_t count = static_cast<size_t>(line.open->count);
            bool is_map = line.open->container == event::Container::map;
            return is_map ? M::write_map(w, p, count) : M::write_array(w, p, count);
        }
        const event::Scalar &scalar = *line.scalar;
        switch (scalar.type) {
        case event::Type::nil: return M::write_byte(w, p, M::nil_byte);
        case event::Type::boolean: return M::write_byte(w, p, scalar.boolean ? M::true_byte : M::false_byte);
        case event::Type::integer:
            return scalar.negative ? M::write_integer(w, p, scalar.signed_integer())
                                   : M::write_unsigned(w, p, scalar.integer);
        case event::Type::real: {
            double real = std::isnan(scalar.real) ? __builtin_nan("") : scalar.real;
            return scalar.size() == 5 ? M::write_float(w, p, static_cast<float>(real)) : M::write_double(w, p, real);
        }
        case event::Type::text: return M::write_str(w, p, scalar.text.size);
        case event::Type::bytes: return M::write_bin(w, p, scalar.text.size);
        case event::Type::ext: return M::write_ext(w, p, scalar.text.type, scalar.text.size);
        default: return p;
        }
    }
};

// JSON's tokens stand on the lines as they are, so only what is between them can be different.
template <> struct Notation<JsonEvents> {
    static constexpr bool tokens = true;

    struct Level {};

    static const uint8_t *content(const Line &line) { return line.event->begin; }

    static uint8_t *spell(Writer &, uint8_t *p, const Line &line, Level &, Level *) {
        bool is_later = line.in->index > 0;
        if (line.kind == Line::Kind::close) return p;
        event::Place place = line.kind == Line::Kind::open ? line.open->place : line.scalar->place;
        if (place == event::Place::value) return *p++ = ':', p;
        if (is_later && place != event::Place::whole) *p++ = ',';
        return p;
    }
};

template <> struct Notation<ThriftJson::Events> {
    static constexpr bool tokens = true;

    struct Level {
        ThriftJson::Frame frame{};
    };

    static const uint8_t *content(const Line &line) {
        bool is_scalar = line.kind == Line::Kind::scalar || line.kind == Line::Kind::key;
        return is_scalar ? line.scalar->begin : line.end;
    }

    static uint8_t *spell(Writer &w, uint8_t *p, const Line &line, Level &in, Level *inner) {
        if (line.kind == Line::Kind::close) {
            switch (line.close->container) {
            case event::Container::struct_: return ThriftJson::close_struct(w, p, inner->frame);
            case event::Container::map: return ThriftJson::close_map(w, p);
            default: return ThriftJson::close_list(w, p);
            }
        }
        bool is_open = line.kind == Line::Kind::open;
        event::Place place = is_open ? line.open->place : line.scalar->place;
        switch (place) {
        case event::Place::whole: break;
        case event::Place::field: {
            WireType type = is_open ? type_of(line.open->container) : line.scalar->wire_type;
            p = ThriftJson::write_field(w, p, in.frame, static_cast<int32_t>(line.in->id), type);
            break;
        }
        case event::Place::element:
        case event::Place::key:
            if (line.in->index > 0 || place == event::Place::element) *p++ = ',';
            break;
        case event::Place::value: *p++ = ':';
        }
        if (!is_open) return p;
        const event::Open &open = *line.open;
        size_t count = static_cast<size_t>(open.count);
        switch (open.container) {
        case event::Container::struct_: return *p++ = '{', p;
        case event::Container::map: return ThriftJson::write_map(w, p, open.first, open.second, count);
        default: return ThriftJson::write_list(w, p, open.first, count) - (count > 0);
        }
    }

private:
    static WireType type_of(event::Container container) {
        return container == event::Container::struct_ ? WireType::struct_
               : container == event::Container::map   ? WireType::map
               : container == event::Container::set   ? WireType::set
                                                      : WireType::list;
    }
};

template <class Grammar> struct TextForm : Form {
    using Spelling = Notation<Grammar>;

    // What a level keeps besides: how far the header of the next field is written.
    struct Level : AnnotateLevel, Spelling::Level {};

    static constexpr bool is_thrift = !std::is_same_v<Grammar, JsonEvents> && !std::is_same_v<Grammar, MessagePackEvents>;

    Pen pen;
    const uint8_t *payload = nullptr;

    TextForm() : Form{write, pass, true} {}

    static void write(Form &form, const Line &line, AnnotateLevel &in, AnnotateLevel *inner) {
        static_cast<TextForm &>(form).put_line(line, static_cast<Level &>(in), static_cast<Level *>(inner));
    }

    // Lines that are not shown count, too: compact writes the difference between the ids of two fields.
    static void pass(Form &, const Line &line, AnnotateLevel &in, AnnotateLevel *inner) {
        uint8_t room[spell_room];
        spelled(line, static_cast<Level &>(in), static_cast<Level *>(inner), room);
    }

private:
    void put_line(const Line &line, Level &in, Level *inner) {
        uint8_t room[spell_room];
        size_t size = static_cast<size_t>(spelled(line, in, inner, room) - room);
        const uint8_t *content = Spelling::content(line);
        bool same = static_cast<size_t>(content - line.tile) == size && memcmp(room, line.tile, size) == 0;
        pen.spaces(2 * static_cast<size_t>(line.depth));
        statement(line);
        bool verbatim = true;
        if constexpr (Spelling::tokens) verbatim = value_token(line);
        if (verbatim && !same && Spelling::tokens && line.kind != Line::Kind::close && content != line.end) {
            pen.reserve(16);
            pen.put(" before \"");
            if (put_gap(line.tile, content)) return finish(line);
            pen.p -= 9;
        }
        if (!same || !verbatim) {
            pen.reserve(8);
            pen.put(" as ");
            pen.hex(line.tile, static_cast<size_t>((verbatim && !Spelling::tokens ? content : line.end) - line.tile));
        }
        finish(line);
    }

    static uint8_t *spelled(const Line &line, Level &in, Level *inner, uint8_t *room) {
        Writer w{};
        w.begin = room;
        w.end = room + spell_room;
        uint8_t *p = writer_reserve(w, room, spell_room);
        return Spelling::spell(w, p, line, in, inner);
    }

    void finish(const Line &line) {
        pen.reserve(64);
        pen.put("  # ");
        pen.unsigned_number(static_cast<uint64_t>(line.begin - payload));
        pen.put("\n");
    }

    // What stands before a token. Returns false if that is not text, and writes nothing then.
    bool put_gap(const uint8_t *begin, const uint8_t *end) {
        size_t size = static_cast<size_t>(end - begin);
        for (size_t i = 0; i < size; i++) {
            if (begin[i] >= 0x7f) return false;
        }
        put_escaped<true>(pen, begin, size);
        pen.reserve(1);
        pen.put("\"");
        return true;
    }

    void statement(const Line &line) {
        pen.reserve(256);
        const AnnotateLevel &level = *line.in;
        if (line.kind == Line::Kind::close) return pen.put(closing(line.close->container));
        if (level.step == AnnotateLevel::Step::field) {
            pen.number(level.id);
            name(level);
            pen.reserve(64);
            pen.put(' ');
        }
        bool is_key = line.kind == Line::Kind::open ? line.open->place == event::Place::key : line.kind == Line::Kind::key;
        if (is_key) pen.put("key ");
        if (line.kind == Line::Kind::open) {
            open(*line.open);
        } else if (is_thrift || !Spelling::tokens) {
            scalar(*line.scalar);
        }
    }

    // A name is for people. Only such names are written that the assembler can tell from the rest of the line.
    void name(const AnnotateLevel &level) {
        const FieldName *name = level.field_name();
        if (!name) return;
        for (size_t i = 0; i < name->size; i++) {
            uint8_t byte = name->data[i], letter = byte | 0x20;
            bool is_word = (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') || byte == '_' || byte == '.';
            if (!is_word) return;
        }
        pen.reserve(name->size + 1);
        pen.put(':');
        pen.put(name->data, name->size);
    }

    static uint8_t closing(event::Container container) {
        return container == event::Container::struct_ || container == event::Container::map ? '}' : ']';
    }

    void open(const event::Open &open) {
        bool is_struct = open.container == event::Container::struct_, is_map = open.container == event::Container::map;
        if constexpr (std::is_same_v<Grammar, JsonEvents>) return pen.put(is_map ? '{' : '[');
        pen.put_text(is_thrift ? container_word(open.container) : is_map ? "map" : "array");
        if (is_thrift && !is_struct) {
            pen.put('<');
            pen.put_text(wire_type_name(open.first));
            if (is_map) pen.put(','), pen.put_text(wire_type_name(open.second));
            pen.put('>');
        }
        pen.put(' ');
        if (!is_struct) {
            pen.unsigned_number(open.count);
            pen.put(' ');
        }
        pen.put(is_struct || is_map ? '{' : '[');
    }

    void scalar(const event::Scalar &scalar) {
        if (scalar.type == event::Type::nil) return pen.put("nil");
        if (scalar.type == event::Type::boolean && !is_thrift) return pen.put_text(scalar.boolean ? "true" : "false");
        pen.put_text(type_word(scalar));
        pen.put(' ');
        if (Spelling::tokens) return;
        switch (scalar.type) {
        case event::Type::boolean: return pen.put_text(scalar.boolean ? "true" : "false");
        case event::Type::integer:
            if (scalar.negative) return pen.number(scalar.signed_integer());
            return pen.unsigned_number(scalar.integer);
        case event::Type::real: return pen.real(scalar.real);
        case event::Type::ext:
            pen.number(scalar.text.type);
            pen.reserve(8);
            pen.put(' ');
            [[fallthrough]];
        case event::Type::text:
        case event::Type::bytes: return put_string(pen, scalar.text.data, scalar.text.size, SIZE_MAX);
        case event::Type::uuid: return pen.uuid(scalar.text.data);
        case event::Type::nil:
        case event::Type::decimal: break;
        }
    }

    // Writes a token of JSON. Returns whether it stands there as it is.
    bool value_token(const Line &line) {
        if (line.kind != Line::Kind::scalar && line.kind != Line::Kind::key) return true;
        const event::Scalar &scalar = *line.scalar;
        return put_token(pen, scalar.begin, scalar.size());
    }
};

}  // namespace sparpack
