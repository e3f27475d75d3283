// Reads the events of a payload that arrives in pieces. The levels are in the caller's memory, so reading can stop after any
// event and continue with other bytes.
//
// A piece may end anywhere, even inside a number, a key, an escape or a character. What belongs to an event that is cut is
// not read: the caller puts it in front of the next piece. The last piece has `Input::last`.
#pragma once

#include "events.hpp"
#include "sinks.hpp"

namespace sparpack {

// What is remembered about one open level. The parts are bases, because a sink's part is often empty.
template <class Grammar, class Sink> struct PullLevel : Grammar::Level, Sink::Level {
    typename Grammar::Level &grammar() { return *this; }
    const typename Grammar::Level &grammar() const { return *this; }
    typename Sink::Level &sink() { return *this; }
    const typename Sink::Level &sink() const { return *this; }
};

// `levels` are one more than the levels that may be open at a time. The first one is outside of all others.
template <class Grammar, class Sink> struct Pull {
    using Level = PullLevel<Grammar, Sink>;

    Level *levels;
    int depth;
    int top;
};

template <class Grammar, class Sink>
void pull_begin(Pull<Grammar, Sink> &pull, PullLevel<Grammar, Sink> *levels, int depth) {
    pull = {levels, depth, 0};
    levels[0].grammar() = Grammar::whole();
    levels[0].sink() = typename Sink::Level{};
}

// True if the payload's value is complete.
template <class Grammar, class Sink> SPARPACK_INLINE bool pull_is_done(const Pull<Grammar, Sink> &pull) {
    return pull.top == 0 && Grammar::is_done(pull.levels[0]);
}

// Reads one event at p and moves p behind it. The payload must not be complete.
// Statuses: those of the grammar, and those that the sink sets; truncated also if the event is cut.
template <class Grammar, class Sink>
SPARPACK_INLINE Step pull_step(Pull<Grammar, Sink> &pull, Input &in, const uint8_t *&p, Sink &sink) {
    auto &level = pull.levels[pull.top];
    auto *inner = pull.top < pull.depth ? &level + 1 : nullptr;
    Emit<Sink> emit = {sink, level.sink(), pull.top ? &(&level - 1)->sink() : nullptr, inner ? &inner->sink() : nullptr};
    Step step = Grammar::next(level.grammar(), inner ? &inner->grammar() : nullptr, in, p, emit);
    if (step == Step::opened) pull.top++;
    if (step == Step::closed) pull.top--;
    return step;
}

enum class Pulled : uint8_t { event, done, more, stopped, bad };

inline Pulled pull_failure(const Input &in) {
    if (in.status == Status::ok) return Pulled::stopped;
    return in.status == Status::truncated && !in.last ? Pulled::more : Pulled::bad;
}

// Passes all events to the sink, up to the end of the payload or of the piece.
template <class Grammar, class Sink> Pulled pull_all(Pull<Grammar, Sink> &pull, Input &in, const uint8_t *&p, Sink &sink) {
    while (!pull_is_done(pull)) {
        if (pull_step(pull, in, p, sink) == Step::failed) return pull_failure(in);
    }
    return Pulled::done;
}

// Returns how many bytes at least must follow the end of the input before the payload can be complete. Reading must have
// stopped with truncated.
template <class Grammar, class Sink> size_t pull_missing(const Pull<Grammar, Sink> &pull, const Input &in) {
    size_t missing = in.missing + Grammar::least(pull.levels[pull.top], true);
    for (int i = 0; i < pull.top; i++) missing += Grammar::least(pull.levels[i], false);
    return missing ? missing : 1;
}

// Returns one event in `event`, or says why there is none.
template <class Grammar> Pulled pull_event(Pull<Grammar, Record> &pull, Input &in, const uint8_t *&p, Event &event) {
    if (pull_is_done(pull)) return Pulled::done;
    Record record{event};
    event.depth = pull.top;
    return pull_step(pull, in, p, record) == Step::failed ? pull_failure(in) : Pulled::event;
}

}  // namespace sparpack
