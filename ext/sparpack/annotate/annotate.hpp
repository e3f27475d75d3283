// A sink that describes a payload line by line: where each value is, its name, its type and what it holds. A form writes the
// lines: as a picture for a terminal, as text that can be assembled again, or as JSON.
//
// A line covers the bytes from the end of the line before to its own end, so the lines of a payload cover all of it. The
// header of a field is on the line of its value. So is a key, unless the form wants it on a line of its own.
#pragma once

#include "../plan/kind_takes.hpp"
#include "../plan/plan.hpp"
#include "../wire/events.hpp"

namespace sparpack {

// How the members of a struct are told apart: by the headers of Thrift's wires, by their position in an array, by the key of
// a map, or, in a union, by an id before the value.
enum class Members : uint8_t { none, by_header, by_position, by_key, by_id };

// What is known about one open struct or container.
struct AnnotateLevel {
    // What names the next value.
    enum class Step : uint8_t { whole, field, index, text, token };

    const AnnotateLevel *outer = nullptr;
    const Link *link = nullptr;     // of the struct, if it is known
    const Type *value = nullptr;    // of the next value, if it is known
    const Type *key = nullptr;      // of the keys
    const Field *field = nullptr;   // that the next value belongs to, if it is known
    const uint8_t *name = nullptr;  // the key before the next value: the content of a text, or any other token
    size_t name_size = 0;
    int64_t id = 0;      // of the field, or the key if that is an integer of 64 bits with a sign
    uint64_t index = 0;  // of the next element
    uint64_t count = event::Open::unknown;
    int32_t matched = 0;  // how many pieces of the path that was asked for lead here; -1 if another path does
    Members members = Members::none;
    Step step = Step::whole;
    bool numbered = false;  // whether a token is an integer
    event::Container container = event::Container::struct_;
    event::Place place = event::Place::whole;
    WireType first = WireType::stop;   // the type of its elements or keys, on Thrift's wires
    WireType second = WireType::stop;  // the type of a map's values

    // For the paths of JSON's lines (line_path.hpp): how much of its text is the path of this level, and whether that is
    // cut.
    static constexpr uint16_t unknown = UINT16_MAX;
    mutable uint16_t prefix = unknown;
    mutable bool cut = false;

    // The name of the field in the IDL.
    const FieldName *field_name() const { return field ? &link->table.names[field - link->fields] : nullptr; }
};

struct Line {
    enum class Kind : uint8_t { scalar, open, close, key };

    Kind kind;
    bool fits;  // its type is the one that the schema has, or there is none
    int depth;
    const uint8_t *tile;   // the end of the line before
    const uint8_t *begin;  // of the header of the field, the key or the value
    const uint8_t *end;
    const AnnotateLevel *in;  // what holds it
    const Type *type;         // the one that the schema has, or nullptr
    union {
        const event::Scalar *scalar;
        const event::Open *open;
        const event::Close *close;
    };
    const event::Range *event;
};

// One step of a path, such as `name`, `[3]`, `["key"]` or `[*]`.
struct PathPiece {
    enum class Kind : uint8_t { any, word, index, text };

    Kind kind;
    bool is_number;
    const uint8_t *text;
    size_t size;
    int64_t number;

    bool is(const uint8_t *data, size_t length) const { return size == length && memcmp(data, text, length) == 0; }

    bool matches(const AnnotateLevel &level) const {
        using Step = AnnotateLevel::Step;
        if (kind == Kind::any) return true;
        if (kind == Kind::index) return is_number && is_at(level, number);
        if (level.step == Step::text && is(level.name, level.name_size)) return true;
        const FieldName *name = level.field_name();
        if (kind == Kind::text) return false;
        return (name && name->is(text, size)) || (is_number && level.step != Step::index && is_at(level, number));
    }

private:
    static bool is_at(const AnnotateLevel &level, int64_t number) {
        switch (level.step) {
        case AnnotateLevel::Step::field: return number == level.id;
        case AnnotateLevel::Step::index: return number >= 0 && static_cast<uint64_t>(number) == level.index;
        case AnnotateLevel::Step::token: return level.numbered && number == level.id;
        case AnnotateLevel::Step::whole:
        case AnnotateLevel::Step::text: return false;
        }
        return false;
    }
};

// Which lines are shown.
struct Selection {
    static constexpr int pieces_max = 64;

    uint64_t limit = UINT64_MAX;  // of lines
    uint64_t from = 0;            // bytes
    uint64_t to = UINT64_MAX;
    int32_t pieces = 0;
    PathPiece path[pieces_max];
};

// What lines look like: a tree, text or JSON. `line` writes one, and `skip` passes over one that is not shown.
struct Form {
    using Each = void (*)(Form &, const Line &, AnnotateLevel &in, AnnotateLevel *inner);

    Each line;
    Each skip;           // nullptr if there is nothing to do
    bool separate_keys;  // keys have lines of their own, and so have ends without bytes
};

// The sink of all grammars. Its functions are compiled once, because showing a line takes longer than a call.
struct Annotator {
    using Level = AnnotateLevel;
    using Place = event::Place;
    using Container = event::Container;
    using Step = AnnotateLevel::Step;

    Form *form = nullptr;
    const Link *root = nullptr;
    const uint8_t *payload = nullptr;
    const uint8_t *at = nullptr;    // where the line before ended
    const uint8_t *head = nullptr;  // a header or a key whose value comes next
    int depth = 0;
    bool selective = false;
    Selection selection;
    uint64_t lines = 0;  // that were selected
    uint64_t shown = 0;
    uint64_t misfits = 0;                 // lines whose type is not the schema's
    WireType announced = WireType::stop;  // the type of the field whose header was read

    // The type of the value that comes next on Thrift's wires. That of a struct means another field, or its end.
    WireType expected(const Level &level) const {
        if (level.step == Step::whole) return WireType::stop;
        if (level.container == Container::struct_) return head ? announced : WireType::struct_;
        return level.container == Container::map && head ? level.second : level.first;
    }

    [[gnu::noinline]] bool field(Level &level, const event::Field &field) {
        level.members = Members::by_header;
        level.step = Step::field;
        level.id = field.id;
        find(level, level.link ? level.link->table.find(field.id, hint(level)) : -1);
        announced = field.type;
        head = field.begin;
        return true;
    }

    [[gnu::noinline]] bool scalar(Level &level, const event::Scalar &scalar) {
        if (scalar.place == Place::key) return key(level, scalar);
        const Type *type = next_type(level, scalar.place);
        bool is_id = level.members == Members::by_id && level.index == 0;
        Line line = line_of(Line::Kind::scalar, level, scalar, type);
        line.scalar = &scalar;
        line.fits = !type || is_id || takes(*type, scalar);
        show(line, level, nullptr, matched(level));
        if (SPARPACK_UNLIKELY(is_id)) find(level, field_by(level, scalar));
        level.index++;
        return true;
    }

    [[gnu::noinline]] bool open(Level &outer, Level &inner, const event::Open &open) {
        const Type *type = next_type(outer, open.place);
        if (SPARPACK_UNLIKELY(open.place == Place::key)) {
            type = outer.key;
            outer.step = Step::token;
            outer.name = open.begin;
            outer.name_size = 0;
            outer.numbered = false;
        }
        inner.outer = &outer;
        inner.container = open.container;
        inner.count = open.count;
        inner.place = open.place;
        inner.first = open.first;
        inner.second = open.second;
        inner.matched = matched(outer);
        Line line = line_of(Line::Kind::open, outer, open, type);
        line.open = &open;
        line.fits = enter(inner, type, open);
        show(line, outer, &inner, inner.matched);
        depth++;
        return true;
    }

    [[gnu::noinline]] bool close(Level &inner, Level &outer, const event::Close &close) {
        depth--;
        Line line = line_of(Line::Kind::close, outer, close, nullptr);
        line.close = &close;
        show(line, outer, &inner, inner.matched);
        if (inner.place != Place::key) outer.index++;
        return true;
    }

private:
    static uint32_t hint(const Level &level) {
        return level.field ? static_cast<uint32_t>(level.field - level.link->fields) + 1 : 0;
    }

    SPARPACK_INLINE Line line_of(Line::Kind kind, const Level &in, const event::Range &event, const Type *type) {
        Line line{kind, true, depth, at, head ? head : event.begin, event.end, &in, type, {nullptr}, &event};
        head = nullptr;
        at = event.end;
        return line;
    }

    [[gnu::noinline]] void show(const Line &line, Level &in, Level *inner, int32_t match) {
        misfits += !line.fits;
        bool is_nothing = !form->separate_keys && line.kind == Line::Kind::close && line.begin == line.end;
        if (is_nothing) return;
        if (SPARPACK_UNLIKELY(selective) && !selects(line, match)) return skip(line, in, inner);
        lines++;
        if (SPARPACK_UNLIKELY(shown >= selection.limit)) return skip(line, in, inner);
        shown++;
        form->line(*form, line, in, inner);
    }

    void skip(const Line &line, Level &in, Level *inner) {
        if (form->skip) form->skip(*form, line, in, inner);
    }

    bool selects(const Line &line, int32_t match) const {
        if (match < selection.pieces) return false;
        uint64_t begin = static_cast<uint64_t>(line.begin - payload), end = static_cast<uint64_t>(line.end - payload);
        return begin < selection.to && (end > selection.from || (begin == end && begin >= selection.from));
    }

    SPARPACK_INLINE int32_t matched(const Level &level) const {
        if (SPARPACK_LIKELY(selection.pieces == 0) || level.matched < 0 || level.matched == selection.pieces)
            return level.matched;
        if (level.step == Step::whole) return level.matched;
        return selection.path[level.matched].matches(level) ? level.matched + 1 : -1;
    }

    // --- what the schema knows -----------------------------------------------------------------------------------------

    static SPARPACK_INLINE void find(Level &level, int index) {
        level.field = index < 0 ? nullptr : &level.link->fields[index];
        level.value = index < 0 ? nullptr : &level.field->type;
    }

    static int field_by(const Level &level, const event::Scalar &key) {
        if (!level.link) return -1;
        if (key.type == event::Type::text)
            return key.text.escaped ? -1 : level.link->table.find_name(key.text.data, key.text.size, hint(level));
        int64_t id = key.signed_integer();
        bool is_id = key.type == event::Type::integer && id >= INT16_MIN && id <= INT16_MAX;
        return is_id ? level.link->table.find(static_cast<int32_t>(id), hint(level)) : -1;
    }

    // A key on the line of its value has no line of its own.
    SPARPACK_INLINE bool key(Level &level, const event::Scalar &scalar) {
        bool is_text = scalar.type == event::Type::text;
        level.step = is_text ? Step::text : Step::token;
        level.name = is_text ? scalar.text.data : scalar.begin;
        level.name_size = is_text ? scalar.text.size : scalar.size();
        int64_t number = scalar.signed_integer();
        level.numbered = scalar.type == event::Type::integer && (scalar.negative || number >= 0);
        level.id = level.numbered ? number : 0;
        if (level.members == Members::by_key) find(level, field_by(level, scalar));
        if (form->separate_keys) {
            Line line = line_of(Line::Kind::key, level, scalar, level.key);
            line.scalar = &scalar;
            show(line, level, nullptr, matched(level));
        } else {
            head = scalar.begin;
        }
        return true;
    }

    // Returns the type of the value that comes next, and names it by its place.
    SPARPACK_INLINE const Type *next_type(Level &level, Place place) {
        if (place == Place::element) {
            level.step = Step::index;
            if (SPARPACK_UNLIKELY(level.members == Members::by_position)) {
                bool is_id = level.index <= INT16_MAX;
                find(level, is_id ? level.link->table.find(static_cast<int32_t>(level.index), hint(level)) : -1);
            }
        }
        return level.value;
    }

    static Members in_array(const Link *link) { return link->is_union ? Members::by_id : Members::by_position; }

    // Tells the inner level what the schema knows of it. Returns whether the container fits its type.
    SPARPACK_INLINE bool enter(Level &inner, const Type *type, const event::Open &open) const {
        bool is_map = open.container == Container::map;
        const Link *link = nullptr;
        if (open.place == Place::whole) {
            link = root;
        } else if (!type) {
            return true;
        } else if (type->kind == Kind::struct_ || type->kind == Kind::union_) {
            link = type->link;
        }
        if (link || (open.place == Place::whole && !type)) {
            if (!link) return true;
            bool is_struct = open.container == Container::struct_, is_thrift = open.first != WireType::stop;
            if (!is_struct && (is_thrift || open.container == Container::set)) return false;
            inner.link = link;
            inner.members = is_struct ? Members::by_header : is_map ? Members::by_key : in_array(link);
            return true;
        }
        switch (type->kind) {
        case Kind::any: return true;
        case Kind::list:
        case Kind::set:
            if (is_map || open.container == Container::struct_) return false;
            inner.value = type->element;
            return open.first == WireType::stop || open.first == type->element->wire;
        case Kind::map:
            if (!is_map) return false;
            inner.key = type->key;
            inner.value = type->element;
            return open.first == WireType::stop || (open.first == type->key->wire && open.second == type->element->wire);
        default: return false;
        }
    }

    static SPARPACK_INLINE bool takes(const Type &type, const event::Scalar &scalar) {
        if (SPARPACK_LIKELY(scalar.wire_type != WireType::stop)) return scalar.wire_type == type.wire;
        return scalar.type == event::Type::nil || kind_takes(type.kind, scalar);
    }
};

}  // namespace sparpack
