// Converts many payloads at once, on native threads. What these cannot do, because it needs Ruby, because it is large or
// because it is wrong, they leave to the caller.
#include <csetjmp>
#include <cstdlib>

#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../streams/source_crew.hpp"
#include "../values/text.hpp"
#include "../wire/lz4_sign.hpp"
#include "cells.hpp"
#include "converter.hpp"

namespace sparpack {

namespace {

PayloadEndOf payload_end;  // written by many_init alone

// What a thread takes from the input at a time. It asks for interrupts after each payload, so these may not be large.
constexpr size_t batch_bytes = 32 << 10, payload_most = 4 << 20;

// The memory of a thread: for the payloads that it has converted, for cells, and for the keys of maps.
constexpr size_t block_first = 256 << 10, block_most = 8 << 20;

// The reasons for a longjmp.
constexpr int block_full = 1, output_full = 2;

// A thread stops if it has to leave more payloads than it converts, beyond these.
constexpr size_t left_most = 32;

struct Hand {
    jmp_buf full;  // where to go if a Block may grow no more
    Block output, cells, scratch;
    size_t used;  // of the output
    size_t at;    // the payload in hand
    size_t converted, left;
};

struct Many : SourceCrew {
    const Converter *converter = nullptr;
    TransitRules rules{};
    Options options;  // of a scan that looks only for ends
    Framing writes = Framing::none;
    Hand *hands = nullptr;

    using SourceCrew::SourceCrew;
};

bool writes_heads(const Many &many) { return many.writes == Framing::varint || many.writes == Framing::fixed; }

// Only the memory of a hand grows here.
struct Attempt : Transit {
    Hand &hand;
    const size_t head;  // where its output begins

    Attempt(const uint8_t *begin, size_t size, const TransitRules &r, int64_t limit, Hand &h, size_t place)
        : Transit(begin, size, r, limit, enlarge_block, writer_of(h, place)), hand(h), head(place) {
        cells_block = h.cells;
        scratch = h.scratch;
    }

    static Writer writer_of(const Hand &hand, size_t place) {
        Writer w{};
        w.begin = hand.output.bytes + place;
        w.end = hand.output.bytes + hand.output.size;
        w.grow = grow;
#ifdef SPARPACK_DEBUG
        w.reserved = w.begin;
#endif
        return w;
    }

    static bool resize(Block &block, size_t size) {
        size_t larger = block.size ? block.size : block_first;
        while (larger < size) larger *= 2;
        if (larger > block_most) return false;
        void *bytes = realloc(block.bytes, larger);
        if (!bytes) return false;
        block = {static_cast<uint8_t *>(bytes), larger, Qfalse};
        return true;
    }

    static void enlarge_block(Transit &t, Block &block, size_t size) {
        Hand &hand = static_cast<Attempt &>(t).hand;
        Block &owned = &block == &t.scratch ? hand.scratch : hand.cells;
        if (owned.size < size && !resize(owned, size)) longjmp(hand.full, block_full);
        block = owned;
    }

    static SPARPACK_COLD uint8_t *grow(Writer &w, uint8_t *p, size_t need) {
        Attempt &t = static_cast<Attempt &>(reinterpret_cast<Transit &>(w));
        const size_t used = static_cast<size_t>(p - w.begin);
        if (!resize(t.hand.output, t.head + used + need)) longjmp(t.hand.full, output_full);
        w.begin = t.hand.output.bytes + t.head;
        w.end = t.hand.output.bytes + t.hand.output.size;
        return w.begin + used;
    }
};

bool payload_at(const SourceCrew &crew, size_t at, size_t last, Framed &framed) {
    const Many &many = static_cast<const Many &>(crew);
    if (many.framing != Framing::none) return frame_at(many, at, last, framed);
    const uint8_t *p = many.bytes + at;
    const size_t size = last - at < payload_most ? last - at : payload_most;
    framed = {p, payload_end(many.converter->link, many.converter->reads, many.options, p, p + size)};
    return framed.end && static_cast<size_t>(framed.end - p) <= many.most;
}

// Writes what is around a payload that was converted to `place`, and returns how many bytes that takes together.
size_t frame_output(const Many &many, Hand &hand, size_t place, size_t size) {
    uint8_t *begin = hand.output.bytes + hand.used, *payload = hand.output.bytes + place;
    if (many.writes == Framing::lines) {
        payload[size] = '\n';
        return size + 1;
    }
    uint8_t *to = frame_head(many.writes, begin, size);
    if (to != payload) memmove(to, payload, size);
    return static_cast<size_t>(to - begin) + size;
}

// Converts the payload in hand. Returns false if it could not be.
bool convert(Many &many, int number, size_t end) {
    Hand &hand = many.hands[number];
    const Converter *converter = many.converter;
    Framed framed = {many.bytes + hand.at, many.bytes + end};
    const bool is_whole = many.framing != Framing::none;
    if (is_whole && !frame_at(many, hand.at, end, framed)) return false;
    const uint8_t *start = framed.payload;
    const size_t size = static_cast<size_t>(framed.end - start);
    if (size > payload_most && is_whole) return false;
    if (converter->compressed && SPARPACK_UNLIKELY(lz4_sign(start, framed.end))) return false;
    const size_t place = hand.used + (writes_heads(many) ? frame_head_max : 0);
    const size_t room = place + Output::stack_size;
    if (hand.output.size < room && !Attempt::resize(hand.output, room)) longjmp(hand.full, output_full);
    const int64_t limit = options_memory(converter->options, size);
    Attempt t(start, size, many.rules, limit, hand, place);
    Places ends = converter_pass(converter, t, start);
    if (SPARPACK_UNLIKELY(!ends.in)) return false;
    const int64_t most = options_memory(converter->options, static_cast<size_t>(ends.in - start));
    if (SPARPACK_UNLIKELY(is_whole ? ends.in != framed.end : limit - t.memory > most)) return false;
    if (many.writes == Framing::lines) ends.out = writer_reserve(t.writer(), ends.out, 1);
    const size_t written = t.offset(ends.out);
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(written) > most)) return false;
    const size_t taken = frame_output(many, hand, place, written);
    const size_t next = many.place_of(ends.in);
    if (SPARPACK_UNLIKELY(!pieces_add(many.pieces[number], {hand.at, next, hand.used, taken, false}, many.most)))
        return false;
    hand.used += taken;
    hand.at = next;
    hand.converted++;
    return true;
}

// Leaves the payload in hand to the caller. Returns false if the thread should stop.
bool leave(Many &many, int number, size_t end) {
    Hand &hand = many.hands[number];
    Framed framed;
    if (!payload_at(many, hand.at, end, framed)) return false;
    const size_t next = many.place_of(framed.end);
    if (!pieces_add(many.pieces[number], {hand.at, next, 0, 0, true}, many.most)) return false;
    hand.at = next;
    return ++hand.left <= hand.converted + left_most;
}

bool work(Crew &crew, int number, const Batch &batch) {
    Many &many = static_cast<Many &>(crew);
    Hand &hand = many.hands[number];
    hand.at = batch.begin;
    const int reason = _setjmp(hand.full);
    if (reason == output_full && hand.used > 0) return false;  // the payload may fit when all others are gone
    if (reason && !leave(many, number, batch.end)) return false;
    while (hand.at < batch.end) {
        if (crew_is_stopped(crew)) return false;
        if (!convert(many, number, batch.end) && !leave(many, number, batch.end)) return false;
    }
    return true;
}

VALUE converted(const SourceCrew &crew, int hand, const Piece &piece) {
    const Many &many = static_cast<const Many &>(crew);
    const uint8_t *bytes = many.hands[hand].output.bytes + piece.place;
    VALUE string = rb_str_new(reinterpret_cast<const char *>(bytes), static_cast<long>(piece.size));
    if (many.converter->text && !writes_heads(many)) RB_ENCODING_SET_INLINED(string, utf8_index);
    return string;
}

void free_hands(SourceCrew &crew) {
    const Many &many = static_cast<Many &>(crew);
    for (int i = 0; i < many.size; i++) {
        Hand &hand = many.hands[i];
        free(hand.output.bytes);
        free(hand.cells.bytes);
        free(hand.scratch.bytes);
    }
    free(many.hands);
}

// Sparpack::Native.convert_many(converter, bytes, offset, ahead, most, threads, reads, writes): the payloads in the other
// wire, as source_crew_run returns them. Those that were left have to be converted alone. `most` is how many bytes a payload
// may have, and the payloads of a pair together. `reads` and `writes` are numbers of frames (wire/frames.hpp).
VALUE native_convert_many(VALUE, VALUE self, VALUE source, VALUE offset, VALUE ahead, VALUE most, VALUE threads, VALUE reads,
                          VALUE writes) {
    const Converter *converter = converter_get(self);
    Many many(source, offset, ahead, most, threads, reads);
    if (!converter->passes) return rb_ary_new();
    many.payload_at = payload_at;
    many.batch = batch_bytes;
    many.work = work;
    many.made = converted;
    many.release = free_hands;
    many.converter = converter;
    many.rules = converter->rules;
    many.rules.enums = converter_enums(converter);
    many.rules.depth = depth_without_ruby(many.rules.depth);
    many.rules.depth_watched = 0;
    many.rules.stack_checked = false;
    many.options.depth = depth_without_ruby(converter->options.depth);
    many.options.memory = INT64_MAX / 4;
    many.options.utf8_keep = true;
    many.options.validate = Check::none;
    many.writes = static_cast<Framing>(NUM2UINT(writes));
    many.hands = static_cast<Hand *>(calloc(static_cast<size_t>(many.size), sizeof(Hand)));
    if (!many.hands) fault_no_memory();
    VALUE results = source_crew_run(many);
    RB_GC_GUARD(self);
    return results;
}

}  // namespace

void many_init(PayloadEndOf end_of) {
    payload_end = end_of;
    define_singleton_methods(native_module(), {{"convert_many", native_convert_many}});
}

}  // namespace sparpack
