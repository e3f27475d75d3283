// Objects of adopted classes whose own methods have to be called: a `validate` that was not generated, or a constructor that
// was overridden. These are called in the order in which Apache's gem calls them, and what they see of the objects is what
// they would see then. So such an object, and each object around it, gets or gives its values one after the other.
//
// A method may do anything, also with the object that is read or written. Nothing but the object is kept across a call.
#pragma once

#include "../../objects/storage.hpp"
#include "../../values/sets.hpp"

namespace sparpack {

// Does what a generated `validate` does. Where it has to be called, a plan has neither required fields nor enums.
SPARPACK_COLD inline bool passes_checks(const Link *link, VALUE object) {
    if (link->is_union) return true;  // checked with the value
    for (const Field *field = link->fields, *end = field + link->count; field < end; field++) {
        const bool is_enum = field->type.kind == Kind::enum_;
        if (!field->required && !is_enum) continue;
        VALUE value = storage_read(link->plan, object, field->slot);
        if (value == Qundef || NIL_P(value)) {
            if (field->required) return false;
        } else if (is_enum && (!RB_FIXNUM_P(value) || NIL_P(rb_hash_lookup2(field->type.names, value, Qnil)))) {
            return false;
        }
    }
    return true;
}

// Returns false if the object is not valid, or no longer of a known class. Raises whatever `validate` raises.
SPARPACK_COLD inline bool call_validate(const Link *link, VALUE object) {
    if (ruby_stack_check()) return false;
    if (!link->plan->validates) return passes_checks(link, object);
    rb_funcallv(object, rb_intern("validate"), 0, nullptr);
    return storage_fits_adopted(object, link->plan);
}

// Returns the elements of a Set as an Array. A method may change the Set, which it cannot while that is being walked
// through.
SPARPACK_COLD inline VALUE elements_of(VALUE set) {
    VALUE array = rb_ary_new();
    auto add = [](VALUE element, VALUE data) -> int { return rb_ary_push(data, element), ST_CONTINUE; };
    set_foreach(set, add, array);
    return array;
}

}  // namespace sparpack
