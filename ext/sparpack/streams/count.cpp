// Counts payloads in frames, on native threads.
#include "../glue/native_module.hpp"
#include "../glue/pieces.hpp"
#include "framed_crew.hpp"

namespace sparpack {

namespace {

// Written by count_init alone.
CodecFactsOf count_facts;
PayloadEndOf count_end;

struct Count : FramedCrew {
    Pieces pieces[crew_max]{};  // of which the sizes are numbers of payloads

    using FramedCrew::FramedCrew;
};

// True if a decode of the payload would raise nothing.
bool is_right(const Count &count, const Framed &framed) {
    const CodecFacts &facts = count.facts;
    return count_end(facts.link, facts.wire, count.options, framed.payload, framed.end) == framed.end;
}

bool count_frames(Crew &crew, int hand, const Batch &batch) {
    Count &count = static_cast<Count &>(crew);
    Framed framed;
    for (size_t at = batch.begin; at < batch.end;) {
        if (crew_is_stopped(crew) || !count.frame_at(at, batch.end, framed)) return false;
        const size_t next = count.place_of(framed.end);
        if (!pieces_add(count.pieces[hand], {at, next, 0, is_right(count, framed)}, SIZE_MAX)) return false;
        at = next;
    }
    return true;
}

VALUE gather_counts(VALUE data) {
    Count &count = *reinterpret_cast<Count *>(data);
    crew_run(count);
    VALUE results = rb_ary_new();
    for (size_t at = count.start;;) {
        const Piece *piece = nullptr;
        for (int i = 0; i < count.size && !piece; i++) piece = pieces_take(count.pieces[i], at);
        if (!piece) return results;
        at = piece->end;
        rb_ary_push(results, piece->size ? SIZET2NUM(piece->size) : Qnil);
        rb_ary_push(results, SIZET2NUM(at));
    }
}

VALUE free_counts(VALUE data) {
    for (const Pieces &pieces : reinterpret_cast<Count *>(data)->pieces) free(pieces.all);
    return Qnil;
}

// Sparpack::Native.count_frames(codec, bytes, offset, ahead, most, threads, frame): [number or nil, end, …]. Each pair
// stands for payloads that follow one another: how many they are, or nil for one of which only a decode can tell, and where
// they end.
VALUE native_count_frames(VALUE, VALUE codec, VALUE source, VALUE offset, VALUE ahead, VALUE most, VALUE threads,
                          VALUE frame) {
    Count count(count_facts(codec), source, offset, ahead, most, threads, frame);
    count.work = count_frames;
    VALUE results = rb_ensure(gather_counts, reinterpret_cast<VALUE>(&count), free_counts, reinterpret_cast<VALUE>(&count));
    RB_GC_GUARD(count.source);
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
