// Crews that share the payloads of a source.
#pragma once

#include "../glue/crew.hpp"
#include "../plan/codec_facts.hpp"
#include "../wire/frames.hpp"
#include "pieces.hpp"

namespace sparpack {

struct SourceCrew : Crew {
    // Finds the payload at a place before `last`, and where what follows it begins. Returns false if there is none.
    bool (*payload_at)(const SourceCrew &crew, size_t at, size_t last, Framed &framed);
    size_t batch;  // bytes that a thread takes at a time

    // What a piece that was not left is to the caller.
    VALUE (*made)(const SourceCrew &crew, int hand, const Piece &piece);

    // Called when the threads have ended and nobody reads their pieces any more. It frees what they had.
    void (*release)(SourceCrew &crew) = nullptr;

    VALUE source;  // frozen
    const uint8_t *bytes;
    size_t start, found, end;  // in the source: up to `found`, the payloads are in batches
    size_t most;               // bytes of a payload
    Framing framing;
    Pieces pieces[crew_max]{};  // of each thread

    // `offset` is where to begin, `ahead` how many bytes to look at, `most_bytes` how many a payload may have, and `frame`
    // the number of a frame (wire/frames.hpp). Raises ArgumentError.
    SourceCrew(VALUE of_source, VALUE offset, VALUE ahead, VALUE most_bytes, VALUE threads, VALUE frame);

    size_t place_of(const uint8_t *p) const { return static_cast<size_t>(p - bytes); }
};

// Does the work. Returns [what was made or nil, end, …]: each pair stands for payloads that follow one another, or with nil
// for one that was left, and says where they end. They are in the order of the source, up to the first one that nobody has
// looked at.
VALUE source_crew_run(SourceCrew &crew);

// A crew for payloads in frames. Without frames, finding where payloads end is all of the work.
struct FramedCrew : SourceCrew {
    const CodecFacts facts;
    Options options;  // of a scan that does not look at its stack

    FramedCrew(const CodecFacts &codec, VALUE of_source, VALUE offset, VALUE ahead, VALUE most_bytes, VALUE threads,
               VALUE frame);
};

inline bool frame_at(const SourceCrew &crew, size_t at, size_t last, Framed &framed) {
    return frame_find(crew.framing, framed, crew.bytes + at, crew.bytes + last, crew.most);
}

}  // namespace sparpack
