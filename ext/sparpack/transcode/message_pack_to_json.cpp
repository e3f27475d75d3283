// Sparpack::Native::MessageToJson: MessagePack in, JSON out. What JSON cannot express is left to Ruby, which replaces it.
#include "../glue/floats.hpp"
#include "transcode.hpp"

#include <cmath>

namespace sparpack {

namespace {

using M = MessagePack;
using Head = M::Head;

struct Level {
    uint64_t count;  // elements; keys and values count separately
    uint64_t done;
    bool map;
    TranscodeKey key;
};

struct MessageToJson {
    size_t depth;
    Level levels[transcode_depth_max];
};

// A call ends after this many bytes of JSON.
constexpr size_t output_enough = 1 << 18;

size_t state_size(const void *) { return sizeof(MessageToJson); }

const rb_data_type_t state_type = {"sparpack/message_to_json",
                                   {nullptr, RUBY_DEFAULT_FREE, state_size, nullptr, {nullptr}},
                                   nullptr,
                                   nullptr,
                                   RUBY_TYPED_FREE_IMMEDIATELY};

VALUE state_alloc(VALUE klass) { return rb_data_typed_object_zalloc(klass, sizeof(MessageToJson), &state_type); }

MessageToJson &state_of(VALUE self) { return *static_cast<MessageToJson *>(rb_check_typeddata(self, &state_type)); }

uint8_t *write_line(Writer &w, uint8_t *p, size_t depth) {
    p = writer_reserve(w, p, 1 + 2 * depth);
    *p = '\n';
    memset(p + 1, ' ', 2 * depth);
    return p + 1 + 2 * depth;
}

uint8_t *write_text(Writer &w, uint8_t *p, const char *text, size_t size) { return writer_append(w, p, text, size); }

uint8_t *write_integer(Writer &w, uint8_t *p, uint64_t number, bool negative) {
    char digits[24];
    size_t at = sizeof digits;
    if (negative) number = 0 - number;
    do {
        digits[--at] = static_cast<char>('0' + number % 10);
    } while (number /= 10);
    if (negative) digits[--at] = '-';
    return write_text(w, p, digits + at, sizeof digits - at);
}

double real_of(const M::Item &item) {
    if (item.head == Head::float64) {
        double real;
        memcpy(&real, &item.number, sizeof real);
        return real;
    }
    uint32_t bits = static_cast<uint32_t>(item.number);
    float real;
    memcpy(&real, &bits, sizeof real);
    return static_cast<double>(real);
}

// Writes a number as Float#to_s does: with the fewest digits that mean the same double.
uint8_t *write_real(Writer &w, uint8_t *p, double real) {
    VALUE text = rb_obj_as_string(rb_float_new(real));
    p = write_text(w, p, RSTRING_PTR(text), static_cast<size_t>(RSTRING_LEN(text)));
    RB_GC_GUARD(text);
    return p;
}

// Returns why an item cannot be written as it is, or nullptr.
const char *obstacle(const MessageToJson &s, const Input &in, const uint8_t *data, const M::Item &item, bool key) {
    switch (item.head) {
    case Head::str:
    case Head::bin:
    case Head::ext:
        if (input_left(in, data) < item.number) return "more";
        if (item.head == Head::bin) return "binary";
        if (item.head == Head::ext) return "ext";
        return utf8_check(data, static_cast<size_t>(item.number)) == Text::broken ? "utf8" : nullptr;
    case Head::array:
    case Head::map:
        if (key) return "key";
        return s.depth == transcode_depth_max ? "deep" : nullptr;
    case Head::float32:
    case Head::float64:
        if (!std::isfinite(real_of(item))) return "nan";
        break;
    default: break;
    }
    return nullptr;
}

// Writes what follows a value: the ends of all containers that it completes.
uint8_t *write_ends(MessageToJson &s, Writer &w, uint8_t *p, bool pretty) {
    while (s.depth) {
        Level &level = s.levels[s.depth - 1];
        if (++level.done < level.count) return p;
        s.depth--;
        if (pretty) p = write_line(w, p, s.depth);
        p = write_text(w, p, level.map ? "}" : "]", 1);
    }
    return write_text(w, p, "\n", 1);
}

uint8_t *write_scalar(Writer &w, uint8_t *p, const uint8_t *data, const M::Item &item) {
    switch (item.head) {
    case Head::nil: return write_text(w, p, "null", 4);
    case Head::false_: return write_text(w, p, "false", 5);
    case Head::true_: return write_text(w, p, "true", 4);
    case Head::positive: return write_integer(w, p, item.number, false);
    case Head::negative: return write_integer(w, p, item.number, true);
    case Head::float32:
    case Head::float64: return write_real(w, p, real_of(item));
    case Head::str: return JsonText::write_string(w, p, data, static_cast<size_t>(item.number));
    default: return p;  // an obstacle, which is never written
    }
}

// A key that is not text is written as it would be as a value, but in quotes.
uint8_t *write_key(Writer &w, uint8_t *p, const uint8_t *data, const M::Item &item, Level *level, bool pretty) {
    size_t start = static_cast<size_t>(p - w.begin) + 1;
    bool text = item.head == Head::str;
    if (!text) p = write_text(w, p, "\"", 1);
    p = write_scalar(w, p, data, item);
    if (text) {
        key_keep(level->key, data, static_cast<size_t>(item.number));
    } else {
        key_keep(level->key, w.begin + start, static_cast<size_t>(p - w.begin) - start);
        p = write_text(w, p, "\"", 1);
    }
    level->done++;
    return write_text(w, p, ": ", pretty ? 2 : 1);
}

uint8_t *write_item(MessageToJson &s, Writer &w, uint8_t *p, const uint8_t *data, const M::Item &item, bool pretty) {
    Level *level = s.depth ? &s.levels[s.depth - 1] : nullptr;
    bool key = level && level->map && level->done % 2 == 0;
    if (level && (key || !level->map)) {
        if (level->done) p = write_text(w, p, ",", 1);
        if (pretty) p = write_line(w, p, s.depth);
    }
    if (key) return write_key(w, p, data, item, level, pretty);
    switch (item.head) {
    case Head::array:
    case Head::map: {
        bool map = item.head == Head::map;
        p = write_text(w, p, map ? "{" : "[", 1);
        if (item.number) {
            s.levels[s.depth++] = {map ? 2 * item.number : item.number, 0, map, {}};
            return p;
        }
        p = write_text(w, p, map ? "}" : "]", 1);
        break;
    }
    default: p = write_scalar(w, p, data, item); break;
    }
    return write_ends(s, w, p, pretty);
}

// feed(bytes, offset, pretty) -> [why it ended, offset of the item that was not written, JSON, end of that item]. It ends if
// `more` must come, if the output is `full` (call again), if the item cannot be written (`binary`, `ext`, `nan`, `utf8`,
// `key`), or if it is wrong (`bad`, `deep`).
VALUE feed(VALUE self, VALUE bytes, VALUE offset, VALUE wants_pretty) {
    MessageToJson &s = state_of(self);
    bool pretty = RTEST(wants_pretty);
    const uint8_t *p = nullptr;
    Input in = transcode_input(bytes, offset, p);
    Output output;
    uint8_t *out = output.writer.begin;
    const uint8_t *finish = p;
    const char *why = nullptr;
    while (!why) {
        M::Item item{};
        const uint8_t *data = M::read_head(in, p, item);
        finish = data ? data : p;
        if (!data) {
            why = in.status == Status::truncated ? "more" : "bad";
            break;
        }
        bool key = s.depth && s.levels[s.depth - 1].map && s.levels[s.depth - 1].done % 2 == 0;
        why = obstacle(s, in, data, item, key);
        bool has_bytes = item.head == Head::str || item.head == Head::bin || item.head == Head::ext;
        if (has_bytes && input_left(in, data) >= item.number) finish = data + item.number;
        if (why) break;
        out = write_item(s, output.writer, out, data, item, pretty);
        // Somebody may have replaced Float#to_s.
        if (reinterpret_cast<const uint8_t *>(RSTRING_PTR(bytes)) != in.begin || RSTRING_LEN(bytes) != in.end - in.begin)
            fault_argument("the bytes changed while they were read");
        p = finish;
        if (static_cast<size_t>(out - output.writer.begin) >= output_enough) why = "full";
    }
    VALUE text = output_finish(output, out);
    VALUE result = rb_ary_new_from_args(4, ID2SYM(rb_intern(why)), SIZET2NUM(static_cast<size_t>(p - in.begin)), text,
                                        SIZET2NUM(static_cast<size_t>(finish - in.begin)));
    RB_GC_GUARD(bytes);
    RB_GC_GUARD(self);
    return result;
}

// path -> [index or key, …]
VALUE path(VALUE self) {
    MessageToJson &s = state_of(self);
    VALUE steps = rb_ary_new();
    for (size_t i = 0; i < s.depth; i++) {
        const Level &level = s.levels[i];
        if (!level.map) {
            rb_ary_push(steps, ULL2NUM(level.done));
        } else if (level.done % 2) {
            rb_ary_push(steps, key_string(level.key));
        }
    }
    return steps;
}

// key? -> whether a key comes next
VALUE expects_key(VALUE self) {
    MessageToJson &s = state_of(self);
    return s.depth && s.levels[s.depth - 1].map && s.levels[s.depth - 1].done % 2 == 0 ? Qtrue : Qfalse;
}

// idle? -> whether nothing is open
VALUE idle(VALUE self) { return state_of(self).depth ? Qfalse : Qtrue; }

}  // namespace

void message_pack_to_json_init(VALUE sparpack) {
    VALUE native = rb_const_get(sparpack, rb_intern("Native"));
    VALUE state_class = rb_define_class_under(native, "MessageToJson", rb_cObject);
    rb_define_alloc_func(state_class, state_alloc);
    rb_define_method(state_class, "feed", method(feed), 3);
    rb_define_method(state_class, "path", method(path), 0);
    rb_define_method(state_class, "key?", method(expects_key), 0);
    rb_define_method(state_class, "idle?", method(idle), 0);
}

}  // namespace sparpack
