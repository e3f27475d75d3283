// MessagePack to JSON and back, bytes to bytes. No objects are made, and each byte is looked at once, even if they come in
// pieces: a grammar reads events (wire/pull.hpp), and a sink writes them in the other format. Results do not depend on where
// the pieces are cut.
#pragma once

#include "../bytes/limits.hpp"
#include "../glue/fault.hpp"
#include "../glue/output.hpp"
#include "../values/text.hpp"
#include "../wire/pull.hpp"

namespace sparpack {

// The beginning of the last key, for the paths in errors.
struct TranscodeKey {
    static constexpr size_t room = 55;

    uint8_t size;
    uint8_t bytes[room];
};

inline void key_keep(TranscodeKey &key, const uint8_t *data, size_t size) {
    key.size = static_cast<uint8_t>(size < TranscodeKey::room ? size : TranscodeKey::room);
    copy_bytes(key.bytes, data, key.size);
}

inline VALUE key_string(const TranscodeKey &key) { return rb_str_new(reinterpret_cast<const char *>(key.bytes), key.size); }

// The events of a grammar on their way to a sink, between the calls that feed bytes.
template <class Grammar, class Sink> struct Transcode {
    Pull<Grammar, Sink> events;
    PullLevel<Grammar, Sink> levels[depth_max + 1];

    void begin() { pull_begin(events, levels, depth_max); }

    // Returns the innermost open level.
    PullLevel<Grammar, Sink> &level() { return levels[events.top]; }

    // Passes one event. When a value is complete, another may follow.
    SPARPACK_INLINE bool step(Input &in, const uint8_t *&p, Sink &sink) {
        if (SPARPACK_UNLIKELY(pull_step(events, in, p, sink) == Step::failed)) return false;
        if (pull_is_done(events)) begin();
        return true;
    }
};

// The Ruby object that keeps a State, which is a Transcode, between calls. Ruby's tools show State::name.
template <class State> struct TranscodeObject {
    static size_t size(const void *) { return sizeof(State); }

    static inline const rb_data_type_t type = {
        State::name, {nullptr, RUBY_DEFAULT_FREE, size, nullptr, {nullptr}}, nullptr, nullptr, RUBY_TYPED_FREE_IMMEDIATELY};

    static VALUE allocate(VALUE klass) {
        VALUE object = rb_data_typed_object_zalloc(klass, sizeof(State), &type);
        data_of<State>(object)->begin();
        return object;
    }

    static State &of(VALUE self) { return *static_cast<State *>(rb_check_typeddata(self, &type)); }

    // idle? -> whether nothing is open
    static VALUE idle(VALUE self) { return of(self).events.top ? Qfalse : Qtrue; }

    // Defines the class of such objects.
    static VALUE define(VALUE module, const char *constant) {
        VALUE klass = rb_define_class_under(module, constant, rb_cObject);
        rb_define_alloc_func(klass, allocate);
        define_methods(klass, {{"idle?", idle}});
        return klass;
    }
};

// The bytes of one call, from an offset on. They are not shared with a frozen copy, because the caller frees their memory.
inline Input transcode_input(VALUE &bytes, VALUE offset, bool last, const uint8_t *&p) {
    if (!RB_TYPE_P(bytes, T_STRING)) fault_type("expected a String of bytes, got %" PRIsVALUE, rb_obj_class(bytes));
    size_t start = NUM2SIZET(offset), size = string_size(bytes);
    bytes = unlocked(bytes);
    if (start > size) fault_argument("the offset is past the end of the bytes");
    Input in(string_bytes(bytes), size, last);
    p = in.begin + start;
    return in;
}

}  // namespace sparpack
