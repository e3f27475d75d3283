// Opens structs: checks them as a scan does, makes the scalars of their fields, and notes where their other fields begin.
// Only scan.cpp includes this file.
#pragma once

#include "../values/numbers.hpp"
#include "element_index.hpp"
#include "scan_values.hpp"

namespace sparpack {

namespace {

SPARPACK_INLINE VALUE sleeper_at(const Scan &s, const uint8_t *p) {
    return sleeper(s.base + static_cast<size_t>(p - s.in.begin));
}

// Scans a list of structs, and notes where each of them begins.
template <class Wire>
[[gnu::noinline]] const uint8_t *open_indexed(Scan &s, const uint8_t *p, const Type &type, size_t offset, int depth) {
    const uint8_t *start = p;
    size_t count = 0;
    const Type &element = *type.element;
    if (SPARPACK_UNLIKELY(depth < 0 || !(p = Wire::read_list(s.in, p, element.wire, &count)))) return nullptr;
    if (count < index_least || input_left(s.in, start) > UINT32_MAX) return scan_list<Wire>(s, start, type, depth, false);
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(count) > s.options.container || !s.charges(array_cost(count))))
        return nullptr;
    if (SPARPACK_UNLIKELY(!s.charges(string_cost(index_size(count))))) return nullptr;
    VALUE hidden = rb_obj_hide(rb_str_new(nullptr, static_cast<long>(index_size(count))));
    ElementIndex *index = index_of(hidden);
    index->list = offset;
    index->count = count;
    const size_t waiting = s.waiting;
    s.takes(1 + (count < run_size ? count : run_size));
    for (size_t i = 0; i < count; i++) {
        index->starts[i] = static_cast<uint32_t>(p - start);
        if (SPARPACK_UNLIKELY(!(p = scan_structs<Wire>(s, p, element.link, 1, depth - 1)))) return nullptr;
    }
    index->starts[count] = static_cast<uint32_t>(p - start);
    freeze_raw(hidden);  // it has no method `freeze` that Ractor.make_shareable could call
    s.waiting = waiting;
    s.index = hidden;
    return p;
}

// Reads a scalar, or notes the place of another value and passes it.
template <class Wire>
SPARPACK_INLINE const uint8_t *open_value(Scan &s, const uint8_t *p, const Type &type, const typename Wire::Frame *frame,
                                          VALUE *out, int depth) {
    int64_t number = 0;
    switch (type.kind) {
    case Kind::bool_: {
        bool value = false;
        if (SPARPACK_UNLIKELY(!(p = Wire::read_bool(s.in, p, frame, &value)))) return nullptr;
        *out = value ? Qtrue : Qfalse;
        return p;
    }
    case Kind::i8:
        if (SPARPACK_UNLIKELY(!(p = Wire::read_i8(s.in, p, &number)))) return nullptr;
        *out = LONG2FIX(static_cast<long>(number));
        return p;
    case Kind::i16:
        if (SPARPACK_UNLIKELY(!(p = Wire::read_i16(s.in, p, &number)))) return nullptr;
        *out = LONG2FIX(static_cast<long>(number));
        return p;
    case Kind::enum_:
        if (SPARPACK_UNLIKELY(s.options.validate >= Check::strict)) return nullptr;
        [[fallthrough]];
    case Kind::i32:
        if (SPARPACK_UNLIKELY(!(p = Wire::read_i32(s.in, p, &number)))) return nullptr;
        return integer_charged(s.memory, number, out) ? p : nullptr;
    case Kind::i64:
        if (SPARPACK_UNLIKELY(!(p = Wire::read_i64(s.in, p, &number)))) return nullptr;
        return integer_charged(s.memory, number, out) ? p : nullptr;
    case Kind::double_: {
        double real = 0;
        if (SPARPACK_UNLIKELY(!(p = Wire::read_double(s.in, p, &real)))) return nullptr;
        return float_charged(s.memory, real, out) ? p : nullptr;
    }
    case Kind::string: {
        *out = sleeper_at(s, p);
        if constexpr (std::is_same_v<Wire, Compact> || std::is_same_v<Wire, Binary>) {
            const uint8_t *end = SPARPACK_LIKELY(p <= s.safe) ? pass_text<Wire>(s, p) : nullptr;
            if (SPARPACK_LIKELY(end != nullptr)) return end;  // charged with the struct
        }
        StringBytes string;
        return string_at<Wire>(s, p, true, &string);
    }
    case Kind::list:
        *out = sleeper_at(s, p);
        if (type.element->kind == Kind::struct_ && NIL_P(s.index))
            return open_indexed<Wire>(s, p, type, sleeper_offset(*out), depth - 1);
        return scan_list<Wire>(s, p, type, depth - 1, false);
    case Kind::binary:
    case Kind::uuid:
    case Kind::set:
    case Kind::map:
    case Kind::struct_:
    case Kind::union_: *out = sleeper_at(s, p); return scan_one<Wire>(s, p, type, frame, depth, false);
    case Kind::any: return nullptr;
    }
    __builtin_unreachable();
}

// Gives absent fields their defaults, and charges them. Returns false if one is required, or only Ruby can copy its default.
SPARPACK_INLINE bool open_absent(Scan &s, const Link *link, VALUE *fields) {
    const Slot *slots = link->plan->slots;
    for (uint32_t i = 0; i < link->count; i++) {
        if (SPARPACK_LIKELY(fields[i] != Qundef)) continue;
        const Slot &slot = slots[i];
        if (NIL_P(slot.default_value)) {
            if (link->fields[link->places[i]].required && s.options.validate != Check::none) return false;
            fields[i] = Qnil;
        } else {
            if (slot.runs_ruby || (slot.copied && !s.charges(slot.cost))) return false;
            fields[i] = plan_default(slot);
        }
    }
    return true;
}

// Opens a struct of at most scanned_fields_max fields. `fields` are by slots. Returns its end, or nullptr if only a decode
// can tell.
template <class Wire> const uint8_t *open_struct_at(Scan &s, const Link *link, const uint8_t *p, VALUE *fields, int depth) {
    if (SPARPACK_UNLIKELY(too_deep(s, depth) || !s.charges(link->cost_most))) return nullptr;
    const Row<Wire> *rows = rows_of<Wire>(link);
    const uint32_t count = link->count;
    for (uint32_t i = 0; i < count; i++) fields[i] = Qundef;
    s.takes(count + 1);
    typename Wire::Frame frame{};
    if (SPARPACK_UNLIKELY(!(p = scan_open<Wire>(s, p, frame, false)))) return nullptr;
    for (uint32_t expected = 0;;) {
        int index = static_cast<int>(expected);
        if (SPARPACK_UNLIKELY(!Wire::next_known(s.in, p, frame, rows[index].header)))
            index = Wire::next_field(s.in, p, frame, link->table, expected);
        if (SPARPACK_LIKELY(index >= 0)) {
            expected = static_cast<uint32_t>(index) + 1;
            const Row<Wire> &row = rows[index];
            if (SPARPACK_UNLIKELY(fields[row.slot] != Qundef)) return nullptr;  // what comes again was not charged
            p = open_value<Wire>(s, p, row.type, &frame, &fields[row.slot], depth);
            if (SPARPACK_UNLIKELY(!p)) return nullptr;
        } else if (index == next_end) {
            return open_absent(s, link, fields) ? p : nullptr;
        } else {
            if (index != next_unknown || !(p = skip_unknown<Wire>(s, p, frame, depth))) return nullptr;
            s.unknown_here = true;
            expected = count;
        }
    }
}

template <class Wire> const uint8_t *open_list(Scan &s, const Type &type, const uint8_t *p, size_t *count) {
    return Wire::read_list(s.in, p, type.element->wire, count);
}

template <class Wire> const uint8_t *open_string(Input &in, const uint8_t *p, bool is_text, StringBytes *string) {
    return is_text ? Wire::read_text(in, p, string) : Wire::read_binary(in, p, string);
}

}  // namespace

}  // namespace sparpack
