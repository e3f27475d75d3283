// From cells to the bytes of a wire, driven by a link. Only the files cells_of_*.cpp include this one.
#pragma once

#include "../wire/thrift/copy.hpp"
#include "../wire/thrift/events.hpp"
#include "../wire/walks.hpp"
#include "absent_values.hpp"
#include "distinct.hpp"

namespace sparpack {

namespace {

// Writes the value of a cell. `head` is where a struct or a container begins.
template <class To, class Writes = To>
SPARPACK_INLINE uint8_t *write_cell(Transit &t, uint8_t *q, const Type &type, const Cell &cell, size_t head,
                                    typename To::Frame *frame, int depth, size_t rest) {
    return write_value<To, Writes>(t, q, type, cell, frame, rest, [&]() -> uint8_t * {
        if constexpr (!std::is_same_v<Writes, To>) return nullptr;  // keys are scalars
        return cells_write<To>(t, q, type, head, depth - 1);
    });
}

template <class To>
[[gnu::noinline]] uint8_t *write_one(Transit &t, uint8_t *q, const Type &type, const Cell &cell, size_t head,
                                     typename To::Frame *frame, int depth) {
    return write_cell<To>(t, q, type, cell, head, frame, depth, 0);
}

// Where the element behind this one is.
SPARPACK_INLINE size_t next_place(const Transit &t, const Type &type, size_t place) {
    const Cell &cell = t.cells[place];
    if (kind_is_compound(type.kind)) return cell.place;
    const bool has_bytes = type.kind == Kind::string || type.kind == Kind::binary || type.kind == Kind::uuid;
    return has_bytes && cell.is_kept ? cell.place + kept_cells(cell.size) : place + 1;
}

// Writes an element whose room is not reserved.
template <class To, class Writes = To>
SPARPACK_INLINE uint8_t *write_element(Transit &t, uint8_t *q, const Type &type, size_t place, int depth) {
    q = writer_reserve(t.writer(), q, Room<To>::value);
    if constexpr (std::is_same_v<Writes, To>) {
        return write_one<To>(t, q, type, t.cells[place], place, nullptr, depth);
    } else {
        return write_cell<To, Writes>(t, q, type, t.cells[place], place, nullptr, depth, 0);
    }
}

// --- structs -----------------------------------------------------------------------------------------------------------

template <class To> SPARPACK_INLINE size_t fields_set(const Link *link, const Row<To> *rows, const Cell *cells) {
    size_t count = 0;
    for (uint32_t i = 0; i < link->count; i++)
        count += cells[i].is_set || !NIL_P(link->plan->slots[rows[i].slot].default_value);
    return count;
}

// Writes an unknown field of Thrift's. Returns nullptr if the wire cannot carry it.
template <class To>
SPARPACK_COLD uint8_t *write_unknown(Transit &t, uint8_t *q, size_t entry, typename To::Frame &frame, int depth) {
    const Cell *heads = t.cells + entry;
    Binary::Frame from{};
    from.id = static_cast<int32_t>(heads[0].number);
    from.type = static_cast<WireType>(heads[1].size);
    const uint8_t *bytes = reinterpret_cast<const uint8_t *>(heads + unknown_heads);
    Input in(bytes, heads[1].place);
    Limited<Copy<To>> copy(in, no_size_limits, t.writer(), q);
    typename Copy<To>::Level level{frame, 0};
    copy.field(level, {{bytes, bytes}, from.id, from.type});
    if (!walk_value<Binary::Events>(in, bytes, Binary::Events::field_value(from), copy, level, depth)) return nullptr;
    frame = level.frame;
    return copy.p;
}

// Writes the fields of a struct and, between them, the unknown ones, if these come in order.
template <class To>
SPARPACK_COLD uint8_t *write_with_unknown(Transit &t, uint8_t *q, const Link *link, const Row<To> *rows, size_t place,
                                          typename To::Frame &frame, int depth) {
    size_t entry = t.cells[place].size;
    int64_t before = INT64_MIN;
    auto write_before = [&](int64_t id) {
        for (; q && entry && t.cells[entry].number < id; entry = t.cells[entry].size) {
            if (t.cells[entry].number <= before) return q = nullptr;
            before = t.cells[entry].number;
            q = write_unknown<To>(t, q, entry, frame, depth);
        }
        return q;
    };
    for (uint32_t i = 0; i < link->count; i++) {
        const Row<To> *row = rows + i;
        if (!write_before(row->id)) return nullptr;
        q = writer_reserve(t.writer(), q, rows_room<To>(row, row + 1));
        const Cell &cell = t.cells[place + 1 + i];
        if (cell.is_set) {
            q = To::write_known(t.writer(), q, frame, row->header);
            q = write_one<To>(t, q, row->type, cell, cell.place, &frame, depth);
        } else {
            q = cells_write_absent<To>(t, q, link, row, frame, depth);
        }
        if (!q) return nullptr;
    }
    return write_before(INT64_MAX) ? writer_reserve(t.writer(), q, To::close_max) : nullptr;
}

// Writes the struct whose head is at `place`.
template <class To>
SPARPACK_INLINE uint8_t *write_fields(Transit &t, uint8_t *q, const Link *link, const Row<To> *rows, size_t room,
                                      size_t place, int depth) {
    Writer &w = t.writer();
    typename To::Frame frame{};
    if constexpr (To::traits.opens_structs) {
        size_t count = link->count;
        if constexpr (To::traits.fields == FieldsBy::position) {
            count = To::positions(rows[link->count].header);
        } else if constexpr (To::traits.counts_fields) {
            count = fields_set<To>(link, rows, t.cells + place + 1);
        }
        q = To::open_struct(w, q, frame, count, false);
    }
    if constexpr (To::traits.keeps == Kept::fields) {
        if (SPARPACK_UNLIKELY(t.cells[place].size != 0)) {
            q = write_with_unknown<To>(t, q, link, rows, place, frame, depth);
            return q ? To::close_struct(w, q, frame) : nullptr;
        }
    }
    const Cell *cell = t.cells + place + 1;
    for (const Row<To> *row = rows, *end = rows + link->count; row < end; row++, cell++) {
        if (SPARPACK_UNLIKELY(!cell->is_set)) {
            q = cells_write_absent<To>(t, q, link, row, frame, depth);
            if (SPARPACK_UNLIKELY(!q)) return nullptr;
            q = writer_reserve(w, q, room);
            continue;
        }
        q = To::write_known(w, q, frame, row->header);
        q = write_cell<To>(t, q, row->type, *cell, cell->place, &frame, depth, room);
        if (SPARPACK_UNLIKELY(!q)) return nullptr;
    }
    return To::close_struct(w, q, frame);
}

// Writes structs that follow one another.
template <class To>
[[gnu::noinline]] uint8_t *write_structs(Transit &t, uint8_t *q, const Link *link, size_t place, size_t count, bool listed,
                                         int depth) {
    if (SPARPACK_UNLIKELY(t.rules.stack_checked) && ruby_stack_check()) return nullptr;
    const Row<To> *rows = rows_to_write<To>(link, t.rules.to);
    const size_t room = rows_room<To>(rows, rows + link->count) + To::close_max;
    constexpr size_t around = To::close_max + (To::traits.opens_structs ? To::open_max : 0);
    for (size_t i = 0; i < count; i++) {
        q = writer_reserve(t.writer(), q, room + around);
        if constexpr (!To::traits.counts_elements) {
            if (listed) q = To::write_next(t.writer(), q, i);
        }
        const size_t next = t.cells[place].place;
        if (SPARPACK_UNLIKELY(!(q = write_fields<To>(t, q, link, rows, room, place, depth)))) return nullptr;
        place = next;
    }
    return q;
}

template <class To>
[[gnu::noinline]] uint8_t *write_union(Transit &t, uint8_t *q, const Link *link, size_t place, int depth) {
    if (SPARPACK_UNLIKELY(t.rules.stack_checked) && ruby_stack_check()) return nullptr;
    const Row<To> *row = rows_to_write<To>(link, t.rules.to) + t.cells[place].size;
    typename To::Frame frame{};
    q = writer_reserve(t.writer(), q, To::open_max + rows_room<To>(row, row + 1));
    if constexpr (To::traits.opens_structs) q = To::open_struct(t.writer(), q, frame, 1, true);
    q = To::write_known(t.writer(), q, frame, row->header);
    const Cell &cell = t.cells[place + 1];
    q = write_one<To>(t, q, row->type, cell, cell.place, &frame, depth);
    if (SPARPACK_UNLIKELY(!q)) return nullptr;
    return To::close_struct(t.writer(), writer_reserve(t.writer(), q, To::close_max), frame);
}

// --- containers --------------------------------------------------------------------------------------------------------

// The key of a map, or an element of a set. 0.0 and -0.0 are one key, and no NaN is equal to another, so these are left to
// the decode.
template <class To, class Writes>
SPARPACK_INLINE uint8_t *write_key(Transit &t, uint8_t *q, const Type &type, size_t place, int depth, Distinct &distinct) {
    if (SPARPACK_UNLIKELY(kind_is_compound(type.kind))) return nullptr;
    if (SPARPACK_UNLIKELY(type.kind == Kind::double_)) {
        double real = t.cells[place].real;
        if (real == 0 || real != real) return nullptr;
    }
    q = writer_reserve(t.writer(), q, Room<To>::value);
    const size_t begin = t.offset(q);
    q = write_element<To, Writes>(t, q, type, place, depth);
    if (SPARPACK_UNLIKELY(!q)) return nullptr;
    const uint8_t *bytes = t.at(begin);
    return SPARPACK_LIKELY(distinct.add(bytes, static_cast<size_t>(q - bytes))) ? q : nullptr;
}

template <class To> uint8_t *write_list(Transit &t, uint8_t *q, const Type &type, size_t head, int depth) {
    const Type &element = *type.element;
    const size_t count = t.cells[head].size;
    size_t place = head + 1;
    q = To::write_list(t.writer(), q, element.wire, count);
    if (type.kind == Kind::set) {
        Distinct distinct(t);
        for (size_t i = 0; i < count; i++) {
            q = write_key<To, To>(t, write_next<To>(t, q, i), element, place, depth, distinct);
            if (SPARPACK_UNLIKELY(!q)) return nullptr;
            place = next_place(t, element, place);
        }
        distinct.end();
    } else if (SPARPACK_LIKELY(element.kind == Kind::struct_)) {
        if (count > 0 && !(q = write_structs<To>(t, q, element.link, place, count, true, depth - 1))) return nullptr;
    } else {
        for (size_t i = 0; i < count; i++) {
            q = write_element<To>(t, write_next<To>(t, q, i), element, place, depth);
            if (SPARPACK_UNLIKELY(!q)) return nullptr;
            place = next_place(t, element, place);
        }
    }
    return close_empty<To>(t, q, false);
}

template <class To> uint8_t *write_map(Transit &t, uint8_t *q, const Type &type, size_t head, int depth) {
    const Type &key = *type.key, &value = *type.element;
    const size_t count = t.cells[head].size;
    size_t place = head + 1;
    q = To::write_map(t.writer(), q, key.wire, value.wire, count);
    Distinct distinct(t);
    for (size_t i = 0; i < count; i++) {
        q = write_key<To, typename To::Key>(t, write_next<To>(t, q, i), key, place, depth, distinct);
        if (SPARPACK_UNLIKELY(!q)) return nullptr;
        place = next_place(t, key, place);
        if constexpr (!To::traits.counts_elements)
            q = To::write_next_value(t.writer(), writer_reserve(t.writer(), q, To::close_max));
        if (SPARPACK_UNLIKELY(!(q = write_element<To>(t, q, value, place, depth)))) return nullptr;
        place = next_place(t, value, place);
    }
    distinct.end();
    return close_empty<To>(t, q, true);
}

}  // namespace

// Writes a struct or a container. `depth` is how many levels there may be below.
template <class To> uint8_t *cells_write(Transit &t, uint8_t *q, const Type &type, size_t head, int depth) {
    switch (type.kind) {
    case Kind::struct_: return write_structs<To>(t, q, type.link, head, 1, false, depth);
    case Kind::union_: return write_union<To>(t, q, type.link, head, depth);
    case Kind::list:
    case Kind::set: return write_list<To>(t, q, type, head, depth);
    case Kind::map: return write_map<To>(t, q, type, head, depth);
    default: return nullptr;
    }
}

template <class To> uint8_t *cells_write_payload(Transit &t, const Link *link) {
    const int depth = t.rules.depth - 1;
    uint8_t *q = t.output.writer.begin;
    return link->is_union ? write_union<To>(t, q, link, 0, depth) : write_structs<To>(t, q, link, 0, 1, false, depth);
}

}  // namespace sparpack

// The half of a wire that writes, for the file of the wire.
#define SPARPACK_CELLS_WRITER(To)                                                       \
    template uint8_t *cells_write_payload<To>(Transit &, const Link *);                 \
    template uint8_t *cells_write<To>(Transit &, uint8_t *, const Type &, size_t, int); \
    template uint8_t *cells_write_absent<To>(Transit &, uint8_t *, const Link *, const Row<To> *, To::Frame &, int);
