// Reads one part of a value, which keys and indexes lead to. Makes no objects for the rest.
#include "../../glue/compression.hpp"
#include "../../wire/message_pack/end.hpp"
#include "compressed.hpp"
#include "message_pack.hpp"
#include "unpacker.hpp"

namespace sparpack {

namespace {

using Cursor = const uint8_t *;
using Item = MessagePack::Item;
using Head = MessagePack::Head;

// True if a key's bytes show whether it equals this one. Symbols stand for their names.
bool is_plain(VALUE step) {
    return RB_TYPE_P(step, T_STRING) || RB_SYMBOL_P(step) || RB_FIXNUM_P(step) || NIL_P(step) || step == Qtrue ||
           step == Qfalse;
}

// A str is UTF-8 and a bin is not, so they equal the same String only if it is ASCII.
bool is_text(VALUE step, const Item &head, Cursor data) {
    VALUE text = RB_SYMBOL_P(step) ? rb_sym2str(step) : step;
    if (!RB_TYPE_P(text, T_STRING) || static_cast<uint64_t>(RSTRING_LEN(text)) != head.number) return false;
    if (memcmp(RSTRING_PTR(text), data, head.number) != 0) return false;
    const int encoding = head.head == Head::bin ? rb_ascii8bit_encindex() : rb_utf8_encindex();
    return text != step || rb_enc_get_index(text) == encoding || rb_enc_str_asciionly_p(text);
}

// Compares keys that only Ruby can compare. A key of an unknown extension type equals nothing.
bool is_equal(Unpack &u, Cursor p, const Item &head, VALUE step, int depth) {
    bool is_ext = head.head == Head::ext;
    if (!is_ext && is_plain(step)) return false;
    if (is_ext && !types_reader(u.options.types, head.type) && !u.options.allow_unknown_ext) return false;
    VALUE key = Qnil;
    u.ran_ruby = true;
    return unpack_value(u, p, &key, depth) && rb_eql(key, step);
}

// True if the key at p equals `step`. `data` is what follows its head. Returns false with a status after a fault.
bool is_key(Unpack &u, Cursor p, const Item &head, Cursor data, VALUE step, int depth) {
    switch (head.head) {
    case Head::nil: return NIL_P(step);
    case Head::true_: return step == Qtrue;
    case Head::false_: return step == Qfalse;
    case Head::str:
    case Head::bin:
        if (input_left(u.in, data) >= head.number) return is_text(step, head, data);
        input_fail(u.in, Status::truncated, p);
        return false;
    case Head::positive:
    case Head::negative:
        if (!RB_FIXNUM_P(step)) return is_equal(u, p, head, step, depth);
        return static_cast<int64_t>(head.number) == RB_FIX2LONG(step) &&
               (head.head == Head::negative) == (RB_FIX2LONG(step) < 0);
    default: return is_equal(u, p, head, step, depth);
    }
}

Cursor element_at(Unpack &u, Cursor p, uint64_t count, VALUE step) {
    if (!RB_FIXNUM_P(step)) return nullptr;
    int64_t index = RB_FIX2LONG(step);
    if (index < 0) index += static_cast<int64_t>(count);
    if (index < 0 || static_cast<uint64_t>(index) >= count) return nullptr;
    while (p && index--) p = message_pack_skip(u.in, p);
    return p;
}

Cursor value_of(Unpack &u, Cursor p, uint64_t count, VALUE step, int depth) {
    Cursor found = nullptr;
    for (uint64_t i = 0; i < count; i++) {
        Item head{};
        Cursor data = MessagePack::read_head(u.in, p, head);
        if (!data) return nullptr;
        bool same = is_key(u, p, head, data, step, depth);
        if (u.in.status != Status::ok || !(p = message_pack_skip(u.in, p))) return nullptr;
        if (same) found = p;  // the last of equal keys wins, as when all is read
        if (!(p = message_pack_skip(u.in, p))) return nullptr;
    }
    return found;
}

// Returns where a key or an index leads in the container at p, or nullptr with the status ok if there is nothing.
Cursor step_into(Unpack &u, Cursor p, VALUE step, int depth) {
    Item item{};
    if (!(p = MessagePack::read_head(u.in, p, item))) return nullptr;
    if (item.head == Head::array) return element_at(u, p, item.number, step);
    if (item.head == Head::map) return value_of(u, p, item.number, step, depth);
    return nullptr;
}

VALUE dig(VALUE bytes, VALUE steps, UnpackOptions &options);

struct Digging {
    VALUE payload, steps;
    UnpackOptions &options;
};

VALUE dig_payload(VALUE data) {
    const Digging &d = *reinterpret_cast<const Digging *>(data);
    return dig(d.payload, d.steps, d.options);
}

SPARPACK_COLD VALUE dig_compressed(VALUE bytes, VALUE steps, UnpackOptions &options) {
    size_t end = 0;
    Digging digging{decompress_value(bytes, options, 0, &end), steps, options};
    return read_decompressed(dig_payload, reinterpret_cast<VALUE>(&digging), 0);
}

// Returns the value there, or nil. If making or comparing a key may run Ruby code, the bytes are read from a copy that
// nobody else has.
VALUE dig(VALUE bytes, VALUE steps, UnpackOptions &options) {
    bool plain = !options.types;
    for (long i = 0; i < RARRAY_LEN(steps); i++) plain = plain && is_plain(RARRAY_AREF(steps, i));
    bytes = plain ? unlocked(bytes) : unlocked_frozen(bytes);

    VALUE stack[Pending::stack_size];
    size_t size = string_size(bytes);
    Unpack u(bytes, reinterpret_cast<Cursor>(RSTRING_PTR(bytes)), size, options, stack);
    unpack_check_size(u);
    if (SPARPACK_UNLIKELY(is_compressed(u))) return dig_compressed(bytes, steps, options);
    Cursor p = u.in.begin;
    int depth = options.depth;
    for (long i = 0; p && i < RARRAY_LEN(steps); i++) p = step_into(u, p, RARRAY_AREF(steps, i), depth);
    VALUE value = Qnil;
    if (p) p = unpack_value(u, p, &value, depth);
    unpack_end(u);
    if (!p && u.in.status != Status::ok) unpack_raise(u, 0);
    RB_GC_GUARD(bytes);
    return value;
}

// message_pack_dig(bytes, types, steps, options) -> the value there, or nil
VALUE message_pack_dig(VALUE, VALUE bytes, VALUE types, VALUE steps, VALUE row) {
    if (!RB_TYPE_P(bytes, T_STRING)) fault_type("expected a String of bytes, got %" PRIsVALUE, rb_obj_class(bytes));
    Check_Type(steps, T_ARRAY);
    UnpackOptions options = unpack_options(row, types);
    VALUE value = dig(bytes, steps, options);
    RB_GC_GUARD(types);
    return value;
}

}  // namespace

void dig_init(VALUE native) { define_singleton_methods(native, {{"message_pack_dig", message_pack_dig}}); }

}  // namespace sparpack
