// Fills columns while it scans (column.hpp): what a scan does with the values that branches take. Only scan.cpp includes
// this file.
#pragma once

#include "../../codec/codec.hpp"
#include "../../values/numbers.hpp"
#include "../../values/text.hpp"
#include "../scan_values.hpp"
#include "column.hpp"

namespace sparpack {

namespace {

VALUE number_of(Kind kind, int64_t number) {
    if (kind == Kind::bool_) return number ? Qtrue : Qfalse;
    if (SPARPACK_UNLIKELY(kind == Kind::double_)) {
        double real = 0;
        memcpy(&real, &number, sizeof real);
        return DBL2NUM(real);
    }
    return LL2NUM(number);
}

// Decodes a value that a scan has passed, and which therefore takes no more memory than was charged.
VALUE take_decoded(ColumnScan &s, const uint8_t *p, const uint8_t *end, const Type &type, int depth) {
    if (s.c.is_detached || !s.stays_within(end)) return Qundef;
    const size_t offset = s.base + static_cast<size_t>(p - s.in.begin);
    return decode_part(type, s.source, s.c.facts.wire, s.options, offset, depth, checked_memory);
}

template <class Wire>
[[gnu::noinline]] const uint8_t *take_number(ColumnScan &s, const uint8_t *p, const Branch &branch,
                                             const typename Wire::Frame *frame) {
    Column &column = s.c.columns[branch.column];
    int64_t number = 0;
    p = Wire::traits.text ? number_at<Wire>(s, p, column.kind, frame, &number)
                          : read_number<Wire, Wire>(s, p, column.kind, frame, &number);
    if (SPARPACK_UNLIKELY(!p)) return nullptr;
    if (s.c.packed) return SPARPACK_LIKELY(packed_push(column.packed, column.kind, number)) ? p : nullptr;
    column_push(column, number_of(column.kind, number));
    return p;
}

// Adds a String of text whose bytes were checked.
SPARPACK_INLINE void push_text(const ColumnScan &s, Column &column, const uint8_t *data, size_t size, Text text) {
    VALUE value;
    if (s.c.share) {
        value = key_cache_find(s.c.keys, data, size);
    } else {
        value = text_new(data, size, text);
        if (s.options.freeze) freeze_raw(value);
    }
    column_push(column, value);
}

template <class Wire>
[[gnu::noinline]] const uint8_t *take_text(ColumnScan &s, const uint8_t *p, const Branch &branch, int depth) {
    const Type &type = *branch.node.type;
    Column &column = s.c.columns[branch.column];
    const bool is_text = type.kind == Kind::string;
    if constexpr (std::is_same_v<Wire, Compact> || std::is_same_v<Wire, Binary>) {
        const uint8_t *end = SPARPACK_LIKELY(branch.in_struct && is_text && p <= s.safe) ? pass_text<Wire>(s, p) : nullptr;
        if (SPARPACK_LIKELY(end != nullptr)) {
            const uint8_t *text = p + text_head<Wire>;
            push_text(s, column, text, static_cast<size_t>(end - text), Text::ascii);
            return end;
        }
    }
    StringBytes string;
    const uint8_t *const start = p;
    if (SPARPACK_UNLIKELY(!(p = string_at<Wire>(s, p, is_text, &string)))) return nullptr;
    if (is_text && SPARPACK_LIKELY(Wire::traits.raw_strings || !string.escaped)) {
        push_text(s, column, string.data, string.length, string.text);
    } else {
        VALUE value = take_decoded(s, start, p, type, depth);
        if (SPARPACK_UNLIKELY(value == Qundef)) return nullptr;
        columns_push_string(s.c, column, value);
    }
    return p;
}

// Passes over a value, and decodes it then.
template <class Wire>
[[gnu::noinline]] const uint8_t *take_whole(ColumnScan &s, const uint8_t *p, const Branch &branch,
                                            const typename Wire::Frame *frame, int depth) {
    const Type &type = *branch.node.type;
    const uint8_t *end = scan_one<Wire>(s, p, type, frame, depth, false);
    if (SPARPACK_UNLIKELY(!end)) return nullptr;
    const VALUE value = take_decoded(s, p, end, type, depth);
    return value != Qundef && columns_follow(s.c, branch, value) ? end : nullptr;
}

template <class Wire>
[[gnu::noinline]] const uint8_t *take_elements(ColumnScan &s, const uint8_t *p, const Branch &branch, int depth) {
    Columns &c = s.c;
    const Branch &child = *branch.child;
    const Type &element = *branch.node.type->element;
    const bool is_rows = c.rows == &branch;
    size_t count = 0;
    if (SPARPACK_UNLIKELY(depth < 0 || !(p = Wire::read_list(s.in, p, element.wire, &count)))) return nullptr;
    if (!is_rows) columns_open(c, child);
    const size_t waiting = s.waiting;
    if constexpr (Wire::traits.counts_elements) {
        if (SPARPACK_UNLIKELY(static_cast<int64_t>(count) > s.options.container || !s.charges(array_cost(count))))
            return nullptr;
        if (SPARPACK_UNLIKELY(!columns_charge(c, child, is_rows ? rows_cost(count) : array_cost(count)))) return nullptr;
        s.takes(1 + (count < run_size ? count : run_size));
        if (element.kind == Kind::struct_ && child.action == Action::fields) {
            if (SPARPACK_UNLIKELY(!(p = scan_structs<Wire>(s, p, child.link, count, depth - 1)))) return nullptr;
        } else {
            for (size_t i = 0; i < count; i++) {
                if (SPARPACK_UNLIKELY(!(p = take<Wire>(s, p, child, nullptr, depth)))) return nullptr;
            }
        }
        s.waiting = waiting;
    } else {
        auto next = [&](const uint8_t *&q, size_t index) { return Wire::next_element(s.in, q, index, count); };
        auto pass = [&](const uint8_t *q) {
            return columns_charge(c, child, rows_cost(1)) ? take<Wire>(s, q, child, nullptr, depth) : nullptr;
        };
        size_t found = 0;
        if (!(p = scan_to_end(s, p, run_size, &found, next, pass))) return nullptr;
        if (!charges_grown<array_cost, room_of_array>(s, found)) return nullptr;
        if (!is_rows && !columns_charge(c, child, array_cost(found) - rows_cost(found))) return nullptr;
        count = found;
    }
    if (!is_rows) {
        if (SPARPACK_UNLIKELY(!s.stays_within(p))) return nullptr;
        columns_close(c, child, count);
    }
    return p;
}

// Takes some elements of a list, whose size is known.
template <class Wire>
[[gnu::noinline]] const uint8_t *take_indexed(ColumnScan &s, const uint8_t *p, const Branch &branch, int depth) {
    const Type &element = *branch.node.type->element;
    size_t count = 0;
    if (SPARPACK_UNLIKELY(depth < 0 || !(p = Wire::read_list(s.in, p, element.wire, &count)))) return nullptr;
    if constexpr (!Wire::traits.counts_elements) {
        return nullptr;
    } else {
        if (static_cast<int64_t>(count) > s.options.container || !s.charges(array_cost(count))) return nullptr;
        const size_t waiting = s.waiting;
        s.takes(1 + (count < run_size ? count : run_size));
        // Either there is a single child, or no index counts from the end.
        const Branch *child = branch.child;
        for (size_t i = 0; i < count; i++) {
            const long place = static_cast<long>(i), from_end = place - static_cast<long>(count);
            const bool here = child && (child->node.index == place || child->node.index == from_end);
            p = here ? take<Wire>(s, p, *child, nullptr, depth) : scan_one<Wire>(s, p, element, nullptr, depth, false);
            if (SPARPACK_UNLIKELY(!p)) return nullptr;
            if (here) child = child->next;
        }
        s.waiting = waiting;
        for (const Branch *each = branch.child; each; each = each->next) {
            const long size = static_cast<long>(count), index = each->node.index;
            if (index < size && index >= -size) continue;
            if (!columns_may_grow(s, *each, p)) return nullptr;
            columns_push_nil(s.c, *each);
        }
        return p;
    }
}

// Only jumps, so that no case pays for the registers of another one.
template <class Wire>
[[gnu::noinline]] const uint8_t *take(Scan &scan, const uint8_t *p, const Branch &branch, const typename Wire::Frame *frame,
                                      int depth) {
    ColumnScan &s = static_cast<ColumnScan &>(scan);
    switch (branch.action) {
    case Action::number: return take_number<Wire>(s, p, branch, frame);
    case Action::text: return take_text<Wire>(s, p, branch, depth);
    case Action::fields:
        if (branch.node.type->kind == Kind::union_) return scan_union<Wire>(s, p, branch.link, depth - 1);
        return scan_structs<Wire>(s, p, branch.link, 1, depth - 1);
    case Action::elements: return take_elements<Wire>(s, p, branch, depth - 1);
    case Action::indexed:
        if (Wire::traits.counts_elements) return take_indexed<Wire>(s, p, branch, depth - 1);
        [[fallthrough]];
    case Action::decode:
    case Action::follow: return take_whole<Wire>(s, p, branch, frame, depth);
    }
    __builtin_unreachable();
}

template <class Wire> const uint8_t *walk_payload(ColumnScan &s, const uint8_t *p) {
    if constexpr (Wire::traits.spaces) p = Wire::begin_payload(s.in, p);
    // The payload is an element of nothing.
    p = take<Wire>(s, p, *s.c.root, nullptr, s.options.depth);
    if constexpr (Wire::traits.spaces) return p ? Wire::end_payload(s.in, p) : nullptr;
    return p;
}

}  // namespace

}  // namespace sparpack
