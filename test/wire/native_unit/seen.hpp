// Reads the events of a payload at once and in pieces, to compare what both forms of a grammar see.
#pragma once

#include <cstdlib>
#include <vector>

#include "wire/json/events.hpp"
#include "wire/pull_end.hpp"
#include "wire/thrift/json.hpp"
#include "wire/walk.hpp"

namespace seen {

using namespace sparpack;

// An event: where it was, and a number that depends on everything that it says.
struct Seen {
    Event::Kind kind;
    int depth;
    size_t begin, end;
    uint64_t hash;

    bool operator==(const Seen &other) const {
        return kind == other.kind && depth == other.depth && begin == other.begin && end == other.end && hash == other.hash;
    }
    bool operator!=(const Seen &other) const { return !(*this == other); }
};

struct Hash {
    uint64_t sum = 0xcbf29ce484222325u;

    template <class T> void add(T value) { sum = (sum ^ static_cast<uint64_t>(value)) * 0x100000001b3u; }

    void add(const event::Text &text) {
        add(text.size), add(text.unescaped), add(text.escaped), add(text.broken), add(text.type);
        for (size_t i = 0; i < text.size; i++) add(text.data[i]);
    }

    void add(const event::Decimal &decimal) {
        add(decimal.integer), add(decimal.negative), add(decimal.exact), add(decimal.mantissa), add(decimal.exponent);
    }

    void add(const event::Scalar &scalar) {
        add(scalar.type), add(scalar.place), add(scalar.wire_type), add(scalar.negative);
        switch (scalar.type) {
        case event::Type::nil: break;
        case event::Type::boolean: add(scalar.boolean); break;
        case event::Type::integer: add(scalar.integer); break;
        case event::Type::real: {
            uint64_t bits;
            memcpy(&bits, &scalar.real, sizeof bits);
            add(bits);
            break;
        }
        case event::Type::decimal: add(scalar.decimal); break;
        case event::Type::text:
        case event::Type::bytes:
        case event::Type::ext:
        case event::Type::uuid: add(scalar.text); break;
        }
    }
};

// The bytes begin at `origin`, which is the offset `base` of the payload.
struct See {
    const uint8_t *origin;
    size_t base;

    Seen at(const event::Range &range, Event::Kind kind, int depth, const Hash &hash) const {
        return {kind, depth, base + static_cast<size_t>(range.begin - origin),
                base + static_cast<size_t>(range.end - origin), hash.sum};
    }

    Seen see(const event::Field &field, int depth) const {
        Hash hash;
        hash.add(field.id), hash.add(field.type);
        return at(field, Event::Kind::field, depth, hash);
    }

    Seen see(const event::Scalar &scalar, int depth) const {
        Hash hash;
        hash.add(scalar);
        return at(scalar, Event::Kind::scalar, depth, hash);
    }

    Seen see(const event::Open &open, int depth) const {
        Hash hash;
        hash.add(open.container), hash.add(open.place), hash.add(open.count), hash.add(open.first), hash.add(open.second);
        return at(open, Event::Kind::open, depth, hash);
    }

    Seen see(const event::Close &close, int depth) const {
        Hash hash;
        hash.add(close.container);
        return at(close, Event::Kind::close, depth, hash);
    }

    Seen see(const Event &event) const {
        switch (event.kind) {
        case Event::Kind::field: return see(event.field, event.depth);
        case Event::Kind::scalar: return see(event.scalar, event.depth);
        case Event::Kind::open: return see(event.open, event.depth);
        case Event::Kind::close: break;
        }
        return see(event.close, event.depth);
    }
};

// What was seen of a payload, where reading ended, and why. `end` is the place of the fault unless the status is ok.
struct Events {
    std::vector<Seen> all;
    size_t end;
    Status status;
};

// Takes the events of a walk. Its levels count themselves.
struct Collect {
    struct Level {
        int depth;
    };

    const Input &in;
    std::vector<Seen> &all;

    template <class E> bool add(const E &event, int depth) {
        return all.push_back(See{in.begin, 0}.see(event, depth)), true;
    }

    bool field(Level &level, const event::Field &field) { return add(field, level.depth); }
    bool scalar(Level &level, const event::Scalar &scalar) { return add(scalar, level.depth); }
    bool open(Level &outer, Level &inner, const event::Open &open) {
        inner.depth = outer.depth + 1;
        return add(open, outer.depth);
    }
    bool close(Level &inner, Level &, const event::Close &close) { return add(close, inner.depth); }
};

template <class Grammar> Events at_once(const uint8_t *bytes, size_t size, int depth) {
    Events events = {{}, 0, Status::ok};
    Input in(bytes, size);
    Collect collect{in, events.all};
    const uint8_t *p = walk_whole<Grammar>(in, bytes, collect, depth);
    events.status = in.status;
    events.end = static_cast<size_t>((p ? p : in.at) - bytes);
    return events;
}

// `cut(at)` returns how many bytes come next. Each piece has memory of exactly its size, so that a sanitizer notices reads
// beyond it.
template <class Grammar, class Cut> Events in_pieces(const uint8_t *bytes, size_t size, int depth, Cut cut) {
    Events events = {{}, 0, Status::ok};
    std::vector<PullLevel<Grammar, Record>> levels(static_cast<size_t>(depth) + 1);
    Pull<Grammar, Record> pull;
    pull_begin(pull, levels.data(), depth);
    for (size_t begin = 0, end = 0;;) {
        size_t more = cut(end);
        end += more < size - end ? more : size - end;
        size_t count = end - begin;
        uint8_t *piece = static_cast<uint8_t *>(malloc(count ? count : 1));
        if (!piece) abort();
        if (count) memcpy(piece, bytes + begin, count);
        Input in(piece, count, end == size);
        const uint8_t *p = piece;
        Event event;
        Pulled pulled;
        while ((pulled = pull_event(pull, in, p, event)) == Pulled::event)
            events.all.push_back(See{piece, begin}.see(event));
        events.status = in.status;
        events.end = begin + static_cast<size_t>((pulled == Pulled::done ? p : in.at) - piece);
        begin += static_cast<size_t>(p - piece);
        free(piece);
        if (pulled != Pulled::more) return events;
    }
}

// True if both forms saw the same. A walk of bytes that end too early may find that from a count, before it sees the
// elements that are there.
inline bool same(const Events &whole, const Events &pieces) {
    bool early = whole.status == Status::truncated;
    if (pieces.all.size() < whole.all.size() || (!early && pieces.all.size() > whole.all.size())) return false;
    for (size_t i = 0; i < whole.all.size(); i++) {
        if (whole.all[i] != pieces.all[i]) return false;
    }
    return early ? pieces.status != Status::ok : pieces.status == whole.status && pieces.end == whole.end;
}

// True if the events follow one another without a gap, from the first byte to the end. JSON has separators in between.
template <class Grammar> bool tiles(const Events &events, const uint8_t *bytes) {
    size_t at = 0;
    for (const Seen &seen : events.all) {
        constexpr bool is_json =
            std::is_same<Grammar, JsonEvents>::value || std::is_same<Grammar, ThriftJson::Events>::value;
        for (; is_json && at < seen.begin; at++) {
            if (!JsonText::is_space(bytes[at]) && bytes[at] != ',' && bytes[at] != ':') return false;
        }
        if (seen.begin != at || seen.end < at) return false;
        at = seen.end;
    }
    return events.status != Status::ok || at == events.end;
}

// True if a reader that takes only as many bytes as must follow at least comes to the end of the payload, and not beyond it.
// `piece` is the most that it gets at a time. Only what follows a number of JSON ends it, so that is no payload of its own.
template <class Grammar> bool reads_exactly(const uint8_t *bytes, size_t size, int depth, size_t piece = SIZE_MAX) {
    Events whole = at_once<Grammar>(bytes, size, depth);
    bool ends = whole.status == Status::ok && whole.all[0].kind == Event::Kind::open;
    std::vector<typename PullEnd<Grammar>::Level> levels(static_cast<size_t>(depth) + 1);
    PullEnd<Grammar> end;
    pull_end_begin(end, levels.data(), depth);
    for (size_t there = 0;;) {
        std::vector<uint8_t> some(bytes, bytes + there);
        some.reserve(1);
        Pulled pulled = pull_end_find(end, some.data(), there);
        if (pulled == Pulled::done) return !ends || (there == whole.end && end.at == there);
        if (pulled != Pulled::more) return whole.status != Status::ok;
        if (end.missing == 0 || (ends && end.missing > whole.end - there)) return false;
        size_t more = end.missing < piece ? end.missing : piece;
        if (more > size - there) return !ends;
        there += more;
    }
}

}  // namespace seen
