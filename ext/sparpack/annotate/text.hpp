// Texts of an annotation that are safe in a terminal: bytes in hexadecimal digits, strings with escapes, names and paths.
#pragma once

#include "../bytes/double_text.hpp"
#include "../bytes/integer_text.hpp"
#include "../bytes/utf8.hpp"
#include "../bytes/uuid.hpp"
#include "../bytes/writer.hpp"
#include "annotate.hpp"

#include <cmath>

namespace sparpack {

// The two hexadecimal digits of each byte.
struct HexPairs {
    struct Pair {
        char high, low;
    } of[256];

    constexpr HexPairs() : of() {
        constexpr char digits[] = "0123456789abcdef";
        for (size_t i = 0; i < 256; i++) of[i] = {digits[i >> 4], digits[i & 15]};
    }
};

constexpr HexPairs hex_pairs;

// Where a form writes.
struct Pen {
    Writer *w = nullptr;
    uint8_t *p = nullptr;

    SPARPACK_INLINE void reserve(size_t size) { p = writer_reserve(*w, p, size); }

    // The caller of these has reserved the room.
    SPARPACK_INLINE void put(uint8_t byte) { *p++ = byte; }
    template <size_t n> SPARPACK_INLINE void put(const char (&text)[n]) { memcpy(p, text, n - 1), p += n - 1; }
    SPARPACK_INLINE void put(const void *data, size_t size) { copy_bytes(p, data, size), p += size; }
    void put_text(const char *text) { put(text, strlen(text)); }
    SPARPACK_INLINE void unsigned_number(uint64_t value) { p = integer_write_digits(p, value); }
    SPARPACK_INLINE void number(int64_t value) { p = integer_write(*w, writer_reserve(*w, p, integer_text_max), value); }

    SPARPACK_INLINE void hex(uint8_t byte) {
        store(p, hex_pairs.of[byte]);
        p += 2;
    }

    // These reserve the room themselves.
    void hex(const uint8_t *data, size_t size) {
        reserve(2 * size);
        for (size_t i = 0; i < size; i++) hex(data[i]);
    }

    void spaces(size_t count) {
        reserve(count);
        memset(p, ' ', count);
        p += count;
    }

    void real(double value) {
        reserve(double_text_room);
        if (std::isnan(value)) return put("nan");
        if (std::isinf(value)) return value < 0 ? put("-inf") : put("inf");
        p = double_write(*w, p, value);
    }

    void uuid(const uint8_t *bytes) {
        reserve(uuid_text + 1);
        char text[uuid_text];
        uuid_format(bytes, text);
        put(text, uuid_text);
    }
};

// Characters that nobody sees, or that change how a terminal shows others: control and format characters, and separators of
// lines (categories Cc, Cf, Zl and Zp), all that a font may leave out (Default_Ignorable_Code_Point, such as fillers,
// variation selectors and tags), and the empty pattern of Braille. Quote::HIDDEN in Ruby and page.js have the same.
inline bool is_hidden(uint32_t code) {
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0xad) return true;
    if (code < 0x34f) return false;
    struct Span {
        uint32_t first, last;
    };
    constexpr Span spans[] = {
        {0x34f, 0x34f},     {0x600, 0x605},     {0x61c, 0x61c},     {0x6dd, 0x6dd},     {0x70f, 0x70f},
        {0x890, 0x891},     {0x8e2, 0x8e2},     {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
        {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},   {0x2800, 0x2800},   {0x3164, 0x3164},
        {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},   {0x110bd, 0x110bd},
        {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
    for (const Span &span : spans) {
        if (code <= span.last) return code >= span.first;
    }
    return false;
}

// Reads a character of UTF-8 that was valid when it was checked, but not beyond the end.
inline uint32_t utf8_code(const uint8_t *&p, const uint8_t *end) {
    uint32_t lead = *p++;
    if (lead < 0x80) return lead;
    int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    uint32_t code = lead & (0x3fu >> more);
    while (more-- && p < end) code = code << 6 | (*p++ & 0x3f);
    return code;
}

// The most bytes that a byte of UTF-8 becomes.
constexpr size_t escape_max = 6;

inline void put_unit(Pen &pen, uint32_t unit) {
    pen.put("\\u");
    pen.hex(static_cast<uint8_t>(unit >> 8));
    pen.hex(static_cast<uint8_t>(unit));
}

// Writes an escape of JSON for a character.
SPARPACK_COLD inline void put_escape(Pen &pen, uint32_t code) {
    switch (code) {
    case '"': return pen.put("\\\"");
    case '\\': return pen.put("\\\\");
    case '\n': return pen.put("\\n");
    case '\r': return pen.put("\\r");
    case '\t': return pen.put("\\t");
    default: break;
    }
    if (code < 0x10000) return put_unit(pen, code);
    put_unit(pen, 0xd800 + ((code - 0x10000) >> 10));
    put_unit(pen, 0xdc00 + ((code - 0x10000) & 0x3ff));
}

// True for ASCII that needs no escape. `<` is escaped in JSON, which may become part of a page.
template <bool quotes> SPARPACK_INLINE bool is_plain(uint8_t byte) {
    return byte >= 0x20 && byte < 0x7f && (!quotes || (byte != '"' && byte != '\\'));
}

// Eight bytes at once.
template <bool quotes> SPARPACK_INLINE bool are_plain(uint64_t word) {
    constexpr uint64_t ones = 0x0101010101010101u, highs = ones * 0x80;
    auto has = [](uint64_t x, uint64_t byte) { return ((x ^ (ones * byte)) - ones) & ~(x ^ (ones * byte)); };
    uint64_t odd = word | (word - ones * 0x20) | has(word, 0x7f);
    if (quotes) odd |= has(word, '"') | has(word, '\\');
    return !(odd & highs);
}

// Writes valid UTF-8 with escapes. If `quotes`, also quotes and backslashes are escaped. Returns the number of columns less
// the number of bytes, as a positive number. Reserves the room itself.
template <bool quotes> SPARPACK_INLINE size_t put_escaped(Pen &pen, const uint8_t *data, size_t size) {
    constexpr size_t chunk = 4096, beyond = 16;  // what is read beyond the end of a chunk
    const uint8_t *q = data, *end = data + size;
    size_t wide = 0;
    while (q < end) {
        size_t left = static_cast<size_t>(end - q), now = left < chunk ? left : chunk;
        const uint8_t *stop = q + now;
        pen.reserve(escape_max * (now + beyond));
        while (q < stop) {
            if (SPARPACK_LIKELY(end - q >= 8)) {
                uint64_t word = load<uint64_t>(q);
                if (SPARPACK_LIKELY(are_plain<quotes>(word))) {
                    store(pen.p, word);
                    pen.p += 8;
                    q += 8;
                    continue;
                }
            }
            if (SPARPACK_LIKELY(is_plain<quotes>(*q))) {
                pen.put(*q++);
                continue;
            }
            const uint8_t *start = q;
            uint32_t code = utf8_code(q, end);
            if (code < 0x80 || is_hidden(code)) {
                put_escape(pen, code);
                continue;
            }
            pen.put(start, static_cast<size_t>(q - start));
            wide += static_cast<size_t>(q - start) - 1;
        }
    }
    return wide;
}

// Writes a string in quotes, or as hexadecimal digits if it is not UTF-8. At most `most` bytes are shown.
inline void put_string(Pen &pen, const uint8_t *data, size_t size, size_t most) {
    size_t cut = size > most ? most : size;
    if (cut < size) {  // not within a character
        for (int i = 0; i < 3 && cut > 0 && (data[cut] & 0xc0) == 0x80; i++) cut--;
    }
    if (SPARPACK_UNLIKELY(utf8_check(data, cut) == Text::broken)) {
        pen.reserve(4);
        pen.put("x\"");
        pen.hex(data, cut);
        pen.reserve(4);
    } else {
        pen.reserve(1);
        pen.put('"');
        put_escaped<true>(pen, data, cut);
        pen.reserve(4);
    }
    if (cut < size) pen.put("…");
    pen.put('"');
}

// Writes the token of a JSON text, such as a string with its quotes. Returns whether it was written as it is.
inline bool put_token(Pen &pen, const uint8_t *data, size_t size) {
    size_t before = static_cast<size_t>(pen.p - pen.w->begin);
    if (utf8_check(data, size) == Text::broken) {
        pen.reserve(escape_max * size);
        for (size_t i = 0; i < size; i++) {
            if (is_plain<false>(data[i])) {
                pen.put(data[i]);
            } else {
                pen.put("\\ufffd");
            }
        }
        return false;
    }
    put_escaped<false>(pen, data, size);
    return static_cast<size_t>(pen.p - pen.w->begin) - before == size;
}

// --- names ---------------------------------------------------------------------------------------------------------------

// Writes the name of a class or an enum, or that of a mapped class. Of a name that is not valid UTF-8 there is only a
// question mark.
inline void put_name(Pen &pen, VALUE klass) {
    if (!RB_TYPE_P(klass, T_CLASS) && !RB_TYPE_P(klass, T_MODULE)) klass = plan_class_of_mapping(plan_of(klass));
    VALUE name = rb_class_name(klass);
    const uint8_t *data = string_bytes(name);
    size_t size = string_size(name);
    if (utf8_check(data, size) == Text::broken) {
        pen.reserve(1);
        pen.put('?');
    } else {
        put_escaped<true>(pen, data, size);
    }
    RB_GC_GUARD(name);
}

// Writes the name of an enum's value. Returns false if there is none.
inline bool put_enum_name(Pen &pen, const Type &type, const event::Scalar &scalar) {
    if (scalar.type != event::Type::integer) return false;
    VALUE name = enum_name(type.names, LL2NUM(scalar.signed_integer()));
    if (NIL_P(name)) return false;
    const uint8_t *data = string_bytes(name);
    size_t size = string_size(name);
    if (utf8_check(data, size) == Text::broken) return false;
    put_escaped<true>(pen, data, size);
    RB_GC_GUARD(name);
    return true;
}

inline void put_type(Pen &pen, const Type &type) {
    pen.reserve(16);
    switch (type.kind) {
    case Kind::struct_:
    case Kind::union_: return put_name(pen, type.klass);
    case Kind::enum_: return put_name(pen, type.enumeration);
    case Kind::list:
    case Kind::set:
        pen.put_text(type.kind == Kind::list ? "list<" : "set<");
        put_type(pen, *type.element);
        break;
    case Kind::map:
        pen.put("map<");
        put_type(pen, *type.key);
        pen.reserve(1);
        pen.put(',');
        put_type(pen, *type.element);
        break;
    default: return pen.put_text(kind_name(type.kind));
    }
    pen.reserve(1);
    pen.put('>');
}

// The texts of types, each of which is made once. Types of a schema never move.
template <size_t text_max> struct TypeTexts {
    // The caller has reserved `text_max` bytes. `make` writes a text that is unknown.
    template <class Make> SPARPACK_INLINE void put(Pen &pen, const Type &type, const Make &make) {
        Known &known = texts[reinterpret_cast<uintptr_t>(&type) / sizeof(Type) % (sizeof texts / sizeof *texts)];
        if (SPARPACK_LIKELY(known.type == &type)) {
            memcpy(pen.p, known.text, text_max);
            pen.p += known.size;
            return;
        }
        size_t start = static_cast<size_t>(pen.p - pen.w->begin);
        make(type);
        size_t size = static_cast<size_t>(pen.p - pen.w->begin) - start;
        if (size > text_max) return;
        known.type = &type;
        known.size = size;
        memcpy(known.text, pen.w->begin + start, size);
    }

private:
    struct Known {
        const Type *type;
        size_t size;
        uint8_t text[text_max];
    };

    Known texts[16];
};

// The most bytes of a key that are shown, in a path and in a tree. One key may stand in the paths of all that it holds.
constexpr size_t key_max = 64;

// The most bytes of a path before its last step.
constexpr size_t path_max = 512;

// Writes one step of a path as Ruby would: `.name`, `[2]`, `["key"]`.
inline void put_step(Pen &pen, const AnnotateLevel &level) {
    using Step = AnnotateLevel::Step;
    const FieldName *name = level.field_name();
    pen.reserve(32);
    if (name) {
        pen.put('.');
        put_escaped<true>(pen, name->data, name->size);
        return;
    }
    switch (level.step) {
    case Step::whole: return;
    case Step::field: return pen.put('.'), pen.number(level.id);
    case Step::index: pen.put('['), pen.unsigned_number(level.index); break;
    case Step::text: pen.put('['), put_string(pen, level.name, level.name_size, key_max); break;
    case Step::token:
        pen.put('[');
        if (level.numbered) {
            pen.number(level.id);
        } else {
            pen.put_text("key");
        }
    }
    pen.reserve(1);
    pen.put(']');
}

// Writes the steps that lead into a level, up to `path_max` bytes and `…`. Returns false if there are more.
inline bool put_path_into(Pen &pen, const AnnotateLevel &level, size_t start) {
    if (!level.outer) return true;
    if (!put_path_into(pen, *level.outer, start)) return false;
    size_t before = static_cast<size_t>(pen.p - pen.w->begin);
    put_step(pen, *level.outer);
    if (static_cast<size_t>(pen.p - pen.w->begin) - start <= path_max) return true;
    pen.p = pen.w->begin + before;
    pen.reserve(4);
    pen.put("…");
    return false;
}

// Writes the path to the next value of a level, such as `neighborhoods[3].name`.
inline void put_path(Pen &pen, const AnnotateLevel &level) {
    size_t start = static_cast<size_t>(pen.p - pen.w->begin);
    put_path_into(pen, level, start);
    put_step(pen, level);
    uint8_t *path = pen.w->begin + start;
    if (path == pen.p || *path != '.') return;
    memmove(path, path + 1, static_cast<size_t>(pen.p - path) - 1);
    pen.p--;
}

// The scalar types of formats without a schema, as lines name them.
inline const char *type_word(const event::Scalar &scalar) {
    if (scalar.wire_type != WireType::stop) return wire_type_name(scalar.wire_type);
    switch (scalar.type) {
    case event::Type::nil: return "nil";
    case event::Type::boolean: return "bool";
    case event::Type::integer: return "int";
    case event::Type::real: return scalar.end - scalar.begin == 5 ? "float32" : "float64";
    case event::Type::decimal: return "number";
    case event::Type::text: return "str";
    case event::Type::bytes: return "bin";
    case event::Type::ext: return "ext";
    case event::Type::uuid: break;
    }
    return "uuid";
}

inline const char *container_word(event::Container container) {
    switch (container) {
    case event::Container::struct_: return "struct";
    case event::Container::list: return "list";
    case event::Container::set: return "set";
    case event::Container::map: break;
    }
    return "map";
}

}  // namespace sparpack
