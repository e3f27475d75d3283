// The grammar of Thrift's wires, over the functions with which each of them reads headers and scalars.
#pragma once

#include "../../bytes/uuid.hpp"
#include "../sinks.hpp"
#include "../walk.hpp"
#include "thrift.hpp"

namespace sparpack {

template <class Wire> struct ThriftEvents {
    using Frame = typename Wire::Frame;

    struct Level {
        Frame frame;      // of a struct, or of the struct that has the one value as a field
        size_t left;      // elements, or keys and values, still to come
        WireType kind;    // stop for the level outside of all others
        WireType first;   // the type of elements or keys
        WireType second;  // the type of a map's values
        bool at_value;    // a field's header was read, and its value comes next
    };

    // A struct, or another value.
    static Level whole(WireType type = WireType::struct_) {
        return {Frame(), 1, WireType::stop, type, WireType::stop, false};
    }

    // The value of a field whose header was read.
    static Level field_value(const Frame &frame) { return {frame, 1, WireType::stop, frame.type, WireType::stop, true}; }

    static SPARPACK_INLINE bool is_done(const Level &level) { return level.kind == WireType::stop && level.left == 0; }

    static size_t least(const Level &level, bool reading) {
        switch (level.kind) {
        case WireType::struct_: return !reading || level.at_value;  // the stop
        case WireType::stop: return 0;
        case WireType::map: {
            size_t value = Wire::size_min(level.second), pairs = (level.left + 1) / 2;
            size_t all = pairs * (Wire::size_min(level.first) + value);
            bool at_value = level.left & 1;  // the key of the first pair is there
            return all - (at_value ? Wire::size_min(level.first) + (reading ? value : 0)
                                   : (reading ? Wire::size_min(level.first) : 0));
        }
        default: return (level.left - reading) * Wire::size_min(level.first);
        }
    }

    static bool is_still_cut(const uint8_t *, size_t &, const uint8_t *) { return false; }

    // Statuses: those of the wire's readers, too_deep.
    template <class Emit>
    static SPARPACK_INLINE Step next(Level &level, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        bool is_field = level.at_value;
        WireType type = level.first;
        event::Place place = event::Place::element;
        switch (level.kind) {
        case WireType::struct_:
            if (!is_field) return header(level, in, p, emit);
            type = level.frame.type;
            place = event::Place::field;
            break;
        case WireType::stop: place = is_field ? event::Place::field : event::Place::whole; break;
        case WireType::map:
            place = level.left & 1 ? event::Place::value : event::Place::key;
            if (level.left & 1) type = level.second;
            [[fallthrough]];
        default:
            if (level.left == 0) return emit.close({{p, p}, container(level.kind)});
        }
        Step step = value(type, place, is_field ? &level.frame : nullptr, inner, in, p, emit);
        if (SPARPACK_UNLIKELY(step == Step::failed)) return step;
        if (level.kind == WireType::struct_) {
            level.at_value = false;
        } else {
            level.left--;
        }
        return step;
    }

private:
    static event::Container container(WireType kind) {
        return kind == WireType::map    ? event::Container::map
               : kind == WireType::set  ? event::Container::set
               : kind == WireType::list ? event::Container::list
                                        : event::Container::struct_;
    }

    template <class Emit> static SPARPACK_INLINE Step header(Level &level, Input &in, const uint8_t *&p, const Emit &emit) {
        const Frame before = level.frame;
        const uint8_t *q = p;
        Step step = Step::failed;
        int next = Wire::next_field(in, q, level.frame, no_fields, 0);
        if (next == next_end) {
            step = emit.close({{p, q}, event::Container::struct_});
        } else if (SPARPACK_LIKELY(next == next_unknown)) {
            step = emit.field({{p, q}, level.frame.id, level.frame.type});
            level.at_value = step != Step::failed;
        }
        if (SPARPACK_UNLIKELY(step == Step::failed)) return level.frame = before, step;
        p = q;
        return step;
    }

    template <class Emit>
    static SPARPACK_INLINE Step integer(WireType type, event::Place place, const uint8_t *&p, const uint8_t *q,
                                        int64_t value, const Emit &emit) {
        if (!q) return Step::failed;
        event::Scalar scalar{{p, q}, event::Type::integer, place, type, value < 0, {}};
        scalar.integer = static_cast<uint64_t>(value);
        return moved(emit.scalar(scalar), p, q);
    }

    template <class Emit>
    static SPARPACK_INLINE Step bytes(WireType type, event::Place place, const uint8_t *&p, const uint8_t *q,
                                      const uint8_t *data, size_t size, const Emit &emit) {
        if (!q) return Step::failed;
        bool is_uuid = type == WireType::uuid;
        event::Scalar scalar{{p, q}, is_uuid ? event::Type::uuid : event::Type::text, place, type, false, {}};
        scalar.text = {data, size, size, false, false, 0};
        return moved(emit.scalar(scalar), p, q);
    }

    static SPARPACK_INLINE Step moved(Step step, const uint8_t *&p, const uint8_t *q) {
        if (SPARPACK_LIKELY(step != Step::failed)) p = q;
        return step;
    }

    // `frame` belongs to the struct that has the value as a field; it is nullptr for an element.
    template <class Emit>
    static SPARPACK_INLINE Step value(WireType type, event::Place place, const Frame *frame, Level *inner, Input &in,
                                      const uint8_t *&p, const Emit &emit) {
        int64_t number = 0;
        const uint8_t *q = p;
        switch (type) {
        case WireType::bool_: {
            event::Scalar scalar{{p, p}, event::Type::boolean, place, type, false, {}};
            if (!(q = Wire::read_bool(in, p, frame, &scalar.boolean))) return Step::failed;
            scalar.end = q;
            return moved(emit.scalar(scalar), p, q);
        }
        case WireType::i8: q = Wire::read_i8(in, p, &number); return integer(type, place, p, q, number, emit);
        case WireType::i16: q = Wire::read_i16(in, p, &number); return integer(type, place, p, q, number, emit);
        case WireType::i32: q = Wire::read_i32(in, p, &number); return integer(type, place, p, q, number, emit);
        case WireType::i64: q = Wire::read_i64(in, p, &number); return integer(type, place, p, q, number, emit);
        case WireType::double_: {
            event::Scalar scalar{{p, p}, event::Type::real, place, type, false, {}};
            if (!(q = Wire::read_double(in, p, &scalar.real))) return Step::failed;
            scalar.end = q;
            return moved(emit.scalar(scalar), p, q);
        }
        case WireType::string: {
            const uint8_t *data = nullptr;
            size_t size = 0;
            q = Wire::read_bytes(in, p, &data, &size);
            return bytes(type, place, p, q, data, size, emit);
        }
        case WireType::uuid: q = Wire::read_uuid(in, p); return bytes(type, place, p, q, p, uuid_bytes, emit);
        case WireType::list:
        case WireType::set:
        case WireType::map:
        case WireType::struct_: return open(type, place, inner, in, p, emit);
        case WireType::stop: break;
        }
        input_fail(in, Status::bad_wire_type, p);
        return Step::failed;
    }

    template <class Emit>
    static SPARPACK_INLINE Step open(WireType type, event::Place place, Level *inner, Input &in, const uint8_t *&p,
                                     const Emit &emit) {
        if (SPARPACK_UNLIKELY(!inner)) return input_fail(in, Status::too_deep, p), Step::failed;
        WireType first = WireType::stop, second = WireType::stop;  // an empty map may have no types
        const uint8_t *q = p;
        size_t count = 0;
        uint64_t told = event::Open::unknown;
        if (type != WireType::struct_) {
            q = type == WireType::map ? Wire::open_map(in, p, &first, &second, &count)
                                      : Wire::open_list(in, p, &first, &count);
            if (SPARPACK_UNLIKELY(!q)) return Step::failed;
            told = count;
        }
        *inner = {Frame(), type == WireType::map ? 2 * count : count, type, first, second, false};
        return moved(emit.open({{p, q}, container(type), place, told, first, second}), p, q);
    }
};

// Returns the end of a value. `frame` belongs to the struct that has it as a field; it is nullptr for an element. Statuses:
// those of the wire's readers, too_deep.
template <class Wire>
const uint8_t *skip(Input &in, const uint8_t *p, WireType type, const typename Wire::Frame *frame, int depth) {
    using Events = ThriftEvents<Wire>;
    Limited<Skip> sink(in, no_size_limits);
    Skip::Level kept;
    return walk_value<Events>(in, p, frame ? Events::field_value(*frame) : Events::whole(type), sink, kept, depth);
}

}  // namespace sparpack
