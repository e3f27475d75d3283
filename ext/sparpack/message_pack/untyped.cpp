// What the codec leaves to the engine: values of members that have no type. native.cpp passes these functions to the codec.
#include "../glue/untyped.hpp"

#include "pack.hpp"
#include "unpack.hpp"

namespace sparpack {

VALUE message_pack_untyped(VALUE value, int depth, Fault &fault) {
    PackOptions options;
    options.depth = depth < untyped_depth_max ? depth : untyped_depth_max;
    Pack k(Qnil, options);
    uint8_t *p = pack_value(k, k.output.writer.begin, value, options.depth);
    if (SPARPACK_LIKELY(p != nullptr)) return output_finish(k.output, p);
    fault = k.fault;
    return Qundef;
}

const uint8_t *message_unpack_untyped(Input &in, const uint8_t *p, VALUE *out, UntypedLimits &limits, Fault &fault) {
    constexpr size_t waiting = 256;
    UnpackOptions options;
    options.freeze = limits.freeze;
    options.limited = true;
    options.string = static_cast<size_t>(limits.string);
    options.container = static_cast<size_t>(limits.container);
    options.memory = limits.memory;
    options.depth = limits.depth < untyped_depth_max ? limits.depth : untyped_depth_max;
    VALUE stack[waiting];
    Unpack u(Qfalse, p, input_left(in, p), options, stack);
    const uint8_t *end = unpack_value(u, p, out, options.depth);
    pending_end(u.pending, u.memory);
    limits.memory = u.memory;
    if (SPARPACK_LIKELY(end != nullptr)) return end;
    fault = u.fault;
    return input_fail(in, u.in.status, u.in.at);
}

}  // namespace sparpack
