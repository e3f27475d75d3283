// Scans values, structs and containers (scan.hpp). Only the files scan_*.cpp include this one.
#pragma once

#include "../bytes/uuid.hpp"
#include "../wire/sinks.hpp"
#include "../wire/walks.hpp"
#include "pass_values.hpp"
#include "scan_scalars.hpp"

namespace sparpack {

namespace {

template <class Wire> const uint8_t *scan_structs(Scan &s, const uint8_t *p, const Link *link, size_t count, int depth);
template <class Wire> const uint8_t *scan_union(Scan &s, const uint8_t *p, const Link *link, int depth);
template <class Wire> const uint8_t *scan_list(Scan &s, const uint8_t *p, const Type &type, int depth, bool is_key);
template <class Wire> const uint8_t *scan_map(Scan &s, const uint8_t *p, const Type &type, int depth);

// Reads a value into columns (columns/values.hpp).
template <class Wire>
const uint8_t *take(Scan &s, const uint8_t *p, const Branch &branch, const typename Wire::Frame *frame, int depth);

// `is_key` is for keys of maps and elements of sets, of which only some may be NaN. Where time matters, scalars are read in
// place.
template <class Wire, class Scalars, bool in_place>
SPARPACK_INLINE const uint8_t *scan_value(Scan &s, const uint8_t *p, const Type &type, const typename Wire::Frame *frame,
                                          int depth, bool is_key) {
    switch (type.kind) {
    case Kind::bool_:
    case Kind::i8:
    case Kind::i16:
    case Kind::enum_:
    case Kind::i32:
    case Kind::i64: {
        int64_t number;
        return in_place ? read_number<Wire, Scalars>(s, p, type.kind, frame, &number)
                        : number_at<Wire, Scalars>(s, p, type.kind, frame, &number);
    }
    case Kind::double_: {
        int64_t bits = 0;
        double real;
        p = in_place ? read_number<Wire, Scalars>(s, p, Kind::double_, frame, &bits)
                     : number_at<Wire, Scalars>(s, p, Kind::double_, frame, &bits);
        memcpy(&real, &bits, sizeof real);
        return SPARPACK_LIKELY(real == real || !is_key) ? p : nullptr;
    }
    case Kind::string:
    case Kind::binary: {
        StringBytes string;
        if (in_place && type.kind == Kind::string) return read_string<Wire, Scalars>(s, p, true, &string);
        return string_at<Wire, Scalars>(s, p, type.kind == Kind::string, &string);
    }
    case Kind::uuid: {
        uint8_t bytes[uuid_bytes];
        p = Scalars::read_uuid_bytes(s.in, p, bytes);
        return SPARPACK_LIKELY(p && s.charges(string_cost(uuid_text))) ? p : nullptr;
    }
    case Kind::list: return scan_list<Wire>(s, p, type, depth - 1, is_key);
    case Kind::set: return scan_list<Wire>(s, p, type, depth - 1, true);
    case Kind::map: return is_key ? nullptr : scan_map<Wire>(s, p, type, depth - 1);
    case Kind::struct_: return is_key ? nullptr : scan_structs<Wire>(s, p, type.link, 1, depth - 1);
    case Kind::union_: return is_key ? nullptr : scan_union<Wire>(s, p, type.link, depth - 1);
    case Kind::any: return type.branch ? take<Wire>(s, p, *type.branch, frame, depth) : nullptr;
    }
    __builtin_unreachable();
}

template <class Wire, class Scalars = Wire>
[[gnu::noinline]] const uint8_t *scan_one(Scan &s, const uint8_t *p, const Type &type, const typename Wire::Frame *frame,
                                          int depth, bool is_key) {
    return scan_value<Wire, Scalars, !Wire::traits.text>(s, p, type, frame, depth, is_key);
}

// A second copy of the switch over kinds pays off in MessagePack alone. In the binary wires of Thrift, runs pass most
// fields.
template <class Wire>
SPARPACK_INLINE const uint8_t *scan_field(Scan &s, const uint8_t *p, const Type &type, const typename Wire::Frame *frame,
                                          int depth) {
    if constexpr (std::is_base_of_v<MessagePackReader, Wire>)
        return scan_value<Wire, Wire, true>(s, p, type, frame, depth, false);
    return scan_one<Wire>(s, p, type, frame, depth, false);
}

// Passes over a value of which nothing is known.
template <class Wire>
SPARPACK_COLD const uint8_t *skip_value(Scan &s, const uint8_t *p, const typename Wire::Events::Level &place, int depth) {
    return skip_within<Wire>(s.in, p, place, size_limits(s.options), depth);
}

// What a decode may charge for a field that it keeps. A byte of the compact protocol may become eight of the binary one.
constexpr int64_t kept_cost_most(size_t size) { return 512 + 16 * static_cast<int64_t>(size); }

template <class Wire>
SPARPACK_COLD const uint8_t *skip_unknown(Scan &s, const uint8_t *p, const typename Wire::Frame &frame, int depth) {
    if (s.options.unknown == Unknown::reject) return nullptr;
    s.skipped = true;
    const uint8_t *end = skip_value<Wire>(s, p, Wire::Events::field_value(frame), depth);
    if (!end || s.options.unknown == Unknown::skip) return end;
    const size_t size = static_cast<size_t>(end - p) + Wire::found(frame).name_size;
    return s.charges(kept_cost_most(size)) ? end : nullptr;
}

SPARPACK_INLINE bool too_deep(const Scan &s, int depth) {
    return SPARPACK_UNLIKELY(depth < s.options.depth_watched) && (depth < 0 || options_stack_full(s.options));
}

// Charges the defaults of absent fields. Returns false if one of them is required.
SPARPACK_INLINE bool scan_absent(Scan &s, const uint8_t *end, const Link *link, uint64_t seen) {
    const Slot *slots = link->plan->slots;
    uint64_t absent = ~seen & (link->count == 64 ? ~uint64_t{0} : (uint64_t{1} << link->count) - 1);
    for (; absent != 0; absent &= absent - 1) {
        const Field &field = link->fields[__builtin_ctzll(absent)];
        const Slot &slot = slots[field.slot];
        if (NIL_P(slot.default_value)) {
            if (SPARPACK_UNLIKELY(field.required && s.options.validate != Check::none)) return false;
        } else if (slot.copied && !s.options.freeze && !s.charges(slot.cost)) {
            return false;
        }
    }
    return SPARPACK_LIKELY(!link->is_taken) || columns_take_absent(s, end, link, seen);
}

// Scans fields from a row on as long as they come in order. Moves the row. Returns nullptr if one is wrong. If the struct
// ends behind them, p may be behind its end, too, and `ended` says so. The struct was charged for the most that short values
// take.
template <class Wire>
SPARPACK_INLINE const uint8_t *scan_run(Scan &s, const uint8_t *p, const Row<Wire> *&row, int depth, bool *ended) {
    *ended = false;
    for (; SPARPACK_LIKELY(p <= s.safe); row++) {
        const uint8_t *q = p, *end = nullptr;
        if (row->pass == Pass::end) {
            if (SPARPACK_UNLIKELY(*p != 0)) break;
            *ended = true;
            return p + 1;
        }
        if (SPARPACK_UNLIKELY(!passes_header<Wire>(q, *row))) break;
        switch (row->pass) {
        case Pass::number32: end = pass_integer<Wire, 32>(q); break;
        case Pass::number64: end = pass_integer<Wire, 64>(q); break;
        case Pass::real: end = q + sizeof(double); break;
        case Pass::text: end = pass_text<Wire>(s, q); break;
        case Pass::run:
            if constexpr (Wire::traits.fixed_widths) {
                end = pass_run(s, p, row);
                if (SPARPACK_UNLIKELY(!end)) end = q + row->header.run->width;
            }
            break;
        case Pass::other:
        case Pass::taken:
        case Pass::end: break;
        }
        if (SPARPACK_UNLIKELY(!end)) {
            const typename Wire::Frame frame{};  // of no bool
            end = row->pass == Pass::taken ? take<Wire>(s, q, *row->type.branch, &frame, depth)
                                           : scan_one<Wire>(s, q, row->type, &frame, depth, false);
            if (SPARPACK_UNLIKELY(!end)) return nullptr;
        }
        p = end;
    }
    return p;
}

// Scans the other fields of a struct. Some were there already.
template <class Wire>
[[gnu::noinline]] const uint8_t *scan_rest(Scan &s, const uint8_t *p, const Link *link, const Row<Wire> *rows,
                                           typename Wire::Frame &frame, uint32_t expected, uint64_t seen, int depth) {
    for (;;) {
        int index = static_cast<int>(expected);
        if (SPARPACK_UNLIKELY(!Wire::next_known(s.in, p, frame, rows[index].header)))
            index = Wire::next_field(s.in, p, frame, link->table, expected);
        if (SPARPACK_LIKELY(index >= 0)) {
            expected = static_cast<uint32_t>(index) + 1;
            if (SPARPACK_UNLIKELY(seen >> index & 1) && link->is_taken) return nullptr;  // the last of them counts
            seen |= uint64_t{1} << index;
            p = scan_field<Wire>(s, p, rows[index].type, &frame, depth);
            if (SPARPACK_UNLIKELY(!p)) return nullptr;
        } else if (index == next_end) {
            return SPARPACK_LIKELY(seen == bits_between(0, link->count)) || scan_absent(s, p, link, seen) ? p : nullptr;
        } else {
            if (index != next_unknown || !(p = skip_unknown<Wire>(s, p, frame, depth))) return nullptr;
            expected = link->count;
        }
    }
}

// True, with p behind it, at the end of a struct whose fields are not counted. Others are found by next_field.
template <class Wire> SPARPACK_INLINE bool ends_here(const Scan &s, const uint8_t *&p) {
    if constexpr (Wire::traits.opens_structs) return false;
    if (SPARPACK_UNLIKELY(p == s.in.end || *p != 0)) return false;
    p++;
    return true;
}

// Scans the fields of a struct in Thrift, in runs between which some are absent, or are no short values.
template <class Wire>
[[gnu::noinline]] const uint8_t *scan_runs(Scan &s, const uint8_t *p, const Link *link, const Row<Wire> *rows,
                                           const Row<Wire> *row, int depth) {
    typename Wire::Frame frame{};
    uint64_t seen = bits_between(0, static_cast<uint32_t>(row - rows));
    for (;;) {
        const uint32_t expected = static_cast<uint32_t>(row - rows);
        frame = typename Wire::Frame{};
        if (expected > 0) frame.id = row[-1].header.id;
        const int index = Wire::next_field(s.in, p, frame, link->table, expected);
        if (index == next_end)
            return SPARPACK_LIKELY(seen == bits_between(0, link->count)) || scan_absent(s, p, link, seen) ? p : nullptr;
        if (SPARPACK_UNLIKELY(index < 0)) {  // what follows an unknown field is not what a run expects
            if (index != next_unknown || !(p = skip_unknown<Wire>(s, p, frame, depth))) return nullptr;
            return scan_rest<Wire>(s, p, link, rows, frame, link->count, seen, depth);
        }
        if (SPARPACK_UNLIKELY(!(p = scan_one<Wire>(s, p, rows[index].type, &frame, depth, false)))) return nullptr;
        row = &rows[index + 1];
        bool ended = false;
        if (SPARPACK_UNLIKELY(!(p = scan_run<Wire>(s, p, row, depth, &ended)))) return nullptr;
        const uint64_t passed = bits_between(static_cast<uint32_t>(index), static_cast<uint32_t>(row - rows));
        if (SPARPACK_UNLIKELY((seen & passed) != 0)) return nullptr;  // what comes again was not charged
        seen |= passed;
        if (ended)
            return SPARPACK_LIKELY(seen == bits_between(0, link->count)) || scan_absent(s, p, link, seen) ? p : nullptr;
    }
}

// Opens a struct or a union of a wire in which that takes bytes.
template <class Wire>
SPARPACK_INLINE const uint8_t *scan_open(Scan &s, const uint8_t *p, typename Wire::Frame &frame, bool is_union) {
    if constexpr (Wire::traits.opens_structs) {
        [[maybe_unused]] const uint8_t *start = p;
        if (SPARPACK_UNLIKELY(!(p = Wire::open_struct(s.in, p, frame, is_union)))) return nullptr;
        if constexpr (std::is_base_of_v<MessagePackReader, Wire>) s.forms |= Wire::form_of(s.in, start, p);
    }
    return p;
}

template <class Wire>
SPARPACK_INLINE const uint8_t *scan_fields(Scan &s, const uint8_t *p, const Link *link, const Row<Wire> *rows, int depth) {
    if constexpr (std::is_same_v<Wire, Compact> || std::is_same_v<Wire, Binary>) {
        const Row<Wire> *row = rows;
        bool ended = false;
        p = scan_run<Wire>(s, p, row, depth, &ended);
        if (SPARPACK_LIKELY(ended)) return p;
        if (SPARPACK_UNLIKELY(!p)) return nullptr;
        if (SPARPACK_LIKELY(row == rows + link->count && ends_here<Wire>(s, p))) return p;
        return scan_runs<Wire>(s, p, link, rows, row, depth);
    } else {
        typename Wire::Frame frame{};
        if (SPARPACK_UNLIKELY(!(p = scan_open<Wire>(s, p, frame, false)))) return nullptr;
        return scan_rest<Wire>(s, p, link, rows, frame, 0, 0, depth);
    }
}

template <class Wire>
[[gnu::noinline]] const uint8_t *scan_structs(Scan &s, const uint8_t *p, const Link *link, size_t count, int depth) {
    if (too_deep(s, depth) || SPARPACK_UNLIKELY(storage_is_adopted(link->plan) || link->count > scanned_fields_max))
        return nullptr;
    int64_t cost = 0;
    if (SPARPACK_UNLIKELY(__builtin_mul_overflow(count, link->cost_most, &cost) || !s.charges(cost))) return nullptr;
    const Row<Wire> *rows = rows_of<Wire>(link);
    const size_t waiting = s.waiting;
    s.takes(link->count + 1);
    for (; count > 0; count--) {
        if (SPARPACK_UNLIKELY(!(p = scan_fields<Wire>(s, p, link, rows, depth)))) return nullptr;
    }
    s.waiting = waiting;
    return p;
}

// Only a union with exactly one field, which is known.
template <class Wire> [[gnu::noinline]] const uint8_t *scan_union(Scan &s, const uint8_t *p, const Link *link, int depth) {
    if (too_deep(s, depth) || storage_is_adopted(link->plan) || !s.charges(link->cost)) return nullptr;
    s.takes(3);
    typename Wire::Frame frame{};
    if (!(p = scan_open<Wire>(s, p, frame, true))) return nullptr;
    const int index = Wire::next_field(s.in, p, frame, link->table, 0);
    if (SPARPACK_UNLIKELY(index < 0)) return nullptr;
    if (!(p = scan_one<Wire>(s, p, rows_of<Wire>(link)[index].type, &frame, depth, false))) return nullptr;
    if (SPARPACK_UNLIKELY(link->is_taken) && !columns_take_absent(s, p, link, uint64_t{1} << index)) return nullptr;
    s.waiting -= 3;
    return Wire::next_field(s.in, p, frame, link->table, 0) == next_end ? p : nullptr;
}

// Charges a container that is filled before its size is known: for the room that it may have.
template <int64_t (*cost)(size_t), size_t (*room)(size_t)> bool charges_grown(Scan &s, size_t count) {
    size_t most = 0;
    while (most < count) most = room(most);
    return static_cast<int64_t>(count) <= s.options.container && s.charges(cost(most));
}

// Passes over the elements of a container whose size is not known. `next` looks whether there is one more, and `pass` passes
// over it.
template <class Next, class Pass>
SPARPACK_INLINE const uint8_t *scan_to_end(Scan &s, const uint8_t *p, size_t room, size_t *count, Next next, Pass pass) {
    const size_t waiting = s.waiting;
    s.takes(1 + room);
    for (size_t index = 0;; index++) {
        const NextElement found = next(p, index);
        if (SPARPACK_UNLIKELY(found == NextElement::failed)) return nullptr;
        if (found == NextElement::end) return s.waiting = waiting, *count = index, p;
        if (SPARPACK_UNLIKELY(!(p = pass(p)))) return nullptr;
    }
}

template <class Wire>
[[gnu::noinline]] const uint8_t *scan_list(Scan &s, const uint8_t *p, const Type &type, int depth, bool is_key) {
    size_t count = 0;
    const Type &element = *type.element;
    if (SPARPACK_UNLIKELY(depth < 0 || !(p = Wire::read_list(s.in, p, element.wire, &count)))) return nullptr;
    if constexpr (!Wire::traits.counts_elements) {
        auto next = [&](const uint8_t *&q, size_t index) { return Wire::next_element(s.in, q, index, count); };
        auto pass = [&](const uint8_t *q) { return scan_one<Wire>(s, q, element, nullptr, depth, is_key); };
        size_t found = 0;
        if (SPARPACK_UNLIKELY(!(p = scan_to_end(s, p, run_size, &found, next, pass)))) return nullptr;
        const bool charged = type.kind == Kind::set ? charges_grown<set_grown_cost, room_of_table>(s, found)
                                                    : charges_grown<array_cost, room_of_array>(s, found);
        return charged ? p : nullptr;
    }
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(count) > s.options.container)) return nullptr;
    if (SPARPACK_UNLIKELY(!s.charges(type.kind == Kind::set ? set_cost(count) : array_cost(count)))) return nullptr;
    const size_t waiting = s.waiting;
    s.takes(1 + (count < run_size ? count : run_size));
    if (element.kind == Kind::struct_ && count > 0) {
        p = is_key ? nullptr : scan_structs<Wire>(s, p, element.link, count, depth - 1);
    } else {
        for (; count > 0 && SPARPACK_LIKELY(p != nullptr); count--)
            p = scan_one<Wire>(s, p, element, nullptr, depth, is_key);
    }
    s.waiting = waiting;
    return p;
}

// Text cannot tell where a struct or a container in quotes ends, so a decode has to look into it.
template <class Wire> SPARPACK_INLINE const uint8_t *scan_key(Scan &s, const uint8_t *p, const Type &type, int depth) {
    if (Wire::traits.quotes_keys && SPARPACK_UNLIKELY(kind_is_compound(type.kind))) return nullptr;
    return scan_one<Wire, typename Wire::Key>(s, p, type, nullptr, depth, true);
}

template <class Wire> [[gnu::noinline]] const uint8_t *scan_map(Scan &s, const uint8_t *p, const Type &type, int depth) {
    size_t count = 0;
    const Type &key = *type.key, &value = *type.element;
    if (SPARPACK_UNLIKELY(depth < 0 || !(p = Wire::read_map(s.in, p, key.wire, value.wire, &count)))) return nullptr;
    if constexpr (!Wire::traits.counts_elements) {
        auto next = [&](const uint8_t *&q, size_t index) { return Wire::next_key(s.in, q, index, count); };
        auto pass = [&](const uint8_t *q) -> const uint8_t * {
            if (SPARPACK_UNLIKELY(!(q = scan_key<Wire>(s, q, key, depth)))) return nullptr;
            if (SPARPACK_UNLIKELY(!(q = Wire::next_value(s.in, q)))) return nullptr;
            return scan_one<Wire>(s, q, value, nullptr, depth, false);
        };
        size_t found = 0;
        if (SPARPACK_UNLIKELY(!(p = scan_to_end(s, p, 2 * pairs_bulk, &found, next, pass)))) return nullptr;
        return charges_grown<hash_grown_cost, room_of_table>(s, found) ? p : nullptr;
    }
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(count) > s.options.container || !s.charges(hash_cost(count)))) return nullptr;
    const size_t waiting = s.waiting;
    s.takes(1 + 2 * (count < pairs_bulk ? count : pairs_bulk));
    for (; count > 0; count--) {
        if (SPARPACK_UNLIKELY(!(p = scan_key<Wire>(s, p, key, depth)))) return nullptr;
        if (SPARPACK_UNLIKELY(!(p = scan_one<Wire>(s, p, value, nullptr, depth, false)))) return nullptr;
    }
    s.waiting = waiting;
    return p;
}

template <class Wire> const uint8_t *scan_payload(Scan &s, const Link *link, const uint8_t *p) {
    const int depth = s.options.depth - 1;
    if constexpr (Wire::traits.spaces) p = Wire::begin_payload(s.in, p);
    p = link->is_union ? scan_union<Wire>(s, p, link, depth) : scan_structs<Wire>(s, p, link, 1, depth);
    if constexpr (Wire::traits.spaces) return p ? Wire::end_payload(s.in, p) : nullptr;
    return p;
}

}  // namespace

}  // namespace sparpack
