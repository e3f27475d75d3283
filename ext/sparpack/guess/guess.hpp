// What bytes are that could not be decoded: the payload of another wire, another format, or a payload with something
// around it. Called when a decode has failed, and by Sparpack.guess.
#pragma once

#include "../plan/plan.hpp"
#include "../wire/signs.hpp"

namespace sparpack {

// What follows the payloads that were read.
enum class Rest : uint8_t {
    none,     // nothing
    unread,   // others, perhaps, at which nobody looked
    cut,      // the beginning of another one
    strange,  // bytes that are none
};

// One layer of the bytes: a format, and which bytes it holds if it is only a frame around them.
struct Layer {
    Sign sign = Sign::none;
    bool fits = false;    // its fields are those of the schema
    uint32_t at = 0;      // where the inner bytes begin
    uint32_t size = 0;    // their number
    bool to_end = false;  // they go on to the end of the bytes
    uint32_t count = 1;   // payloads that were read, one after the other; or frames
    Rest rest = Rest::none;
};

// The layers around a payload, from the outside in: for example base64, then a frame, then the payload.
struct Guess {
    static constexpr int layers_max = 4;

    int count = 0;
    Layer layers[layers_max];
};

// Which bytes a payload was expected in.
enum class Extent : uint8_t {
    whole,   // all of them
    begin,   // the first ones
    later,   // the first ones, after other payloads that were in order
    stream,  // nobody knows: there may be several payloads
};

// Looks at a limited number of bytes, whatever their size. Makes no objects and runs no Ruby code. `link` is the schema of
// the payload that was expected, or nullptr. `tried` is the wire that has failed, or `none`.
Guess guess(const Stretch &all, const Link *link, Sign tried, Extent extent);

// Returns a hint for the message of an error, or nil.
VALUE guess_hint(const Stretch &all, const Link *link, WireId tried, Extent extent);

}  // namespace sparpack
