// Reads the events of a whole payload, or of one value in it. The levels are on the C stack, and the grammar and the sink
// become one function. The depth is bounded, and every claimed size is checked against the bytes left, as in a decode.
#pragma once

#include "events.hpp"

namespace sparpack {

// Reads one event. A debug build, which gives each local variable a place of its own, makes this a function: in the frames
// of the recursion they would take more than a kilobyte for each level.
#ifdef SPARPACK_DEBUG
template <class Grammar, class Sink>
[[gnu::noinline]] Step walk_step(typename Grammar::Level &level, typename Grammar::Level *inner, Input &in,
                                 const uint8_t *&p, const Emit<Sink> &emit) {
#else
template <class Grammar, class Sink>
SPARPACK_INLINE Step walk_step(typename Grammar::Level &level, typename Grammar::Level *inner, Input &in, const uint8_t *&p,
                               const Emit<Sink> &emit) {
#endif
    return Grammar::next(level, inner, in, p, emit);
}

// Reads on in an open level until it is closed, or until the one value of a level outside of all others is complete. `depth`
// is how many more levels may be opened. Statuses: those of the grammar, and those that the sink sets.
template <class Grammar, class Sink>
const uint8_t *walk(Input &in, const uint8_t *p, typename Grammar::Level &level, Sink &sink, typename Sink::Level &kept,
                    typename Sink::Level *outer, int depth) {
    typename Grammar::Level inner;
    typename Sink::Level inner_kept;
    Emit<Sink> emit = {sink, kept, outer, &inner_kept};
    for (;;) {
        switch (walk_step<Grammar>(level, depth > 0 ? &inner : nullptr, in, p, emit)) {
        case Step::failed: return nullptr;
        case Step::closed: return p;
        case Step::stayed: break;
        case Step::opened:
            if (!(p = walk<Grammar>(in, p, inner, sink, inner_kept, &kept, depth - 1))) return nullptr;
        }
        if (Grammar::is_done(level)) return p;
    }
}

// Reads one value. `kept` is what the sink remembers about the place where the value is.
template <class Grammar, class Sink>
const uint8_t *walk_value(Input &in, const uint8_t *p, typename Grammar::Level level, Sink &sink, typename Sink::Level &kept,
                          int depth) {
    return walk<Grammar>(in, p, level, sink, kept, nullptr, depth);
}

// Reads a payload's first value.
template <class Grammar, class Sink> const uint8_t *walk_whole(Input &in, const uint8_t *p, Sink &sink, int depth) {
    typename Sink::Level kept{};
    return walk_value<Grammar>(in, p, Grammar::whole(), sink, kept, depth);
}

}  // namespace sparpack
