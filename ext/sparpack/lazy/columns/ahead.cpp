// Fills packed columns on native threads, from payloads in frames. Each thread has columns of its own. They are added to
// those of the caller in the order of the source, in parts, between which the caller takes what was left to it.
#include "../../codec/codec.hpp"
#include "../../codec/payload.hpp"
#include "../../glue/native_module.hpp"
#include "../../streams/source_crew.hpp"
#include "columns.hpp"

namespace sparpack {

namespace {

// What the threads have found: an object, which owns the columns of all of them.
struct Found {
    int threads;
    uint32_t count;   // of columns of each thread
    Column *columns;  // those of one thread after those of the other
    bool filling;     // by threads
};

void found_free(void *data) {
    Found *found = static_cast<Found *>(data);
    // A process that another thread forks meanwhile has none of the threads, and the columns as they left them: perhaps with
    // the address of memory that was moved. Their memory stays there.
    for (size_t i = 0; found->columns && !found->filling && i < found->count * static_cast<size_t>(found->threads); i++)
        packed_free(found->columns[i].packed);
    xfree(found->columns);
    xfree(found);
}

size_t found_size(const void *data) {
    const Found &found = *static_cast<const Found *>(data);
    size_t size = sizeof found;
    for (size_t i = 0; found.columns && !found.filling && i < found.count * static_cast<size_t>(found.threads); i++)
        size += sizeof(Column) + packed_size(found.columns[i]);
    return size;
}

const rb_data_type_t found_type = {"sparpack/columns_ahead",
                                   {nullptr, found_free, found_size, nullptr, {nullptr}},
                                   nullptr,
                                   nullptr,
                                   RUBY_TYPED_FREE_IMMEDIATELY};

struct ColumnCrew : FramedCrew {
    VALUE found;  // a Found
    Columns hands[crew_max];

    using FramedCrew::FramedCrew;
};

// The sizes of pieces are numbers of rows.
bool take_frames(Crew &crew, int number, const Batch &batch) {
    ColumnCrew &columns = static_cast<ColumnCrew &>(crew);
    Columns &c = columns.hands[number];
    Framed framed;
    for (size_t at = batch.begin; at < batch.end;) {
        if (crew_is_stopped(crew) || !frame_at(columns, at, batch.end, framed)) return false;
        const size_t before = columns_rows(c, c.columns[0]), next = columns.place_of(framed.end);
        ColumnScan s(c, framed.payload, static_cast<size_t>(framed.end - framed.payload));
        const bool left = is_compressed(c.facts.wire, framed.payload, framed.end) || !columns_take_scanned(s);
        const size_t rows = columns_rows(c, c.columns[0]) - before;
        if (!pieces_add(columns.pieces[number], {at, next, before, rows, left}, SIZE_MAX)) return false;
        at = next;
    }
    return true;
}

Found &found_of(VALUE found) { return *static_cast<Found *>(rb_check_typeddata(found, &found_type)); }

void end_filling(SourceCrew &crew) { found_of(static_cast<ColumnCrew &>(crew).found).filling = false; }

// What columns_add takes.
VALUE part_of(const SourceCrew &crew, int hand, const Piece &piece) {
    const VALUE found = static_cast<const ColumnCrew &>(crew).found;
    return rb_ary_new_from_args(4, found, INT2FIX(hand), SIZET2NUM(piece.place), SIZET2NUM(piece.size));
}

// Sparpack::Native.columns_ahead(columns, codec, bytes, offset, ahead, most, threads, frame): what threads have found, as
// source_crew_run returns it.
VALUE native_columns_ahead(VALUE, VALUE self, VALUE codec, VALUE source, VALUE offset, VALUE ahead, VALUE most,
                           VALUE threads, VALUE frame) {
    Columns &c = columns_get(self);
    if (c.complete || !c.packed) fault_argument("wrong arguments");
    ColumnCrew crew(codec_facts(codec), source, offset, ahead, most, threads, frame);
    crew.work = take_frames;
    crew.made = part_of;
    crew.release = end_filling;
    VALUE holder = rb_data_typed_object_zalloc(rb_cObject, sizeof(Found), &found_type);
    Found &found = *static_cast<Found *>(RTYPEDDATA_DATA(holder));
    found.threads = crew.size;
    found.count = c.count;
    found.columns = ZALLOC_N(Column, c.count * static_cast<size_t>(crew.size));
    crew.found = holder;
    for (int i = 0; i < crew.size; i++) {
        Columns &hand = crew.hands[i];
        hand = c;
        hand.columns = found.columns + c.count * static_cast<size_t>(i);
        hand.facts.options = &crew.options;
        hand.is_detached = true;
        for (uint32_t j = 0; j < c.count; j++) hand.columns[j].kind = c.columns[j].kind;
    }
    found.filling = true;
    VALUE results = source_crew_run(crew);
    RB_GC_GUARD(holder);
    RB_GC_GUARD(self);
    return results;
}

// Sparpack::Native.columns_add(columns, part): adds what columns_ahead has found.
VALUE native_columns_add(VALUE, VALUE self, VALUE part) {
    Columns &c = columns_get(self);
    Check_Type(part, T_ARRAY);
    VALUE holder = rb_ary_entry(part, 0);
    const Found &found = found_of(holder);
    const long hand = NUM2LONG(rb_ary_entry(part, 1));
    const size_t first = NUM2SIZET(rb_ary_entry(part, 2)), rows = NUM2SIZET(rb_ary_entry(part, 3));
    if (hand < 0 || hand >= found.threads || found.count != c.count || c.complete) fault_argument("wrong arguments");
    for (uint32_t i = 0; i < c.count; i++) {
        const Packed &from = found.columns[found.count * static_cast<size_t>(hand) + i].packed;
        if (rows > from.rows || first > from.rows - rows) fault_argument("wrong arguments");
        if (!packed_append(c.columns[i].packed, c.columns[i].kind, from, first, rows)) rb_memerror();
    }
    columns_count_memory(c);
    RB_GC_GUARD(holder);
    RB_GC_GUARD(self);
    return Qnil;
}

}  // namespace

void columns_ahead_init() {
    define_singleton_methods(native_module(),
                             {{"columns_ahead", native_columns_ahead}, {"columns_add", native_columns_add}});
}

}  // namespace sparpack
