// Where an encode writes: first a buffer on the stack, then a Ruby String that doubles and is cut to size at the end. After
// a longjmp there is nothing to clean up, because the garbage collector owns the String.
#pragma once

#include "../bytes/writer.hpp"
#include "../values/text.hpp"

namespace sparpack {

SPARPACK_COLD uint8_t *output_grow(Writer &w, uint8_t *p, size_t need);

// What a converter may write of one payload. A small payload must not become a large output, so what is written is limited
// as the memory of objects is. An encode has no such limit, because its object is the caller's own.
struct OutputLimit {
    int64_t most;      // bytes
    VALUE klass;       // of the payload
    const char *wire;  // that is read
    size_t place;      // of the payload in the input
};

// Raises DecodeError::LimitExceeded.
[[noreturn]] void output_refuse(const OutputLimit &limit);

struct Output;

// Called before an output grows, with the bytes that are used. May raise.
using OutputWatch = void (*)(const Output &output, size_t used);

SPARPACK_COLD void output_begin(Output &output);  // begins in a String; only in a bench build

struct Output {
    static constexpr size_t stack_size = 4096;

    Writer writer;      // first, so that output_grow can cast a Writer to its Output
    uint8_t *end;       // of the memory; the writer's end is before it while the pages between them are not present
    VALUE string;       // Qfalse while the stack is enough
    uint32_t epoch;     // a new one begins when something is allocated or Ruby code runs, so what was read before is stale
    bool in_parts;      // it is emptied as it grows, so its final size is unknown
    OutputWatch watch;  // or nullptr
    uint8_t stack[stack_size];

    Output() : string(Qfalse), epoch(0), in_parts(false), watch(nullptr) {
        writer.begin = stack;
        end = writer.end = stack + stack_size;
        writer.grow = output_grow;
#ifdef SPARPACK_DEBUG
        writer.reserved = stack;
#endif
        if (!technique::memory_reuse) output_begin(*this);
    }

    // Writes to memory that somebody else owns, by the Writer of that.
    explicit Output(const Writer &to) : writer(to), end(to.end), string(Qfalse), epoch(0), in_parts(false), watch(nullptr) {}

    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;
};

// The encoding of a String that an encode writes to. Nobody sees it, and output_finish sets another one.
constexpr int output_open = us_ascii_index;

// True if an encode no longer owns the memory that it would write to. A continuation may return into Ruby code that an
// encode has called, whenever it likes. It brings back the frames as they were then, but not the String: by now somebody may
// have that, or its memory has moved.
SPARPACK_INLINE bool output_has_ended(const Output &output) {
    VALUE string = output.string;
    if (SPARPACK_LIKELY(!string)) return false;
    // Such a String is too long for a slot. RSTRING_PTR would ask twice whether it is in one.
    return SPARPACK_UNLIKELY(RB_ENCODING_GET_INLINED(string) != output_open) ||
           reinterpret_cast<const uint8_t *>(RSTRING(string)->as.heap.ptr) != output.writer.begin;
}

// Raises if the encode has ended. `state` has the output, and its room says by `fail_ended` what is raised.
template <class State> SPARPACK_INLINE void output_check(const State &state) {
    if (SPARPACK_UNLIKELY(output_has_ended(state.output))) fail_ended(state);
}

// To be called after Ruby code ran in the middle of an encode.
template <class State> SPARPACK_INLINE void ruby_ran(State &state) {
    state.output.epoch++;
    output_check(state);
}

// Calls Ruby code in the middle of an encode, and returns what it returns. This is the only way to do so, because nobody
// would remember after every call to ask whether the encode still goes on (test/house/ruby_calls_test.rb).
template <class State, class Call> SPARPACK_INLINE auto call_ruby(State &state, Call call) {
    auto result = call();
    ruby_ran(state);
    return result;
}

// True if the bytes up to the cursor did not fit on the stack.
SPARPACK_INLINE bool output_is_long(const Output &output, [[maybe_unused]] const uint8_t *p) {
    if (technique::memory_reuse) return output.string;
    return static_cast<size_t>(p - output.writer.begin) > Output::stack_size;
}

// Takes the bytes of an encode. Without a target, they become a String of their own.
struct OutputTarget {
    VALUE string = 0;         // they are appended to it, once they are complete
    Output *outer = nullptr;  // or they are written to that of a packing, behind those that are used
    size_t used = 0;
    void (*fail)(const OutputTarget &) = nullptr;  // raises: something else has written to that output meanwhile
    uint32_t epoch = 0;                            // of that output, when it was last looked at
};

SPARPACK_INLINE void output_check_target(const OutputTarget &target) {
    if (SPARPACK_UNLIKELY(target.outer->epoch != target.epoch)) target.fail(target);
}

// Returns the bytes up to the cursor as an unfrozen ASCII-8BIT String.
VALUE output_finish(Output &output, const uint8_t *p);

// Appends the bytes up to the cursor to a String, and returns it.
VALUE output_append(Output &output, const uint8_t *p, VALUE string);

}  // namespace sparpack
