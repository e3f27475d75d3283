#include "packer.hpp"

#include "../glue/numbers.hpp"
#include "../glue/text.hpp"

namespace sparpack {

namespace {

using M = MessagePack;

constexpr size_t room = M::header_max;

SPARPACK_COLD uint8_t *fail(Pack &k, Status status, VALUE found) {
    k.fault.status = status;
    k.fault.found = found;
    return nullptr;
}

uint8_t *write_array(Pack &k, uint8_t *p, VALUE array, int depth);
uint8_t *write_hash(Pack &k, uint8_t *p, VALUE hash, int depth);

// Bytes behind a header.
SPARPACK_INLINE uint8_t *write_bytes(Pack &k, uint8_t *p, VALUE string, bool bin) {
    size_t size = static_cast<size_t>(RSTRING_LEN(string));
    if (SPARPACK_UNLIKELY(size > UINT32_MAX)) return fail(k, Status::container_too_large, string);
    p = writer_reserve(k.output.writer, p, room + size);
    if (SPARPACK_UNLIKELY(k.compatible)) {
        p = M::write_raw(k.output.writer, p, size);
    } else {
        p = bin ? M::write_bin(k.output.writer, p, size) : M::write_str(k.output.writer, p, size);
    }
    writer_check(k.output.writer, p, size);
    copy_bytes(p, RSTRING_PTR(string), size);
    keep_alive(string);
    return p + size;
}

// In another encoding: transcoded, unless it has ASCII alone.
SPARPACK_COLD uint8_t *write_other_text(Pack &k, uint8_t *p, VALUE string) {
    int encoding = rb_enc_get_index(string);
    if (encoding == binary_index) return write_bytes(k, p, string, true);
    if (encoding == utf8_index || encoding == us_ascii_index || rb_enc_str_coderange(string) == RUBY_ENC_CODERANGE_7BIT)
        return write_bytes(k, p, string, false);
    VALUE utf8 = rb_str_encode(string, rb_enc_from_encoding(rb_utf8_encoding()), 0, Qnil);
    k.output.disturbances++;
    return write_bytes(k, p, utf8, false);
}

SPARPACK_INLINE uint8_t *write_string(Pack &k, uint8_t *p, VALUE string) {
    constexpr VALUE mask = RUBY_ENCODING_MASK;
    constexpr VALUE utf8 = static_cast<VALUE>(utf8_index) << RUBY_ENCODING_SHIFT;
    if (SPARPACK_LIKELY((RBASIC(string)->flags & mask) == utf8)) return write_bytes(k, p, string, false);
    return write_other_text(k, p, string);
}

// Whether something was registered for the value's class. May run Ruby code.
SPARPACK_COLD bool registered(Pack &k, VALUE value) {
    bool found = RTEST(rb_funcall(k.types, rb_intern("registered?"), 1, value));
    k.output.disturbances++;
    return found;
}

SPARPACK_INLINE uint8_t *write_symbol(Pack &k, uint8_t *p, VALUE symbol, int depth) {
    if (SPARPACK_UNLIKELY(k.types) && registered(k, symbol)) return packer_call(k, p, symbol, depth);
    return write_string(k, p, rb_sym2str(symbol));
}

SPARPACK_COLD uint8_t *write_big(Pack &k, uint8_t *p, VALUE integer, int depth) {
    uint64_t number = 0;
    int sign = rb_integer_pack(integer, &number, 1, sizeof number, 0, INTEGER_PACK_2COMP | INTEGER_PACK_NATIVE_BYTE_ORDER);
    if (sign == 1) return M::write_unsigned(k.output.writer, p, number);
    if (sign == -1 && static_cast<int64_t>(number) < 0)
        return M::write_integer(k.output.writer, p, static_cast<int64_t>(number));
    if (k.types && registered(k, integer)) return packer_call(k, p, integer, depth);
    return fail(k, Status::value_out_of_range, integer);
}

// `room` bytes are reserved.
SPARPACK_INLINE uint8_t *write_reserved(Pack &k, uint8_t *p, VALUE value, int depth) {
    Writer &w = k.output.writer;
    if (SPARPACK_LIKELY(RB_FIXNUM_P(value))) return M::write_integer(w, p, RB_FIX2LONG(value));
    if (RB_FLONUM_P(value)) return M::write_double(w, p, float_value(value));
    if (RB_SPECIAL_CONST_P(value)) {
        if (NIL_P(value)) return M::write_byte(w, p, M::nil_byte);
        if (value == Qtrue) return M::write_byte(w, p, M::true_byte);
        if (value == Qfalse) return M::write_byte(w, p, M::false_byte);
        if (RB_STATIC_SYM_P(value)) return write_symbol(k, p, value, depth);
        return packer_call(k, p, value, depth);
    }
    bool own = SPARPACK_LIKELY(!k.types);
    switch (RB_BUILTIN_TYPE(value)) {
    case RUBY_T_STRING:
        if (own || RBASIC_CLASS(value) == rb_cString || !registered(k, value)) return write_string(k, p, value);
        break;
    case RUBY_T_ARRAY:
        if (own || RBASIC_CLASS(value) == rb_cArray || !registered(k, value)) return write_array(k, p, value, depth);
        break;
    case RUBY_T_HASH:
        if (own || RBASIC_CLASS(value) == rb_cHash || !registered(k, value)) return write_hash(k, p, value, depth);
        break;
    case RUBY_T_FLOAT: return M::write_double(w, p, float_value(value));
    case RUBY_T_BIGNUM: return write_big(k, p, value, depth);
    case RUBY_T_SYMBOL: return write_symbol(k, p, value, depth);
    default: break;
    }
    return packer_call(k, p, value, depth);
}

// Elements that need no more than `room` are written in runs for which room is reserved at once. The Array's memory is
// asked for again only after something was allocated or run.
uint8_t *write_array(Pack &k, uint8_t *p, VALUE array, int depth) {
    if (SPARPACK_UNLIKELY(depth == 0)) return fail(k, Status::too_deep, array);
    constexpr size_t run = 64;
    size_t count = static_cast<size_t>(RARRAY_LEN(array)), done = 0;
    if (SPARPACK_UNLIKELY(count > UINT32_MAX)) return fail(k, Status::container_too_large, array);
    p = writer_reserve(k.output.writer, p, room);
    p = M::write_array(k.output.writer, p, count);
    while (done < count) {
        size_t some = count - done < run ? count - done : run;
        p = writer_reserve(k.output.writer, p, some * room);
        uint32_t seen = k.output.disturbances;
        const VALUE *values = RARRAY_CONST_PTR_TRANSIENT(array) + done;
        for (size_t i = 0; i < some; i++, done++) {
            VALUE value = values[i];
            if (SPARPACK_LIKELY(RB_FIXNUM_P(value))) {
                p = M::write_integer(k.output.writer, p, RB_FIX2LONG(value));
            } else if (RB_FLONUM_P(value)) {
                p = M::write_double(k.output.writer, p, float_value(value));
            } else {
                p = write_reserved(k, p, value, depth - 1);
                if (SPARPACK_UNLIKELY(!p)) return fault_at_index(k.fault, done), nullptr;
                p = writer_reserve(k.output.writer, p, (some - i) * room);
                if (SPARPACK_UNLIKELY(k.output.disturbances != seen)) {
                    if (static_cast<size_t>(RARRAY_LEN(array)) != count) return fail(k, Status::value_changed, Qundef);
                    seen = k.output.disturbances;
                    values = RARRAY_CONST_PTR_TRANSIENT(array) + done - i;
                }
            }
        }
    }
    keep_alive(array);
    return p;
}

struct Pairs {
    Pack &k;
    uint8_t *p;
    size_t count;
    int depth;
};

int write_pair(VALUE key, VALUE value, VALUE argument) {
    Pairs &pairs = *reinterpret_cast<Pairs *>(argument);
    Pack &k = pairs.k;
    uint8_t *p = writer_reserve(k.output.writer, pairs.p, room);
    if (SPARPACK_UNLIKELY(!(p = write_reserved(k, p, key, pairs.depth)))) {
        fault_at_key(k.fault, pairs.count);
    } else {
        p = writer_reserve(k.output.writer, p, room);
        if (SPARPACK_UNLIKELY(!(p = write_reserved(k, p, value, pairs.depth)))) {
            if (RB_TYPE_P(key, T_STRING) || RB_TYPE_P(key, T_SYMBOL)) {
                fault_at_name(k.fault, key);
            } else {
                fault_at_value(k.fault, pairs.count);
            }
        }
    }
    pairs.p = p;
    pairs.count++;
    return p ? ST_CONTINUE : ST_STOP;
}

uint8_t *write_hash(Pack &k, uint8_t *p, VALUE hash, int depth) {
    if (SPARPACK_UNLIKELY(depth == 0)) return fail(k, Status::too_deep, hash);
    size_t count = RHASH_SIZE(hash);
    if (SPARPACK_UNLIKELY(count > UINT32_MAX)) return fail(k, Status::container_too_large, hash);
    p = writer_reserve(k.output.writer, p, room);
    Pairs pairs = {k, M::write_map(k.output.writer, p, count), 0, depth - 1};
    rb_hash_foreach(hash, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(write_pair), reinterpret_cast<VALUE>(&pairs));
    if (SPARPACK_UNLIKELY(pairs.p && pairs.count != count)) return fail(k, Status::value_changed, Qundef);
    return pairs.p;
}

}  // namespace

uint8_t *pack_value(Pack &k, uint8_t *p, VALUE value, int depth) {
    p = writer_reserve(k.output.writer, p, room);
    return write_reserved(k, p, value, depth);
}

}  // namespace sparpack
