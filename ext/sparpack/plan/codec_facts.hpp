// What others than the codec's own room need to know of a Sparpack::Codec.
#pragma once

#include "../glue/embedded.hpp"
#include "../glue/options.hpp"
#include "plan.hpp"

namespace sparpack {

struct CodecFacts {
    VALUE klass;
    const Link *link;
    const Options *options;
    WireId wire;
};

// Returns the facts of a codec. Raises TypeError for anything else.
using CodecFactsOf = CodecFacts (*)(VALUE codec);

// See lazy/lazy.hpp.
using LazyDecode = VALUE (*)(const CodecFacts &facts, VALUE codec, VALUE source, size_t offset, size_t *next,
                             Embedded *embedded);

// Returns where a payload ends that begins at a place, or nullptr if only a decode can tell whether it is one. Touches no
// Ruby, if no more levels are allowed than depth_usual.
using PayloadEndOf = const uint8_t *(*)(const Link *link, WireId wire, const Options &options, const uint8_t *begin,
                                        const uint8_t *end);

}  // namespace sparpack
