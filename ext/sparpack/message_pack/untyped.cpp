// What the codec leaves to the engine: values of members that have no type. native.cpp passes these functions to the codec.
#include "../glue/untyped.hpp"

#include "pack.hpp"
#include "unpack.hpp"

namespace sparpack {

namespace {

// Returns where the value ends, or nullptr after a text that is not UTF-8, whose place is in the fault then. Bytes that are
// no value, which only `to_msgpack` can write, are let through as they are.
const uint8_t *check_text(Input &in, const uint8_t *p, int depth, Fault &fault) {
    MessagePack::Item item{};
    if (!(p = MessagePack::read_head(in, p, item)) || depth == 0) return in.end;
    const size_t count = static_cast<size_t>(item.number);
    switch (item.head) {
    case MessagePack::Head::array:
        for (size_t i = 0; i < count && p < in.end; i++) {
            if (!(p = check_text(in, p, depth - 1, fault))) return fault_at_index(fault, i), nullptr;
        }
        return p;
    case MessagePack::Head::map:
        for (size_t i = 0; i < count && p < in.end; i++) {
            if (!(p = check_text(in, p, depth - 1, fault))) return fault_at_key(fault, i), nullptr;
            if (!(p = check_text(in, p, depth - 1, fault))) return fault_at_value(fault, i), nullptr;
        }
        return p;
    case MessagePack::Head::str:
    case MessagePack::Head::bin:
    case MessagePack::Head::ext: break;
    default: return p;
    }
    if (input_left(in, p) < count) return in.end;
    if (item.head != MessagePack::Head::str || utf8_check(p, count) != Text::broken) return p + count;
    fault.status = Status::value_not_utf8;
    fault.found = rb_utf8_str_new(reinterpret_cast<const char *>(p), static_cast<long>(count));
    return nullptr;
}

}  // namespace

VALUE message_pack_untyped(VALUE value, int depth, bool utf8_keep, Fault &fault) {
    PackOptions options;
    options.places = true;
    options.depth = depth < untyped_depth_max ? depth : untyped_depth_max;
    Pack k(Qnil, options);
    uint8_t *p = pack_value(k, k.output.writer.begin, value, options.depth);
    if (SPARPACK_UNLIKELY(!p)) return fault = k.fault, Qundef;
    if (!utf8_keep) {
        Input in(k.output.writer.begin, static_cast<size_t>(p - k.output.writer.begin));
        if (!check_text(in, in.begin, untyped_depth_max + 1, fault)) return Qundef;
    }
    return output_finish(k.output, p);
}

const uint8_t *message_unpack_untyped(Input &in, const uint8_t *p, VALUE *out, UntypedLimits &limits, Fault &fault) {
    constexpr size_t waiting = 256;
    UnpackOptions options;
    options.freeze = limits.freeze;
    options.strict_utf8 = !limits.utf8_keep;
    options.places = true;
    options.limited = true;
    options.string = static_cast<size_t>(limits.string);
    options.container = static_cast<size_t>(limits.container);
    options.memory = limits.memory;
    options.depth = limits.depth < untyped_depth_max ? limits.depth : untyped_depth_max;
    VALUE stack[waiting];
    Unpack u(Qfalse, p, input_left(in, p), options, stack);
    const uint8_t *end = unpack_value(u, p, out, options.depth);
    unpack_end(u);
    limits.memory = u.memory;
    if (SPARPACK_LIKELY(end != nullptr)) return end;
    fault = u.fault;
    return input_fail(in, u.in.status, u.in.at);
}

}  // namespace sparpack
