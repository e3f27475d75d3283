#include "unpack.hpp"

#include "../glue/nan.hpp"
#include "../values/numbers.hpp"
#include "builtin.hpp"
#include "callbacks.hpp"
#include "unpack_strings.hpp"

namespace sparpack {

namespace {

using Head = MessagePack::Head;

// This many elements wait at a time. Longer containers are made of several runs.
constexpr size_t run = 2 * pairs_bulk, outer_run = 2 * run;

// Shorter lists are not read as lists of Integers.
constexpr size_t integers_min = 8;

Cursor read_array(Unpack &u, Cursor p, size_t count, VALUE *out, int depth);
Cursor read_map(Unpack &u, Cursor p, size_t count, VALUE *out, int depth);
Cursor read_rare(Unpack &u, Cursor p, VALUE *out, int depth);

// These compare an Array or a Hash that is about to be made with its limit, and charge it. Only under a limit.
SPARPACK_COLD Status admit_array(Unpack &u, size_t count) {
    if (count > u.options.container) return Status::container_too_large;
    return charge(u.memory, array_cost(count)) ? Status::ok : Status::too_much_memory;
}

SPARPACK_COLD Status admit_map(Unpack &u, size_t count) {
    if (count > u.options.container) return Status::container_too_large;
    return charge(u.memory, hash_cost(count)) ? Status::ok : Status::too_much_memory;
}

// --- values ------------------------------------------------------------------------------------------------------------

template <class T> SPARPACK_INLINE bool number_at(Unpack &u, Cursor p, uint64_t *number) {
    if (SPARPACK_UNLIKELY(input_left(u.in, p) < 1 + sizeof(T))) return false;
    *number = MessagePack::big<T>(p + 1);
    return true;
}

// Handles what documents mostly consist of, and leaves the rest to read_rare. Over heads that read_head has read, a listing
// would take 5% more instructions. With one template for both switches, whose cases are arguments, it takes 0.2% more.
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
        if (SPARPACK_UNLIKELY(!float_charged(u.memory, real, out))) return fail_memory(u, p);
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
        if (SPARPACK_UNLIKELY(!integer_charged(u.memory, static_cast<int64_t>(number), out))) return fail_memory(u, p);
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

// The cost of what an extension type's proc gets, or of what is made without one.
int64_t ext_cost(const TypeReader *reader, size_t size) {
    int64_t cost = string_cost(size);
    if (!reader) return cost + structure_cost(2);
    return reader->recursive ? cost + unpacker_cost() : cost;
}

// Reads an extension type as it was registered. `depth` is how many levels a recursive one may still use.
SPARPACK_COLD Cursor read_ext(Unpack &u, Cursor p, const Item &item, VALUE *out, int depth) {
    size_t size = static_cast<size_t>(item.number);
    const TypeReader *reader = types_reader(u.options.types, item.type);
    if (!reader && !u.options.allow_unknown_ext) {
        u.fault.found = INT2FIX(item.type);
        return fail(u, Status::unknown_ext, p);
    }
    if (size > u.options.ext) return fail(u, Status::ext_too_long, p);
    if (reader && reader->builtin != Builtin::none) {
        p = builtin_read(u, p, size, *reader, out, depth);
        if (!source_stays(u)) return fail(u, Status::value_changed, u.in.begin);
        if (p && u.options.freeze && !RB_SPECIAL_CONST_P(*out)) rb_obj_freeze(*out);
        return p;
    }
    u.ran_ruby |= reader != nullptr;
    if (!charge(u.memory, ext_cost(reader, size))) return fail_memory(u, p);
    VALUE data = rb_str_new(reinterpret_cast<const char *>(p), static_cast<long>(size));
    if (!reader) {
        *out = message_pack_extension(item.type, data);
    } else if (!reader->recursive) {
        *out = rb_proc_call_with_block(reader->proc, 1, &data, Qnil);
    } else {
        if (depth == 0) return fail(u, Status::too_deep, p);
        *out = unpacker_call(u.options, reader->proc, data, depth - 1, &u.memory);
    }
    if (!source_stays(u)) return fail(u, Status::value_changed, u.in.begin);
    if (u.options.freeze && !RB_SPECIAL_CONST_P(*out)) rb_obj_freeze(*out);
    return p + size;
}

// Reads the remaining types, and reports values that are cut off.
SPARPACK_COLD Cursor read_rare(Unpack &u, Cursor p, VALUE *out, int depth) {
    Item item{};
    Cursor start = p;
    if (!(p = MessagePack::read_head(u.in, p, item))) return nullptr;
    switch (item.head) {
    case Head::positive:
        if (!RB_POSFIXABLE(item.number) && !charge(u.memory, integer_cost(sizeof item.number))) return fail_memory(u, start);
        *out = rb_ull2inum(item.number);
        return p;
    case Head::negative:
        return integer_charged(u.memory, static_cast<int64_t>(item.number), out) ? p : fail_memory(u, start);
    case Head::float32: return float_charged(u.memory, MessagePack::real_of(item), out) ? p : fail_memory(u, start);
    case Head::str: return read_str(u, p, static_cast<size_t>(item.number), out);
    case Head::bin:
        if (input_left(u.in, p) < item.number) return fail(u, Status::truncated, start);
        return read_bin(u, p, static_cast<size_t>(item.number), out);
    default: break;
    }
    if (input_left(u.in, p) < item.number) return fail(u, Status::truncated, start);
    return read_ext(u, p, item, out, depth);
}

// Reads a key that is neither a short str nor one of the kinds that documents mostly consist of.
SPARPACK_COLD Cursor read_other_key(Unpack &u, Cursor p, VALUE *out, int depth, bool *foreign) {
    if (*p == MessagePack::str16 || *p == MessagePack::str32) return read_long_key(u, p, out);
    Cursor next = unpack_value(u, p, out, depth);
    if (!next || RB_SPECIAL_CONST_P(*out)) return next;
    if (RB_BUILTIN_TYPE(*out) != RUBY_T_STRING) {  // `eql?` of a large Integer or a Float may be replaced, too
        *foreign = true;
        return next;
    }
    if (rb_obj_class(*out) != rb_cString) return next;  // made by an extension type
    if (u.options.symbolize_keys && rb_enc_str_coderange(*out) == RUBY_ENC_CODERANGE_BROKEN)
        return fail(u, Status::bad_symbol, p);
    size_t size = string_size(*out);
    if (!charge(u.memory, u.options.symbolize_keys ? symbol_cost(size) : string_cost(size))) return fail_memory(u, p);
    // Ruby's tables look at a key twice, and a String that shares the source may change.
    if (size >= shared_min) *out = rb_enc_str_new(RSTRING_PTR(*out), static_cast<long>(size), rb_enc_get(*out));
    *out = u.options.symbolize_keys ? rb_str_intern(*out) : rb_str_to_interned_str(*out);
    return next;
}

// Reads a key. A foreign one may run Ruby code when it is put into a Hash. Nearly all keys are short strs, so those two
// formats are tried before all others.
SPARPACK_INLINE Cursor read_key(Unpack &u, Cursor p, VALUE *out, int depth, bool *foreign) {
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
        return read_other_key(u, p, out, depth, foreign);
    }
    if (SPARPACK_UNLIKELY(input_left(u.in, data) < size)) return fail(u, Status::truncated, p);
    if (SPARPACK_UNLIKELY(u.options.limited)) return find_limited_key(u, data, size, out);
    return find_key(u, data, size, out);
}

SPARPACK_COLD Cursor at_index(Unpack &u, size_t index) {
    fault_at_index(u.fault, index);
    return nullptr;
}

SPARPACK_COLD Cursor at_key(Unpack &u, VALUE *pair, bool value, size_t index) {
    if (value && !u.options.places && (RB_TYPE_P(pair[0], T_STRING) || RB_SYMBOL_P(pair[0]))) {
        fault_at_name(u.fault, pair[0]);
    } else if (value) {
        fault_at_value(u.fault, index);
    } else {
        fault_at_key(u.fault, index);
    }
    return nullptr;
}

// Makes a long Array after some of its elements were read. Each element has at least one byte, so all Arrays together get no
// more room than there are bytes, whatever counts they claim and however they are nested.
VALUE array_room(Unpack &u, Cursor p, size_t count, size_t done) {
    size_t most = input_left(u.in, p) + done;
    size_t capacity = most < count ? most : count;
    if (u.options.memory == unlimited) {  // otherwise all of it was charged
        if (capacity > u.room) capacity = u.room;
        u.room -= capacity;
    }
    return rb_obj_hide(rb_ary_new_capa(static_cast<long>(capacity)));
}

// Reads Integers that are not negative, one after another, without asking what else each might be. This pays off in lists
// that consist of them: four formats, in the order in which they are frequent, take fewer branches than all of them.
// Returns how many there were.
SPARPACK_INLINE size_t read_integers(Unpack &u, Cursor &p, VALUE *values, size_t count) {
    using M = MessagePack;
    if (input_left(u.in, p) < count * M::header_max) return 0;
    size_t i = 0;
    Cursor at = p;
    for (; i < count; i++) {
        uint8_t byte = *at;
        if (byte == M::uint16_byte) {
            values[i] = INT2FIX(M::big<uint16_t>(at + 1));
            at += 3;
        } else if (byte < M::fixmap) {
            values[i] = INT2FIX(byte);
            at += 1;
        } else if (byte == M::uint32_byte && sizeof(long) == 8) {
            values[i] = LONG2FIX(static_cast<long>(M::big<uint32_t>(at + 1)));
            at += 5;
        } else if (byte == M::uint8_byte) {
            values[i] = INT2FIX(at[1]);
            at += 2;
        } else {
            break;
        }
    }
    p = at;
    return i;
}

Cursor read_array(Unpack &u, Cursor p, size_t count, VALUE *out, int depth) {
    if (SPARPACK_UNLIKELY(depth == 0)) return fail(u, Status::too_deep, p - 1);
    if (SPARPACK_UNLIKELY(u.options.limited)) {
        Status status = admit_array(u, count);
        if (status != Status::ok) return fail(u, status, p);
    }
    PendingMark mark = pending_mark(u.pending);
    // There is only one outermost Array, so more of its elements may wait.
    size_t most = SPARPACK_UNLIKELY(depth == u.options.depth) ? outer_run : run;
    VALUE *values = pending_take(u.pending, count < most ? count : most, u.memory);
    if (SPARPACK_UNLIKELY(!values)) return fail_memory(u, p);
    VALUE array = Qfalse;
    size_t done = 0;
    for (;;) {
        size_t some = count - done < most ? count - done : most;
        for (size_t i = integers_min <= some ? read_integers(u, p, values, some) : 0; i < some; i++) {
            p = read_value(u, p, &values[i], depth - 1);
            if (SPARPACK_UNLIKELY(!p)) return at_index(u, done + i);
        }
        if (SPARPACK_LIKELY(some == count)) {
            *out = array_new(values, count);
            break;
        }
        if (!array) *out = array = array_room(u, p, count, some);
        array_append(array, values, some);
        if ((done += some) == count) {
            rb_obj_reveal(array, rb_cArray);
            break;
        }
    }
    if (SPARPACK_UNLIKELY(u.options.freeze)) freeze_raw(*out);
    pending_release(u.pending, mark);
    return p;
}

Cursor read_map(Unpack &u, Cursor p, size_t count, VALUE *out, int depth) {
    if (SPARPACK_UNLIKELY(depth == 0)) return fail(u, Status::too_deep, p - 1);
    if (SPARPACK_UNLIKELY(u.options.limited)) {
        Status status = admit_map(u, count);
        if (status != Status::ok) return fail(u, status, p);
    }
    PendingMark mark = pending_mark(u.pending);
    size_t room = 2 * (count < pairs_bulk ? count : pairs_bulk);
    VALUE *pairs = pending_take(u.pending, room, u.memory);
    if (SPARPACK_UNLIKELY(!pairs)) return fail_memory(u, p);
    VALUE hash = *out = rb_obj_hide(rb_hash_new());
    size_t done = 0;
    uint32_t nans = 0;
    bool foreign = false;
    while (done < count) {
        size_t some = count - done < pairs_bulk ? count - done : pairs_bulk;
        for (size_t i = 0; i < some; i++) {
            p = read_key(u, p, &pairs[2 * i], depth - 1, &foreign);
            if (SPARPACK_UNLIKELY(!p)) return at_key(u, &pairs[2 * i], false, done + i);
            if (SPARPACK_UNLIKELY(foreign || is_nan(pairs[2 * i])) && has_nan(pairs[2 * i]) && ++nans > nan_keys_untyped_max)
                return fail(u, Status::too_many_nan_keys, p);
            p = read_value(u, p, &pairs[2 * i + 1], depth - 1);
            if (SPARPACK_UNLIKELY(!p)) return at_key(u, &pairs[2 * i], true, done + i);
        }
        u.ran_ruby |= foreign;
        hash_insert(hash, pairs, some);
        if (SPARPACK_UNLIKELY(foreign) && !source_stays(u)) return fail(u, Status::value_changed, u.in.begin);
        done += some;
    }
    rb_obj_reveal(hash, rb_cHash);
    if (SPARPACK_UNLIKELY(u.options.freeze)) freeze_raw(hash);
    pending_release(u.pending, mark);
    return p;
}

}  // namespace

Cursor unpack_value(Unpack &u, Cursor p, VALUE *out, int depth) { return read_value(u, p, out, depth); }

bool unpack_charge_name(Unpack &u, Cursor data, size_t size, bool symbol) {
    if (u.options.memory == unlimited) return true;
    if (key_cache_keep(size)) {
        KeyWords words(data, size);
        size_t bucket = words.bucket(size);
        uint64_t &marks = u.charged.bits[bucket / 64], mark = uint64_t{1} << bucket % 64;
        const KeyCache::Entry &found = u.keys->table[bucket];
        if ((marks & mark) && words.is_in(found, data, size) && (found.symbol || !symbol)) return true;
        marks |= mark;
    }
    return charge(u.memory, symbol ? symbol_cost(size) : string_cost(size));
}

static long limit_of(const UnpackOptions &options, Status status) {
    size_t limit = SIZE_MAX;
    if (status == Status::string_too_long) limit = options.string;
    if (status == Status::ext_too_long) limit = options.ext;
    if (status == Status::container_too_large) limit = options.container;
    if (status == Status::too_much_memory && options.memory != unlimited) limit = static_cast<size_t>(options.memory);
    if (status == Status::payload_too_long) limit = options.payload;
    if (status == Status::too_deep) limit = static_cast<size_t>(options.depth);
    if (status == Status::too_many_nan_keys) limit = nan_keys_untyped_max;
    return limit == SIZE_MAX ? -1 : static_cast<long>(limit);
}

SPARPACK_COLD void unpack_raise(Unpack &u, size_t before, VALUE bytes) {
    u.fault.status = u.in.status;
    if (u.fault.limit < 0) u.fault.limit = limit_of(u.options, u.in.status);
    long payload = static_cast<long>(before);
    fault_raise_unpack(u.fault, payload + (u.in.at - u.in.begin), payload, bytes);
}

}  // namespace sparpack
