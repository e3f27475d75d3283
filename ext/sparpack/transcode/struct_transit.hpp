// Structs and unions from a wire to another. Fields are written in order of their ids, as an encode writes them.
#pragma once

#include "../wire/sinks.hpp"
#include "../wire/thrift_copy.hpp"
#include "../wire/thrift_events.hpp"
#include "value_transit.hpp"

namespace sparpack {

namespace {

// True if a struct begins with the number of fields that are set.
template <class To> constexpr bool counts_set = To::traits.counts_fields &&To::traits.fields != FieldsBy::position;

// --- unknown fields ----------------------------------------------------------------------------------------------------

template <class From>
SPARPACK_COLD const uint8_t *skip_unknown(Transit &t, const uint8_t *p, const typename From::Frame &frame, int depth) {
    using Sink = std::conditional_t<From::traits.counts_elements, Limited<Skip>, Counted<Limited<Skip>>>;
    Sink sink(t.in, t.rules.sizes());
    typename Sink::Level kept;
    return walk_value<typename From::Events>(t.in, p, From::Events::field_value(frame), sink, kept, depth);
}

// Copies a field that the link does not have, between wires with Thrift's types. What an object keeps of unknown fields is
// written in the same way (codec/unknown_writer.hpp).
template <class From, class To>
SPARPACK_COLD Places copy_unknown(Transit &t, Places at, const typename From::Frame &from, typename To::Frame &to,
                                  int depth) {
    const FoundField found = From::found(from);
    Limited<Copy<To>> copy(t.in, t.rules.sizes(), t.writer(), at.out);
    typename Copy<To>::Level level{to, 0};
    copy.field(level, {{at.in, at.in}, found.id, found.type});
    at.in = walk_value<typename From::Events>(t.in, at.in, From::Events::field_value(from), copy, level, depth);
    if (!at.in) return given_up;
    to = level.frame;
    return {at.in, copy.p};
}

// --- structs -----------------------------------------------------------------------------------------------------------

// A struct that is being written, with its fields in order.
template <class To> struct Written {
    typename To::Frame frame{};
    Head head{};
    uint32_t count = 0;
};

template <class To>
SPARPACK_INLINE uint8_t *open_struct(Transit &t, uint8_t *q, const Link *link, const Row<To> *rows, Written<To> &written) {
    if constexpr (To::traits.opens_structs) {
        size_t count = link->count;  // if only those that are set count, this is corrected at the end
        if constexpr (To::traits.fields == FieldsBy::position) count = To::positions(rows[link->count].header);
        written.head.begin = t.offset(q);
        q = To::open_struct(t.writer(), q, written.frame, count, false);
        written.head.size = t.offset(q) - written.head.begin;
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
            at.out = write_absent<To>(t, at.out, link, row, row + 1, written.frame, &written.count, depth);
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
        written.count++;
    }
    at.out = close_struct<To>(t, writer_reserve(w, at.out, To::close_max), link, written);
    size_t size = t.offset(at.out) - sorted;
    memmove(t.at(begin), t.at(sorted), size);
    return {at.in, t.at(begin + size)};
}

// Passes an unknown field between known ones. `next` is the place of the next known field, and `before` the id of the last
// unknown one.
template <class From, class To>
SPARPACK_COLD Places pass_unknown(Transit &t, Places at, const Link *link, const typename From::Frame &from,
                                  Written<To> &written, [[maybe_unused]] uint32_t *next, [[maybe_unused]] int32_t *before,
                                  int depth) {
    if (t.rules.unclaimed == Unclaimed::skip) return {skip_unknown<From>(t, at.in, from, depth), at.out};
    if constexpr (From::traits.keeps == Kept::fields && To::traits.keeps == Kept::fields) {
        if (t.rules.unclaimed != Unclaimed::copy) return given_up;
        const Row<To> *rows = rows_of<To>(link);
        int32_t id = From::found(from).id;
        if (id <= *before || (*next > 0 && id < rows[*next - 1].id)) return given_up;
        uint32_t index = *next;
        while (index < link->count && rows[index].id < id) index++;
        at.out = write_absent<To>(t, at.out, link, rows + *next, rows + index, written.frame, &written.count, depth);
        if (!at.out) return given_up;
        *next = index;
        *before = id;
        at = copy_unknown<From, To>(t, at, from, written.frame, depth);
        if (!at.in) return given_up;
        return {at.in, writer_reserve(t.writer(), at.out, rows_room<To>(rows + index, rows + link->count) + To::close_max)};
    }
    return given_up;
}

// `depth` is how many levels there may be below this one.
template <class From, class To> Places pass_struct(Transit &t, Places at, const Link *link, int depth) {
    if (SPARPACK_UNLIKELY(depth < t.rules.depth_watched) && too_deep(t, depth)) return given_up;
    if (SPARPACK_UNLIKELY(!t.charges(link->cost) || storage_is_adopted(link->plan))) return given_up;
    if (SPARPACK_UNLIKELY(t.sorts)) return sort_struct<From, To>(t, at, link, depth);
    const Row<From> *from_rows = rows_of<From>(link);
    const Row<To> *rows = rows_of<To>(link), *end = rows + link->count;
    typename From::Frame from{};
    Written<To> written;
    if constexpr (From::traits.opens_structs) {
        if (SPARPACK_UNLIKELY(!(at.in = From::open_struct(t.in, at.in, from, false)))) return given_up;
    }
    constexpr size_t around = To::close_max + (To::traits.opens_structs ? To::open_max : 0);
    at.out = writer_reserve(t.writer(), at.out, rows_room<To>(rows, end) + around);
    at.out = open_struct<To>(t, at.out, link, rows, written);
    uint32_t next = 0;
    int32_t before = INT32_MIN;
    for (;;) {
        int index = static_cast<int>(next);
        if (SPARPACK_UNLIKELY(!From::next_known(t.in, at.in, from, from_rows[next].header)))
            index = From::next_field(t.in, at.in, from, link->table, next);
        if (SPARPACK_LIKELY(index >= 0)) {
            const Row<To> *row = &rows[index];
            if (SPARPACK_UNLIKELY(static_cast<uint32_t>(index) != next)) {
                if (static_cast<uint32_t>(index) < next) return t.is_disordered = true, given_up;
                at.out = write_absent<To>(t, at.out, link, rows + next, row, written.frame, &written.count, depth);
                if (SPARPACK_UNLIKELY(!at.out)) return t.is_disordered = true, given_up;  // a required field may come later
                at.out = writer_reserve(t.writer(), at.out, rows_room<To>(row, end) + To::close_max);
            }
            at.out = To::write_known(t.writer(), at.out, written.frame, row->header);
            const FieldsRest<To> rest = {row + 1, end};
            if constexpr (is_common<From, To>) {
                at = pass_value<From, To>(t, at, row->type, &from, &written.frame, depth, rest);
            } else {
                at = with_rest(t, pass_one<From, To>(t, at, row->type, &from, &written.frame, depth), rest);
            }
            if (SPARPACK_UNLIKELY(!at.in)) return given_up;
            written.count++;
            next = static_cast<uint32_t>(index) + 1;
        } else if (SPARPACK_LIKELY(index == next_end)) {
            break;
        } else if (index == next_unknown) {
            at = pass_unknown<From, To>(t, at, link, from, written, &next, &before, depth);
            if (SPARPACK_UNLIKELY(!at.in)) return given_up;
        } else {
            return given_up;
        }
    }
    if (SPARPACK_UNLIKELY(next < link->count)) {
        at.out = write_absent<To>(t, at.out, link, rows + next, end, written.frame, &written.count, depth);
        if (SPARPACK_UNLIKELY(!at.out)) return given_up;
        at.out = writer_reserve(t.writer(), at.out, To::close_max);
    }
    return {at.in, close_struct<To>(t, at.out, link, written)};
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
        at = link->is_union ? pass_union<From, To>(t, at, link, depth) : pass_struct<From, To>(t, at, link, depth);
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
