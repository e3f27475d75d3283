// Counts payloads in frames, on native threads. Without frames, finding where payloads end is all of the work.
#include "../glue/crew.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../glue/pieces.hpp"
#include "../plan/codec_facts.hpp"
#include "../plan/rows.hpp"
#include "../values/text.hpp"
#include "../wire/frames.hpp"

namespace sparpack {

namespace {

// Written by count_init alone.
CodecFactsOf count_facts;
PayloadEndOf count_end;

// What a thread takes of the source at a time.
constexpr size_t counted_bytes = 64 << 10;

struct Count : Crew {
    const CodecFacts facts;
    Options options;
    const uint8_t *bytes;
    size_t start, found, end;  // in the source: up to `found`, the frames are in batches
    size_t most;               // bytes of a payload
    Framing framing;
    Pieces pieces[crew_max];  // of which the sizes are numbers of payloads

    explicit Count(const CodecFacts &its_facts) : Crew{}, facts(its_facts), options(*its_facts.options), pieces{} {}
};

bool find_frames(Crew &crew, Batch *batch) {
    Count &count = static_cast<Count &>(crew);
    batch->begin = count.found;
    Framed framed;
    while (count.found < count.end && count.found - batch->begin < counted_bytes) {
        const uint8_t *p = count.bytes + count.found, *end = count.bytes + count.end;
        if (!frame_find(count.framing, framed, p, end, count.most)) {
            count.end = count.found;
            break;
        }
        count.found = static_cast<size_t>(framed.end - count.bytes);
    }
    batch->end = count.found;
    return batch->end > batch->begin;
}

// True if a decode of the payload would raise nothing.
bool is_right(const Count &count, const Framed &framed) {
    const CodecFacts &facts = count.facts;
    return count_end(facts.link, facts.wire, count.options, framed.payload, framed.end) == framed.end;
}

bool count_frames(Crew &crew, int hand, const Batch &batch) {
    Count &count = static_cast<Count &>(crew);
    Framed framed;
    for (size_t at = batch.begin; at < batch.end;) {
        if (crew_is_stopped(crew)) return false;
        const uint8_t *p = count.bytes + at;
        if (!frame_find(count.framing, framed, p, count.bytes + batch.end, count.most)) return false;
        const size_t next = static_cast<size_t>(framed.end - count.bytes);
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
// they end. `ahead` is how many bytes to look at, `most` how many a payload may have, and `frame` the number of a frame
// (wire/frames.hpp).
VALUE native_count_frames(VALUE, VALUE codec, VALUE source, VALUE offset, VALUE ahead, VALUE most, VALUE threads,
                          VALUE frame) {
    const CodecFacts facts = count_facts(codec);
    Check_Type(source, T_STRING);
    const size_t start = NUM2SIZET(offset), looks = NUM2SIZET(ahead);
    Count count(facts);
    count.find = find_frames;
    count.work = count_frames;
    count.size = NUM2INT(threads);
    if (start > string_size(source) || count.size < 1 || count.size > crew_max) fault_argument("wrong arguments");
    VALUE bytes = OBJ_FROZEN(source) ? source : rb_str_new_frozen(source);
    count.options.depth = depth_without_ruby(count.options.depth);
    count.options.depth_watched = 0;
    count.bytes = string_bytes(bytes);
    count.start = count.found = start;
    count.end = looks < string_size(bytes) - start ? start + looks : string_size(bytes);
    count.most = NUM2SIZET(most);
    count.framing = static_cast<Framing>(NUM2UINT(frame));
    rows_make_all(facts.link, wire_reader(facts.wire));
    VALUE results = rb_ensure(gather_counts, reinterpret_cast<VALUE>(&count), free_counts, reinterpret_cast<VALUE>(&count));
    RB_GC_GUARD(bytes);
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
