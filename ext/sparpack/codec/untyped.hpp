// Values of members without a type. Numbers, strings and the like are written and read here. All others are left to the
// engine of message_pack/, whose functions native.cpp passes in.
#pragma once

#include "../glue/untyped.hpp"
#include "../wire/message_pack/heads.hpp"
#include "encoder.hpp"
#include "strings.hpp"

namespace sparpack {

// Written by Init alone.
void untyped_init(UntypedPack pack, UntypedUnpack unpack);

// These call the functions that untyped_init received. Statuses: those of the engine, too_many_nan_keys.
uint8_t *untyped_write(Encoder &e, uint8_t *p, VALUE value, int depth);
Cursor untyped_read(Decoder &d, Cursor p, VALUE *out, int depth, Role role);

namespace {

// `depth` is how many levels there may be below this one.
template <class Wire>
[[maybe_unused]] [[gnu::noinline]] uint8_t *write_untyped(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth) {
    if constexpr (!Wire::traits.untyped) {
        e.fault.status = Status::value_mismatch;  // a row of such a wire cannot be made
        return nullptr;
    } else {
        Writer &w = e.output.writer;
        if (RB_FIXNUM_P(value)) return Wire::write_i64(w, p, RB_FIX2LONG(value));
        if (RB_FLOAT_TYPE_P(value)) return Wire::write_double(w, p, float_value(value));
        if (value == Qtrue || value == Qfalse) return Wire::write_bool(w, p, nullptr, value == Qtrue);
        if (!RB_TYPE_P(value, T_STRING) && !SYMBOL_P(value)) return untyped_write(e, p, value, depth);
        bool is_text = SYMBOL_P(value) || rb_enc_get_index(value) != binary_index;
        if (is_text && !text_is_utf8(value) && !(value = text_of(e, type, value))) return nullptr;
        return write_bytes<Wire, Wire>(e, p, value, is_text, NoRest());
    }
}

template <class Wire>
[[maybe_unused]] [[gnu::noinline]] Cursor read_untyped(Decoder &d, Cursor p, const Type &type, VALUE *out, int depth,
                                                       Role role) {
    if constexpr (!Wire::traits.untyped) {
        return fail(d, Status::mismatch, p);
    } else {
        MessagePack::Item item{};
        Cursor next = MessagePack::read_head(d.in, p, item);
        if (SPARPACK_UNLIKELY(!next)) return nullptr;
        switch (item.head) {
        case MessagePack::Head::nil: return *out = Qnil, next;
        case MessagePack::Head::false_: return *out = Qfalse, next;
        case MessagePack::Head::true_: return *out = Qtrue, next;
        case MessagePack::Head::float32:
        case MessagePack::Head::float64: {
            double real = MessagePack::real_of(item);
            if (SPARPACK_UNLIKELY(real != real) && counts_nan(role) && !nan_key(d)) return fail_nan_keys(d, p);
            return float_charged(d.memory, real, out) ? next : fail_memory(d, p);
        }
        case MessagePack::Head::positive:
            if (SPARPACK_UNLIKELY(item.number > INT64_MAX)) break;
            [[fallthrough]];
        case MessagePack::Head::negative:
            return integer_charged(d.memory, static_cast<int64_t>(item.number), out) ? next : fail_memory(d, p);
        case MessagePack::Head::str: return read_text<Wire, Wire>(d, p, type, out, role, true);
        case MessagePack::Head::bin: return read_text<Wire, Wire>(d, p, type, out, role, false);
        case MessagePack::Head::array:
        case MessagePack::Head::map:
        case MessagePack::Head::ext:
        case MessagePack::Head::reserved: break;
        }
        return untyped_read(d, p, out, depth, role);
    }
}

}  // namespace

}  // namespace sparpack
