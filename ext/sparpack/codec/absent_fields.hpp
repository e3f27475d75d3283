// Fields of a struct that a payload does not have.
#pragma once

#include "decoder.hpp"

namespace sparpack {

// Fills in absent fields: the default, or nil. In a key, a default that is NaN counts like one that was read. A container in
// a default is shared by all keys, so it is equal to itself whatever it holds.
// Statuses: missing_field, too_much_memory, too_many_nan_keys.
SPARPACK_COLD inline Cursor fill_absent(Decoder &d, Cursor p, const Link *link, VALUE *fields, Role role) {
    if (!storage_requires(link->plan)) return p;
    const bool fills = storage_fills_absent(link->plan);
    for (const Field *field = link->fields, *end = field + link->count; field < end; field++) {
        if (fields[field->slot] != Qundef) continue;
        const Slot &slot = link->plan->slots[field->slot];
        if (SPARPACK_UNLIKELY(!NIL_P(slot.default_value))) {
            if (counts_nan(role) && is_nan(slot.default_value) && !nan_key(d))
                return fail_nan_keys(d, p), at_field(d, link, *field);
            if (fills) continue;
            if (slot.copied && !freezes(role) && !charge(d, slot.cost)) return fail_memory(d, p), at_field(d, link, *field);
            fields[field->slot] = freezes(role) ? slot.default_value : plan_default(slot);
        } else if (SPARPACK_UNLIKELY(field->required && d.options.validate != Check::none)) {
            d.fault.owner = link->plan->klass;
            d.fault.found = slot.name;
            fail(d, Status::missing_field, p);
            return at_field(d, link, *field);
        } else {
            fields[field->slot] = storage_absent(link->plan);
        }
    }
    return p;
}

}  // namespace sparpack
