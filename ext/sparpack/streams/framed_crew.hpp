// A crew that shares the payloads in the frames of a source. Without frames, finding where payloads end is all of the work.
#pragma once

#include "../glue/crew.hpp"
#include "../plan/codec_facts.hpp"
#include "../wire/frames.hpp"

namespace sparpack {

struct FramedCrew : Crew {
    const CodecFacts facts;
    Options options;  // of a scan that does not look at its stack
    VALUE source;     // frozen
    const uint8_t *bytes;
    size_t start, found, end;  // in the source: up to `found`, the frames are in batches
    size_t most;               // bytes of a payload
    Framing framing;

    // `offset` is where to begin, `ahead` how many bytes to look at, `most_bytes` how many a payload may have, and `frame`
    // the number of a frame. Raises ArgumentError.
    FramedCrew(const CodecFacts &codec, VALUE of_source, VALUE offset, VALUE ahead, VALUE most_bytes, VALUE threads,
               VALUE frame);

    // Finds the frame at a place before `last`.
    bool frame_at(size_t at, size_t last, Framed &framed) const {
        return frame_find(framing, framed, bytes + at, bytes + last, most);
    }
    size_t place_of(const uint8_t *p) const { return static_cast<size_t>(p - bytes); }
};

}  // namespace sparpack
