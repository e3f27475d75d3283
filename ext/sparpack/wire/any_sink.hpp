// Any sink, known only by its functions. So a grammar is compiled once for all sinks that seldom take events.
#pragma once

#include <type_traits>

#include "walk.hpp"

namespace sparpack {

struct AnySink {
    // The level of the sink, whose type only its functions know.
    struct Level {
        alignas(8) uint8_t bytes[80];
    };

    struct Functions {
        bool (*field)(void *sink, Level &level, const event::Field &field);
        bool (*scalar)(void *sink, Level &level, const event::Scalar &scalar);
        bool (*open)(void *sink, Level &outer, Level &inner, const event::Open &open);
        bool (*close)(void *sink, Level &level, Level &outer, const event::Close &close);
    };

    void *sink;
    const Functions *functions;

    bool field(Level &level, const event::Field &field) { return functions->field(sink, level, field); }
    bool scalar(Level &level, const event::Scalar &scalar) { return functions->scalar(sink, level, scalar); }
    bool open(Level &outer, Level &inner, const event::Open &open) { return functions->open(sink, outer, inner, open); }
    bool close(Level &level, Level &outer, const event::Close &close) { return functions->close(sink, level, outer, close); }
};

// The functions of a sink.
template <class Sink> struct Erased {
    using Level = typename Sink::Level;
    static_assert(sizeof(Level) <= sizeof(AnySink::Level) && std::is_trivially_copyable_v<Level>);

    static Sink &of(void *sink) { return *static_cast<Sink *>(sink); }
    static Level &of(AnySink::Level &level) { return *reinterpret_cast<Level *>(level.bytes); }

    static bool field(void *sink, AnySink::Level &level, const event::Field &field) {
        return of(sink).field(of(level), field);
    }
    static bool scalar(void *sink, AnySink::Level &level, const event::Scalar &scalar) {
        return of(sink).scalar(of(level), scalar);
    }
    static bool open(void *sink, AnySink::Level &outer, AnySink::Level &inner, const event::Open &open) {
        of(inner) = Level{};
        return of(sink).open(of(outer), of(inner), open);
    }
    static bool close(void *sink, AnySink::Level &level, AnySink::Level &outer, const event::Close &close) {
        return of(sink).close(of(level), of(outer), close);
    }

    static constexpr AnySink::Functions functions = {field, scalar, open, close};
};

// Reads one value, as walk_value does.
template <class Grammar, class Sink>
const uint8_t *walk_erased(Input &in, const uint8_t *p, typename Grammar::Level level, Sink &sink,
                           typename Sink::Level &kept, int depth) {
    AnySink any{&sink, &Erased<Sink>::functions};
    AnySink::Level erased;
    Erased<Sink>::of(erased) = kept;
    p = walk<Grammar>(in, p, level, any, erased, static_cast<AnySink::Level *>(nullptr), depth);
    kept = Erased<Sink>::of(erased);
    return p;
}

}  // namespace sparpack
