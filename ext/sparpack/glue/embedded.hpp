// How the engine of MessagePack, which does not know the codec, leaves the data of extension types to it. native.cpp passes
// the codec's functions to the engine.
#pragma once

#include "output.hpp"

namespace sparpack {

// Writes an object to the output of a packing, and sets how many bytes of that are used. May run Ruby code, and raises what
// Codec#encode raises.
using EmbeddedWrite = void (*)(VALUE codec, VALUE object, OutputTarget &target);

// A payload inside other bytes, which nobody changes while it is read.
struct Embedded {
    const uint8_t *begin;
    size_t size;
    int64_t memory;         // what is left of the limit of whoever reads the other bytes
    bool freeze = false;    // whether the object will be frozen
    bool ran_ruby = false;  // perhaps
};

// Reads the object of a payload, and charges it to the memory. Returns Qundef if there is too little of that. Raises what
// Codec#decode raises, with offsets that count from the payload's begin.
using EmbeddedRead = VALUE (*)(VALUE codec, Embedded &payload);

}  // namespace sparpack
