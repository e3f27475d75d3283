// Reads objects whose own methods have to be called. Only value_reader.hpp includes this file.
#pragma once

#include "../decoder.hpp"
#include "../unknown/reader.hpp"
#include "called.hpp"
#include "loose.hpp"

namespace sparpack {

namespace {

template <class Wire> SPARPACK_INLINE bool is_called(const Decoder &d, const Link *link) {
    return says_types<Wire> && SPARPACK_UNLIKELY(link->plan->calls) && d.options.calls;
}

// Makes an object, or takes the one that is in place of the class, and begins to fill it. Returns false if it is frozen or
// has methods of its own.
SPARPACK_COLD inline bool begin_called(const Plan *plan, VALUE klass, VALUE *out) {
    *out = RB_BUILTIN_TYPE(klass) == RUBY_T_CLASS ? storage_new(plan, klass) : klass;
    if (RB_OBJ_FROZEN(*out) || !storage_fits_adopted(*out, plan)) return false;
    storage_reset(plan, *out);
    return true;
}

// Reads a struct or a union, which is never frozen. `out` is where the garbage collector finds the object.
// Statuses: those of the wire and of the limits, mismatch, unknown_field, missing_field.
template <class Wire>
SPARPACK_COLD Cursor read_called(Decoder &d, Cursor p, const Link *link, VALUE klass, VALUE *out, int depth, Role role) {
    const Plan *plan = link->plan;
    if constexpr (says_types<Wire>) {
        if (too_deep(d, depth) || ruby_stack_check()) return fail_too_deep(d, p);
        if (!begin_called(plan, klass, out)) return fail(d, Status::mismatch, p);
        typename Wire::Frame frame{};
        for (bool some = false;; some = true) {
            Cursor header = p;
            int index = Wire::next_field(d.in, p, frame, link->table, 0);
            if (index == next_end && (some || !link->is_union)) break;
            if (index == next_failed) return nullptr;
            if (index == next_unknown && !link->is_union) {
                VALUE unknown = Qnil;
                if (!(p = read_unknown<Wire>(d, p, header, frame, &unknown, depth))) return nullptr;
                continue;
            }
            if (index < 0 || (some && link->is_union)) return fail(d, Status::mismatch, header);
            const Field &field = link->fields[index];
            VALUE value = Qnil;
            if (!(p = read_one<Wire>(d, p, field.type, &frame, &value, depth, role))) return nullptr;
            storage_write(plan, *out, field.slot, value);
        }
        if (!call_validate(link, *out)) return fail(d, Status::missing_field, p);
    }
    return p;
}

}  // namespace

}  // namespace sparpack
