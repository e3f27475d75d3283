#include "framed_crew.hpp"

#include "../glue/fault.hpp"
#include "../plan/rows.hpp"
#include "../values/text.hpp"

namespace sparpack {

namespace {

// What a thread takes of the source at a time.
constexpr size_t framed_batch = 64 << 10;

bool find_frames(Crew &crew, Batch *batch) {
    FramedCrew &c = static_cast<FramedCrew &>(crew);
    batch->begin = c.found;
    Framed framed;
    while (c.found < c.end && c.found - batch->begin < framed_batch) {
        if (!c.frame_at(c.found, c.end, framed)) {
            c.end = c.found;
            break;
        }
        c.found = c.place_of(framed.end);
    }
    batch->end = c.found;
    return batch->end > batch->begin;
}

}  // namespace

FramedCrew::FramedCrew(const CodecFacts &codec, VALUE of_source, VALUE offset, VALUE ahead, VALUE most_bytes, VALUE threads,
                       VALUE frame)
    : Crew{}, facts(codec), options(*facts.options) {
    Check_Type(of_source, T_STRING);
    start = found = NUM2SIZET(offset);
    const size_t looks = NUM2SIZET(ahead);
    most = NUM2SIZET(most_bytes);
    framing = static_cast<Framing>(NUM2UINT(frame));
    find = find_frames;
    size = NUM2INT(threads);
    if (start > string_size(of_source) || size < 1 || size > crew_max) fault_argument("wrong arguments");
    source = OBJ_FROZEN(of_source) ? of_source : rb_str_new_frozen(of_source);
    bytes = string_bytes(source);
    end = looks < string_size(source) - start ? start + looks : string_size(source);
    options.depth = depth_without_ruby(options.depth);
    options.depth_watched = 0;
    rows_make_all(facts.link, wire_reader(facts.wire));
}

}  // namespace sparpack
