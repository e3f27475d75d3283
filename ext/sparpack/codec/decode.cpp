// Bytes to objects: one payload, with the limits and the errors of the call.
#include "../guess/guess.hpp"
#include "codec.hpp"
#include "container_reader.hpp"
#include "text/fault.hpp"
#include "value_reader.hpp"

namespace sparpack {

namespace {

// Reads the one object of a payload or, where the options allow it, an array of them.
template <class Wire>
SPARPACK_INLINE Cursor read_whole(Decoder &d, Cursor p, const Link *link, VALUE klass, VALUE *out, Role role) {
    int depth = d.options.depth - 1;
    if constexpr (Wire::traits.arrays) {
        if (SPARPACK_UNLIKELY(d.options.arrays) && p < d.in.end && *p == '[') {
            Type element{}, array{};
            element.kind = link->is_union ? Kind::union_ : Kind::struct_;
            element.link = link;
            element.klass = klass;
            array.kind = Kind::list;
            array.element = &element;
            return read_list<Wire>(d, p, array, out, depth, role);
        }
    }
    return link->is_union ? read_union<Wire>(d, p, link, klass, out, depth, role)
                          : read_struct<Wire>(d, p, link, klass, out, depth, role);
}

// Whoever reads the other bytes may allow less memory than the payload does.
[[gnu::noinline]] void limit_embedded(Decoder &d, const Embedded &embedded) {
    if (embedded.memory < d.memory) d.memory = d.limit = embedded.memory;
}

// Returns whether it was that limit which a decode has exceeded, or takes from it what the object was charged.
[[gnu::noinline]] bool end_embedded(const Decoder &d, Cursor p, Embedded &embedded) {
    if (!p) return d.in.status == Status::too_much_memory && d.limit == embedded.memory;
    embedded.memory -= d.limit - d.memory;
    return false;
}

template <class Wire>
VALUE decode_with(const Link *link, VALUE klass, VALUE source, WireId wire, const Options &options, size_t offset,
                  size_t *next, size_t base, bool partial, Embedded *embedded) {
    Decoder d(embedded ? embedded->begin : string_bytes(source), embedded ? embedded->size : string_size(source), options);
    if (SPARPACK_UNLIKELY(embedded != nullptr)) limit_embedded(d, *embedded);
    VALUE result = Qnil;
    d.in.typed_empty = options.typed_empty;
    if (options.grows) d.in.counts = Counts::clamped;
    Cursor start = d.in.begin + offset, p;
    if constexpr (Wire::traits.spaces) start = Wire::begin_payload(d.in, start);
    if (next) limit_provisionally(d, wire, start, partial);
    Role role = options.freeze ? role_frozen : role_plain;
    const PendingBefore before = pending_before(d.pending);
    do {
        p = read_whole<Wire>(d, start, link, klass, &result, role);
        pending_check_released(d.pending, before);
        // A continuation may return into a constructor or a key's `hash`. Then the garbage collector has to free the values.
        if (SPARPACK_LIKELY(!link->runs_ruby)) pending_end(d.pending, d.memory);
    } while (SPARPACK_UNLIKELY(!p) && limit_retry(d, before));
    if constexpr (Wire::traits.spaces) {
        if (SPARPACK_LIKELY(p != nullptr)) p = Wire::end_payload(d.in, p);
    }
    if (SPARPACK_LIKELY(p != nullptr)) {
        if (next) {
            *next = static_cast<size_t>(p - d.in.begin);
        } else if (SPARPACK_UNLIKELY(p != d.in.end) && !options.trailing) {
            p = fail(d, Status::trailing_bytes, p);
        }
    }
    if (SPARPACK_UNLIKELY(embedded != nullptr) && end_embedded(d, p, *embedded)) return Qundef;
    if (SPARPACK_UNLIKELY(!p)) {
        if (next && wants_bytes(d)) *next = decode_truncated;
        if (options.attempt) return Qundef;
        d.fault.status = d.in.status;
        int64_t limit = options_limit(options, d.in.status);
        if (limit) d.fault.limit = static_cast<long>(limit);
        Extent extent = base + offset > 0 ? Extent::later : next ? Extent::begin : Extent::whole;
        if (options.foreign_errors)
            fault_raise_foreign_decode(d.fault, klass, wire_name(wire), static_cast<long>(d.in.at - d.in.begin));
        bool goes_on = partial && d.in.status == Status::truncated;  // our caller gets more bytes
        FaultText text;
        VALUE hint = Qnil, members = Qnil;
        if (Wire::traits.text && !goes_on) hint = text_fault(d, wire, offset, base, &text, &members);
        if (NIL_P(hint) && !goes_on) hint = guess_hint({d.in.begin + offset, d.in.end, partial}, link, wire, extent);
        // From here on, Ruby code runs that may change the source.
        if (!NIL_P(members)) {
            VALUE missing = missing_hint(d.fault, members, base + offset);
            if (!NIL_P(missing)) hint = missing;
        }
        fault_raise_decode(d.fault, klass, wire_name(wire), static_cast<long>(base) + (d.in.at - d.in.begin),
                           static_cast<long>(base + offset), hint, Wire::traits.text ? &text : nullptr);
    }
    RB_GC_GUARD(source);
    return result;
}

template <class Wire>
VALUE decode_part_with(const Type &type, VALUE source, WireId, const Options &options, size_t offset, int depth,
                       int64_t memory, bool is_key, size_t *end) {
    Decoder d(string_bytes(source), string_size(source), options);
    VALUE result = Qnil;
    d.memory = d.limit = memory;
    d.in.typed_empty = options.typed_empty;
    const Role role = options.freeze ? role_frozen : role_plain;
    const Cursor start = d.in.begin + offset;
    const Cursor p = is_key ? read_key<Wire>(d, start, type, &result, depth, key_role(d, type))
                            : read_one<Wire>(d, start, type, nullptr, &result, depth, role);
    RB_GC_GUARD(source);
    if (p && end) *end = static_cast<size_t>(p - d.in.begin);
    // A number in text may go on where the bytes end. Something always follows in a whole payload.
    return p && !(Wire::traits.text && p == d.in.end) ? result : Qundef;
}

constexpr decltype(&decode_part) decode_part_in[] = {
#define X(name, grammar) decode_part_with<grammar::Reader>,
    SPARPACK_WIRES(X)
#undef X
};

constexpr decltype(&decode) decode_in[] = {
#define X(name, grammar) decode_with<grammar::Reader>,
    SPARPACK_WIRES(X)
#undef X
};

}  // namespace

VALUE decode(const Link *link, VALUE klass, VALUE source, WireId wire, const Options &options, size_t offset, size_t *next,
             size_t base, bool partial, Embedded *embedded) {
    // A key's `hash` or a constructor may change the source, so a frozen copy is decoded. Nothing else runs Ruby code before
    // all is read.
    if (SPARPACK_UNLIKELY(link->runs_ruby) && !embedded) source = rb_str_new_frozen(source);
    return of_wire(decode_in, wire)(link, klass, source, wire, options, offset, next, base, partial, embedded);
}

VALUE decode_part(const Type &type, VALUE source, WireId wire, const Options &options, size_t offset, int depth,
                  int64_t memory, bool is_key, size_t *end) {
    return of_wire(decode_part_in, wire)(type, source, wire, options, offset, depth, memory, is_key, end);
}

}  // namespace sparpack
