#include "pack.hpp"

#include "../values/numbers.hpp"
#include "../values/text.hpp"
#include "callbacks.hpp"
#include "pairs.hpp"

namespace sparpack {

namespace {

using M = MessagePack;

constexpr size_t room = M::header_max;

uint8_t *write_array(Pack &k, uint8_t *p, VALUE array, int depth);
uint8_t *write_hash(Pack &k, uint8_t *p, VALUE hash, int depth);

// Writes a String that is too long for MessagePack, or long enough to go to the io as it is.
SPARPACK_COLD uint8_t *write_long(Pack &k, uint8_t *p, VALUE string, bool bin) {
    size_t size = string_size(string);
    if (size > UINT32_MAX) return pack_fail(k, Status::container_too_large, string);
    p = writer_reserve(k.output.writer, p, room);
    if (string_size(string) != size) return pack_fail(k, Status::value_changed, Qundef);
    p = bin && !k.options.compatible ? M::write_bin(k.output.writer, p, size) : M::write_str(k.output.writer, p, size);
    return packer_send(k, p, string);
}

// Writes bytes after a header. Most keys and words are short and there is room for them, so they need no more than this. If
// they are in the String's own slot, as many bytes are copied whatever the size is, so that no branch depends on it.
SPARPACK_INLINE uint8_t *write_bytes(Pack &k, uint8_t *p, VALUE string, bool bin) {
    constexpr size_t short_max = 31;
    static_assert(text_embedded_min <= short_max);
    Writer &w = k.output.writer;
    if (SPARPACK_LIKELY(static_cast<size_t>(w.end - p) >= room + short_max) && !bin) {
        p = writer_reserve(w, p, room + short_max);
        size_t size = 0;
        if (text_embedded_min > 0 && !(RBASIC(string)->flags & RSTRING_NOEMBED) &&
            SPARPACK_LIKELY((size = text_embedded_size(string)) <= text_embedded_min && size < k.reference_from)) {
            p = M::write_str(w, p, size);
            writer_check(w, p, text_embedded_min);
            memcpy(p, text_embedded_data(string), text_embedded_min);
            keep_alive(string);
            return p + size;
        }
        size = string_size(string);
        if (SPARPACK_LIKELY(size <= short_max && size < k.reference_from)) {
            const char *data = RSTRING_PTR(string);
            p = M::write_str(w, p, size);
            writer_check(w, p, size);
            copy_bytes(p, data, size);
            keep_alive(string);
            return p + size;
        }
    }
    size_t size = string_size(string);
    if (SPARPACK_UNLIKELY(size > UINT32_MAX || (size >= k.reference_from && !k.held))) return write_long(k, p, string, bin);
    p = writer_reserve(k.output.writer, p, room + size);
    if (SPARPACK_UNLIKELY(string_size(string) != size))
        return pack_fail(k, Status::value_changed, Qundef);  // changed by an io that was written to
    if (SPARPACK_UNLIKELY(k.options.compatible)) {
        p = M::write_raw(k.output.writer, p, size);
    } else {
        p = bin ? M::write_bin(k.output.writer, p, size) : M::write_str(k.output.writer, p, size);
    }
    writer_check(k.output.writer, p, size);
    copy_bytes(p, RSTRING_PTR(string), size);
    keep_alive(string);
    return p + size;
}

// Writes text in another encoding: transcoded, unless it is all ASCII.
SPARPACK_COLD uint8_t *write_other_text(Pack &k, uint8_t *p, VALUE string) {
    int index = rb_enc_get_index(string);
    if (index == binary_index) return write_bytes(k, p, string, true);
    if (index == utf8_index || index == us_ascii_index || rb_enc_str_coderange(string) == RUBY_ENC_CODERANGE_7BIT)
        return write_bytes(k, p, string, false);
    VALUE encoding = rb_enc_from_encoding(rb_utf8_encoding());
    VALUE utf8 = pack_call(k, p, [&] { return rb_str_encode(string, encoding, 0, Qnil); });
    return write_bytes(k, p, utf8, false);
}

SPARPACK_INLINE uint8_t *write_string(Pack &k, uint8_t *p, VALUE string) {
    constexpr VALUE mask = RUBY_ENCODING_MASK;
    constexpr VALUE utf8 = static_cast<VALUE>(utf8_index) << RUBY_ENCODING_SHIFT;
    if (SPARPACK_LIKELY((RBASIC(string)->flags & mask) == utf8)) return write_bytes(k, p, string, false);
    return write_other_text(k, p, string);
}

SPARPACK_INLINE const TypeEntry *registered(Pack &k, VALUE value) {
    return SPARPACK_UNLIKELY(k.types != nullptr) ? types_find(*k.types, k.types_object, value) : nullptr;
}

SPARPACK_INLINE uint8_t *write_symbol(Pack &k, uint8_t *p, VALUE symbol, int depth) {
    const TypeEntry *entry = registered(k, symbol);
    if (SPARPACK_UNLIKELY(entry && entry->klass == rb_cSymbol)) return packer_call(k, p, symbol, entry, depth);
    return write_string(k, p, rb_sym2str(symbol));
}

SPARPACK_COLD uint8_t *write_big(Pack &k, uint8_t *p, VALUE integer, int depth) {
    uint64_t number = 0;
    int sign = rb_integer_pack(integer, &number, 1, sizeof number, 0, INTEGER_PACK_2COMP | INTEGER_PACK_NATIVE_BYTE_ORDER);
    if (sign == 1) return M::write_unsigned(k.output.writer, p, number);
    if (sign == -1 && static_cast<int64_t>(number) < 0)
        return M::write_integer(k.output.writer, p, static_cast<int64_t>(number));
    const TypeEntry *entry = registered(k, integer);
    if (entry && entry->oversized) return packer_call(k, p, integer, entry, depth);
    return pack_fail(k, Status::value_out_of_range, integer);
}

// The caller has reserved `room` bytes.
SPARPACK_INLINE uint8_t *write_reserved(Pack &k, uint8_t *p, VALUE value, int depth) {
    Writer &w = k.output.writer;
    if (SPARPACK_LIKELY(RB_FIXNUM_P(value))) return M::write_integer(w, p, RB_FIX2LONG(value));
    if (RB_FLONUM_P(value)) return M::write_double(w, p, float_value(value));
    if (RB_SPECIAL_CONST_P(value)) {
        if (NIL_P(value)) return M::write_byte(w, p, M::nil_byte);
        if (value == Qtrue) return M::write_byte(w, p, M::true_byte);
        if (value == Qfalse) return M::write_byte(w, p, M::false_byte);
        if (RB_STATIC_SYM_P(value)) return write_symbol(k, p, value, depth);
        return packer_call(k, p, value, registered(k, value), depth);
    }
    // Objects of exactly String, Array or Hash are never looked up.
    const TypeEntry *entry = nullptr;
    switch (RB_BUILTIN_TYPE(value)) {
    case RUBY_T_STRING:
        if (RBASIC_CLASS(value) == rb_cString || !(entry = registered(k, value))) return write_string(k, p, value);
        break;
    case RUBY_T_ARRAY:
        if (RBASIC_CLASS(value) == rb_cArray || !(entry = registered(k, value))) return write_array(k, p, value, depth);
        break;
    case RUBY_T_HASH:
        if (RBASIC_CLASS(value) == rb_cHash || !(entry = registered(k, value))) return write_hash(k, p, value, depth);
        break;
    case RUBY_T_FLOAT: return M::write_double(w, p, float_value(value));
    case RUBY_T_BIGNUM: return write_big(k, p, value, depth);
    case RUBY_T_SYMBOL: return write_symbol(k, p, value, depth);
    default: entry = registered(k, value); break;
    }
    return packer_call(k, p, value, entry, depth);
}

// Reserves room for a run of elements at once, as long as each needs no more than `room`. The Array's memory is read again
// only after something was allocated or Ruby code ran.
uint8_t *write_array(Pack &k, uint8_t *p, VALUE array, int depth) {
    if (SPARPACK_UNLIKELY(depth == 0)) return pack_fail(k, Status::too_deep, array);
    constexpr size_t run = 64;
    size_t count = static_cast<size_t>(RARRAY_LEN(array)), done = 0;
    if (SPARPACK_UNLIKELY(count > UINT32_MAX)) return pack_fail(k, Status::container_too_large, array);
    p = writer_reserve(k.output.writer, p, room);
    p = M::write_array(k.output.writer, p, count);
    while (done < count) {
        size_t some = count - done < run ? count - done : run;
        p = writer_reserve(k.output.writer, p, some * room);
        if (static_cast<size_t>(RARRAY_LEN(array)) != count) return pack_fail(k, Status::value_changed, Qundef);
        uint32_t seen = k.output.epoch;
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
                if (SPARPACK_UNLIKELY(k.output.epoch != seen)) {
                    if (static_cast<size_t>(RARRAY_LEN(array)) != count) return pack_fail(k, Status::value_changed, Qundef);
                    seen = k.output.epoch;
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
    uint32_t seen;
};

// Writes the value of a pair, after its key.
SPARPACK_INLINE uint8_t *write_value(Pairs &pairs, uint8_t *p, VALUE key, VALUE value) {
    Pack &k = pairs.k;
    p = writer_reserve(k.output.writer, p, room);
    if (SPARPACK_LIKELY((p = write_reserved(k, p, value, pairs.depth)) != nullptr)) return p;
    if (!k.options.places && (RB_TYPE_P(key, T_STRING) || RB_TYPE_P(key, T_SYMBOL))) {
        fault_at_name(k.fault, key);
    } else {
        fault_at_value(k.fault, pairs.count);
    }
    return nullptr;
}

int write_pair(VALUE key, VALUE value, VALUE argument) {
    Pairs &pairs = *reinterpret_cast<Pairs *>(argument);
    Pack &k = pairs.k;
    pack_walk_on(k, pairs.seen);
    uint8_t *p = writer_reserve(k.output.writer, pairs.p, room);
    if (SPARPACK_UNLIKELY(!(p = write_reserved(k, p, key, pairs.depth)))) {
        fault_at_key(k.fault, pairs.count);
    } else {
        p = write_value(pairs, p, key, value);
    }
    pairs.p = p;
    pairs.count++;
    pairs.seen = k.output.epoch;
    return p ? ST_CONTINUE : ST_STOP;
}

SPARPACK_COLD void write_sorted(Pairs &pairs, VALUE hash) {
    Pack &k = pairs.k;
    VALUE sorted = Qnil;
    pairs.p = pairs_sort(k, pairs.p, hash, pairs.depth, &sorted);
    for (long i = 0; pairs.p && i < RARRAY_LEN(sorted); i += pair_parts) {
        VALUE key = RARRAY_AREF(sorted, i), value = RARRAY_AREF(sorted, i + 1), packed = RARRAY_AREF(sorted, i + 2);
        pairs.seen = k.output.epoch;
        if (NIL_P(packed)) {
            write_pair(key, value, reinterpret_cast<VALUE>(&pairs));
            continue;
        }
        pairs.p = pack_packed(k, pairs.p, packed);
        pairs.p = write_value(pairs, pairs.p, key, value);
        pairs.count++;
    }
    RB_GC_GUARD(sorted);
}

uint8_t *write_hash(Pack &k, uint8_t *p, VALUE hash, int depth) {
    if (SPARPACK_UNLIKELY(depth == 0)) return pack_fail(k, Status::too_deep, hash);
    size_t count = RHASH_SIZE(hash);
    if (SPARPACK_UNLIKELY(count > UINT32_MAX)) return pack_fail(k, Status::container_too_large, hash);
    p = writer_reserve(k.output.writer, p, room);
    Pairs pairs = {k, M::write_map(k.output.writer, p, count), 0, depth - 1, k.output.epoch};
    if (SPARPACK_UNLIKELY(k.options.sorted)) {
        write_sorted(pairs, hash);
    } else {
        rb_hash_foreach(hash, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(write_pair), reinterpret_cast<VALUE>(&pairs));
        pack_walk_end(k, pairs.seen);
    }
    if (SPARPACK_UNLIKELY(pairs.p && pairs.count != count)) return pack_fail(k, Status::value_changed, Qundef);
    return pairs.p;
}

}  // namespace

PackOptions pack_options(VALUE row) {
    Check_Type(row, T_ARRAY);
    PackOptions options;
    options.compatible = RTEST(rb_ary_entry(row, 0));
    options.sorted = RTEST(rb_ary_entry(row, 1));
    options.depth = NUM2INT(rb_ary_entry(row, 2));
    if (options.depth < 1 || options.depth > untyped_depth_max)
        fault_argument("depth must be from 1 to %d, got %d", untyped_depth_max, options.depth);
    return options;
}

SPARPACK_COLD void pack_raise(Pack &k, int depth) {
    if (k.fault.status == Status::too_deep) k.fault.limit = depth;
    fault_raise_pack(k.fault);
}

SPARPACK_COLD uint8_t *pack_fail(Pack &k, Status status, VALUE found) {
    k.fault.status = status;
    k.fault.found = found;
    return nullptr;
}

SPARPACK_COLD void fail_ended(const Pack &) {
    fault_argument("this packing has already ended: a continuation cannot return into it");
}

SPARPACK_COLD void pack_fail_used(Pack &k, const PackPause &pause) {
    k.reentry.cursor = pause.cursor;
    pack_fail_touched();
}

SPARPACK_COLD void pack_fail_touched() { fault_argument("the packer was used while it packed a value"); }

uint8_t *pack_value(Pack &k, uint8_t *p, VALUE value, int depth) {
    p = writer_reserve(k.output.writer, p, room);
    return write_reserved(k, p, value, depth);
}

uint8_t *pack_array(Pack &k, uint8_t *p, VALUE array, int depth) { return write_array(k, p, array, depth); }

uint8_t *pack_hash(Pack &k, uint8_t *p, VALUE hash, int depth) { return write_hash(k, p, hash, depth); }

uint8_t *pack_string(Pack &k, uint8_t *p, VALUE string) { return write_string(k, p, string); }

uint8_t *pack_bytes(Pack &k, uint8_t *p, VALUE string, bool bin) { return write_bytes(k, p, string, bin); }

uint8_t *pack_raw(Pack &k, uint8_t *p, VALUE string) {
    size_t size = string_size(string);
    if (size >= k.reference_from && !k.held) return packer_send(k, p, string);
    p = writer_reserve(k.output.writer, p, size);
    if (string_size(string) != size) return pack_fail(k, Status::value_changed, Qundef);
    p = writer_append(k.output.writer, p, RSTRING_PTR(string), size);
    RB_GC_GUARD(string);
    return p;
}

uint8_t *pack_packed(Pack &k, uint8_t *p, VALUE bytes) {
    size_t size = string_size(bytes);
    p = writer_append(k.output.writer, p, RSTRING_PTR(bytes), size);
    RB_GC_GUARD(bytes);
    return p;
}

uint8_t *pack_ext(Pack &k, uint8_t *p, int8_t type, VALUE data) {
    size_t size = string_size(data);
    if (size > UINT32_MAX) return pack_fail(k, Status::container_too_large, data);
    p = writer_reserve(k.output.writer, p, room);
    if (size >= k.reference_from && !k.held) {
        if (string_size(data) != size) return pack_fail(k, Status::value_changed, Qundef);
        return packer_send(k, M::write_ext(k.output.writer, p, type, size), data);
    }
    p = writer_reserve(k.output.writer, p, room + size);
    if (string_size(data) != size) return pack_fail(k, Status::value_changed, Qundef);
    p = M::write_ext(k.output.writer, p, type, size);
    p = writer_append(k.output.writer, p, RSTRING_PTR(data), size);
    RB_GC_GUARD(data);
    return p;
}

// The header that most data has: that of an ext8. Up to this size, some data has a shorter one.
constexpr size_t ext_header = 3, ext_fixed_max = 16;

uint8_t *pack_ext_begin(Pack &k, uint8_t *p, size_t *start) {
    p = writer_reserve(k.output.writer, p, room);
    k.held++;
    *start = static_cast<size_t>(p - k.output.writer.begin);
    return p + ext_header;
}

uint8_t *pack_ext_end(Pack &k, uint8_t *p, size_t start, int8_t type) {
    Writer &w = k.output.writer;
    size_t size = static_cast<size_t>(p - pack_at(k, start + ext_header));
    if (SPARPACK_LIKELY(size > ext_fixed_max && size <= UINT8_MAX)) {
        k.held--;
        M::write_ext(w, pack_at(k, start), type, size);
        return p;
    }
    if (size > UINT32_MAX) return pack_fail(k, Status::container_too_large, Qundef);
    writer_reserve(w, p, M::header_max);
    k.held--;  // not before the output has room: until then none of it may go to an io
    uint8_t header[M::header_max], *data = pack_at(k, start + ext_header);
    Writer scratch = w;
    scratch.begin = header;
    scratch.end = header + sizeof header;
    const uint8_t *end = M::write_ext(scratch, writer_reserve(scratch, header, sizeof header), type, size);
    size_t header_size = static_cast<size_t>(end - header);
    memmove(pack_at(k, start + header_size), data, size);
    memcpy(pack_at(k, start), header, header_size);
    return pack_at(k, start + header_size + size);
}

}  // namespace sparpack
