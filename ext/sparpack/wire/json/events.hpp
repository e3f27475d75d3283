// JSON's grammar of values (RFC 8259), over the tokens that `text.hpp` reads. Objects are maps, whose keys are texts.
#pragma once

#include "../events.hpp"
#include "text.hpp"

namespace sparpack {

struct JsonEvents {
    using Token = JsonText::Token;

    // What may come next in a level.
    enum class Expect : uint8_t { value, first_element, first_key, key, colon, next_element, next_pair, nothing };

    // `payload` is a whole value that is a payload, so a byte order mark may stand before it on some wires.
    enum class Kind : uint8_t { whole, payload, array, map };

    struct Level {
        Kind kind;
        Expect expect;
        Token token;  // how reading a token has failed; `ok` means that something else was expected
    };

    static Level whole() { return {Kind::whole, Expect::value, Token::ok}; }

    static SPARPACK_INLINE bool is_done(const Level &level) { return level.expect == Expect::nothing; }

    // Statuses: truncated, bad_json and those that begin with json_, too_deep.
    template <class Emit>
    static SPARPACK_INLINE Step next(Level &level, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        const uint8_t *q = p;
        for (;; q++) {
            while (q < in.end && JsonText::is_space(*q)) q++;
            p = q;
            if (q == in.end) return input_fail(in, Status::truncated, q), Step::failed;
            uint8_t byte = *q;
            switch (level.expect) {
            case Expect::first_element:
                if (byte == ']') return close(event::Container::list, p, emit);
                [[fallthrough]];
            case Expect::value: return value(level, inner, in, p, emit);
            case Expect::first_key:
                if (byte == '}') return close(event::Container::map, p, emit);
                [[fallthrough]];
            case Expect::key: return byte == '"' ? string(level, event::Place::key, in, p, emit) : wrong(level, in, q);
            case Expect::colon:
                if (byte != ':') return wrong(level, in, q);
                level.expect = Expect::value;
                continue;
            case Expect::next_element:
                if (byte == ']') return close(event::Container::list, p, emit);
                if (byte != ',') return wrong(level, in, q);
                level.expect = Expect::value;
                continue;
            case Expect::next_pair:
                if (byte == '}') return close(event::Container::map, p, emit);
                if (byte != ',') return wrong(level, in, q);
                level.expect = Expect::key;
                continue;
            case Expect::nothing: return wrong(level, in, q);
            }
        }
    }

    // What follows at least, such as `:0}` after the key `""`.
    static size_t least(const Level &level, bool reading) {
        size_t close = level.kind >= Kind::array;
        if (!reading) return close;
        switch (level.expect) {
        case Expect::colon: return 1 + close;
        case Expect::key: return 2 + close;
        case Expect::value: return close;
        case Expect::first_element:
        case Expect::first_key:
        case Expect::next_element:
        case Expect::next_pair:
        case Expect::nothing: break;
        }
        return 0;
    }

    static bool is_still_cut(const uint8_t *event, size_t &seen, const uint8_t *end) {
        return JsonText::is_still_cut(event, seen, end);
    }

private:
    static SPARPACK_INLINE event::Place place(const Level &level) {
        return level.kind == Kind::array ? event::Place::element
               : level.kind == Kind::map ? event::Place::value
                                         : event::Place::whole;
    }

    // What may follow a value.
    static SPARPACK_INLINE Expect after(const Level &level) {
        return level.kind == Kind::array ? Expect::next_element
               : level.kind == Kind::map ? Expect::next_pair
                                         : Expect::nothing;
    }

    static Step wrong(Level &level, Input &in, const uint8_t *at, Token token = Token::ok) {
        level.token = token == Token::cut ? Token::ok : token;
        return input_fail(in, status_of(level, token), at), Step::failed;
    }

    SPARPACK_COLD static Status status_of(const Level &level, Token token) {
        switch (token) {
        case Token::cut: return Status::truncated;
        case Token::escape: return Status::json_escape;
        case Token::character: return Status::json_control;
        case Token::digit:
        case Token::number_end: return Status::json_number;
        case Token::literal: return Status::bad_json;
        case Token::ok: break;
        }
        switch (level.expect) {
        case Expect::first_key:
        case Expect::key: return Status::json_name;
        case Expect::colon: return Status::json_colon;
        case Expect::next_element:
        case Expect::next_pair: return Status::json_separator;
        case Expect::value:
        case Expect::first_element:
        case Expect::nothing: break;
        }
        return Status::bad_json;
    }

    // The same for a number or a literal, which ends before the byte that shows its end. That byte may be one that the open
    // levels need.
    static Step wrong_word(Level &level, Input &in, const uint8_t *at, Token token) {
        wrong(level, in, at, token);
        in.missing = 0;
        return Step::failed;
    }

    template <class Emit>
    static SPARPACK_INLINE Step close(event::Container container, const uint8_t *&p, const Emit &emit) {
        Step step = emit.close({{p, p + 1}, container});
        if (step != Step::failed) p++;
        return step;
    }

    template <class Emit>
    static SPARPACK_INLINE Step told(Level &level, const event::Scalar &scalar, const uint8_t *&p, const Emit &emit) {
        Step step = emit.scalar(scalar);
        if (SPARPACK_UNLIKELY(step == Step::failed)) return step;
        level.expect = scalar.place == event::Place::key ? Expect::colon : after(level);
        p = scalar.end;
        return step;
    }

    template <class Emit>
    static SPARPACK_INLINE Step string(Level &level, event::Place place, Input &in, const uint8_t *&p, const Emit &emit) {
        event::Scalar scalar{{p, p}, event::Type::text, place, WireType::stop, false, {}};
        const uint8_t *q = p + 1;
        Token token = JsonText::read_string(q, in.end, scalar.text);
        if (SPARPACK_UNLIKELY(token != Token::ok)) return wrong(level, in, q, token);
        scalar.end = q;
        return told(level, scalar, p, emit);
    }

    template <class Emit> static SPARPACK_INLINE Step number(Level &level, Input &in, const uint8_t *&p, const Emit &emit) {
        constexpr uint64_t lowest = uint64_t{1} << 63;
        event::Scalar scalar{{p, p}, event::Type::decimal, place(level), WireType::stop, false, {}};
        event::Decimal number;
        const uint8_t *q = p;
        Token token = JsonText::read_number(q, in.end, in.last, number);
        if (SPARPACK_UNLIKELY(token != Token::ok)) return wrong_word(level, in, q, token);
        scalar.end = q;
        if (number.integer && number.exact && (!number.negative || number.mantissa <= lowest)) {
            scalar.type = event::Type::integer;
            scalar.negative = number.negative;
            scalar.integer = number.negative ? 0 - number.mantissa : number.mantissa;
        } else {
            scalar.decimal = number;
        }
        return told(level, scalar, p, emit);
    }

    template <class Emit>
    static SPARPACK_INLINE Step literal(Level &level, const char *text, size_t size, event::Type type, bool is_true,
                                        Input &in, const uint8_t *&p, const Emit &emit) {
        event::Scalar scalar{{p, p}, type, place(level), WireType::stop, false, {}};
        const uint8_t *q = p;
        Token token = JsonText::read_literal(q, in.end, in.last, text, size);
        if (SPARPACK_UNLIKELY(token != Token::ok)) return wrong_word(level, in, q, token);
        scalar.end = q;
        scalar.boolean = is_true;
        return told(level, scalar, p, emit);
    }

    template <class Emit>
    static SPARPACK_INLINE Step open(Level &level, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        if (SPARPACK_UNLIKELY(!inner)) return input_fail(in, Status::too_deep, p), Step::failed;
        bool map = *p == '{';
        *inner = {map ? Kind::map : Kind::array, map ? Expect::first_key : Expect::first_element, Token::ok};
        event::Container container = map ? event::Container::map : event::Container::list;
        Step step = emit.open({{p, p + 1}, container, place(level), event::Open::unknown, WireType::stop, WireType::stop});
        if (SPARPACK_UNLIKELY(step == Step::failed)) return step;
        level.expect = after(level);
        p++;
        return step;
    }

    template <class Emit>
    static SPARPACK_INLINE Step value(Level &level, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        switch (*p) {
        case '"': return string(level, place(level), in, p, emit);
        case '[':
        case '{': return open(level, inner, in, p, emit);
        case 't': return literal(level, "true", 4, event::Type::boolean, true, in, p, emit);
        case 'f': return literal(level, "false", 5, event::Type::boolean, false, in, p, emit);
        case 'n': return literal(level, "null", 4, event::Type::nil, false, in, p, emit);
        default: return *p == '-' || is_digit(*p) ? number(level, in, p, emit) : wrong(level, in, p);
        }
    }
};

}  // namespace sparpack
