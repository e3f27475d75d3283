// Writes lazy objects. What nobody has touched goes out as it came, if it came in the same wire and an encode would find
// nothing wrong with it. Otherwise the object is woken. Only value_writer.hpp includes this file.
#pragma once

#include "encoder.hpp"

namespace sparpack {

namespace {

// True if an encode would refuse nothing that a decode with the usual checks has accepted.
SPARPACK_INLINE bool writes_as_it_came(const Encoder &e, const LazyPart &part, int depth) {
    const Options &o = e.options;
    return part.copied && !(part.kept && part.touched) && part.wire == e.form && depth >= part.levels &&
           o.validate <= Check::normal && !o.enum_names && o.string == unlimited && o.container == unlimited &&
           !o.exact_classes && !o.output;
}

template <class Wire>
SPARPACK_INLINE uint8_t *copy_bytes(Encoder &e, uint8_t *p, VALUE bytes, size_t start, size_t end, size_t rest) {
    p = writer_reserve(e.output.writer, p, end - start + rest);
    memcpy(p, string_bytes(bytes) + start, end - start);
    return p + (end - start);
}

// Writes an object some of whose fields sleep.
template <class Wire>
SPARPACK_INLINE uint8_t *write_touched(Encoder &e, uint8_t *p, const Link *link, VALUE object, const LazyPart &part,
                                       int depth) {
    const Row<Wire> *rows = rows_of<Wire>(link);
    typename Wire::Frame frame{};
    for (uint32_t i = 0; i < link->count; i++) {
        const Row<Wire> &field = rows[i];
        const VALUE value = storage_view(object)[field.slot];
        if (NIL_P(value)) {
            if (SPARPACK_UNLIKELY(field.required && e.options.validate != Check::none))
                return refuse_missing(e, link, field);
        } else if (!is_sleeper(value)) {
            if (SPARPACK_UNLIKELY(!(p = write_field<Wire>(e, p, link, field, value, frame, depth)))) return nullptr;
        } else {
            const size_t start = sleeper_offset(value);
            Input in(string_bytes(part.bytes), part.end);
            const uint8_t *end = skip<Wire>(in, in.begin + start, field.type.wire, nullptr, depth_max);
            if (SPARPACK_UNLIKELY(!end)) return refuse_changed(e);  // somebody has changed the payload
            p = writer_reserve(e.output.writer, p, rows_room<Wire>(&field, &field + 1));
            p = Wire::write_known(e.output.writer, p, frame, field.header);
            p = copy_bytes<Wire>(e, p, part.bytes, start, static_cast<size_t>(end - in.begin), Wire::close_max);
        }
    }
    return Wire::close_struct(e.output.writer, writer_reserve(e.output.writer, p, Wire::close_max), frame);
}

template <class Wire>
[[gnu::noinline]] uint8_t *write_lazy(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if (SPARPACK_UNLIKELY(depth < e.options.depth_watched) && too_deep(e, depth)) return nullptr;
    if constexpr (Wire::traits.raw_strings && Wire::traits.counts_elements) {
        const LazyPart part = *lazy_part(object);
        if (SPARPACK_LIKELY(writes_as_it_came(e, part, depth))) {
            if (!part.touched) {
                p = copy_bytes<Wire>(e, p, part.bytes, part.start, part.end, 0);
                RB_GC_GUARD(object);
                return p;
            }
            if constexpr (Wire::traits.keeps == Kept::fields) {
                p = write_touched<Wire>(e, p, link, object, part, depth);
                RB_GC_GUARD(object);
                return p;
            }
        }
    }
    call_ruby(e, [&] { return lazy_wake(object) ? Qtrue : Qfalse; });
    return write_struct<Wire>(e, p, link, object, depth);
}

}  // namespace

}  // namespace sparpack
