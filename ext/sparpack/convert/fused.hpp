// The pairs of wires between which gateways convert: what structs hold goes from one wire to the other at once, without
// cells in memory. Sets, maps and unions go through cells, and so does a payload whose fields come in another order.
#pragma once

#include "read_values.hpp"
#include "write_values.hpp"

namespace sparpack {

namespace {

constexpr Places given_up = {nullptr, nullptr};

// Leaves the payload to the cells.
SPARPACK_COLD inline Places unfuse(Transit &t) {
    t.is_unusual = true;
    return given_up;
}

// The head of a container or a struct, which may have to be written again with another count.
struct Head {
    size_t begin;
    size_t size;
};

// Writes a head again: (writer, cursor) -> cursor. What is behind it moves if the new one has another size.
template <class Put> [[gnu::noinline]] uint8_t *head_replace(Transit &t, uint8_t *q, Head head, Put put) {
    uint8_t room[64];
    Writer w{};
    w.begin = room;
    w.end = room + sizeof room;
    size_t size = static_cast<size_t>(put(w, writer_reserve(w, room, sizeof room)) - room);
    if (size > head.size) q = writer_reserve(t.writer(), q, size - head.size);
    uint8_t *begin = t.at(head.begin);
    if (size != head.size) {
        memmove(begin + size, begin + head.size, static_cast<size_t>(q - begin) - head.size);
        q += static_cast<ptrdiff_t>(size) - static_cast<ptrdiff_t>(head.size);
    }
    memcpy(begin, room, size);
    return q;
}

template <class From, class To>
Places fuse_structs(Transit &t, Places at, const Link *link, size_t count, bool listed, int depth);

// A value that goes through cells, which are free again behind it.
template <class From, class To> [[gnu::noinline]] Places through_cells(Transit &t, Places at, const Type &type, int depth) {
    at.in = cells_read<From>(t, at.in, type, depth);
    if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    at.out = cells_write<To>(t, at.out, type, 0, depth);
    t.cells_used = 0;
    return SPARPACK_LIKELY(at.out != nullptr) ? at : given_up;
}

template <class From, class To> Places fuse_compound(Transit &t, Places at, const Type &type, int depth);

template <class From, class To> [[gnu::noinline]] Places fuse_binary(Transit &t, Places at, size_t rest) {
    Cell cell = Cell::of_value();
    if (SPARPACK_UNLIKELY(!(at.in = read_string<From, From>(t, at.in, cell, false)))) return given_up;
    at.out = write_string<To, To>(t, at.out, cell, false, rest);
    t.cells_used = 0;
    return SPARPACK_LIKELY(at.out != nullptr) ? at : given_up;
}

template <class From, class To> [[gnu::noinline]] Places fuse_uuid(Transit &t, Places at) {
    Cell cell = Cell::of_value();
    if (SPARPACK_UNLIKELY(!(at.in = read_uuid<From>(t, at.in, cell)))) return given_up;
    at.out = write_uuid<To>(t, at.out, cell);
    t.cells_used = 0;
    return at;
}

// Writes a number that `read` has read, unless there is none.
#define SPARPACK_FUSE_NUMBER(read, write)                                                                   \
    do {                                                                                                    \
        int64_t number = 0;                                                                                 \
        const uint8_t *p = From::read(t.in, at.in, &number);                                                \
        return SPARPACK_LIKELY(p != nullptr) ? Places{p, To::write(t.writer(), at.out, number)} : given_up; \
    } while (false)

// A value whose room is reserved, and on return that of the `rest`. The frames belong to the structs that have the value as
// a field.
template <class From, class To>
SPARPACK_INLINE Places fuse_value(Transit &t, Places at, const Type &type, const typename From::Frame *from,
                                  typename To::Frame *to, int depth, size_t rest) {
    switch (type.kind) {
    case Kind::bool_: {
        bool value = false;
        const uint8_t *p = From::read_bool(t.in, at.in, from, &value);
        return SPARPACK_LIKELY(p != nullptr) ? Places{p, To::write_bool(t.writer(), at.out, to, value)} : given_up;
    }
    case Kind::i8: SPARPACK_FUSE_NUMBER(read_i8, write_i8);
    case Kind::i16: SPARPACK_FUSE_NUMBER(read_i16, write_i16);
    case Kind::i32: SPARPACK_FUSE_NUMBER(read_i32, write_i32);
    case Kind::enum_: {
        int64_t number = 0;
        const uint8_t *p = read_enum<From, From>(t, at.in, type, &number);
        if (SPARPACK_UNLIKELY(!p)) return given_up;
        uint8_t *q = write_enum<To, To>(t, at.out, type, number, rest);
        return SPARPACK_LIKELY(q != nullptr) ? Places{p, q} : given_up;
    }
    case Kind::i64: {
        int64_t number = 0;
        const uint8_t *p = From::read_i64(t.in, at.in, &number);
        if (SPARPACK_UNLIKELY(!p || !charges_integer(t, number))) return given_up;
        return {p, write_i64<To, To>(t, at.out, number)};
    }
    case Kind::double_: {
        double real = 0;
        const uint8_t *p = From::read_double(t.in, at.in, &real);
        if (SPARPACK_UNLIKELY(!p || !charges_float(t, real))) return given_up;
        return {p, To::write_double(t.writer(), at.out, real)};
    }
    case Kind::string: {
        Cell cell = Cell::of_value();
        const uint8_t *p = read_string<From, From>(t, at.in, cell, true);
        if (SPARPACK_UNLIKELY(!p)) return given_up;
        uint8_t *q = write_string<To, To>(t, at.out, cell, true, rest);
        if (!From::traits.raw_strings && SPARPACK_UNLIKELY(cell.is_kept)) t.cells_used = 0;
        return SPARPACK_LIKELY(q != nullptr) ? Places{p, q} : given_up;
    }
    case Kind::binary: return fuse_binary<From, To>(t, at, rest);
    case Kind::uuid: return fuse_uuid<From, To>(t, at);
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::struct_:
    case Kind::union_:
    case Kind::any: break;
    }
    at = fuse_compound<From, To>(t, at, type, depth - 1);
    return SPARPACK_LIKELY(at.in != nullptr) ? Places{at.in, writer_reserve(t.writer(), at.out, rest)} : given_up;
}

#undef SPARPACK_FUSE_NUMBER

// The same as a function, for elements.
template <class From, class To> [[gnu::noinline]] Places fuse_element(Transit &t, Places at, const Type &type) {
    return fuse_value<From, To>(t, at, type, nullptr, nullptr, 0, 0);
}

// The elements of a list, of which there are none with elements of their own but structs.
template <class From, class To> Places fuse_list(Transit &t, Places at, const Type &type, int depth) {
    if (SPARPACK_UNLIKELY(depth < 0)) return given_up;
    const Type &element = *type.element;
    size_t count = 0;
    at.in = From::read_list(t.in, at.in, element.wire, &count);
    if (SPARPACK_UNLIKELY(!at.in || static_cast<int64_t>(count) > t.rules.container)) return given_up;
    constexpr bool is_counted = From::traits.counts_elements;
    if (SPARPACK_UNLIKELY(!t.charges(array_cost(is_counted ? count : 0)))) return given_up;
    const size_t assumed = is_counted ? count : 1, begin = t.offset(at.out);
    at.out = To::write_list(t.writer(), at.out, element.wire, assumed);
    if constexpr (is_counted) {
        if (SPARPACK_LIKELY(element.kind == Kind::struct_)) {
            if (count > 0) at = fuse_structs<From, To>(t, at, element.link, count, true, depth - 1);
            return SPARPACK_LIKELY(at.in != nullptr) ? Places{at.in, close_empty<To>(t, at.out, false)} : given_up;
        }
    }
    [[maybe_unused]] const Head head = {begin, t.offset(at.out) - begin};
    Growth<array_cost, room_of_array> growth;
    size_t i = 0;
    for (;; i++) {
        const NextElement next = element_at<From, false>(t, at.in, i, count, growth);
        if (next == NextElement::end) break;
        if (SPARPACK_UNLIKELY(next == NextElement::failed)) return given_up;
        at.out = writer_reserve(t.writer(), write_next<To>(t, at.out, i), Room<To>::value);
        at = element.kind == Kind::struct_ ? fuse_structs<From, To>(t, at, element.link, 1, false, depth - 1)
                                           : fuse_element<From, To>(t, at, element);
        if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    }
    if (!is_counted && i != assumed) {
        at.out = head_replace(t, at.out, head, [&](Writer &w, uint8_t *q) { return To::write_list(w, q, element.wire, i); });
    }
    return {at.in, close_empty<To>(t, at.out, false)};
}

template <class From, class To> [[gnu::noinline]] Places fuse_compound(Transit &t, Places at, const Type &type, int depth) {
    if (type.kind == Kind::struct_) return fuse_structs<From, To>(t, at, type.link, 1, false, depth);
    const bool is_simple =
        type.kind == Kind::list && (type.element->kind == Kind::struct_ || !kind_is_compound(type.element->kind));
    return is_simple ? fuse_list<From, To>(t, at, type, depth) : through_cells<From, To>(t, at, type, depth);
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

// Writes the absent fields from `row` up to `end`, and reserves the room of those behind them. `missing` counts those that
// are not written.
template <class From, class To>
[[gnu::noinline]] uint8_t *fuse_absent(Transit &t, uint8_t *q, const Shape<From, To> &shape, const Row<To> *row,
                                       const Row<To> *end, typename To::Frame &frame, size_t &missing) {
    for (; row < end; row++) {
        if (NIL_P(shape.link->plan->slots[row->slot].default_value)) missing++;
        q = writer_reserve(t.writer(), q, rows_room<To>(row, row + 1));
        if (!(q = cells_write_absent<To>(t, q, shape.link, row, frame, shape.depth))) return nullptr;
    }
    return writer_reserve(t.writer(), q, shape.room);
}

// A struct whose room is reserved. Functions that are not inlined get copies of its state, so that it stays in registers.
template <class From, class To> SPARPACK_INLINE Places fuse_fields(Transit &t, Places at, const Shape<From, To> &shape) {
    typename From::Frame from{};
    if constexpr (From::traits.opens_structs) {
        if (SPARPACK_UNLIKELY(!(at.in = From::open_struct(t.in, at.in, from, false)))) return given_up;
    }
    typename To::Frame to{};
    [[maybe_unused]] Head head{};
    size_t missing = 0;
    if constexpr (To::traits.opens_structs) {
        size_t count = shape.link->count;
        if constexpr (To::traits.fields == FieldsBy::position) count = To::positions(shape.end->header);
        const uint8_t *begin = at.out;
        at.out = To::open_struct(t.writer(), at.out, to, count, false);
        head = {t.offset(begin), static_cast<size_t>(at.out - begin)};
    }
    const Row<From> *expected = shape.from_rows;
    const Row<To> *row = shape.rows;
    for (;; row++, expected++) {
        while (SPARPACK_UNLIKELY(!From::next_known(t.in, at.in, from, expected->header))) {
            const ptrdiff_t next = row - shape.rows;
            const int index = From::next_field(t.in, at.in, from, shape.link->table, static_cast<uint32_t>(next));
            if (SPARPACK_LIKELY(index >= 0 || index == next_end)) {
                if (SPARPACK_UNLIKELY(index >= 0 && index < next)) return unfuse(t);
                const Row<To> *found = index >= 0 ? shape.rows + index : shape.end;
                if (found > row) {
                    typename To::Frame copy = to;
                    size_t more = 0;
                    at.out = fuse_absent(t, at.out, shape, row, found, copy, more);
                    if (SPARPACK_UNLIKELY(!at.out)) return unfuse(t);  // a required field may come later
                    to = copy;
                    missing += more;
                }
                if (index >= 0) {
                    row = found;
                    expected = shape.from_rows + index;
                    break;
                }
                at.out = To::close_struct(t.writer(), at.out, to);
                if constexpr (To::traits.counts_fields && To::traits.fields != FieldsBy::position) {
                    if (SPARPACK_UNLIKELY(missing > 0)) {
                        const size_t count = shape.link->count - missing;
                        at.out = head_replace(t, at.out, head, [&](Writer &w, uint8_t *q) {
                            typename To::Frame frame{};
                            return To::open_struct(w, q, frame, count, false);
                        });
                    }
                }
                return at;
            }
            if (index != next_unknown || t.rules.unclaimed != Unclaimed::skip) return unfuse(t);
            const typename From::Frame met = from;
            at.in = skip_unknown<From>(t, at.in, met, shape.depth);
            if (SPARPACK_UNLIKELY(!at.in)) return given_up;
            expected = shape.from_rows + shape.link->count;  // none, because the field before is not known
        }
        at.out = To::write_known(t.writer(), at.out, to, row->header);
        at = fuse_value<From, To>(t, at, row->type, &from, &to, shape.depth, shape.room);
        if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    }
}

// Structs that follow one another: one, or if they are `listed`, the elements of a list.
// `depth` is how many levels there may be below them.
template <class From, class To>
[[gnu::noinline]] Places fuse_structs(Transit &t, Places at, const Link *link, size_t count, bool listed, int depth) {
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
        at = fuse_fields(t, at, shape);
        if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    }
    return at;
}

template <class From, class To> Places fused_payload(Transit &t, const Link *link, const uint8_t *start) {
    if (link->is_union) return unfuse(t);
    if constexpr (From::traits.spaces) start = From::begin_payload(t.in, start);
    Places at = fuse_structs<From, To>(t, {start, t.output.writer.begin}, link, 1, false, t.rules.depth - 1);
    if constexpr (From::traits.spaces) {
        if (at.in) at.in = From::end_payload(t.in, at.in);
    }
    return at;
}

}  // namespace

}  // namespace sparpack
