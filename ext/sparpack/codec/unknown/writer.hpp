// Writes the unknown fields that a decode has kept.
#pragma once

#include "../../glue/options.hpp"
#include "../../values/ruby.hpp"
#include "../../wire/thrift/binary.hpp"
#include "../../wire/walks.hpp"

namespace sparpack {

// Kept fields are written between the known ones, in order of ids. `before` is the id of the next known field. They may have
// come from Marshal or a codec with other limits, so the limits hold for them, too.
template <class Wire> struct UnknownWriter {
    Writer &w;
    const Options &options;
    int depth;  // how many levels there may be below the struct
    typename Wire::Frame &frame;
    Input in;
    const uint8_t *next;

    UnknownWriter(Writer &writer, const Options &o, int levels, typename Wire::Frame &f, VALUE unknown)
        : w(writer), options(o), depth(levels), frame(f), in(string_bytes(unknown), string_size(unknown)), next(in.begin) {}

    void drop(int32_t id) {
        Binary::Frame header;
        const uint8_t *start = next;
        if (next == in.end || Binary::next_field(in, next, header, no_fields, 0) != next_unknown || header.id != id) {
            next = start;
            return;
        }
        next = skip<Binary>(in, next, header.type, &header, depth_max);
        if (!next) next = in.end;
    }

    // Returns nullptr if a limit is exceeded, or the wire cannot write a field; `in.status` says which.
    uint8_t *write(uint8_t *p, int32_t before) {
        while (next < in.end) {
            Binary::Frame header;
            const uint8_t *start = next;
            if (Binary::next_field(in, next, header, no_fields, 0) != next_unknown) return next = in.end, p;
            if (header.id >= before) {
                next = start;
                return p;
            }
            using Events = ThriftEvents<Binary>;
            Limited<Copy<Wire>> copy(in, size_limits(options), w, p);
            typename Copy<Wire>::Level level{frame, 0};
            copy.field(level, {{start, next}, header.id, header.type});
            next = walk_value<Events>(in, next, Events::field_value(header), copy, level, depth);
            if (!next) return in.status = in.status == Status::ok ? copy.status : in.status, nullptr;
            p = copy.p;
            frame = level.frame;
        }
        return p;
    }
};

}  // namespace sparpack
