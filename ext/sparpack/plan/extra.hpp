// What an object carries beside its fields. Every storage has one place for it.
#pragma once

#include "../glue/ruby.hpp"

namespace sparpack {

// Three things are possible: nothing; the unknown fields that a decode kept, as a String, which holds those of Thrift's
// wires in the binary protocol and in ascending order of ids, and those of MessagePack as a map
// (wire/message_pack_entries.hpp); or, in a union, the fact that its field was unknown and not kept. The last two are never
// combined with a field of a union.
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

    // Whether they came in MessagePack.
    bool has_entries() const { return has_kept_fields() && RSTRING_LEN(value) > 0 && (*RSTRING_PTR(value) & 0x80) != 0; }

    // True if the kept fields can be read: they are in the form and in the order in which a decode keeps them. A union has
    // one. Dumps of Marshal may hold any String in their place.
    bool is_readable(bool is_union) const;

    bool equals(const Extra &other) const { return value == other.value || RTEST(rb_equal(value, other.value)); }
};

}  // namespace sparpack
