// Sparpack::Native::JsonToMessage: JSON in, MessagePack out. MessagePack puts the count of a container before its elements.
// A container that ends in the same call gets the shortest header. One that goes on in the next call gets a hole of five
// bytes, and when it ends, a mark says what belongs there.
#include "../glue/floats.hpp"
#include "transcode.hpp"

#include <ruby/util.h>
#include <cmath>
#include <cstdio>

namespace sparpack {

namespace {

using M = MessagePack;
using Token = JsonText::Token;

// What may come next. Outside of containers, one value may follow another.
enum class Expect : uint8_t { value, first_element, first_key, key, colon, next_element, next_pair };

struct Level {
    uint64_t count;  // elements or pairs so far
    uint64_t place;  // of the header: in this call's output or, if it is cut, since the first call
    bool map;
    TranscodeKey key;
};

struct JsonToMessage {
    size_t depth;
    size_t cut;        // levels that were opened in earlier calls
    uint64_t written;  // bytes that earlier calls returned
    Expect expect;
    Level levels[transcode_depth_max];
};

constexpr size_t hole = 5;  // for the header of an array32 or a map32

size_t state_size(const void *) { return sizeof(JsonToMessage); }

const rb_data_type_t state_type = {"sparpack/json_to_message",
                                   {nullptr, RUBY_DEFAULT_FREE, state_size, nullptr, {nullptr}},
                                   nullptr,
                                   nullptr,
                                   RUBY_TYPED_FREE_IMMEDIATELY};

VALUE state_alloc(VALUE klass) { return rb_data_typed_object_zalloc(klass, sizeof(JsonToMessage), &state_type); }

JsonToMessage &state_of(VALUE self) { return *static_cast<JsonToMessage *>(rb_check_typeddata(self, &state_type)); }

struct Feed {
    JsonToMessage &s;
    Input in;
    const uint8_t *p;       // where the token begins
    const uint8_t *finish;  // where it ends or went wrong
    bool last;
    Output output;
    uint8_t *out;
    VALUE marks;  // [place, whether it is a map, count, …], or nil

    Writer &writer() { return output.writer; }
};

const char *name_of(Token token) {
    switch (token) {
    case Token::ok: return nullptr;
    case Token::cut: return "more";
    case Token::escape: return "escape";
    case Token::character: return "character";
    case Token::digit: return "digit";
    case Token::number_end: return "number_end";
    case Token::literal: return "value";
    }
    return nullptr;
}

const char *name_of(Expect expect) {
    switch (expect) {
    case Expect::value: return "value";
    case Expect::first_element: return "first_element";
    case Expect::first_key: return "first_key";
    case Expect::key: return "map_key";
    case Expect::colon: return "colon";
    case Expect::next_element: return "next_element";
    case Expect::next_pair: return "next_pair";
    }
    return nullptr;
}

uint8_t *write_header(Writer &w, uint8_t *p, bool map, uint64_t count) {
    return map ? M::write_map(w, p, static_cast<size_t>(count)) : M::write_array(w, p, static_cast<size_t>(count));
}

size_t header_size(uint64_t count) { return count < 16 ? 1 : count <= UINT16_MAX ? 3 : hole; }

// Counts a value and says what may follow it.
const char *value_done(JsonToMessage &s) {
    if (!s.depth) return s.expect = Expect::value, nullptr;
    Level &level = s.levels[s.depth - 1];
    if (level.count == UINT32_MAX) return "large";
    level.count++;
    s.expect = level.map ? Expect::next_pair : Expect::next_element;
    return nullptr;
}

const char *open(Feed &f, bool map) {
    if (f.s.depth == transcode_depth_max) return "deep";
    f.out = writer_reserve(f.writer(), f.out, 1);
    f.s.levels[f.s.depth++] = {0, static_cast<uint64_t>(f.out - f.writer().begin), map, {}};
    *f.out++ = 0;
    f.s.expect = map ? Expect::first_key : Expect::first_element;
    return nullptr;
}

const char *close(Feed &f) {
    JsonToMessage &s = f.s;
    size_t index = s.depth - 1;
    const Level &level = s.levels[index];
    if (index < s.cut) {
        if (NIL_P(f.marks)) f.marks = rb_ary_new();
        rb_ary_push(f.marks, ULL2NUM(level.place));
        rb_ary_push(f.marks, level.map ? Qtrue : Qfalse);
        rb_ary_push(f.marks, ULL2NUM(level.count));
        s.cut = index;
    } else {
        f.out = writer_reserve(f.writer(), f.out, M::header_max);
        uint8_t *header = f.writer().begin + level.place;
        size_t more = header_size(level.count) - 1;
        if (more) memmove(header + 1 + more, header + 1, static_cast<size_t>(f.out - header - 1));
        f.out += more;
        write_header(f.writer(), header, level.map, level.count);
    }
    s.depth = index;
    return value_done(s);
}

const char *string(Feed &f, bool key) {
    JsonText::String text{};
    const uint8_t *q = f.p + 1;
    Token token = JsonText::read_string(q, f.in.end, text);
    f.finish = q;
    if (token != Token::ok) return name_of(token);
    if (text.broken) return "utf8";
    if (text.unescaped > UINT32_MAX) return "large";
    f.out = writer_reserve(f.writer(), f.out, M::header_max + text.unescaped);
    f.out = M::write_str(f.writer(), f.out, text.unescaped);
    if (text.escaped) {
        JsonText::unescape(f.out, text);
    } else {
        copy_bytes(f.out, text.data, text.size);
    }
    if (key) key_keep(f.s.levels[f.s.depth - 1].key, f.out, text.unescaped);
    f.out += text.unescaped;
    f.p = q;
    if (!key) return value_done(f.s);
    f.s.expect = Expect::colon;
    return nullptr;
}

// Writes a number that is too long for strtod in a shorter form: its first significant digits as an integer, and the power
// of ten that belongs to them.
void shorten(const JsonText::Number &number, const uint8_t *text, size_t size, char (&copy)[512]) {
    constexpr size_t most = 480;
    constexpr int64_t extreme = 100000;  // zero or infinity, whatever the digits are
    size_t taken = 0;
    int64_t dropped = 0;
    for (const uint8_t *p = text, *end = text + size; p < end && (*p | 0x20) != 'e'; p++) {
        if (!JsonText::is_digit(*p) || (taken == 0 && *p == '0')) continue;
        if (taken < most) {
            copy[taken++] = static_cast<char>(*p);
        } else {
            dropped++;
        }
    }
    int64_t exponent = number.exponent + dropped;
    exponent = exponent > extreme ? extreme : exponent < -extreme ? -extreme : exponent;
    snprintf(copy + taken, sizeof copy - taken, "%se%d", taken ? "" : "0", static_cast<int>(exponent));
}

// Computes exactly if the digits and the power of ten are exact doubles. Otherwise Ruby's strtod does it. Returns false for
// infinity.
bool real_of(const JsonText::Number &number, const uint8_t *text, size_t size, double *real) {
    static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (number.exact && number.mantissa <= uint64_t{1} << 53 && number.exponent >= -22 && number.exponent <= 22) {
        double digits = static_cast<double>(number.mantissa);
        double value = number.exponent < 0 ? digits / powers[-number.exponent] : digits * powers[number.exponent];
        *real = number.negative ? -value : value;
        return true;
    }
    char copy[512];
    if (size < sizeof copy) {
        memcpy(copy, text, size);
        copy[size] = 0;
        *real = ruby_strtod(copy, nullptr);
    } else {
        shorten(number, text, size, copy);
        double value = ruby_strtod(copy, nullptr);
        *real = number.negative ? -value : value;
    }
    return std::isfinite(*real);
}

const char *number(Feed &f) {
    JsonText::Number number{};
    const uint8_t *q = f.p;
    Token token = JsonText::read_number(q, f.in.end, f.last, number);
    f.finish = q;
    if (token != Token::ok) return name_of(token);
    f.out = writer_reserve(f.writer(), f.out, M::header_max);
    constexpr uint64_t lowest = uint64_t{1} << 63;
    if (number.integer) {
        if (!number.exact || (number.negative && number.mantissa > lowest)) return "number";
        f.out = number.negative ? M::write_integer(f.writer(), f.out, static_cast<int64_t>(0 - number.mantissa))
                                : M::write_unsigned(f.writer(), f.out, number.mantissa);
    } else {
        double real = 0;
        if (!real_of(number, f.p, static_cast<size_t>(q - f.p), &real)) return "number";
        f.out = M::write_double(f.writer(), f.out, real);
    }
    f.p = q;
    return value_done(f.s);
}

const char *literal(Feed &f, const char *text, size_t size, uint8_t byte) {
    const uint8_t *q = f.p;
    Token token = JsonText::read_literal(q, f.in.end, f.last, text, size);
    f.finish = q;
    if (token != Token::ok) return name_of(token);
    f.out = writer_reserve(f.writer(), f.out, 1);
    f.out = M::write_byte(f.writer(), f.out, byte);
    f.p = q;
    return value_done(f.s);
}

const char *value(Feed &f) {
    uint8_t byte = *f.p;
    switch (byte) {
    case '"': return string(f, false);
    case '[':
    case '{': {
        const char *why = open(f, byte == '{');
        if (!why) f.p++;
        return why;
    }
    case 't': return literal(f, "true", 4, M::true_byte);
    case 'f': return literal(f, "false", 5, M::false_byte);
    case 'n': return literal(f, "null", 4, M::nil_byte);
    default: return byte == '-' || JsonText::is_digit(byte) ? number(f) : name_of(f.s.expect);
    }
}

// Reads one token, after white space. Returns why it stopped there, or nullptr.
const char *step(Feed &f) {
    JsonToMessage &s = f.s;
    while (f.p < f.in.end && JsonText::is_space(*f.p)) f.p++;
    f.finish = f.p;
    if (f.p == f.in.end) return "more";
    uint8_t byte = *f.p;
    bool ends = false;
    switch (s.expect) {
    case Expect::value: return value(f);
    case Expect::first_element:
        if (byte != ']') return value(f);
        ends = true;
        break;
    case Expect::first_key:
    case Expect::key:
        if (byte == '"') return string(f, true);
        ends = s.expect == Expect::first_key && byte == '}';
        break;
    case Expect::colon:
        if (byte != ':') return name_of(s.expect);
        s.expect = Expect::value;
        return f.p++, nullptr;
    case Expect::next_element:
    case Expect::next_pair: {
        bool map = s.expect == Expect::next_pair;
        if (byte == ',') {
            s.expect = map ? Expect::key : Expect::value;
            return f.p++, nullptr;
        }
        ends = byte == (map ? '}' : ']');
        break;
    }
    }
    if (!ends) return name_of(s.expect);
    const char *why = close(f);
    if (!why) f.p++;
    return why;
}

// Makes room for the headers of open containers. Each byte moves once.
void leave_holes(Feed &f) {
    JsonToMessage &s = f.s;
    constexpr size_t wider = hole - 1;
    size_t open = s.depth - s.cut;
    f.out = writer_reserve(f.writer(), f.out, wider * open);
    uint8_t *begin = f.writer().begin, *end = f.out;
    for (size_t i = s.depth; i-- > s.cut;) {
        Level &level = s.levels[i];
        uint8_t *header = begin + level.place;
        size_t by = wider * (i - s.cut);
        memmove(header + hole + by, header + 1, static_cast<size_t>(end - header - 1));
        memset(header + by, 0, hole);
        end = header;
        level.place += by + s.written;
    }
    f.out += wider * open;
    s.cut = s.depth;
    s.written += static_cast<uint64_t>(f.out - begin);
}

// feed(bytes, offset, last) -> [why it ended, offset of the token that was not written, MessagePack, marks, end of that
// token]. It ends if `more` must come, if the token cannot be written (`number`, `utf8`), or if the token is wrong.
VALUE feed(VALUE self, VALUE bytes, VALUE offset, VALUE last) {
    const uint8_t *p = nullptr;
    JsonToMessage &s = state_of(self);
    Input in = transcode_input(bytes, offset, p);
    Feed f = {s, in, p, p, RTEST(last), {}, nullptr, Qnil};
    f.out = f.writer().begin;
    const char *why = nullptr;
    while (!(why = step(f))) {
    }
    leave_holes(f);
    VALUE packed = output_finish(f.output, f.out);
    VALUE marks = f.marks;
    VALUE result = rb_ary_new_from_args(5, ID2SYM(rb_intern(why)), SIZET2NUM(static_cast<size_t>(f.p - f.in.begin)), packed,
                                        marks, SIZET2NUM(static_cast<size_t>(f.finish - f.in.begin)));
    RB_GC_GUARD(bytes);
    RB_GC_GUARD(self);
    return result;
}

// path -> [index or key, …]
VALUE path(VALUE self) {
    JsonToMessage &s = state_of(self);
    VALUE steps = rb_ary_new();
    for (size_t i = 0; i < s.depth; i++) {
        const Level &level = s.levels[i];
        bool inside = i + 1 < s.depth || s.expect == Expect::value;
        if (!level.map) {
            if (inside || s.expect == Expect::first_element) rb_ary_push(steps, ULL2NUM(level.count));
        } else if (inside || s.expect == Expect::colon) {
            rb_ary_push(steps, key_string(level.key));
        }
    }
    return steps;
}

// expected -> what may come next
VALUE expected(VALUE self) { return ID2SYM(rb_intern(name_of(state_of(self).expect))); }

// idle? -> whether nothing is open
VALUE idle(VALUE self) { return state_of(self).depth ? Qfalse : Qtrue; }

}  // namespace

void json_to_message_pack_init(VALUE sparpack) {
    VALUE native = rb_const_get(sparpack, rb_intern("Native"));
    VALUE state_class = rb_define_class_under(native, "JsonToMessage", rb_cObject);
    rb_define_alloc_func(state_class, state_alloc);
    rb_define_method(state_class, "feed", method(feed), 3);
    rb_define_method(state_class, "path", method(path), 0);
    rb_define_method(state_class, "expected", method(expected), 0);
    rb_define_method(state_class, "idle?", method(idle), 0);
}

}  // namespace sparpack
