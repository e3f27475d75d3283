// Sparpack::Native::JsonToMessagePack: JSON in, MessagePack out. What MessagePack cannot express is left to Ruby.
#include "../glue/native_module.hpp"
#include "../wire/json/events.hpp"
#include "message_pack_writer.hpp"

namespace sparpack {

namespace {

using Expect = JsonEvents::Expect;
using Token = JsonEvents::Token;

struct State : Transcode<JsonEvents, MessagePackWriter> {
    static constexpr const char *name = "sparpack/json_to_message_pack";

    uint64_t written;  // bytes that earlier calls returned
};

State &state_of(VALUE self) { return TranscodeObject<State>::of(self); }

const char *name_of(Token token) {
    switch (token) {
    case Token::escape: return "escape";
    case Token::character: return "character";
    case Token::digit: return "digit";
    case Token::number_end: return "number_end";
    case Token::literal: return "value";
    case Token::ok:
    case Token::cut: break;
    }
    return nullptr;
}

const char *name_of(Expect expect) {
    switch (expect) {
    case Expect::first_element: return "first_element";
    case Expect::first_key: return "first_key";
    case Expect::key: return "map_key";
    case Expect::colon: return "colon";
    case Expect::next_element: return "next_element";
    case Expect::next_pair: return "next_pair";
    case Expect::value:
    case Expect::nothing: break;
    }
    return "value";
}

// Returns why no event was read.
const char *reason(State &s, const Input &in) {
    if (in.status == Status::truncated) return "more";
    if (in.status == Status::too_deep) return "deep";
    const JsonEvents::Level &level = s.level().grammar();
    return level.token == Token::ok ? name_of(level.expect) : name_of(level.token);
}

// feed(bytes, offset, last) -> [why it ended, offset of the token that was not written, MessagePack, marks, end of that
// token]. It ends if `more` must come, if the token cannot be written (`number`, `utf8`), or if the token is wrong.
VALUE feed(VALUE self, VALUE bytes, VALUE offset, VALUE last) {
    State &s = state_of(self);
    const uint8_t *p = nullptr;
    Input in = transcode_input(bytes, offset, RTEST(last), p);
    Output output;
    MessagePackWriter packed(output.writer);
    while (s.step(in, p, packed)) {
    }
    const char *why = packed.why ? packed.why : reason(s, in);
    const uint8_t *finish = packed.finish ? packed.finish : in.at;
    packed.leave_holes(s.levels, s.events.top, s.written);
    s.written += static_cast<uint64_t>(packed.out - output.writer.begin);
    VALUE written = output_finish(output, packed.out);
    VALUE marks = packed.marks;
    VALUE result = rb_ary_new_from_args(5, ID2SYM(rb_intern(why)), SIZET2NUM(static_cast<size_t>(p - in.begin)), written,
                                        marks, SIZET2NUM(static_cast<size_t>(finish - in.begin)));
    RB_GC_GUARD(bytes);
    RB_GC_GUARD(self);
    return result;
}

// path -> [index or key, …]
VALUE path(VALUE self) {
    State &s = state_of(self);
    VALUE steps = rb_ary_new();
    for (int i = 1; i <= s.events.top; i++) {
        const MessagePackWriter::Level &level = s.levels[i].sink();
        Expect expect = s.levels[i].grammar().expect;
        bool inside = i < s.events.top || expect == Expect::value;
        if (!level.map) {
            if (inside || expect == Expect::first_element) rb_ary_push(steps, ULL2NUM(level.count));
        } else if (inside || expect == Expect::colon) {
            rb_ary_push(steps, key_string(level.key));
        }
    }
    return steps;
}

// expected -> what may come next
VALUE expected(VALUE self) { return ID2SYM(rb_intern(name_of(state_of(self).level().grammar().expect))); }

}  // namespace

void json_to_message_pack_init() {
    VALUE native = native_module();
    rb_define_const(native, "TRANSCODE_KEY_MAX", INT2FIX(TranscodeKey::room));
    VALUE state_class = TranscodeObject<State>::define(native, "JsonToMessagePack");
    define_methods(state_class, {{"feed", feed}, {"path", path}, {"expected", expected}});
}

}  // namespace sparpack
