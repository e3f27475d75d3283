#include "unpack.hpp"

#include "../glue/numbers.hpp"

namespace sparpack {

namespace {

using Cursor = const uint8_t *;
using Item = MessagePack::Item;
using Head = MessagePack::Head;

// So many elements wait at a time; longer containers are made of several runs.
constexpr size_t run = 256;

Cursor read_array(Unpack &u, Cursor p, size_t count, VALUE *out, int depth);
Cursor read_map(Unpack &u, Cursor p, size_t count, VALUE *out, int depth);
Cursor read_rare(Unpack &u, Cursor p, VALUE *out, int depth);

SPARPACK_COLD Cursor fail(Unpack &u, Status status, Cursor at) { return input_fail(u.in, status, at); }

SPARPACK_INLINE Cursor read_str(Unpack &u, Cursor p, size_t size, VALUE *out) {
    if (SPARPACK_UNLIKELY(input_left(u.in, p) < size)) return fail(u, Status::truncated, p);
    Text text = utf8_check(p, size);
    if (SPARPACK_UNLIKELY(text == Text::broken) && u.options.strict_utf8) return fail(u, Status::invalid_utf8, p);
    *out = SPARPACK_UNLIKELY(u.options.freeze) ? keys_intern(p, size) : text_new(p, size, text);
    return p + size;
}

template <class T> SPARPACK_INLINE bool number_at(Unpack &u, Cursor p, uint64_t *number) {
    if (SPARPACK_UNLIKELY(input_left(u.in, p) < 1 + sizeof(T))) return false;
    *number = MessagePack::big<T>(p + 1);
    return true;
}

// What documents consist of is met here, the rest in read_rare.
SPARPACK_INLINE Cursor read_value(Unpack &u, Cursor p, VALUE *out, int depth) {
    using M = MessagePack;
    if (SPARPACK_UNLIKELY(p >= u.in.end)) return fail(u, Status::truncated, p);
    uint8_t byte = *p;
    uint64_t number = 0;
    if (byte < M::fixmap) {
        *out = INT2FIX(byte);
        return p + 1;
    }
    if (byte >= M::negative_fixint) {
        *out = INT2FIX(static_cast<int8_t>(byte));
        return p + 1;
    }
    if (byte < M::fixarray) return read_map(u, p + 1, byte & 0x0f, out, depth);
    if (byte < M::fixstr) return read_array(u, p + 1, byte & 0x0f, out, depth);
    if (byte < M::nil_byte) return read_str(u, p + 1, byte & 0x1f, out);
    switch (byte) {
    case M::nil_byte: *out = Qnil; return p + 1;
    case M::false_byte: *out = Qfalse; return p + 1;
    case M::true_byte: *out = Qtrue; return p + 1;
    case M::float64_byte: {
        if (SPARPACK_UNLIKELY(!number_at<uint64_t>(u, p, &number))) break;
        double real;
        memcpy(&real, &number, sizeof real);
        *out = float_new(real);
        return p + 9;
    }
    case M::uint8_byte:
        if (SPARPACK_UNLIKELY(input_left(u.in, p) < 2)) break;
        *out = INT2FIX(p[1]);
        return p + 2;
    case M::uint16_byte:
        if (SPARPACK_UNLIKELY(!number_at<uint16_t>(u, p, &number))) break;
        *out = INT2FIX(static_cast<int>(number));
        return p + 3;
    case M::uint32_byte:
        if (SPARPACK_UNLIKELY(!number_at<uint32_t>(u, p, &number))) break;
        *out = integer_new(static_cast<int64_t>(number));
        return p + 5;
    case M::str8:
        if (SPARPACK_UNLIKELY(input_left(u.in, p) < 2)) break;
        return read_str(u, p + 2, p[1], out);
    case M::str16:
        if (SPARPACK_UNLIKELY(!number_at<uint16_t>(u, p, &number))) break;
        return read_str(u, p + 3, static_cast<size_t>(number), out);
    case M::array16:
        if (SPARPACK_UNLIKELY(!number_at<uint16_t>(u, p, &number))) break;
        return read_array(u, p + 3, static_cast<size_t>(number), out, depth);
    case M::map16:
        if (SPARPACK_UNLIKELY(!number_at<uint16_t>(u, p, &number))) break;
        return read_map(u, p + 3, static_cast<size_t>(number), out, depth);
    case M::array32:
        if (SPARPACK_UNLIKELY(!number_at<uint32_t>(u, p, &number))) break;
        return read_array(u, p + 5, static_cast<size_t>(number), out, depth);
    case M::map32:
        if (SPARPACK_UNLIKELY(!number_at<uint32_t>(u, p, &number))) break;
        return read_map(u, p + 5, static_cast<size_t>(number), out, depth);
    default: break;
    }
    return read_rare(u, p, out, depth);
}

VALUE real_of_bits(uint32_t bits) {
    float real;
    memcpy(&real, &bits, sizeof real);
    return float_new(static_cast<double>(real));
}

// What was registered for the type, called with the payload; depth is what a recursive one may still use.
SPARPACK_COLD Cursor read_ext(Unpack &u, Cursor p, const Item &item, VALUE *out, int depth) {
    VALUE reader = u.options.types ? rb_ary_entry(u.options.types, item.type + 128) : Qnil;
    if (NIL_P(reader) && !u.options.allow_unknown_ext) return fail(u, Status::unknown_ext, p);
    if (depth == 0) return fail(u, Status::too_deep, p);
    VALUE payload = rb_str_new(reinterpret_cast<const char *>(p), static_cast<long>(item.number));
    VALUE arguments[] = {reader,
                         INT2FIX(item.type),
                         payload,
                         INT2FIX(depth - 1),
                         INT2FIX(u.options.flags),
                         u.options.types ? u.options.types : Qnil};
    *out = rb_funcallv(rb_path2class("Sparpack::MessagePack::Extensions"), rb_intern("read"), 6, arguments);
    return p + item.number;
}

// What remains, and what was cut short.
SPARPACK_COLD Cursor read_rare(Unpack &u, Cursor p, VALUE *out, int depth) {
    Item item{};
    Cursor start = p;
    if (!(p = MessagePack::read_head(u.in, p, item))) return nullptr;
    switch (item.head) {
    case Head::positive: *out = rb_ull2inum(item.number); return p;
    case Head::negative: *out = integer_new(static_cast<int64_t>(item.number)); return p;
    case Head::float32: *out = real_of_bits(static_cast<uint32_t>(item.number)); return p;
    case Head::str: return read_str(u, p, static_cast<size_t>(item.number), out);
    case Head::bin:
        if (input_left(u.in, p) < item.number) return fail(u, Status::truncated, start);
        *out = rb_str_new(reinterpret_cast<const char *>(p), static_cast<long>(item.number));
        if (u.options.freeze) *out = rb_str_to_interned_str(*out);
        return p + item.number;
    default: break;
    }
    if (input_left(u.in, p) < item.number) return fail(u, Status::truncated, start);
    return read_ext(u, p, item, out, depth);
}

// A key that is a String is the one frozen String of its bytes.
SPARPACK_INLINE Cursor read_key(Unpack &u, Cursor p, VALUE *out, int depth) {
    using M = MessagePack;
    if (SPARPACK_UNLIKELY(p >= u.in.end)) return fail(u, Status::truncated, p);
    size_t size;
    Cursor data;
    if (SPARPACK_LIKELY(*p >= M::fixstr && *p < M::nil_byte)) {
        size = *p & 0x1f;
        data = p + 1;
    } else if (*p == M::str8 && input_left(u.in, p) >= 2) {
        size = p[1];
        data = p + 2;
    } else {
        if (!(p = read_value(u, p, out, depth))) return nullptr;
        if (!RB_SPECIAL_CONST_P(*out) && RB_BUILTIN_TYPE(*out) == RUBY_T_STRING) {
            *out = u.options.symbolize_keys ? rb_str_intern(*out) : rb_str_to_interned_str(*out);
        }
        return p;
    }
    if (SPARPACK_UNLIKELY(input_left(u.in, data) < size)) return fail(u, Status::truncated, p);
    *out = keys_find(u.keys, data, size);
    if (SPARPACK_UNLIKELY(u.options.strict_utf8) && utf8_check(data, size) == Text::broken)
        return fail(u, Status::invalid_utf8, p);
    if (SPARPACK_UNLIKELY(u.options.symbolize_keys)) *out = rb_str_intern(*out);
    return data + size;
}

SPARPACK_COLD Cursor at_index(Unpack &u, size_t index) {
    fault_at_index(u.fault, index);
    return nullptr;
}

SPARPACK_COLD Cursor at_key(Unpack &u, VALUE *pair, bool value, size_t index) {
    if (value && RB_TYPE_P(pair[0], T_STRING)) {
        fault_at_name(u.fault, pair[0]);
    } else if (value) {
        fault_at_value(u.fault, index);
    } else {
        fault_at_key(u.fault, index);
    }
    return nullptr;
}

// Room for a long Array, before its elements are read. Each has at least one byte, so all of them together get no more room
// than there are bytes, whatever counts they claim, one in the other.
VALUE array_new(Unpack &u, Cursor p, size_t count) {
    size_t most = input_left(u.in, p) + run;
    size_t capacity = most < count ? most : count;
    if (capacity > u.room) capacity = u.room;
    u.room -= capacity;
    return rb_obj_hide(rb_ary_new_capa(static_cast<long>(capacity)));
}

Cursor read_array(Unpack &u, Cursor p, size_t count, VALUE *out, int depth) {
    if (SPARPACK_UNLIKELY(depth == 0)) return fail(u, Status::too_deep, p - 1);
    PendingMark mark = pending_mark(u.pending);
    VALUE *values = pending_take(u.pending, count < run ? count : run);
    VALUE array = Qfalse;
    size_t done = 0;
    for (;;) {
        size_t some = count - done < run ? count - done : run;
        for (size_t i = 0; i < some; i++) {
            p = read_value(u, p, &values[i], depth - 1);
            if (SPARPACK_UNLIKELY(!p)) return at_index(u, done + i);
        }
        if (SPARPACK_LIKELY(some == count)) {
            *out = rb_ary_new_from_values(static_cast<long>(count), values);
            break;
        }
        if (!array) *out = array = array_new(u, p, count);
        rb_ary_cat(array, values, static_cast<long>(some));
        if ((done += some) == count) {
            rb_obj_reveal(array, rb_cArray);
            break;
        }
    }
    if (SPARPACK_UNLIKELY(u.options.freeze)) freeze_raw(*out);
    pending_release(u.pending, mark);
    return p;
}

SPARPACK_INLINE bool is_nan(VALUE value) {
    return !RB_SPECIAL_CONST_P(value) && RB_BUILTIN_TYPE(value) == RUBY_T_FLOAT && float_value(value) != float_value(value);
}

Cursor read_map(Unpack &u, Cursor p, size_t count, VALUE *out, int depth) {
    if (SPARPACK_UNLIKELY(depth == 0)) return fail(u, Status::too_deep, p - 1);
    PendingMark mark = pending_mark(u.pending);
    VALUE *pairs = pending_take(u.pending, 2 * (count < run / 2 ? count : run / 2));
    VALUE hash = *out = rb_obj_hide(rb_hash_new());
    size_t done = 0;
    int nans = 0;
    while (done < count) {
        size_t some = count - done < run / 2 ? count - done : run / 2;
        for (size_t i = 0; i < some; i++) {
            p = read_key(u, p, &pairs[2 * i], depth - 1);
            if (SPARPACK_UNLIKELY(!p)) return at_key(u, &pairs[2 * i], false, done + i);
            if (SPARPACK_UNLIKELY(is_nan(pairs[2 * i])) && ++nans > Unpack::nan_keys_max)
                return fail(u, Status::too_many_nan_keys, p);
            p = read_value(u, p, &pairs[2 * i + 1], depth - 1);
            if (SPARPACK_UNLIKELY(!p)) return at_key(u, &pairs[2 * i], true, done + i);
        }
        hash_insert(hash, pairs, some);
        done += some;
    }
    rb_obj_reveal(hash, rb_cHash);
    if (SPARPACK_UNLIKELY(u.options.freeze)) freeze_raw(hash);
    pending_release(u.pending, mark);
    return p;
}

}  // namespace

Cursor unpack_value(Unpack &u, Cursor p, VALUE *out, int depth) { return read_value(u, p, out, depth); }

}  // namespace sparpack
