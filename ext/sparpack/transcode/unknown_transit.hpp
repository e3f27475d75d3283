// Fields that the link does not have: they are skipped, or copied to a wire that can carry them.
#pragma once

#include "../wire/sinks.hpp"
#include "../wire/thrift_copy.hpp"
#include "../wire/thrift_events.hpp"
#include "transit.hpp"

namespace sparpack {

namespace {

// What a decode charges at most for keeping a field. If more is charged here, the payload is decoded, which knows better.
// The first kept field of an object costs most, and a field of Thrift's is kept in the binary protocol, where it takes up to
// twelve times as many bytes.
inline int64_t kept_most(size_t size) {
    constexpr size_t growth = 12;
    const size_t kept = growth * (size + 1);
    const int64_t bytes = string_cost(kept) + static_cast<int64_t>(kept + 4 * word_size);
    return array_cost(0) + 2 * string_cost(0) + array_cost(2) + bytes;
}

// Called behind an unknown field that begins at `begin`.
template <class From>
SPARPACK_COLD bool charges_kept(Transit &t, const typename From::Frame &frame, const uint8_t *begin, const uint8_t *end) {
    if (!t.rules.keeps) return true;
    return t.charges(kept_most(From::found(frame).name_size + static_cast<size_t>(end - begin)));
}

template <class From>
SPARPACK_COLD const uint8_t *skip_unknown(Transit &t, const uint8_t *p, const typename From::Frame &frame, int depth) {
    using Sink = std::conditional_t<From::traits.counts_elements, Limited<Skip>, Counted<Limited<Skip>>>;
    Sink sink(t.in, t.rules.sizes());
    typename Sink::Level kept;
    const uint8_t *end = walk_value<typename From::Events>(t.in, p, From::Events::field_value(frame), sink, kept, depth);
    return end && charges_kept<From>(t, frame, p, end) ? end : nullptr;
}

// Copies a field that the link does not have, between wires with Thrift's types. What an object keeps of unknown fields is
// written in the same way (codec/unknown_writer.hpp).
template <class From, class To>
SPARPACK_COLD Places copy_unknown(Transit &t, Places at, const typename From::Frame &from, typename To::Frame &to,
                                  int depth) {
    const FoundField found = From::found(from);
    Limited<Copy<To>> copy(t.in, t.rules.sizes(), t.writer(), at.out);
    typename Copy<To>::Level level{to, 0};
    copy.field(level, {{at.in, at.in}, found.id, found.type});
    const uint8_t *end = walk_value<typename From::Events>(t.in, at.in, From::Events::field_value(from), copy, level, depth);
    if (!end || !charges_kept<From>(t, from, at.in, end)) return given_up;
    to = level.frame;
    return {end, copy.p};
}

}  // namespace

}  // namespace sparpack
