// What an object keeps of fields that its class does not know: how a decode turns them into one String, and how an encode
// writes an object that has one. Only value_reader.hpp and value_writer.hpp include this file.
#pragma once

#include "entries.hpp"
#include "members.hpp"

namespace sparpack {

namespace {

// Turns the unknown fields that were collected into what an object keeps.
template <class Wire> SPARPACK_COLD VALUE kept_of(VALUE unknown) {
    if (!RB_TYPE_P(unknown, T_ARRAY)) return unknown;
    switch (Wire::traits.keeps) {
    case Kept::none: break;
    case Kept::fields: return keep_finish(unknown);
    case Kept::entries: return kept_sorted<MessagePackKept>(unknown);
    case Kept::members: return kept_sorted<JsonKept>(unknown);
    }
    return unknown;
}

template <class Wire>
uint8_t *write_runs(Encoder &e, uint8_t *p, const Link *link, const VALUE *values, int depth, VALUE owner);
template <class Wire>
SPARPACK_COLD uint8_t *write_with_fields(Encoder &e, uint8_t *p, const Link *link, VALUE object, const VALUE *values,
                                         VALUE unknown, int depth);

// Writes an object with its unknown fields. They are left out if they came in another family of wires, or if the object is
// only shown.
template <class Wire>
SPARPACK_COLD uint8_t *write_with_unknown(Encoder &e, uint8_t *p, const Link *link, VALUE object, const VALUE *values,
                                          Extra extra, int depth) {
    if (e.rendering || extra.kept() != Wire::traits.keeps) {
        if (values) {
            if (renders_otherwise<Wire>(e, object, link->plan->klass)) return refuse_rendering(e);
            return write_runs<Wire>(e, p, link, values, depth, object);
        }
        e.fault.status = Status::union_unknown;
        return nullptr;
    }
    VALUE unknown = extra.kept_fields();
    if constexpr (Wire::traits.keeps == Kept::entries) {
        p = write_with_entries<Wire>(e, p, link, values, unknown, depth);
    } else if constexpr (Wire::traits.keeps == Kept::members) {
        p = write_with_members<Wire>(e, p, link, values, unknown, depth);
    } else {
        p = write_with_fields<Wire>(e, p, link, object, values, unknown, depth);
    }
    RB_GC_GUARD(object);
    return p;
}

}  // namespace

}  // namespace sparpack
