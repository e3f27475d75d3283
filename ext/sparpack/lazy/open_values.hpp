// Opens structs: checks them as a scan does, makes the scalars of their fields, and notes where their other fields begin.
// Only scan.cpp includes this file.
#pragma once

#include "../values/numbers.hpp"
#include "scan_values.hpp"

namespace sparpack {

namespace {

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
    case Kind::string:
    case Kind::binary:
    case Kind::uuid:
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::struct_:
    case Kind::union_:
        *out = sleeper(s.base + static_cast<size_t>(p - s.in.begin));
        return scan_one<Wire>(s, p, type, frame, depth, false);
    case Kind::any: return nullptr;
    }
    __builtin_unreachable();
}

// Gives absent fields their defaults. Returns false if one is required, or only Ruby can copy its default.
SPARPACK_INLINE bool open_absent(const Scan &s, const Link *link, VALUE *fields) {
    const Slot *slots = link->plan->slots;
    for (uint32_t i = 0; i < link->count; i++) {
        if (SPARPACK_LIKELY(fields[i] != Qundef)) continue;
        const Slot &slot = slots[i];
        if (NIL_P(slot.default_value)) {
            if (link->fields[link->places[i]].required && s.options.validate != Check::none) return false;
            fields[i] = Qnil;
        } else {
            if (slot.runs_ruby) return false;
            fields[i] = plan_default(slot);
        }
    }
    return true;
}

// Opens a struct of at most scanned_fields_max fields. `fields` are by slots. Returns its end, or nullptr if only a decode
// can tell.
template <class Wire> const uint8_t *open_struct_at(Scan &s, const Link *link, const uint8_t *p, VALUE *fields, int depth) {
    if (SPARPACK_UNLIKELY(too_deep(s, depth) || !s.charges(link->cost))) return nullptr;
    const Row<Wire> *rows = rows_of<Wire>(link);
    const uint32_t count = link->count;
    for (uint32_t i = 0; i < count; i++) fields[i] = Qundef;
    s.takes(count + 1);
    typename Wire::Frame frame{};
    if constexpr (Wire::traits.opens_structs) {
        if (SPARPACK_UNLIKELY(!(p = Wire::open_struct(s.in, p, frame, false)))) return nullptr;
    }
    for (uint32_t expected = 0;;) {
        int index = static_cast<int>(expected);
        if (SPARPACK_UNLIKELY(!Wire::next_known(s.in, p, frame, rows[index].header)))
            index = Wire::next_field(s.in, p, frame, link->table, expected);
        if (SPARPACK_LIKELY(index >= 0)) {
            expected = static_cast<uint32_t>(index) + 1;
            const Row<Wire> &row = rows[index];
            p = open_value<Wire>(s, p, row.type, &frame, &fields[row.slot], depth);
            if (SPARPACK_UNLIKELY(!p)) return nullptr;
        } else if (index == next_end) {
            return open_absent(s, link, fields) ? p : nullptr;
        } else {
            if (index != next_unknown || !(p = skip_unknown<Wire>(s, p, frame, depth))) return nullptr;
            expected = count;
        }
    }
}

template <class Wire> const uint8_t *open_list(Scan &s, const Type &type, const uint8_t *p, size_t *count) {
    return Wire::read_list(s.in, p, type.element->wire, count);
}

}  // namespace

}  // namespace sparpack
