#include "source_crew.hpp"

#include "../glue/fault.hpp"
#include "../plan/rows.hpp"
#include "../values/text.hpp"

namespace sparpack {

namespace {

bool find_batch(Crew &crew, Batch *batch) {
    SourceCrew &c = static_cast<SourceCrew &>(crew);
    batch->begin = c.found;
    Framed framed;
    while (c.found < c.end && c.found - batch->begin < c.batch) {
        if (!c.payload_at(c, c.found, c.end, framed)) {
            c.end = c.found;
            break;
        }
        c.found = c.place_of(framed.end);
    }
    batch->end = c.found;
    return batch->end > batch->begin;
}

VALUE gather(VALUE data) {
    SourceCrew &crew = *reinterpret_cast<SourceCrew *>(data);
    crew_run(crew);
    VALUE results = rb_ary_new();
    for (size_t at = crew.start;;) {
        const Piece *piece = nullptr;
        int hand = 0;
        while (hand < crew.size && !(piece = pieces_take(crew.pieces[hand], at))) hand++;
        if (!piece) return results;
        at = piece->end;
        rb_ary_push(results, piece->left ? Qnil : crew.made(crew, hand, *piece));
        rb_ary_push(results, SIZET2NUM(at));
    }
}

VALUE release(VALUE data) {
    SourceCrew &crew = *reinterpret_cast<SourceCrew *>(data);
    for (const Pieces &pieces : crew.pieces) free(pieces.all);
    if (crew.release) crew.release(crew);
    return Qnil;
}

}  // namespace

SourceCrew::SourceCrew(VALUE of_source, VALUE offset, VALUE ahead, VALUE most_bytes, VALUE threads, VALUE frame) : Crew{} {
    Check_Type(of_source, T_STRING);
    start = found = NUM2SIZET(offset);
    const size_t looks = NUM2SIZET(ahead);
    most = NUM2SIZET(most_bytes);
    framing = static_cast<Framing>(NUM2UINT(frame));
    find = find_batch;
    size = NUM2INT(threads);
    if (start > string_size(of_source) || size < 1 || size > crew_max) fault_argument("wrong arguments");
    source = unlocked_frozen(of_source);
    bytes = string_bytes(source);
    end = looks < string_size(source) - start ? start + looks : string_size(source);
}

VALUE source_crew_run(SourceCrew &crew) {
    VALUE results = rb_ensure(gather, reinterpret_cast<VALUE>(&crew), release, reinterpret_cast<VALUE>(&crew));
    RB_GC_GUARD(crew.source);
    return results;
}

FramedCrew::FramedCrew(const CodecFacts &codec, VALUE of_source, VALUE offset, VALUE ahead, VALUE most_bytes, VALUE threads,
                       VALUE frame)
    : SourceCrew(of_source, offset, ahead, most_bytes, threads, frame), facts(codec), options(*facts.options) {
    payload_at = frame_at;
    batch = 64 << 10;
    options.depth = depth_without_ruby(options.depth);
    options.depth_watched = 0;
    rows_make_all(facts.link, wire_reader(facts.wire));
}

}  // namespace sparpack
