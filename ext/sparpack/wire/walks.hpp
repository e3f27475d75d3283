// What several files read by, compiled once, in walks.cpp: a grammar and a sink become one function of up to 13 KB. A file
// that does not include this one compiles what it needs itself.
#pragma once

#include "pull_end.hpp"
#include "thrift/events.hpp"
#include "thrift/kept_copy.hpp"
#include "thrift/pass.hpp"
#include "walk.hpp"
#include "wires.hpp"

// Skips a value under the limits of sizes, measures a field that is kept, copies it, and writes it again.
#define SPARPACK_WALKS(X)                           \
    X(ThriftEvents<Compact>, Limited<Skip>)         \
    X(ThriftEvents<Binary>, Limited<Skip>)          \
    X(ThriftJson::Events, Counted<Limited<Skip>>)   \
    X(Json::Events, Counted<Limited<Skip>>)         \
    X(MessagePackEvents, Limited<Skip>)             \
    X(MessagePackForms::Events, Limited<Skip>)      \
    X(ThriftEvents<Compact>, Limited<BinarySize>)   \
    X(ThriftEvents<Binary>, Limited<BinarySize>)    \
    X(ThriftJson::Events, Limited<BinarySize>)      \
    X(ThriftEvents<Compact>, KeptCopy)              \
    X(ThriftEvents<Binary>, KeptCopy)               \
    X(ThriftJson::Events, KeptCopy)                 \
    X(ThriftEvents<Binary>, Limited<Copy<Compact>>) \
    X(ThriftEvents<Binary>, Limited<Copy<Binary>>)  \
    X(ThriftEvents<Binary>, Limited<Copy<ThriftJson>>)

// Finds the end of a payload that arrives in pieces.
#define SPARPACK_PULLS(X)    \
    X(ThriftEvents<Compact>) \
    X(ThriftEvents<Binary>)  \
    X(ThriftJson::Events)    \
    X(Json::Events)          \
    X(MessagePackForms::Events)

#define SPARPACK_WALK(Grammar, Sink)                                                                               \
    template const uint8_t *walk<Grammar, Sink>(Input &, const uint8_t *, Grammar::Level &, Sink &, Sink::Level &, \
                                                Sink::Level *, int);
#define SPARPACK_PULL(Grammar) template Pulled pull_end_find<Grammar>(PullEnd<Grammar> &, const uint8_t *, size_t);

namespace sparpack {

#define X(...) extern SPARPACK_WALK(__VA_ARGS__)
SPARPACK_WALKS(X)
#undef X
#define X(Grammar) extern SPARPACK_PULL(Grammar)
SPARPACK_PULLS(X)
#undef X

// Passes over a value of which nothing is known, but for the level that says what it is. Statuses: those of the wire and of
// the limits.
template <class Wire>
const uint8_t *skip_within(Input &in, const uint8_t *p, const typename Wire::Events::Level &level, SizeLimits limits,
                           int depth) {
    using Sink = std::conditional_t<Wire::traits.counts_elements, Limited<Skip>, Counted<Limited<Skip>>>;
    const uint8_t *end = pass_value<typename Wire::Events>(in, p, level, limits, depth);
    if (SPARPACK_LIKELY(end)) return end;
    Sink sink(in, limits);
    typename Sink::Level kept;
    return walk_value<typename Wire::Events>(in, p, level, sink, kept, depth);
}

}  // namespace sparpack
