// From the bytes of a wire to cells, driven by a link. Only the files cells_of_*.cpp include this one.
#pragma once

#include "../wire/thrift/kept_copy.hpp"
#include "read_values.hpp"

namespace sparpack {

namespace {

// Keeps a field of Thrift's that the link does not have, in the binary protocol, as an object does. `last` is the entry
// before it, or the head of the struct.
template <class From>
SPARPACK_COLD const uint8_t *keep_unknown(Transit &t, const uint8_t *p, const typename From::Frame &frame, size_t *last,
                                          int depth) {
    Limited<BinarySize> sizes(t.in, t.rules.sizes());
    BinarySize::Level level;
    const auto value = From::Events::field_value(frame);
    const uint8_t *end = walk_value<typename From::Events>(t.in, p, value, sizes, level, depth);
    if (!end || !charges_kept<From>(t, frame, p, end)) return nullptr;
    const size_t entry = cells_take(t, unknown_heads + kept_cells(sizes.size + KeptCopy::room));
    KeptCopy copy(reinterpret_cast<uint8_t *>(t.cells + entry + unknown_heads), sizes.size);
    KeptCopy::Level copied;
    end = walk_value<typename From::Events>(t.in, p, value, copy, copied, depth);
    if (SPARPACK_UNLIKELY(!end || !copy.is_complete())) return nullptr;  // the bytes have changed
    const FoundField found = From::found(frame);
    t.cells[entry].number = found.id;
    t.cells[entry].size = 0;
    t.cells[entry + 1].place = sizes.size;
    t.cells[entry + 1].size = static_cast<uint32_t>(found.type);
    t.cells[*last].size = static_cast<uint32_t>(entry);
    *last = entry;
    return end;
}

// Reads a value to the cell at `at`, which is taken. Of a struct or a container, that gets the place.
template <class From, class Reads = From>
SPARPACK_INLINE const uint8_t *read_cell(Transit &t, const uint8_t *p, const Type &type, const typename From::Frame *frame,
                                         size_t at, int depth) {
    Cell cell = Cell::of_value();
    p = read_value<From, Reads>(t, p, type, frame, cell, [&]() -> const uint8_t * {
        if constexpr (!std::is_same_v<Reads, From>) return nullptr;  // keys are scalars
        cell.place = t.cells_used;
        return cells_read<From>(t, p, type, depth - 1);
    });
    t.cells[at] = cell;
    return p;
}

template <class From>
[[gnu::noinline]] const uint8_t *read_one(Transit &t, const uint8_t *p, const Type &type, const typename From::Frame *frame,
                                          size_t at, int depth) {
    return read_cell<From>(t, p, type, frame, at, depth);
}

// An element is a cell, or the head of what it contains.
template <class From, class Reads = From>
SPARPACK_INLINE const uint8_t *read_element(Transit &t, const uint8_t *p, const Type &type, int depth) {
    if constexpr (std::is_same_v<Reads, From>) {
        if (kind_is_compound(type.kind)) return cells_read<From>(t, p, type, depth - 1);
        return read_one<From>(t, p, type, nullptr, cells_take(t, 1), depth);
    } else {
        return read_cell<From, Reads>(t, p, type, nullptr, cells_take(t, 1), depth);
    }
}

// --- structs -----------------------------------------------------------------------------------------------------------

// Whether a value may be read that a decode refuses, because a writer finds that out: text that is not UTF-8, and a struct
// without a required field. If such a field comes again, only the last value is written, so a decode has to look at all.
constexpr bool is_checked_later(Kind kind) { return kind == Kind::string || kind_is_compound(kind); }

// Reads the fields of a struct whose cost is charged.
template <class From>
SPARPACK_INLINE const uint8_t *read_fields(Transit &t, const uint8_t *p, const Link *link, const Row<From> *rows,
                                           int depth) {
    const size_t base = cells_take(t, link->count + size_t{1});
    for (Cell *cell = t.cells + base + 1, *end = cell + link->count; cell < end; cell++) cell->is_set = false;
    t.cells[base].size = 0;
    [[maybe_unused]] size_t last = base;  // where the last unknown field is kept
    typename From::Frame frame{};
    if constexpr (From::traits.opens_structs) {
        if (SPARPACK_UNLIKELY(!(p = From::open_struct(t.in, p, frame, false)))) return nullptr;
    }
    const Row<From> *expected = rows;
    size_t at = base + 1;  // the cell of the expected field
    for (;; expected++, at++) {
        while (SPARPACK_UNLIKELY(!From::next_known(t.in, p, frame, expected->header))) {
            const uint32_t next = static_cast<uint32_t>(at - base - 1);
            const int index = From::next_field(t.in, p, frame, link->table, next);
            if (SPARPACK_LIKELY(index >= 0)) {
                expected = rows + index;
                at = base + 1 + static_cast<size_t>(index);
                break;
            } else {
                if (SPARPACK_LIKELY(index == next_end)) return t.cells[base].place = t.cells_used, p;
                if (index != next_unknown || t.rules.unclaimed == Unclaimed::refuse) return nullptr;
                const typename From::Frame met = frame;
                if (t.rules.unclaimed == Unclaimed::skip) {
                    p = skip_unknown<From>(t, p, met, depth);
                } else if constexpr (From::traits.keeps == Kept::fields) {
                    p = keep_unknown<From>(t, p, met, &last, depth);
                }
                if (!p) return nullptr;
                expected = rows + link->count;
                at = base + 1 + link->count;
            }
        }
        if (SPARPACK_UNLIKELY(t.cells[at].is_set) && is_checked_later(expected->type.kind)) return nullptr;
        p = read_cell<From>(t, p, expected->type, &frame, at, depth);
        if (SPARPACK_UNLIKELY(!p)) return nullptr;
    }
}

// Reads structs that follow one another.
template <class From>
[[gnu::noinline]] const uint8_t *read_structs(Transit &t, const uint8_t *p, const Link *link, size_t count, int depth) {
    if (SPARPACK_UNLIKELY(depth < t.rules.depth_watched) && too_deep(t, depth)) return nullptr;
    if (SPARPACK_UNLIKELY(storage_is_adopted(link->plan))) return nullptr;
    int64_t cost = 0;
    if (SPARPACK_UNLIKELY(__builtin_mul_overflow(count, link->cost, &cost) || !t.charges(cost))) return nullptr;
    const Row<From> *rows = rows_of<From>(link);
    for (size_t i = 0; i < count; i++) {
        if (SPARPACK_UNLIKELY(!(p = read_fields<From>(t, p, link, rows, depth)))) return nullptr;
    }
    return p;
}

// Only a union with exactly one field, which is known.
template <class From>
[[gnu::noinline]] const uint8_t *read_union(Transit &t, const uint8_t *p, const Link *link, int depth) {
    if (SPARPACK_UNLIKELY(depth < t.rules.depth_watched) && too_deep(t, depth)) return nullptr;
    if (SPARPACK_UNLIKELY(!t.charges(link->cost) || storage_is_adopted(link->plan))) return nullptr;
    const size_t base = cells_take(t, 2);
    typename From::Frame frame{};
    if constexpr (From::traits.opens_structs) {
        if (!(p = From::open_struct(t.in, p, frame, true))) return nullptr;
    }
    const int index = From::next_field(t.in, p, frame, link->table, 0);
    if (SPARPACK_UNLIKELY(index < 0)) return nullptr;
    t.cells[base].size = static_cast<uint32_t>(index);
    if (!(p = read_one<From>(t, p, rows_of<From>(link)[index].type, &frame, base + 1, depth))) return nullptr;
    if (From::next_field(t.in, p, frame, link->table, 0) != next_end) return nullptr;
    t.cells[base].place = t.cells_used;
    return p;
}

// --- containers --------------------------------------------------------------------------------------------------------

template <class From, int64_t (*cost)(size_t), int64_t (*grown)(size_t), size_t (*room)(size_t)>
SPARPACK_INLINE const uint8_t *read_elements(Transit &t, const uint8_t *p, const Type &element, size_t count, int depth) {
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(count) > t.rules.container)) return nullptr;
    constexpr bool is_counted = From::traits.counts_elements;
    if (SPARPACK_UNLIKELY(!t.charges(cost(is_counted ? count : 0)))) return nullptr;
    const size_t head = cells_take(t, 1);
    size_t i = 0;
    if constexpr (is_counted) {
        i = count;
        if (element.kind == Kind::struct_) {
            if (count > 0) p = read_structs<From>(t, p, element.link, count, depth - 1);
        } else {
            for (size_t left = count; left > 0 && p; left--) p = read_element<From>(t, p, element, depth);
        }
        if (SPARPACK_UNLIKELY(!p)) return nullptr;
    } else {
        Growth<grown, room> growth;
        for (;; i++) {
            const NextElement next = element_at<From, false>(t, p, i, count, growth);
            if (next == NextElement::end) break;
            if (SPARPACK_UNLIKELY(next == NextElement::failed)) return nullptr;
            if (SPARPACK_UNLIKELY(!(p = read_element<From>(t, p, element, depth)))) return nullptr;
        }
    }
    t.cells[head].place = t.cells_used;
    t.cells[head].size = static_cast<uint32_t>(i);
    return p;
}

template <class From> const uint8_t *read_list(Transit &t, const uint8_t *p, const Type &type, int depth) {
    size_t count = 0;
    p = From::read_list(t.in, p, type.element->wire, &count);
    if (SPARPACK_UNLIKELY(!p)) return nullptr;
    if (type.kind == Kind::set)
        return read_elements<From, set_cost, set_grown_cost, room_of_table>(t, p, *type.element, count, depth);
    return read_elements<From, array_cost, array_cost, room_of_array>(t, p, *type.element, count, depth);
}

template <class From> const uint8_t *read_map(Transit &t, const uint8_t *p, const Type &type, int depth) {
    constexpr bool is_counted = From::traits.counts_elements;
    size_t count = 0;
    const Type &key = *type.key, &value = *type.element;
    p = From::read_map(t.in, p, key.wire, value.wire, &count);
    if (SPARPACK_UNLIKELY(!p || static_cast<int64_t>(count) > t.rules.container)) return nullptr;
    if (SPARPACK_UNLIKELY(!t.charges(hash_cost(is_counted ? count : 0)) || kind_is_compound(key.kind))) return nullptr;
    const size_t head = cells_take(t, 1);
    Growth<hash_grown_cost, room_of_table> growth;
    size_t i = 0;
    for (;; i++) {
        const NextElement next = element_at<From, true>(t, p, i, count, growth);
        if (next == NextElement::end) break;
        if (SPARPACK_UNLIKELY(next == NextElement::failed)) return nullptr;
        if (SPARPACK_UNLIKELY(!(p = read_element<From, typename From::Key>(t, p, key, depth)))) return nullptr;
        if constexpr (!is_counted) {
            if (SPARPACK_UNLIKELY(!(p = From::next_value(t.in, p)))) return nullptr;
        }
        if (SPARPACK_UNLIKELY(!(p = read_element<From>(t, p, value, depth)))) return nullptr;
    }
    t.cells[head].place = t.cells_used;
    t.cells[head].size = static_cast<uint32_t>(i);
    return p;
}

}  // namespace

// Reads a struct or a container, whose head is the next cell. `depth` is how many levels there may be below.
template <class From> const uint8_t *cells_read(Transit &t, const uint8_t *p, const Type &type, int depth) {
    switch (type.kind) {
    case Kind::struct_: return read_structs<From>(t, p, type.link, 1, depth);
    case Kind::union_: return read_union<From>(t, p, type.link, depth);
    case Kind::list:
    case Kind::set: return depth < 0 ? nullptr : read_list<From>(t, p, type, depth);
    case Kind::map: return depth < 0 ? nullptr : read_map<From>(t, p, type, depth);
    default: return nullptr;
    }
}

template <class From> const uint8_t *cells_read_payload(Transit &t, const Link *link, const uint8_t *p) {
    if constexpr (From::traits.spaces) p = From::begin_payload(t.in, p);
    const int depth = t.rules.depth - 1;
    p = link->is_union ? read_union<From>(t, p, link, depth) : read_structs<From>(t, p, link, 1, depth);
    if constexpr (From::traits.spaces) {
        if (p) p = From::end_payload(t.in, p);
    }
    return p;
}

}  // namespace sparpack

// The half of a wire that reads, for the file of the wire.
#define SPARPACK_CELLS_READER(From)                                                             \
    template const uint8_t *cells_read_payload<From>(Transit &, const Link *, const uint8_t *); \
    template const uint8_t *cells_read<From>(Transit &, const uint8_t *, const Type &, int);
