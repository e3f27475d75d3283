// Events are what a wire's bytes say, without a schema and without objects: a struct, a list, a set or a map opens and
// closes, a field begins, and a scalar is there.
//
// Each wire has one grammar, which reads the next event: `thrift/events.hpp` for all of Thrift's wires,
// `message_pack/events.hpp` and `json/events.hpp`. A grammar has
//
//     struct Level           what it remembers about one open struct or container
//     static Level whole()   the level outside of all others, which holds one value
//     static bool is_done(const Level &)   whether that value is complete
//     static Step next(Level &, Level *inner, Input &, const uint8_t *&p, Emit)
//     static size_t least(const Level &, bool reading)
//     static bool is_still_cut(const uint8_t *event, size_t &seen, const uint8_t *end)
//
// `next` reads one event of an open level and passes it to a sink. If the event opens a level, it fills `inner`, which is
// nullptr if no more levels are allowed. `p` moves only over what was read, so that an event which failed can be read again.
//
// `least` is how many bytes at least a level still needs: all that is left of it, or if `reading`, what comes behind its
// next event. A reader that must not read ahead asks its io for as many. It may be 0, but then such a reader asks more
// often.
//
// `is_still_cut` says whether an event of which `seen` bytes were looked at is surely cut still. It looks only at the bytes
// behind those. A grammar needs it if it cannot tell from the beginning of an event how long that is, because large events
// in small pieces would take too long. Others return false.
//
// The grammar of a wire of structs also has `static Level field_value(const Frame &)`: the level that holds the value of a
// field whose header was read.
//
// The same grammar serves two forms. `walk.hpp` reads a whole payload and keeps the levels on the C stack. `pull.hpp` reads
// a payload that arrives in pieces and keeps the levels in its caller's memory.
//
// A sink takes events. It has
//
//     struct Level           what it remembers about one open struct or container; it begins empty
//     bool field(Level &, const event::Field &)
//     bool scalar(Level &, const event::Scalar &)
//     bool open(Level &outer, Level &inner, const event::Open &)
//     bool close(Level &inner, Level &outer, const event::Close &)
//
// A sink that returns false refuses the event. Reading stops before it, with the status that the sink has set, or with ok.
// `sinks.hpp` has the sinks that take the events of any wire, and `thrift/copy.hpp` those that write one of Thrift's wires.
#pragma once

#include "../bytes/reader.hpp"
#include "wire_type.hpp"

namespace sparpack {

namespace event {

// A value's place in what holds it. `whole` is held by nothing.
enum class Place : uint8_t { whole, field, element, key, value };

enum class Container : uint8_t { struct_, list, set, map };

// The types of scalars. Thrift has one type for text and bytes, whose scalars are text. A JSON number that is not an integer
// of 64 bits is a decimal.
enum class Type : uint8_t { nil, boolean, integer, real, decimal, text, bytes, ext, uuid };

// Where an event's bytes are. The ranges of a payload's events follow one another without a gap. Only JSON has bytes between
// them: white space, commas and colons. A range may be empty: Thrift's lists end without a byte, and the value of a bool can
// be part of its field's header.
struct Range {
    const uint8_t *begin;
    const uint8_t *end;

    size_t size() const { return static_cast<size_t>(end - begin); }
};

// The header of a struct's field. The value follows.
struct Field : Range {
    int32_t id;
    WireType type;
};

// The beginning of a struct or a container. `count` is the number of elements or pairs, or `unknown`. Thrift's containers
// have the types of their elements, or of their keys and values. On other wires these are `stop`.
struct Open : Range {
    static constexpr uint64_t unknown = UINT64_MAX;

    Container container;
    Place place;
    uint64_t count;
    WireType first;
    WireType second;
};

struct Close : Range {
    Container container;
};

// A number as text writes it: mantissa times 10 to the power of the exponent.
struct Decimal {
    bool integer;  // neither a point nor an exponent
    bool negative;
    bool exact;         // the mantissa holds all digits
    uint64_t mantissa;  // all digits, including those behind a point
    int64_t exponent;   // power of 10
};

// The bytes of a text, of bytes, a uuid or an extension type, without a header or quotes.
struct Text {
    const uint8_t *data;
    size_t size;
    size_t unescaped;  // bytes after unescaping
    bool escaped;
    bool broken;  // JSON only: not UTF-8, or with half of a surrogate pair. Other grammars leave the check to the sink.
    int8_t type;  // of an extension type
};

struct Scalar : Range {
    Type type;
    Place place;
    WireType wire_type;  // on Thrift's wires
    bool negative;       // of an integer
    union {
        bool boolean;
        uint64_t integer;  // in two's complement
        double real;
        Text text;
        Decimal decimal;
    };

    int64_t signed_integer() const { return static_cast<int64_t>(integer); }
};

}  // namespace event

// What reading an event did to the levels. After `failed` the input has a status, unless the sink just wants to stop.
enum class Step : uint8_t { failed, stayed, opened, closed };

// A sink with the levels that an event concerns.
template <class Sink> struct Emit {
    using Level = typename Sink::Level;

    Sink &sink;
    Level &level;
    Level *outer;
    Level *inner;

    SPARPACK_INLINE Step field(const event::Field &field) const { return said(sink.field(level, field), Step::stayed); }
    SPARPACK_INLINE Step scalar(const event::Scalar &scalar) const { return said(sink.scalar(level, scalar), Step::stayed); }
    SPARPACK_INLINE Step open(const event::Open &open) const {
        *inner = Level{};
        return said(sink.open(level, *inner, open), Step::opened);
    }
    SPARPACK_INLINE Step close(const event::Close &close) const {
        return said(sink.close(level, *outer, close), Step::closed);
    }

private:
    static SPARPACK_INLINE Step said(bool taken, Step step) { return taken ? step : Step::failed; }
};

}  // namespace sparpack
