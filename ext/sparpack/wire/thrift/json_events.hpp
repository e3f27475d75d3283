// The grammar of Thrift's JSON protocol. Values do not say their types: fields, lists and maps do, before them.
#pragma once

#include "../../bytes/utf8.hpp"
#include "../events.hpp"
#include "json.hpp"

namespace sparpack {

struct ThriftJson::Events {
    struct Level {
        Frame frame;        // of a struct, or of the struct that has the one value as a field
        size_t index;       // of the element or pair that comes next
        size_t count;       // of elements or pairs
        WireType kind;      // stop for the level outside of all others
        WireType first;     // the type of elements or keys
        WireType second;    // the type of a map's values
        bool at_value;      // a field's header or a key was read, and its value comes next
        bool is_separated;  // what stands before the next element, key or value was read
    };

    static Level whole() { return {Frame(), 0, 1, WireType::stop, WireType::struct_, WireType::stop, false, false}; }

    // The value of a field whose header was read.
    static Level field_value(const Frame &frame) {
        return {frame, 0, 1, WireType::stop, frame.type, WireType::stop, true, false};
    }

    static SPARPACK_INLINE bool is_done(const Level &level) { return level.kind == WireType::stop && level.index > 0; }

    // Statuses: those of the wire's readers, too_deep.
    template <class Emit>
    static SPARPACK_INLINE Step next(Level &level, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        if (level.kind == WireType::struct_ && !level.at_value) return header(level, in, p, emit);
        const event::Place place = place_of(level);
        if (!level.is_separated) {
            const uint8_t *start = JsonScan::skip_space(in, p), *q = start;
            NextElement found = separator(level, place, in, q);
            if (SPARPACK_UNLIKELY(found == NextElement::failed)) return Step::failed;
            if (found == NextElement::end) return moved(emit.close({{start, q}, container(level.kind)}), p, q);
            p = q;
            level.is_separated = true;
        }
        p = JsonScan::skip_space(in, p);  // also if the piece before ended in it
        WireType type = level.kind == WireType::struct_ ? level.frame.type
                        : place == event::Place::value  ? level.second
                                                        : level.first;
        const uint8_t *q = p;
        Step step = place == event::Place::key ? value<Key>(type, place, inner, in, q, emit)
                                               : value<ThriftJson>(type, place, inner, in, q, emit);
        if (SPARPACK_UNLIKELY(step == Step::failed)) return step;
        p = q;
        level.index += level.kind != WireType::struct_ && place != event::Place::key;
        level.at_value = place == event::Place::key;
        level.is_separated = false;
        return step;
    }

    // What follows at least, such as `:0}]` after a key.
    static size_t least(const Level &level, bool reading) {
        size_t close = level.kind == WireType::stop                                     ? 0
                       : level.kind == WireType::struct_ || level.kind == WireType::map ? 2
                                                                                        : 1;
        if (!reading || level.at_value) return close;
        if (!level.is_separated) return 0;  // the next event may be the end
        return level.kind == WireType::map ? 2 + close : close;
    }

    // A header, or the beginning of a container, may have any number of spaces between its tokens, which are short. Behind a
    // space, more of them end nothing.
    static bool is_still_cut(const uint8_t *event, size_t &seen, const uint8_t *end) {
        if (is_number(*event) || is_open_string(event, end)) return JsonText::is_still_cut(event, seen, end, true);
        const uint8_t *p = event + seen;
        bool goes_on = seen > 0 && JsonScan::is_space(p[-1]);
        seen = static_cast<size_t>(end - event);
        while (goes_on && p < end && JsonScan::is_space(*p)) p++;
        return goes_on && p == end;
    }

private:
    static bool is_number(uint8_t byte) { return is_digit(byte) || byte == '-'; }

    // False for the id of a field, and what follows it.
    static bool is_open_string(const uint8_t *p, const uint8_t *end) {
        constexpr int id_max = 6;  // -32768
        if (*p++ != '"') return false;
        for (int i = 0; i < id_max && p < end && is_number(*p); i++) p++;
        return p == end || *p != '"';
    }

    static SPARPACK_INLINE NextElement separator(const Level &level, event::Place place, Input &in, const uint8_t *&p) {
        switch (place) {
        case event::Place::element: return next_element(in, p, level.index, level.count);
        case event::Place::key: return next_key(in, p, level.index, level.count);
        case event::Place::value: return (p = next_value(in, p)) ? NextElement::element : NextElement::failed;
        case event::Place::field:
        case event::Place::whole: break;
        }
        return NextElement::element;
    }

    static SPARPACK_INLINE event::Place place_of(const Level &level) {
        switch (level.kind) {
        case WireType::struct_: return event::Place::field;
        case WireType::stop: return level.at_value ? event::Place::field : event::Place::whole;
        case WireType::map: return level.at_value ? event::Place::value : event::Place::key;
        default: return event::Place::element;
        }
    }

    static event::Container container(WireType kind) {
        return kind == WireType::map    ? event::Container::map
               : kind == WireType::set  ? event::Container::set
               : kind == WireType::list ? event::Container::list
                                        : event::Container::struct_;
    }

    static SPARPACK_INLINE Step moved(Step step, const uint8_t *&p, const uint8_t *q) {
        if (SPARPACK_LIKELY(step != Step::failed)) p = q;
        return step;
    }

    template <class Emit> static SPARPACK_INLINE Step header(Level &level, Input &in, const uint8_t *&p, const Emit &emit) {
        const Frame before = level.frame;
        const uint8_t *start = JsonScan::skip_space(in, p), *q = start;
        Step step = Step::failed;
        int next = next_field(in, q, level.frame, no_fields, 0);
        if (next == next_end) {
            step = emit.close({{start, q}, event::Container::struct_});
        } else if (SPARPACK_LIKELY(next == next_unknown)) {
            step = emit.field({{start, q}, level.frame.id, level.frame.type});
            level.at_value = step != Step::failed;
        }
        if (SPARPACK_UNLIKELY(step == Step::failed)) return level.frame = before, step;
        p = q;
        return step;
    }

    // Reads a value at p, which moves behind it. `Scalars` is the wire or its Key.
    template <class Scalars, class Emit>
    static SPARPACK_INLINE Step value(WireType type, event::Place place, Level *inner, Input &in, const uint8_t *&p,
                                      const Emit &emit) {
        event::Scalar scalar{{p, p}, event::Type::integer, place, type, false, {}};
        const uint8_t *q = nullptr;
        int64_t number = 0;
        switch (type) {
        case WireType::bool_:
            scalar.type = event::Type::boolean;
            q = Scalars::read_bool(in, p, nullptr, &scalar.boolean);
            break;
        case WireType::i8: q = Scalars::read_i8(in, p, &number); break;
        case WireType::i16: q = Scalars::read_i16(in, p, &number); break;
        case WireType::i32: q = Scalars::read_i32(in, p, &number); break;
        case WireType::i64: q = Scalars::read_i64(in, p, &number); break;
        case WireType::double_:
            scalar.type = event::Type::real;
            q = Scalars::read_double(in, p, &scalar.real);
            break;
        case WireType::string:
        case WireType::uuid: q = text(scalar, in, p); break;
        case WireType::list:
        case WireType::set:
        case WireType::map:
        case WireType::struct_: return open(type, place, inner, in, p, emit);
        case WireType::stop: input_fail(in, Status::bad_wire_type, p); break;
        }
        if (SPARPACK_UNLIKELY(!q)) return Step::failed;
        if (scalar.type == event::Type::integer) {
            scalar.negative = number < 0;
            scalar.integer = static_cast<uint64_t>(number);
        }
        scalar.end = q;
        return moved(emit.scalar(scalar), p, q);
    }

    // Nobody knows whether it is text or the base64 of bytes.
    static const uint8_t *text(event::Scalar &scalar, Input &in, const uint8_t *p) {
        StringBytes string;
        bool is_uuid = scalar.wire_type == WireType::uuid;
        uint8_t bytes[uuid_bytes];
        const uint8_t *q = read_text(in, p, &string);
        if (!q || (is_uuid && !read_uuid_bytes(in, p, bytes))) return nullptr;
        scalar.type = is_uuid ? event::Type::uuid : event::Type::text;
        if (SPARPACK_UNLIKELY(string.text == Text::broken && !in.any_text)) return input_fail(in, Status::invalid_utf8, p);
        scalar.text = {string.data, string.size, string.length, string.escaped, false, 0};
        return q;
    }

    template <class Emit>
    static SPARPACK_INLINE Step open(WireType type, event::Place place, Level *inner, Input &in, const uint8_t *&p,
                                     const Emit &emit) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p), Step::failed;
        if (SPARPACK_UNLIKELY(!inner)) return input_fail(in, Status::too_deep, p), Step::failed;
        WireType first = WireType::stop, second = WireType::stop;
        Frame frame;
        const uint8_t *q = p;
        size_t count = 0;
        uint64_t told = event::Open::unknown;
        if (type == WireType::struct_) {
            q = open_struct(in, p, frame, false);
        } else {
            q = type == WireType::map ? open_map(in, p, &first, &second, &count) : open_list(in, p, &first, &count);
            told = count;
        }
        if (SPARPACK_UNLIKELY(!q)) return Step::failed;
        *inner = {frame, 0, count, type, first, second, false, false};
        return moved(emit.open({{p, q}, container(type), place, told, first, second}), p, q);
    }
};

}  // namespace sparpack
