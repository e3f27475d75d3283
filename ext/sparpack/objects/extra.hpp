// What an object carries beside its fields. Every storage has one place for it.
#pragma once

#include "../values/ruby.hpp"
#include "../wire/contract.hpp"

namespace sparpack {

// Three things are possible: nothing; the unknown fields that a decode kept, as a String in one of the forms of Kept
// (wire/contract.hpp), of which Thrift's is in ascending order of ids; or, in a union, the fact that its field was unknown
// and not kept. The last two are never combined with a field of a union.
struct Extra {
    VALUE value;  // nil, a String, or true

    static Extra none() { return {Qnil}; }
    static Extra unknown_variant() { return {Qtrue}; }

    // What a decode has collected, or what to_ruby() returned for another object.
    static Extra of(VALUE value) { return {value}; }
    VALUE to_ruby() const { return value; }

    bool empty() const { return NIL_P(value); }
    bool has_kept_fields() const { return RB_TYPE_P(value, T_STRING); }
    bool is_unknown_variant() const { return value == Qtrue; }

    // The String of the fields that were kept.
    VALUE kept_fields() const {
        debug_check(has_kept_fields());
        return value;
    }

    // In which form they are, which the first byte says.
    Kept kept() const {
        if (!has_kept_fields()) return Kept::none;
        char first = RSTRING_LEN(value) > 0 ? *RSTRING_PTR(value) : '\0';
        return first == '{' ? Kept::members : (first & 0x80) != 0 ? Kept::entries : Kept::fields;
    }

    // True if the kept fields can be read: they are in the form and in the order in which a decode keeps them. A union has
    // one. Dumps of Marshal may hold any String in their place.
    bool is_readable(bool is_union) const;

    bool equals(const Extra &other) const { return value == other.value || RTEST(rb_equal(value, other.value)); }
};

}  // namespace sparpack
