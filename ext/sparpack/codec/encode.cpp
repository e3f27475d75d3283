// Objects to bytes: one payload, with the options and the errors of the call.
#include "codec.hpp"
#include "container_writer.hpp"
#include "value_writer.hpp"

namespace sparpack {

namespace {

// Lets an encode write where the output of a packing is now. Whatever the encode has read before is stale.
void share_outer(Encoder &e) {
    Output &own = e.output, &outer = *e.target->outer;
    own.writer.begin = outer.writer.begin;
    own.writer.end = outer.writer.end;
    own.end = outer.end;
    own.string = outer.string;
    own.epoch++;
    e.target->epoch = outer.epoch;
}

// Nothing goes to an io in the middle of an encode, so this does not ask the packing how it grows.
SPARPACK_COLD uint8_t *grow_outer(Writer &w, uint8_t *p, size_t need) {
    Encoder &e = reinterpret_cast<Encoder &>(w);
    output_check_target(*e.target);
    p = output_grow(e.target->outer->writer, p, need);
    share_outer(e);
    return p;
}

[[gnu::noinline]] uint8_t *begin_in(Encoder &e, OutputTarget &target) {
    e.target = &target;
    if (!target.outer) return e.output.stack;
    e.output.writer.grow = grow_outer;
    share_outer(e);
    return e.output.writer.begin + target.used;
}

[[gnu::noinline]] VALUE end_in(Encoder &e, const uint8_t *p, OutputTarget &target) {
    if (!target.outer) return output_append(e.output, p, target.string);
    output_check_target(target);
    target.used = static_cast<size_t>(p - target.outer->writer.begin);
    return Qnil;
}

template <class Wire>
VALUE encode_with(const Link *link, VALUE object, WireId wire, const Options &options, OutputTarget *target) {
    form_check(link, Wire::traits);
    Encoder e(options, wire);
    uint8_t *p = SPARPACK_LIKELY(!target) ? e.output.stack : begin_in(e, *target);
    int depth = options.depth - 1;
    if (storage_is_adopted(link->plan)) {
        p = write_adopted<Wire>(e, p, link, object, depth);
    } else if (SPARPACK_UNLIKELY(storage_is_lazy(object, link->plan))) {
        p = write_lazy<Wire>(e, p, link, object, depth);
    } else {
        p = link->is_union ? write_union<Wire>(e, p, link, object, depth) : write_struct<Wire>(e, p, link, object, depth);
    }
    if (SPARPACK_UNLIKELY(!p)) return options.attempt ? Qundef : fail(e, object, wire_name(wire));
    RB_GC_GUARD(object);
    if (SPARPACK_UNLIKELY(target != nullptr)) return end_in(e, p, *target);
    VALUE bytes = output_finish(e.output, p);
    if constexpr (Wire::traits.text) RB_ENCODING_SET_INLINED(bytes, utf8_index);
    return bytes;
}

template <class Wire>
bool encode_part_with(const Type &type, VALUE value, WireId wire, const Options &options, int depth, VALUE target,
                      Fault &fault) {
    Encoder e(options, wire);
    uint8_t *p = writer_reserve(e.output.writer, e.output.stack, Room<Wire>::value);
    p = write_one<Wire>(e, p, type, value, nullptr, depth);
    if (!p) return fault = e.fault, false;
    output_append(e.output, p, target);
    return true;
}

constexpr decltype(&encode_part) encode_part_in[] = {
#define X(name, grammar) encode_part_with<grammar::WrittenAs>,
    SPARPACK_WIRES(X)
#undef X
};

constexpr decltype(&encode) encode_in[] = {
#define X(name, grammar) encode_with<grammar::WrittenAs>,
    SPARPACK_WIRES(X)
#undef X
};

}  // namespace

VALUE encode_as_json(const Link *link, VALUE object, const Options &options) {
    lazy_wake(object);
    Encoder e(options, WireId::json);
    e.rendering = true;
    uint8_t *p = e.output.stack;
    int depth = options.depth - 1;
    p = link->is_union ? write_union<Json>(e, p, link, object, depth) : write_struct<Json>(e, p, link, object, depth);
    RB_GC_GUARD(object);
    if (!p) return Qnil;
    VALUE text = output_finish(e.output, p);
    RB_ENCODING_SET_INLINED(text, utf8_index);
    return text;
}

VALUE encode(const Link *link, VALUE object, WireId wire, const Options &options, OutputTarget *target) {
    return of_wire(encode_in, wire)(link, object, wire, options, target);
}

bool encode_part(const Type &type, VALUE value, WireId wire, const Options &options, int depth, VALUE target, Fault &fault) {
    return of_wire(encode_part_in, wire)(type, value, wire, options, depth, target, fault);
}

}  // namespace sparpack
