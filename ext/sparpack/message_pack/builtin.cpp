#include "builtin.hpp"

#include "../glue/nan.hpp"
#include "../values/numbers.hpp"
#include "../values/sets.hpp"
#include "../values/text.hpp"
#include "callbacks.hpp"
#include "embedded_types.hpp"
#include "pairs.hpp"

namespace sparpack {

namespace {

using M = MessagePack;
using Cursor = const uint8_t *;

Cursor fail(Unpack &u, Status status, Cursor at) { return input_fail(u.in, status, at); }
Cursor fail_memory(Unpack &u, Cursor at) { return fail(u, Status::too_much_memory, at); }

// Writes an extension type whose data is a few bytes, or text.
uint8_t *write_data(Pack &k, uint8_t *p, int8_t type, const void *bytes, size_t size) {
    p = writer_reserve(k.output.writer, p, M::header_max);
    return writer_append(k.output.writer, M::write_ext(k.output.writer, p, type, size), bytes, size);
}

// --- Time: the specification's timestamps ------------------------------------------------------------------------------

// https://github.com/msgpack/msgpack/blob/master/spec.md#timestamp-extension-type
uint8_t *write_time(Pack &k, uint8_t *p, VALUE time, int8_t type) {
    struct timespec at = pack_call(k, p, [&] { return rb_time_timespec(time); });  // may call the methods of a Rational
    uint64_t seconds = static_cast<uint64_t>(at.tv_sec), nanoseconds = static_cast<uint64_t>(at.tv_nsec);
    if (seconds >> 34) {  // also before 1970
        uint8_t bytes[12];
        store(bytes, big_endian(static_cast<uint32_t>(nanoseconds)));
        store(bytes + 4, big_endian(seconds));
        return write_data(k, p, type, bytes, sizeof bytes);
    }
    if (nanoseconds || seconds > UINT32_MAX) {
        uint64_t both = big_endian(nanoseconds << 34 | seconds);
        return write_data(k, p, type, &both, sizeof both);
    }
    uint32_t short_seconds = big_endian(static_cast<uint32_t>(seconds));
    return write_data(k, p, type, &short_seconds, sizeof short_seconds);
}

Cursor read_time(Unpack &u, Cursor p, size_t size, VALUE *out) {
    uint64_t seconds = 0, nanoseconds = 0;
    if (size == 4) {
        seconds = M::big<uint32_t>(p);
    } else if (size == 8) {
        uint64_t both = M::big<uint64_t>(p);
        seconds = both & ((uint64_t{1} << 34) - 1);
        nanoseconds = both >> 34;
    } else if (size == 12) {
        nanoseconds = M::big<uint32_t>(p);
        seconds = M::big<uint64_t>(p + 4);
    }
    if ((size != 4 && size != 8 && size != 12) || nanoseconds > 999'999'999) return fail(u, Status::bad_timestamp, p);
    // If the nanoseconds are no Fixnum, Ruby computes with large Integers.
    bool is_far = seconds > static_cast<uint64_t>(FIXNUM_MAX / 1'000'000'000);
    if (!charge(u.memory, time_cost() + (is_far ? 4 * integer_cost(2 * sizeof seconds) : 0))) return fail_memory(u, p);
    *out = rb_time_nano_new(static_cast<time_t>(seconds), static_cast<long>(nanoseconds));
    return p + size;
}

// --- large Integers: a byte for the sign, then words of 32 bits, the lowest first ----------------------------------------

constexpr int word_flags = INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_MSBYTE_FIRST;

uint8_t *write_big(Pack &k, uint8_t *p, VALUE integer, int8_t type) {
    size_t words = (rb_absint_size(integer, nullptr) + 3) / 4, size = 1 + 4 * words;
    if (size > UINT32_MAX) return pack_fail(k, Status::container_too_large, integer);
    p = writer_reserve(k.output.writer, p, M::header_max);
    p = M::write_ext(k.output.writer, p, type, size);
    p = writer_reserve(k.output.writer, p, size);
    int sign = rb_integer_pack(integer, p + 1, words, 4, 0, word_flags);
    *p = sign < 0 ? 1 : 0;
    return p + size;
}

Cursor read_big(Unpack &u, Cursor p, size_t size, VALUE *out) {
    if (size % 4 != 1 || *p > 1) return fail(u, Status::bad_ext_data, p);
    if (!charge(u.memory, integer_cost(size))) return fail_memory(u, p);
    *out = rb_integer_unpack(p + 1, size / 4, 4, 0, word_flags | (*p ? INTEGER_PACK_NEGATIVE : 0));
    return p + size;
}

// --- types that consist of values, which are packed one after another --------------------------------------------------

// Reads the data's values as if the bytes ended behind it.
template <class Read> Cursor read_inside(Unpack &u, Cursor p, size_t size, Read read) {
    Cursor end = u.in.end;
    u.in.end = p + size;
    Cursor next = read();
    u.in.end = end;
    if (next == p + size) return next;
    if (next || u.in.status == Status::truncated) return fail(u, Status::bad_ext_data, p);
    return nullptr;
}

uint8_t *write_rational(Pack &k, uint8_t *p, VALUE rational, int8_t type, int depth) {
    size_t start = 0;
    p = pack_ext_begin(k, p, &start);
    p = pack_value(k, p, rb_rational_num(rational), depth);
    if (p) p = pack_value(k, p, rb_rational_den(rational), depth);
    return p ? pack_ext_end(k, p, start, type) : nullptr;
}

size_t size_of_integer(VALUE integer) { return RB_FIXNUM_P(integer) ? 0 : rb_absint_size(integer, nullptr); }

// Reducing a fraction of large Integers makes others: the divisor, quotients, remainders. Without GMP, Ruby finds the
// divisor step by step, and each step makes some.
int64_t reduction_cost(VALUE numerator, VALUE denominator) {
    size_t sizes[] = {size_of_integer(numerator), size_of_integer(denominator)};
    size_t larger = sizes[0] > sizes[1] ? sizes[0] : sizes[1], smaller = sizes[0] + sizes[1] - larger;
    if (!larger) return 0;
    int64_t cost = 12 * integer_cost(0) + 3 * static_cast<int64_t>(larger);
    if (!smaller || rb_const_defined(rb_cInteger, rb_intern("GMP_VERSION"))) return cost;
    constexpr int64_t steps_per_byte = 5;
    return cost + steps_per_byte * static_cast<int64_t>(smaller) * integer_cost(larger);
}

Cursor read_rational(Unpack &u, Cursor p, size_t size, VALUE *out, int depth) {
    VALUE parts[2] = {Qnil, Qnil};
    Cursor next = read_inside(u, p, size, [&] {
        Cursor middle = unpack_value(u, p, &parts[0], depth);
        return middle ? unpack_value(u, middle, &parts[1], depth) : nullptr;
    });
    if (!next) return nullptr;
    if (!RB_INTEGER_TYPE_P(parts[0]) || !RB_INTEGER_TYPE_P(parts[1]) || parts[1] == INT2FIX(0))
        return fail(u, Status::bad_ext_data, p);
    if (!charge(u.memory, rational_cost() + reduction_cost(parts[0], parts[1]))) return fail_memory(u, p);
    *out = rb_rational_new(parts[0], parts[1]);
    return next;
}

struct Elements {
    Pack &k;
    uint8_t *p;
    size_t count;
    int depth;
    uint32_t seen;
};

int write_element(VALUE element, VALUE argument) {
    Elements &elements = *reinterpret_cast<Elements *>(argument);
    pack_walk_on(elements.k, elements.seen);
    elements.p = pack_value(elements.k, elements.p, element, elements.depth);
    elements.seen = elements.k.output.epoch;
    if (!elements.p) fault_at_index(elements.k.fault, elements.count);
    elements.count++;
    return elements.p ? ST_CONTINUE : ST_STOP;
}

int add_pair(VALUE element, VALUE hash) {
    rb_hash_aset(hash, element, Qnil);
    return ST_CONTINUE;
}

void write_sorted(Elements &elements, VALUE set) {
    Pack &k = elements.k;
    VALUE hash = rb_obj_hide(rb_hash_new()), sorted = Qnil;
    pack_call(k, elements.p, [&] { return set_foreach(set, add_pair, hash), hash; });
    elements.p = pairs_sort(k, elements.p, hash, elements.depth, &sorted);
    for (long i = 0; elements.p && i < RARRAY_LEN(sorted); i += pair_parts) {
        VALUE packed = RARRAY_AREF(sorted, i + 2);
        elements.seen = k.output.epoch;
        if (NIL_P(packed)) {
            write_element(RARRAY_AREF(sorted, i), reinterpret_cast<VALUE>(&elements));
            continue;
        }
        elements.p = pack_packed(k, elements.p, packed);
        elements.count++;
    }
    RB_GC_GUARD(sorted);
}

uint8_t *write_set(Pack &k, uint8_t *p, VALUE set, int8_t type, int depth) {
    if (!is_set(set)) return pack_fail(k, Status::value_mismatch, set);
    size_t start = 0, count = set_size(set);
    if (count > UINT32_MAX) return pack_fail(k, Status::container_too_large, set);
    p = pack_ext_begin(k, p, &start);
    p = writer_reserve(k.output.writer, p, M::header_max);
    Elements elements = {k, M::write_array(k.output.writer, p, count), 0, depth - 1, k.output.epoch};
    if (k.options.sorted) {
        write_sorted(elements, set);
    } else {
        set_foreach(set, write_element, reinterpret_cast<VALUE>(&elements));
        pack_walk_end(k, elements.seen);
    }
    if (!elements.p) return nullptr;
    if (elements.count != count) return pack_fail(k, Status::value_changed, Qundef);
    return pack_ext_end(k, elements.p, start, type);
}

// Reads an Array from the data.
Cursor read_elements(Unpack &u, Cursor p, size_t size, VALUE *out, int depth) {
    Cursor next = read_inside(u, p, size, [&] { return unpack_value(u, p, out, depth); });
    if (next && !RB_TYPE_P(*out, T_ARRAY)) return fail(u, Status::bad_ext_data, p);
    return next;
}

Cursor read_set(Unpack &u, Cursor p, size_t size, VALUE *out, int depth) {
    VALUE array = Qnil;
    Cursor next = read_elements(u, p, size, &array, depth);
    if (!next) return nullptr;
    uint32_t nans = 0;
    for (long i = 0; i < RARRAY_LEN(array); i++) {  // an element's `hash` may change the Array
        if (has_nan(RARRAY_AREF(array, i)) && ++nans > nan_keys_untyped_max) return fail(u, Status::too_many_nan_keys, p);
    }
    if (!charge(u.memory, set_cost(static_cast<size_t>(RARRAY_LEN(array))))) return fail_memory(u, p);
    VALUE set = set_start(static_cast<size_t>(RARRAY_LEN(array)));
    VALUE elements[elements_bulk];
    size_t count = 0;
    for (long i = 0; i < RARRAY_LEN(array); i++) {
        VALUE element = RARRAY_AREF(array, i);
        if (RB_TYPE_P(element, T_STRING) && !RB_OBJ_FROZEN(element)) {
            if (!charge(u.memory, string_cost(string_size(element)))) return fail_memory(u, p);
            element = rb_str_new_frozen(element);
        }
        elements[count++] = element;
        if (count < elements_bulk && i + 1 < RARRAY_LEN(array)) continue;
        set_add_many(set, elements, count);
        count = 0;
    }
    RB_GC_GUARD(array);
    *out = set_finish(set, u.options.freeze);
    return next;
}

uint8_t *write_structure(Pack &k, uint8_t *p, VALUE object, int8_t type, int depth) {
    if (!RB_TYPE_P(object, T_STRUCT)) return pack_fail(k, Status::value_mismatch, object);
    size_t start = 0, count = static_cast<size_t>(RSTRUCT_LEN(object));
    p = pack_ext_begin(k, p, &start);
    p = writer_reserve(k.output.writer, p, M::header_max);
    p = M::write_array(k.output.writer, p, count);
    for (size_t i = 0; i < count; i++) {
        p = pack_value(k, p, RSTRUCT_GET(object, static_cast<int>(i)), depth - 1);
        if (!p) return fault_at_field(k.fault, rb_ary_entry(rb_struct_members(object), static_cast<long>(i))), nullptr;
    }
    return pack_ext_end(k, p, start, type);
}

// Missing members become nil, and surplus values are dropped. A Struct is made without `initialize`, as Marshal does it.
// Data allows no such way.
Cursor read_structure(Unpack &u, Cursor p, size_t size, const TypeReader &reader, VALUE *out, int depth) {
    VALUE array = Qnil, klass = reader.klass;
    Cursor next = read_elements(u, p, size, &array, depth);
    if (!next) return nullptr;
    size_t members = static_cast<size_t>(RARRAY_LEN(rb_struct_s_members(klass)));
    bool is_struct = RTEST(rb_class_inherited_p(klass, rb_cStruct));
    // Ruby code makes a Data, from pairs of its members' names and values.
    int64_t pairs =
        is_struct ? 0
                  : 2 * array_cost(members) + static_cast<int64_t>(members) * array_cost(2) + 3 * hash_grown_cost(members);
    if (!charge(u.memory, structure_cost(members) + pairs)) return fail_memory(u, p);
    if (is_struct) {
        VALUE object = rb_obj_alloc(klass);
        long count = RSTRUCT_LEN(object), given = RARRAY_LEN(array);
        for (long i = 0; i < count && i < given; i++) RSTRUCT_SET(object, static_cast<int>(i), RARRAY_AREF(array, i));
        *out = object;
    } else {
        VALUE arguments[] = {klass, array};
        *out = extensions_call("data", 2, arguments);
    }
    RB_GC_GUARD(array);
    return next;
}

// --- text --------------------------------------------------------------------------------------------------------------

uint8_t *write_text(Pack &k, uint8_t *p, VALUE text, int8_t type) {
    if (!RB_TYPE_P(text, T_STRING)) return pack_fail(k, Status::value_mismatch, text);
    return pack_ext(k, p, type, text);
}

// Active Support's `to_s` writes all zeros of an exponent unless it is told not to.
uint8_t *write_decimal(Pack &k, uint8_t *p, VALUE decimal, int8_t type) {
    VALUE text = pack_call(k, p, [&] { return rb_funcall(decimal, rb_intern("to_s"), 1, rb_usascii_str_new_cstr("E")); });
    return write_text(k, p, text, type);
}

// A Symbol whose bytes are not UTF-8 is binary.
Cursor read_symbol(Unpack &u, Cursor p, size_t size, VALUE *out) {
    if (!unpack_charge_name(u, p, size, true)) return fail_memory(u, p);
    bool is_utf8 = utf8_check(p, size) != Text::broken;
    VALUE name = is_utf8 ? Qnil : rb_str_new(reinterpret_cast<const char *>(p), static_cast<long>(size));
    *out = is_utf8 ? key_cache_symbol(u.keys, p, size) : rb_str_intern(name);
    return p + size;
}

Cursor read_decimal(Unpack &u, Cursor p, size_t size, VALUE *out) {
    // A digit takes about half a byte.
    if (!charge(u.memory, 3 * string_cost(size) + data_cost(64 + size / 2))) return fail_memory(u, p);
    VALUE text = rb_usascii_str_new(reinterpret_cast<const char *>(p), static_cast<long>(size));
    *out = extensions_call("decimal", 1, &text);
    return NIL_P(*out) ? fail(u, Status::bad_ext_data, p) : p + size;
}

}  // namespace

uint8_t *builtin_write(Pack &k, uint8_t *p, VALUE value, const TypeEntry &entry, int depth) {
    if (entry.builtin == Builtin::codec) return embedded_write(k, p, value, entry);
    if (entry.builtin == Builtin::named) return embedded_write_named(k, p, value, entry);
    if (depth == 0) return pack_fail(k, Status::too_deep, value);
    switch (entry.builtin) {
    case Builtin::none:
    case Builtin::codec:
    case Builtin::named: break;
    case Builtin::time: return write_time(k, p, value, entry.type);
    case Builtin::integer:
        if (!RB_INTEGER_TYPE_P(value)) break;
        return write_big(k, p, value, entry.type);
    case Builtin::decimal: return write_decimal(k, p, value, entry.type);
    case Builtin::set: return write_set(k, p, value, entry.type, depth);
    case Builtin::symbol:
        if (!RB_SYMBOL_P(value)) break;
        return write_text(k, p, rb_sym2str(value), entry.type);
    case Builtin::rational:
        if (!RB_TYPE_P(value, T_RATIONAL)) break;
        return write_rational(k, p, value, entry.type, depth - 1);
    case Builtin::structure: return write_structure(k, p, value, entry.type, depth);
    }
    return pack_fail(k, Status::value_mismatch, value);
}

Cursor builtin_read(Unpack &u, Cursor p, size_t size, const TypeReader &reader, VALUE *out, int depth) {
    if (reader.builtin == Builtin::codec) return embedded_read(u, p, size, reader.proc, out);
    if (reader.builtin == Builtin::named) return embedded_read_named(u, p, size, reader.proc, out);
    u.ran_ruby = true;
    if (depth == 0) return fail(u, Status::too_deep, p);
    switch (reader.builtin) {
    case Builtin::none:
    case Builtin::codec:
    case Builtin::named: break;
    case Builtin::time: return read_time(u, p, size, out);
    case Builtin::integer: return read_big(u, p, size, out);
    case Builtin::decimal: return read_decimal(u, p, size, out);
    case Builtin::set: return read_set(u, p, size, out, depth);
    case Builtin::symbol: return read_symbol(u, p, size, out);
    case Builtin::rational: return read_rational(u, p, size, out, depth - 1);
    case Builtin::structure: return read_structure(u, p, size, reader, out, depth);
    }
    return nullptr;
}

}  // namespace sparpack
