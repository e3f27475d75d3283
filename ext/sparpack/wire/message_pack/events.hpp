// MessagePack's grammar of values, over the heads that `heads.hpp` reads.
#pragma once

#include "../events.hpp"
#include "heads.hpp"

namespace sparpack {

struct MessagePackEvents {
    using M = MessagePack;

    enum Kind : uint64_t { whole_kind, array_kind, map_kind };

    struct Level {
        uint64_t kind : 2;
        uint64_t left : 62;  // elements, or keys and values, still to come
    };

    static Level whole() { return {whole_kind, 1}; }

    static SPARPACK_INLINE bool is_done(const Level &level) { return level.kind == whole_kind && level.left == 0; }

    // Each value takes at least one byte.
    static size_t least(const Level &level, bool reading) { return static_cast<size_t>(level.left) - reading; }

    static bool is_still_cut(const uint8_t *, size_t &, const uint8_t *) { return false; }

    static SPARPACK_INLINE event::Place place(const Level &level) {
        if (level.kind == array_kind) return event::Place::element;
        if (level.kind == whole_kind) return event::Place::whole;
        return level.left % 2 ? event::Place::value : event::Place::key;
    }

    // Statuses: truncated, bad_format, too_deep.
    template <class Emit>
    static SPARPACK_INLINE Step next(Level &level, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        if (level.left == 0) {
            bool map = level.kind == map_kind;
            return emit.close({{p, p}, map ? event::Container::map : event::Container::list});
        }
        M::Item item{};
        const uint8_t *data = M::read_head(in, p, item);
        if (SPARPACK_UNLIKELY(!data)) return Step::failed;
        const uint8_t *end = data;
        Step step;
        switch (item.head) {
        case M::Head::array:
        case M::Head::map: step = open(level, inner, in, p, data, item, emit); break;
        case M::Head::str:
        case M::Head::bin:
        case M::Head::ext:
            if (SPARPACK_UNLIKELY(input_left(in, data) < item.number))
                return input_cut(in, p, item.number - input_left(in, data)), Step::failed;
            end = data + item.number;
            [[fallthrough]];
        default: step = emit.scalar(scalar(level, p, data, end, item));
        }
        if (SPARPACK_UNLIKELY(step == Step::failed)) return step;
        level.left--;
        p = end;
        return step;
    }

private:
    static SPARPACK_INLINE event::Scalar scalar(const Level &level, const uint8_t *p, const uint8_t *data,
                                                const uint8_t *end, const M::Item &item) {
        event::Scalar scalar{{p, end}, event::Type::nil, place(level), WireType::stop, false, {}};
        switch (item.head) {
        case M::Head::false_:
        case M::Head::true_:
            scalar.type = event::Type::boolean;
            scalar.boolean = item.head == M::Head::true_;
            break;
        case M::Head::negative: scalar.negative = true; [[fallthrough]];
        case M::Head::positive:
            scalar.type = event::Type::integer;
            scalar.integer = item.number;
            break;
        case M::Head::float32:
        case M::Head::float64:
            scalar.type = event::Type::real;
            scalar.real = M::real_of(item);
            break;
        case M::Head::str:
        case M::Head::bin:
        case M::Head::ext: {
            size_t size = static_cast<size_t>(item.number);
            scalar.type = item.head == M::Head::str   ? event::Type::text
                          : item.head == M::Head::bin ? event::Type::bytes
                                                      : event::Type::ext;
            scalar.text = {data, size, size, false, false, item.type};
            break;
        }
        case M::Head::nil:
        case M::Head::array:
        case M::Head::map:
        case M::Head::reserved: break;
        }
        return scalar;
    }

    template <class Emit>
    static SPARPACK_INLINE Step open(const Level &level, Level *inner, Input &in, const uint8_t *p, const uint8_t *data,
                                     const M::Item &item, const Emit &emit) {
        if (SPARPACK_UNLIKELY(!inner)) return input_fail(in, Status::too_deep, p), Step::failed;
        bool map = item.head == M::Head::map;
        uint64_t parts = map ? 2 * item.number : item.number, left = input_left(in, data);
        if (SPARPACK_UNLIKELY(parts > left) && in.counts == Counts::checked)
            return input_cut(in, p, static_cast<size_t>(parts - left)), Step::failed;
        *inner = {map ? map_kind : array_kind, parts};
        event::Container container = map ? event::Container::map : event::Container::list;
        return emit.open({{p, data}, container, place(level), item.number, WireType::stop, WireType::stop});
    }
};

}  // namespace sparpack
