// Structs and unions from a wire to another. Fields are written in order of their ids, as an encode writes them.
#pragma once

#include "container_transit.hpp"
#include "unknown_transit.hpp"

namespace sparpack {

namespace {

template <class To>
SPARPACK_INLINE uint8_t *open_struct(Transit &t, uint8_t *q, const Link *link, const Row<To> *rows, Written<To> &written) {
    if constexpr (To::traits.opens_structs) {
        size_t count = link->count;  // if only those that are set count, this is corrected at the end
        if constexpr (To::traits.fields == FieldsBy::position) count = To::positions(rows[link->count].header);
        const uint8_t *begin = q;
        q = To::open_struct(t.writer(), q, written.frame, count, false);
        if constexpr (counts_set<To>) written.head = {t.offset(begin), static_cast<size_t>(q - begin)};
    }
    return q;
}

template <class To>
SPARPACK_INLINE uint8_t *close_struct(Transit &t, uint8_t *q, [[maybe_unused]] const Link *link, Written<To> &written) {
    q = To::close_struct(t.writer(), q, written.frame);
    if constexpr (counts_set<To>) {
        if (SPARPACK_UNLIKELY(written.count != link->count)) {
            q = head_replace(t, q, written.head, [&](Writer &w, uint8_t *to) {
                typename To::Frame frame{};
                return To::open_struct(w, to, frame, written.count, false);
            });
        }
    }
    return q;
}

// Where the value of a field was written, if the fields of a struct do not come in order.
struct Segment {
    size_t begin;
    size_t size;
    bool is_set;
};

// Passes a struct whose fields come in any order. Their values are written behind a table of segments, and then the struct
// behind them, from where it moves to the front. The last of duplicate fields wins.
template <class From, class To> [[gnu::noinline]] Places sort_struct(Transit &t, Places at, const Link *link, int depth) {
    const Row<From> *from_rows = rows_of<From>(link);
    const Row<To> *rows = rows_of<To>(link);
    typename From::Frame from{};
    Writer &w = t.writer();
    const size_t begin = t.offset(at.out), table = link->count * sizeof(Segment);
    if (!t.charges(static_cast<int64_t>(table))) return given_up;
    at.out = writer_reserve(w, at.out, table);
    memset(at.out, 0, table);
    at.out += table;
    auto segment = [&](uint32_t index) { return t.at(begin + index * sizeof(Segment)); };
    if constexpr (From::traits.opens_structs) {
        if (!(at.in = From::open_struct(t.in, at.in, from, false))) return given_up;
    }
    uint32_t expected = 0;
    for (;;) {
        int index = static_cast<int>(expected);
        if (!From::next_known(t.in, at.in, from, from_rows[expected].header))
            index = From::next_field(t.in, at.in, from, link->table, expected);
        if (index == next_end) break;
        if (index == next_unknown && t.rules.unclaimed == Unclaimed::skip) {
            if (!(at.in = skip_unknown<From>(t, at.in, from, depth))) return given_up;
            expected = link->count;
            continue;
        }
        if (index < 0) return given_up;
        Segment value = {t.offset(at.out), 0, true};
        at.out = writer_reserve(w, at.out, Room<To>::value);
        if (rows[index].type.kind == Kind::bool_) {  // some wires write it into the header, so this is done later
            bool flag = false;
            at.in = From::read_bool(t.in, at.in, &from, &flag);
            *at.out++ = flag;
        } else {
            at = pass_one<From, To>(t, at, rows[index].type, &from, nullptr, depth);
        }
        if (!at.in) return given_up;
        value.size = t.offset(at.out) - value.begin;
        memcpy(segment(static_cast<uint32_t>(index)), &value, sizeof value);
        expected = static_cast<uint32_t>(index) + 1;
    }
    const size_t sorted = t.offset(at.out);
    Written<To> written;
    at.out = open_struct<To>(t, writer_reserve(w, at.out, To::open_max), link, rows, written);
    for (uint32_t i = 0; i < link->count; i++) {
        const Row<To> *row = &rows[i];
        Segment value;
        memcpy(&value, segment(i), sizeof value);
        if (!value.is_set) {
            at.out = write_absent<To>(t, at.out, link, row, row + 1, written, depth);
            if (!at.out) return given_up;
            continue;
        }
        at.out = writer_reserve(w, at.out, rows_room<To>(row, row + 1) + value.size);
        at.out = To::write_known(w, at.out, written.frame, row->header);
        if (row->type.kind == Kind::bool_) {
            at.out = To::write_bool(w, at.out, &written.frame, *t.at(value.begin));
        } else {
            memcpy(at.out, t.at(value.begin), value.size);
            at.out += value.size;
        }
        written.add();
    }
    at.out = close_struct<To>(t, writer_reserve(w, at.out, To::close_max), link, written);
    size_t size = t.offset(at.out) - sorted;
    memmove(t.at(begin), t.at(sorted), size);
    t.memory += static_cast<int64_t>(table);
    return {at.in, t.at(begin + size)};
}

// True between wires that can carry one another's unknown fields.
template <class From, class To>
constexpr bool copies_unknown = From::traits.keeps == Kept::fields &&To::traits.keeps == Kept::fields;

// How far a struct is.
template <class To> struct Progress {
    const Row<To> *row;  // of the next known field
    Written<To> written;
    int32_t before;  // the id of the last unknown field
};

// Copies an unknown field between known ones.
template <class From, class To>
SPARPACK_COLD Places copy_between(Transit &t, Places at, const Link *link, const typename From::Frame &from,
                                  Progress<To> &progress, int depth) {
    if (t.rules.unclaimed != Unclaimed::copy) return given_up;
    const Row<To> *rows = rows_of<To>(link), *end = rows + link->count, *row = progress.row;
    int32_t id = From::found(from).id;
    if (id <= progress.before || (row > rows && id < row[-1].id)) return given_up;
    while (row < end && row->id < id) row++;
    at.out = write_absent<To>(t, at.out, link, progress.row, row, progress.written, depth);
    if (!at.out) return given_up;
    progress.row = row;
    progress.before = id;
    at = copy_unknown<From, To>(t, at, from, progress.written.frame, depth);
    if (!at.in) return given_up;
    return {at.in, writer_reserve(t.writer(), at.out, rows_room<To>(row, end) + To::close_max)};
}

// What all structs of a list have in common.
template <class From, class To> struct Shape {
    const Link *link;
    const Row<From> *from_rows;
    const Row<To> *rows, *end;
    size_t room;  // for all fields and the end
    int depth;    // how many levels there may be below

    Shape(const Link *l, int levels)
        : link(l),
          from_rows(rows_of<From>(l)),
          rows(rows_of<To>(l)),
          end(rows + l->count),
          room(rows_room<To>(rows, end) + To::close_max),
          depth(levels) {}
};

// Passes the absent fields from `row` up to `found`, and reserves room for those behind them.
template <class From, class To>
SPARPACK_INLINE uint8_t *pass_absent(Transit &t, uint8_t *q, const Shape<From, To> &shape, const Row<To> *row,
                                     const Row<To> *found, Written<To> &written) {
    Written<To> copy = written;
    q = write_absent<To>(t, q, shape.link, row, found, copy, shape.depth);
    if (SPARPACK_UNLIKELY(!q)) return nullptr;
    written = copy;
    return writer_reserve(t.writer(), q, shape.room);
}

// Passes a struct whose room is reserved. Functions that are not inlined get copies of its state, so that it stays in
// registers.
template <class From, class To> SPARPACK_INLINE Places pass_fields(Transit &t, Places at, const Shape<From, To> &shape) {
    typename From::Frame from{};
    if constexpr (From::traits.opens_structs) {
        if (SPARPACK_UNLIKELY(!(at.in = From::open_struct(t.in, at.in, from, false)))) return given_up;
    }
    Written<To> written;
    at.out = open_struct<To>(t, at.out, shape.link, shape.rows, written);
    const Row<From> *expected = shape.from_rows;
    const Row<To> *row = shape.rows;
    [[maybe_unused]] int32_t before = INT32_MIN;
    for (;; row++, expected++) {
        while (SPARPACK_UNLIKELY(!From::next_known(t.in, at.in, from, expected->header))) {
            const ptrdiff_t next = row - shape.rows;
            const int index = From::next_field(t.in, at.in, from, shape.link->table, static_cast<uint32_t>(next));
            if (SPARPACK_LIKELY(index >= 0)) {
                if (SPARPACK_UNLIKELY(index < next)) return t.is_disordered = true, given_up;
                const Row<To> *found = shape.rows + index;
                if (found > row) {
                    at.out = pass_absent(t, at.out, shape, row, found, written);
                    // A required field may come later.
                    if (SPARPACK_UNLIKELY(!at.out)) return t.is_disordered = true, given_up;
                }
                row = found;
                expected = shape.from_rows + index;
                break;
            }
            if (SPARPACK_LIKELY(index == next_end)) {
                if (SPARPACK_UNLIKELY(row < shape.end)) {
                    at.out = pass_absent(t, at.out, shape, row, shape.end, written);
                    if (SPARPACK_UNLIKELY(!at.out)) return given_up;
                }
                return {at.in, close_struct<To>(t, at.out, shape.link, written)};
            }
            if (index != next_unknown) return given_up;
            const typename From::Frame met = from;
            if (t.rules.unclaimed == Unclaimed::skip) {
                at.in = skip_unknown<From>(t, at.in, met, shape.depth);
            } else if constexpr (copies_unknown<From, To>) {
                Progress<To> progress = {row, written, before};
                at = copy_between<From, To>(t, at, shape.link, met, progress, shape.depth);
                row = progress.row;
                written = progress.written;
                before = progress.before;
            } else {
                return given_up;
            }
            if (SPARPACK_UNLIKELY(!at.in)) return given_up;
            expected = shape.from_rows + shape.link->count;  // none, because the field before is not known
        }
        at.out = To::write_known(t.writer(), at.out, written.frame, row->header);
        written.add();
        if constexpr (is_common<From, To>) {
            at = pass_value<From, To>(t, at, row->type, &from, &written.frame, shape.depth, shape.room);
        } else {
            at = pass_one<From, To>(t, at, row->type, &from, &written.frame, shape.depth);
            at = with_rest(t, at, shape.room);
        }
        if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    }
}

// Passes structs that follow one another: one, or if they are `listed`, the elements of a list.
// `depth` is how many levels there may be below them.
template <class From, class To>
Places pass_structs(Transit &t, Places at, const Link *link, size_t count, bool listed, int depth) {
    if (SPARPACK_UNLIKELY(depth < t.rules.depth_watched) && too_deep(t, depth)) return given_up;
    if (SPARPACK_UNLIKELY(storage_is_adopted(link->plan))) return given_up;
    const Shape<From, To> shape(link, depth);
    constexpr size_t around = To::close_max + (To::traits.opens_structs ? To::open_max : 0);
    int64_t cost = 0;
    if (SPARPACK_UNLIKELY(__builtin_mul_overflow(count, link->cost, &cost) || !t.charges(cost))) return given_up;
    for (size_t i = 0; i < count; i++) {
        at.out = writer_reserve(t.writer(), at.out, shape.room + around);
        if constexpr (!To::traits.counts_elements) {
            if (listed) at.out = To::write_next(t.writer(), at.out, i);
        }
        at = SPARPACK_UNLIKELY(t.sorts) ? sort_struct<From, To>(t, at, link, depth) : pass_fields(t, at, shape);
        if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    }
    return at;
}

// Only a union with exactly one field, which is known.
template <class From, class To> Places pass_union(Transit &t, Places at, const Link *link, int depth) {
    if (SPARPACK_UNLIKELY(depth < t.rules.depth_watched) && too_deep(t, depth)) return given_up;
    if (SPARPACK_UNLIKELY(!t.charges(link->cost) || storage_is_adopted(link->plan))) return given_up;
    const Row<To> *rows = rows_of<To>(link);
    typename From::Frame from{};
    typename To::Frame to{};
    if constexpr (From::traits.opens_structs) {
        if (!(at.in = From::open_struct(t.in, at.in, from, true))) return given_up;
    }
    int index = From::next_field(t.in, at.in, from, link->table, 0);
    if (SPARPACK_UNLIKELY(index < 0)) return given_up;
    const Row<To> *row = &rows[index];
    at.out = writer_reserve(t.writer(), at.out, To::open_max + rows_room<To>(row, row + 1));
    if constexpr (To::traits.opens_structs) at.out = To::open_struct(t.writer(), at.out, to, 1, true);
    at.out = To::write_known(t.writer(), at.out, to, row->header);
    at = pass_one<From, To>(t, at, row->type, &from, &to, depth);
    if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    if (From::next_field(t.in, at.in, from, link->table, 0) != next_end) return given_up;
    return {at.in, To::close_struct(t.writer(), writer_reserve(t.writer(), at.out, To::close_max), to)};
}

template <class From, class To> Places pass_payload(Transit &t, const Link *link, const uint8_t *start) {
    if constexpr (From::traits.spaces) start = From::begin_payload(t.in, start);
    const int64_t memory = t.memory;
    Places at = {start, t.output.writer.begin};
    for (;;) {
        int depth = t.rules.depth - 1;
        at =
            link->is_union ? pass_union<From, To>(t, at, link, depth) : pass_structs<From, To>(t, at, link, 1, false, depth);
        if (SPARPACK_LIKELY(at.in != nullptr)) break;
        if (!t.is_disordered || t.sorts) return given_up;
        t.sorts = true;
        t.memory = memory;
        t.scratch_used = 0;
        t.in.status = Status::ok;
        at = {start, t.output.writer.begin};
    }
    if constexpr (From::traits.spaces) at.in = From::end_payload(t.in, at.in);
    return at;
}

}  // namespace

// Each wire that is read has a file with this in it.
template <class From> TransitFunction transit_from(WireId to) {
    switch (to) {
#define X(name, grammar) \
    case WireId::name: return pass_payload<From, grammar>;
        SPARPACK_WIRES(X)
#undef X
    }
    __builtin_unreachable();
}

}  // namespace sparpack
