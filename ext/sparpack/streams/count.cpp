// Counts payloads in frames, on native threads.
#include "../glue/native_module.hpp"
#include "source_crew.hpp"

namespace sparpack {

namespace {

// Written by count_init alone.
CodecFactsOf count_facts;
PayloadEndOf count_end;

// True if a decode of the payload would raise nothing.
bool is_right(const FramedCrew &crew, const Framed &framed) {
    const CodecFacts &facts = crew.facts;
    return count_end(facts.link, facts.wire, crew.options, framed.payload, framed.end) == framed.end;
}

// The sizes of pieces are numbers of payloads.
bool count_frames(Crew &counting, int hand, const Batch &batch) {
    FramedCrew &crew = static_cast<FramedCrew &>(counting);
    Framed framed;
    for (size_t at = batch.begin; at < batch.end;) {
        if (crew_is_stopped(crew) || !frame_at(crew, at, batch.end, framed)) return false;
        const size_t next = crew.place_of(framed.end);
        if (!pieces_add(crew.pieces[hand], {at, next, 0, 1, !is_right(crew, framed)}, SIZE_MAX)) return false;
        at = next;
    }
    return true;
}

VALUE counted(const SourceCrew &, int, const Piece &piece) { return SIZET2NUM(piece.size); }

// Sparpack::Native.count_frames(codec, bytes, offset, ahead, most, threads, frame): how many payloads of the source are
// right, as source_crew_run returns it. Only a decode can tell what is wrong with those that were left.
VALUE native_count_frames(VALUE, VALUE codec, VALUE source, VALUE offset, VALUE ahead, VALUE most, VALUE threads,
                          VALUE frame) {
    FramedCrew crew(count_facts(codec), source, offset, ahead, most, threads, frame);
    crew.work = count_frames;
    crew.made = counted;
    VALUE results = source_crew_run(crew);
    RB_GC_GUARD(codec);
    return results;
}

}  // namespace

void count_init(CodecFactsOf facts, PayloadEndOf end) {
    count_facts = facts;
    count_end = end;
    define_singleton_methods(native_module(), {{"count_frames", native_count_frames}});
}

}  // namespace sparpack
