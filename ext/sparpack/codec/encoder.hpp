// The state of an encode, how it refuses a value, and how it reserves.
#pragma once

#include "../bytes/uuid.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../glue/options.hpp"
#include "../glue/output.hpp"
#include "../glue/pending.hpp"
#include "../objects/storage.hpp"
#include "../plan/rows.hpp"
#include "../values/numbers.hpp"
#include "../values/sets.hpp"
#include "../values/text.hpp"

namespace sparpack {

struct Encoder {
    Output output;  // first, so that watch can cast it to its Encoder
    const Options &options;
    WireId form;  // what is written
    Fault fault;
    size_t short_max;  // string_short, or 0 if the limit is below that

    bool rendering = false;  // the object is shown as JSON, whether or not it is complete (render)
    int quotes = 0;          // how many keys of maps that are text are being written, each in the one before

    Pending *pending = nullptr;  // for the values of objects that are not our own, once there are any
    int64_t memory;              // what is left of the limit for it

    OutputTarget *target = nullptr;  // where the bytes go, if there is one

    // Only for a converter.
    static void watch(const Output &output, size_t used) {
        const OutputLimit &limit = *reinterpret_cast<const Encoder &>(output).options.output;
        if (static_cast<int64_t>(used) > limit.most) output_refuse(limit);
    }

    Encoder(const Options &o, WireId f)
        : options(o), form(f), short_max(o.string < static_cast<int64_t>(string_short) ? 0 : string_short) {
        if (SPARPACK_UNLIKELY(o.output != nullptr)) output.watch = watch;
    }
};

// What call_ruby raises.
[[noreturn]] SPARPACK_COLD inline void fail_ended(const Encoder &e) {
    if (e.target && e.target->outer) output_check_target(*e.target);
    fault_ended();
}

// Each quotation doubles the backslashes in it, so the text of keys in keys in keys would grow without bounds.
constexpr int quotes_max = 8;

// A struct reserves the room of all its fields at once, or of a run of them if there are many. Whatever is longer than a
// value's room, or written by another function, reserves again for the `rest`.
constexpr uint32_t field_run = 64;

SPARPACK_COLD inline uint8_t *refuse(Encoder &e, Status status, const Type &type, VALUE value) {
    e.fault.status = status;
    if (type.kind == Kind::struct_ || type.kind == Kind::union_) {
        e.fault.expected_class = type.klass;
    } else if (type.kind == Kind::enum_) {
        e.fault.expected_class = type.enumeration;
    } else if (status != Status::value_not_utf8 && status != Status::value_not_uuid) {
        e.fault.expected = kind_name(type.kind);
    }
    e.fault.found = value;
    return nullptr;
}

SPARPACK_COLD inline uint8_t *refuse_number(Encoder &e, Conversion result, const Type &type, VALUE value) {
    return refuse(e, result == Conversion::mismatch ? Status::value_mismatch : Status::value_out_of_range, type, value);
}

SPARPACK_COLD inline uint8_t *refuse_limit(Encoder &e, Status status, int64_t limit) {
    e.fault.status = status;
    e.fault.limit = static_cast<long>(limit);
    return nullptr;
}

SPARPACK_COLD inline bool too_deep(Encoder &e, int depth) {
    if (depth >= 0 && !options_stack_full(e.options)) return false;
    refuse_limit(e, Status::too_deep, e.options.depth);
    return true;
}

SPARPACK_INLINE bool size_fits(Encoder &e, size_t size) {
    return SPARPACK_LIKELY(size <= INT32_MAX && static_cast<int64_t>(size) <= e.options.container);
}

SPARPACK_COLD inline uint8_t *refuse_size(Encoder &e) {
    return refuse_limit(e, Status::container_too_large, e.options.container < INT32_MAX ? e.options.container : INT32_MAX);
}

// Refuses a struct or a container as the key of a map.
SPARPACK_COLD inline uint8_t *refuse_key(Encoder &e, VALUE value) {
    e.fault.status = Status::value_not_key;
    e.fault.found = value;
    return nullptr;
}

SPARPACK_COLD inline uint8_t *refuse_changed(Encoder &e) {
    e.fault.status = Status::value_changed;
    return nullptr;
}

// True if an Array has not as many elements as were announced. Apache's gem writes those if there are more by now.
SPARPACK_INLINE bool size_changed(const Encoder &e, VALUE array, long count) {
    return SPARPACK_UNLIKELY(RARRAY_LEN(array) != count) && !(e.options.calls && RARRAY_LEN(array) > count);
}

SPARPACK_COLD inline uint8_t *at_field(Encoder &e, const Link *link, const Field &field) {
    fault_at_field(e.fault, link->plan->slots[field.slot].name);
    return nullptr;
}

SPARPACK_COLD inline uint8_t *refuse_missing(Encoder &e, const Link *link, const Field &field) {
    e.fault.status = Status::missing_field;
    return at_field(e, link, field);
}

SPARPACK_COLD inline uint8_t *refuse_kept(Encoder &e, Status status) {
    switch (status) {
    case Status::value_not_key: return e.fault.status = status, nullptr;
    case Status::too_deep:
    case Status::string_too_long:
    case Status::container_too_large: return refuse_limit(e, status, options_limit(e.options, status));
    default: return refuse_changed(e);  // by another thread, while it was copied
    }
}

// Reserves again after another function wrote, which may have used up the reservation.
template <class Rest> SPARPACK_INLINE uint8_t *reserve_rest(Encoder &e, uint8_t *p, Rest rest) {
    return SPARPACK_LIKELY(p != nullptr) ? writer_reserve(e.output.writer, p, rest()) : nullptr;
}

// A longer text of a wire with escapes reserves its room in parts.
constexpr size_t string_escaped = 128;

// Writes text or binary. `Scalars` is a wire or its Key.
template <class Wire, class Scalars, class Rest>
SPARPACK_INLINE uint8_t *write_bytes(Encoder &e, uint8_t *p, VALUE string, bool is_text, Rest rest) {
    const uint8_t *data = string_bytes(string);
    size_t size = string_size(string);
    if (SPARPACK_UNLIKELY(size > e.short_max)) {
        if (SPARPACK_UNLIKELY(size > INT32_MAX)) return refuse_limit(e, Status::string_too_long, INT32_MAX);
        if (SPARPACK_UNLIKELY(static_cast<int64_t>(size) > e.options.string))
            return refuse_limit(e, Status::string_too_long, e.options.string);
        if constexpr (Wire::traits.raw_strings) {
            p = writer_reserve(e.output.writer, p, Scalars::string_room(size) + rest());
            data = string_bytes(string);
        }
    }
    if constexpr (!Wire::traits.raw_strings) {
        // A long text may need six times its size if each byte is escaped, which is too much to reserve.
        if (is_text && SPARPACK_UNLIKELY(size > string_escaped)) {
            p = Scalars::write_long_text(e.output.writer, p, data, size);
            keep_alive(string);
            return writer_reserve(e.output.writer, p, rest());
        }
        p = writer_reserve(e.output.writer, p, (is_text ? Scalars::string_room(size) : Scalars::binary_room(size)) + rest());
        data = string_bytes(string);
    }
    p = is_text ? Scalars::write_text(e.output.writer, p, data, size)
                : Scalars::write_binary(e.output.writer, p, data, size);
    keep_alive(string);
    return p;
}

// As is_set, but where sets must be exact, no subclass is a Set.
SPARPACK_INLINE bool is_set_for(const Encoder &e, VALUE value) {
    return is_set(value) && (SPARPACK_LIKELY(!e.options.exact_sets) || rb_obj_class(value) == set_class());
}

[[noreturn]] SPARPACK_COLD inline VALUE fail(Encoder &e, VALUE object, const char *wire) {
    if (e.options.foreign_errors) fault_raise_foreign_encode(e.fault, object, wire);
    fault_raise_encode(e.fault, rb_obj_class(object), wire);
}

// As real_of, but where classes must be exact, only a Float is a double.
SPARPACK_INLINE Conversion real_for(const Encoder &e, VALUE value, double *number) {
    if (SPARPACK_UNLIKELY(!RB_FLOAT_TYPE_P(value)) && e.options.exact_classes) return Conversion::mismatch;
    return real_of(value, number);
}

SPARPACK_COLD inline VALUE enum_number(const Type &type, VALUE value) {
    return SYMBOL_P(value) || RB_TYPE_P(value, T_STRING) ? enum_number(type.numbers, value) : value;
}

// Refuses what Ruby renders in another way.
SPARPACK_COLD inline uint8_t *refuse_rendering(Encoder &e) {
    e.fault.status = Status::value_mismatch;
    return nullptr;
}

// True for what is not exactly of a class, if it is rendered. A subclass may have methods that render it otherwise, and so
// may an object with methods of its own.
template <class Wire> SPARPACK_INLINE bool renders_otherwise(const Encoder &e, VALUE object, VALUE klass) {
    return Wire::traits.text && SPARPACK_UNLIKELY(e.rendering) &&
           (RB_SPECIAL_CONST_P(object) || RBASIC_CLASS(object) != klass);
}

// True if the keys of a Hash are texts that differ. If they do not, the last one wins in Ruby.
SPARPACK_COLD inline bool keys_render_apart(Encoder &e, const Type &map, VALUE hash) {
    if (RBASIC_CLASS(hash) != rb_cHash) return false;
    if (RHASH_SIZE(hash) < 2) return true;
    if (kind_is_compound(map.key->kind)) return false;
    return !RTEST(call_ruby(e, [&] { return rb_funcall(hash, rb_intern("compare_by_identity?"), 0); }));
}

// True for Floats that every version of the json gem writes like Float#to_s: without an exponent.
SPARPACK_COLD inline bool renders_alike(VALUE value) {
    if (!RB_FLOAT_TYPE_P(value)) return false;
    double size = float_value(value) < 0 ? -float_value(value) : float_value(value);
    return size == 0 || (size >= 1e-4 && size < 1e15);
}

// True for a uuid that is as the wire writes it, or is not rendered.
template <class Wire> SPARPACK_INLINE bool renders_canonical(const Encoder &e, VALUE string, const uint8_t *bytes) {
    if (!Wire::traits.text || SPARPACK_LIKELY(!e.rendering)) return true;
    char text[uuid_text];
    uuid_format(bytes, text);
    return RSTRING_LEN(string) == uuid_text && memcmp(RSTRING_PTR(string), text, uuid_text) == 0;
}

// Returns the UTF-8 of a value that is not plainly UTF-8, or Qfalse after refusing it.
SPARPACK_COLD inline VALUE text_of(Encoder &e, const Type &type, VALUE value) {
    if (e.options.plain_text) {
        if (RB_TYPE_P(value, T_STRING) && text_is_plain(value)) return value;
        return refuse(e, Status::value_mismatch, type, value), Qfalse;
    }
    VALUE string = SYMBOL_P(value) && !e.options.exact_classes ? rb_sym2str(value) : value;
    if (!RB_TYPE_P(string, T_STRING)) return refuse(e, Status::value_mismatch, type, value), Qfalse;
    if (e.options.exact_classes) return string;
    if (e.rendering && rb_enc_get_index(string) != utf8_index) return refuse_rendering(e), Qfalse;
    string = call_ruby(e, [&] { return text_utf8(string, e.options.utf8_keep); });
    if (!string) refuse(e, Status::value_not_utf8, type, value);
    return string;
}

// Writes an enum's value by its name, if it has one, otherwise by its number.
template <class Wire, class Scalars, class Rest>
[[gnu::noinline]] uint8_t *write_enum_name(Encoder &e, uint8_t *p, const Type &type, VALUE number, Rest rest) {
    VALUE name = RB_FIXNUM_P(number) ? enum_name(type.names, number) : Qnil;
    if (!NIL_P(name)) return write_bytes<Wire, Scalars>(e, p, name, true, rest);
    int64_t value = 0;
    Conversion result = integer_in<int32_t>(number, &value);
    if (result != Conversion::ok) return refuse_number(e, result, type, number);
    return Scalars::write_i32(e.output.writer, p, value);
}

// The room for the fields after this one, up to `end`, and for the end of the struct. It is called only to reserve.
template <class Wire> struct FieldsRest {
    const Row<Wire> *field, *end;
    size_t operator()() const { return rows_room<Wire>(field + 1, end) + Wire::close_max; }
};

struct NoRest {
    size_t operator()() const { return 0; }
};

}  // namespace sparpack
