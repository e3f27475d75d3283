// What others than the codec's own room need to know of a Sparpack::Codec.
#pragma once

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
using LazyDecode = VALUE (*)(const CodecFacts &facts, VALUE codec, VALUE source, size_t offset, size_t *next);

}  // namespace sparpack
