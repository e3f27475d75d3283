// Sinks for the events of any wire: one that ignores them, one that records them, and one that enforces limits for another.
#pragma once

#include "../bytes/limits.hpp"
#include "events.hpp"

namespace sparpack {

// Ignores all events. It serves to find the end of a value.
struct Skip {
    struct Level {};

    bool field(Level &, const event::Field &) { return true; }
    bool scalar(Level &, const event::Scalar &) { return true; }
    bool open(Level &, Level &, const event::Open &) { return true; }
    bool close(Level &, Level &, const event::Close &) { return true; }
};

// Any event.
struct Event {
    enum class Kind : uint8_t { field, scalar, open, close };

    Kind kind;
    int depth;  // how many levels were open before it
    union {
        event::Field field;
        event::Scalar scalar;
        event::Open open;
        event::Close close;
    };

    Event() : kind(Kind::close), depth(0), close{} {}

    const event::Range &range() const {
        switch (kind) {
        case Kind::field: return field;
        case Kind::scalar: return scalar;
        case Kind::open: return open;
        case Kind::close: break;
        }
        return close;
    }
};

// Keeps the last event.
struct Record {
    struct Level {};

    Event &event;

    bool field(Level &, const event::Field &field) { return event.kind = Event::Kind::field, event.field = field, true; }
    bool scalar(Level &, const event::Scalar &scalar) {
        return event.kind = Event::Kind::scalar, event.scalar = scalar, true;
    }
    bool open(Level &, Level &, const event::Open &open) { return event.kind = Event::Kind::open, event.open = open, true; }
    bool close(Level &, Level &, const event::Close &close) {
        return event.kind = Event::Kind::close, event.close = close, true;
    }
};

// A sink that refuses larger strings and containers than these limits allow. Statuses: string_too_long,
// container_too_large.
template <class Sink> struct Limited : Sink {
    using Level = typename Sink::Level;

    Input &in;
    SizeLimits limits;

    template <class... Arguments>
    Limited(Input &input, SizeLimits sizes, Arguments &&...arguments) : Sink{arguments...}, in(input), limits(sizes) {}

    SPARPACK_INLINE bool scalar(Level &level, const event::Scalar &scalar) {
        bool is_string = scalar.type == event::Type::text || scalar.type == event::Type::bytes;
        if (is_string && static_cast<int64_t>(scalar.text.unescaped) > limits.string)
            return input_fail(in, Status::string_too_long, scalar.begin), false;
        return Sink::scalar(level, scalar);
    }

    SPARPACK_INLINE bool open(Level &outer, Level &inner, const event::Open &open) {
        bool is_counted = open.container != event::Container::struct_ && open.count != event::Open::unknown;
        if (is_counted && static_cast<int64_t>(open.count) > limits.container)
            return input_fail(in, Status::container_too_large, open.begin), false;
        return Sink::open(outer, inner, open);
    }
};

// The same limit of containers for wires that do not say how many elements follow: the elements are counted.
template <class Sink> struct Counted : Sink {
    struct Level : Sink::Level {
        int64_t count = 0;
    };

    using Sink::Sink;

    SPARPACK_INLINE bool scalar(Level &level, const event::Scalar &scalar) {
        return counts(level, scalar, scalar.place) && Sink::scalar(level, scalar);
    }

    SPARPACK_INLINE bool open(Level &outer, Level &inner, const event::Open &open) {
        return counts(outer, open, open.place) && Sink::open(outer, inner, open);
    }

private:
    SPARPACK_INLINE bool counts(Level &level, const event::Range &at, event::Place place) {
        bool counted = place == event::Place::element || place == event::Place::key;
        if (counted && ++level.count > this->limits.container)
            return input_fail(this->in, Status::container_too_large, at.begin), false;
        return true;
    }
};

}  // namespace sparpack
