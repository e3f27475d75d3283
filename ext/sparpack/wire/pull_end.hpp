// Finds the end of a payload that arrives in pieces, and says how many bytes at least are missing. So it can be read from an
// io without reading ahead. The caller keeps all bytes of the payload that have come.
#pragma once

#include "pull.hpp"
#include "sinks.hpp"

namespace sparpack {

template <class Grammar> struct PullEnd {
    using Level = typename Pull<Grammar, Skip>::Level;

    Pull<Grammar, Skip> pull;
    size_t at;       // how far the payload was read
    size_t size;     // how many bytes there were
    size_t seen;     // how many bytes of the event at `at`, which is cut, were looked at
    size_t missing;  // after `more`: how many bytes at least must follow
    bool any_text;   // see Input
};

template <class Grammar>
void pull_end_begin(PullEnd<Grammar> &end, typename PullEnd<Grammar>::Level *levels, int depth, bool any_text = false) {
    end = {};
    end.any_text = any_text;
    pull_begin(end.pull, levels, depth);
}

// Looks on, now that there are `size` bytes. `at` is the end if the result is done.
//
// A container is not opened before there are as many bytes as its count claims. A decode of bytes that are found to be bad
// would otherwise say that they are cut off.
template <class Grammar> Pulled pull_end_find(PullEnd<Grammar> &end, const uint8_t *bytes, size_t size) {
    const uint8_t *p = bytes + end.at;
    bool was_cut = end.at < end.size;
    end.size = size;
    if (was_cut && Grammar::is_still_cut(p, end.seen, bytes + size)) return Pulled::more;
    Input in(bytes, size, false);
    in.counts = Counts::checked;
    in.any_text = end.any_text;
    Skip sink;
    Pulled result = pull_all(end.pull, in, p, sink);
    size_t at = static_cast<size_t>(p - bytes);
    if (at != end.at) end.seen = 0;
    end.at = at;
    if (result == Pulled::more) end.missing = pull_missing(end.pull, in);
    return result;
}

// True after `more` if no part of a payload has come: there are no bytes, or only such as may stand before it.
template <class Grammar> bool pull_end_is_blank(const PullEnd<Grammar> &end) {
    return end.at == end.size && (end.size == 0 || end.pull.top == 0);
}

}  // namespace sparpack
