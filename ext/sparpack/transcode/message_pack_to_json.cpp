// Sparpack::Native::MessagePackToJson: MessagePack in, JSON out. What JSON cannot express is left to Ruby, which replaces
// it.
#include "../glue/native_module.hpp"
#include "../wire/message_pack/events.hpp"
#include "json_writer.hpp"

namespace sparpack {

namespace {

struct State : Transcode<MessagePackEvents, JsonWriter> {
    static constexpr const char *name = "sparpack/message_pack_to_json";

    uint64_t read, written;  // bytes in earlier calls
};

// How much JSON there may be, in bytes: so much, and so much more for each byte that was read. Only indentation takes more.
constexpr uint64_t output_base = 16 << 20, output_per_byte = 64;

// A call ends after this many bytes of JSON.
constexpr size_t output_enough = 1 << 18;

State &state_of(VALUE self) { return TranscodeObject<State>::of(self); }

// Returns why no event was read. A container as a key is refused as such, even if it is also too deep.
const char *reason(State &s, const Input &in) {
    if (in.status == Status::truncated) return "more";
    if (in.status != Status::too_deep) return "bad";
    return JsonWriter::expects_key(s.level().sink()) ? "key" : "deep";
}

// feed(bytes, offset, pretty) -> [why it ended, offset of the item that was not written, JSON, end of that item]. It ends if
// `more` must come, if the output is `full` (call again) or too `large` for the input, if the item cannot be written
// (`binary`, `ext`, `nan`, `utf8`, `key`), or if it is wrong (`bad`, `deep`).
VALUE feed(VALUE self, VALUE bytes, VALUE offset, VALUE wants_pretty) {
    State &s = state_of(self);
    const uint8_t *p = nullptr;
    Input in = transcode_input(bytes, offset, false, p);
    const uint8_t *start = p;
    Output output;
    JsonWriter json(output.writer, RTEST(wants_pretty));
    const char *why = nullptr;
    while (!why) {
        if (SPARPACK_UNLIKELY(!s.step(in, p, json))) {
            why = json.why ? json.why : reason(s, in);
            break;
        }
        const size_t size = static_cast<size_t>(json.out - output.writer.begin);
        if (size >= output_enough) why = "full";
        // The place of the fault must not depend on where the calls end, so each item is looked at.
        if (json.pretty && SPARPACK_UNLIKELY(s.written + size > output_base)) {
            const uint64_t read = s.read + static_cast<uint64_t>(p - start);
            if (s.written + size > output_base + output_per_byte * read) why = "large";
        }
    }
    s.read += static_cast<uint64_t>(p - start);
    s.written += static_cast<uint64_t>(json.out - output.writer.begin);
    const uint8_t *finish = json.finish ? json.finish : p;
    VALUE text = output_finish(output, json.out);
    VALUE result = rb_ary_new_from_args(4, ID2SYM(rb_intern(why)), SIZET2NUM(static_cast<size_t>(p - in.begin)), text,
                                        SIZET2NUM(static_cast<size_t>(finish - in.begin)));
    RB_GC_GUARD(bytes);
    RB_GC_GUARD(self);
    return result;
}

// path -> [index or key, …]
VALUE path(VALUE self) {
    State &s = state_of(self);
    VALUE steps = rb_ary_new();
    for (int i = 1; i <= s.events.top; i++) {
        const JsonWriter::Level &level = s.levels[i].sink();
        if (!level.map) {
            rb_ary_push(steps, ULL2NUM(level.done));
        } else if (level.done % 2) {
            rb_ary_push(steps, key_string(level.key));
        }
    }
    return steps;
}

// key? -> whether a key comes next
VALUE expects_key(VALUE self) { return JsonWriter::expects_key(state_of(self).level().sink()) ? Qtrue : Qfalse; }

}  // namespace

void message_pack_to_json_init() {
    VALUE native = native_module();
    VALUE state_class = TranscodeObject<State>::define(native, "MessagePackToJson");
    define_methods(state_class, {{"feed", feed}, {"path", path}, {"key?", expects_key}});
}

}  // namespace sparpack
