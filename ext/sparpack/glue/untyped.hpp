// How the codec and the engine of MessagePack, which do not know each other, meet: the codec leaves members without a type
// to the engine. native.cpp passes the engine's functions to the codec.
#pragma once

#include "../bytes/reader.hpp"
#include "fault.hpp"

namespace sparpack {

// The limits of one value, and what is left of the memory.
struct UntypedLimits {
    int64_t string, container;
    int64_t memory;
    int depth;  // levels of Arrays and Hashes
    bool freeze;
    bool utf8_keep;
};

// Returns the MessagePack of any value, or Qundef after a fault. All text must be UTF-8, unless `utf8_keep` lets it through.
// May run Ruby code.
using UntypedPack = VALUE (*)(VALUE value, int depth, bool utf8_keep, Fault &fault);

// Reads one value. Returns where the next one begins, or nullptr after a fault, whose status is in `in`. The keys of a Hash
// may run Ruby code, so nobody may change the bytes.
using UntypedUnpack = const uint8_t *(*)(Input &in, const uint8_t *p, VALUE *out, UntypedLimits &limits, Fault &fault);

}  // namespace sparpack
