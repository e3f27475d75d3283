// Sparpack::MessagePack: what Ruby calls.
#include "pack.hpp"
#include "unpack.hpp"

#include "../wire/message_scan.hpp"

namespace sparpack {

namespace {

VALUE message_pack_pack(VALUE, VALUE value, VALUE types) {
    Pack k;
    if (!NIL_P(types)) k.types = types;
    uint8_t *p = pack_value(k, k.output.writer.begin, value, Pack::depth_max);
    if (SPARPACK_UNLIKELY(!p)) fault_raise_pack(k.fault);
    RB_GC_GUARD(types);
    return output_finish(k.output, p);
}

[[noreturn]] SPARPACK_COLD void raise_unpack(Unpack &u) {
    u.fault.status = u.in.status;
    fault_raise_unpack(u.fault, static_cast<long>(u.in.at - u.in.begin));
}

void check_bytes(VALUE bytes) {
    if (!RB_TYPE_P(bytes, T_STRING)) fault_type("expected a String of bytes, got %" PRIsVALUE, rb_obj_class(bytes));
}

const uint8_t *begin_of(VALUE bytes) { return reinterpret_cast<const uint8_t *>(RSTRING_PTR(bytes)); }

const uint8_t *at_offset(const Input &in, size_t offset) {
    if (offset > input_left(in, in.begin)) fault_argument("the offset is past the end of the bytes");
    return in.begin + offset;
}

VALUE message_pack_unpack(VALUE, VALUE bytes) {
    check_bytes(bytes);
    UnpackOptions options;
    Unpack u(begin_of(bytes), static_cast<size_t>(RSTRING_LEN(bytes)), options);
    VALUE value = Qnil;
    const uint8_t *p = unpack_value(u, u.in.begin, &value, Unpack::depth_max);
    if (SPARPACK_LIKELY(p != nullptr) && SPARPACK_UNLIKELY(p != u.in.end)) p = input_fail(u.in, Status::trailing_bytes, p);
    if (SPARPACK_UNLIKELY(!p)) raise_unpack(u);
    RB_GC_GUARD(bytes);
    return value;
}

// message_unpack_at(bytes, offset, flags, types, depth) -> [value, offset of what follows]. Ruby code of extension types
// runs in the middle: the bytes are read from a copy that nobody else has.
VALUE message_pack_unpack_at(VALUE, VALUE bytes, VALUE offset, VALUE flags, VALUE types, VALUE depth) {
    check_bytes(bytes);
    size_t start = NUM2SIZET(offset);  // conversions may run Ruby code: they come before the bytes are looked at
    int levels = NUM2INT(depth);
    if (levels < 0 || levels > Unpack::depth_max)
        fault_argument("a depth is from 0 to %d, not %d", Unpack::depth_max, levels);
    if (RTEST(types)) Check_Type(types, T_ARRAY);
    UnpackOptions options;
    int bits = options.flags = NUM2INT(flags);
    options.symbolize_keys = bits & 1;
    options.freeze = bits & 2;
    options.allow_unknown_ext = bits & 4;
    options.strict_utf8 = bits & 8;
    options.types = RTEST(types) ? types : Qfalse;
    if (options.types || options.allow_unknown_ext) bytes = rb_str_new_frozen(bytes);
    Unpack u(begin_of(bytes), static_cast<size_t>(RSTRING_LEN(bytes)), options);
    VALUE value = Qnil;
    const uint8_t *p = unpack_value(u, at_offset(u.in, start), &value, levels);
    if (SPARPACK_UNLIKELY(!p)) raise_unpack(u);
    VALUE result = rb_assoc_new(value, SIZET2NUM(static_cast<size_t>(p - u.in.begin)));
    RB_GC_GUARD(bytes);
    return result;
}

// --- streams -----------------------------------------------------------------------------------------------------------

VALUE scan_class;  // written by message_pack_init alone

size_t scan_size(const void *) { return sizeof(MessageScan); }

const rb_data_type_t scan_type = {"sparpack/message_scan",
                                  {nullptr, RUBY_DEFAULT_FREE, scan_size, nullptr, {nullptr}},
                                  nullptr,
                                  nullptr,
                                  RUBY_TYPED_FREE_IMMEDIATELY};

VALUE scan_alloc(VALUE klass) { return rb_data_typed_object_zalloc(klass, sizeof(MessageScan), &scan_type); }

// scan.feed(bytes, offset) -> [result, offset of what was not looked at]; the result is true at the end of a value,
// nil if more must come, false if no value is like this.
VALUE message_feed(VALUE self, VALUE bytes, VALUE offset) {
    MessageScan &scan = *static_cast<MessageScan *>(rb_check_typeddata(self, &scan_type));
    check_bytes(bytes);
    size_t start = NUM2SIZET(offset);
    Input in(begin_of(bytes), static_cast<size_t>(RSTRING_LEN(bytes)));
    const uint8_t *p = at_offset(in, start);
    Scanned result = message_scan(scan, in, p);
    RB_GC_GUARD(bytes);
    VALUE answer = result == Scanned::done ? Qtrue : result == Scanned::more ? Qnil : Qfalse;
    return rb_assoc_new(answer, SIZET2NUM(static_cast<size_t>(p - in.begin)));
}

// message_head(bytes, offset) -> [:array or :map or :nil or another, number, offset of what follows]; nil if it is cut
// short.
VALUE message_pack_head(VALUE, VALUE bytes, VALUE offset) {
    check_bytes(bytes);
    size_t start = NUM2SIZET(offset);
    Input in(begin_of(bytes), static_cast<size_t>(RSTRING_LEN(bytes)));
    MessagePack::Item item{};
    const uint8_t *p = MessagePack::read_head(in, at_offset(in, start), item);
    RB_GC_GUARD(bytes);
    if (!p && in.status == Status::truncated) return Qnil;
    const char *name = "other";
    if (p && item.head == MessagePack::Head::array) name = "array";
    if (p && item.head == MessagePack::Head::map) name = "map";
    if (p && item.head == MessagePack::Head::nil) name = "nil";
    size_t next = p ? static_cast<size_t>(p - in.begin) : start;
    return rb_ary_new_from_args(3, ID2SYM(rb_intern(name)), ULL2NUM(item.number), SIZET2NUM(next));
}

// --- parts -------------------------------------------------------------------------------------------------------------

// The value of a key, or of an index, in the container at p; nullptr with the status ok where there is none.
const uint8_t *step_into(Input &in, const uint8_t *p, VALUE step) {
    MessagePack::Item item{};
    if (!(p = MessagePack::read_head(in, p, item))) return nullptr;
    if (item.head == MessagePack::Head::array) {
        if (!RB_FIXNUM_P(step)) return nullptr;
        int64_t index = RB_FIX2LONG(step);
        if (index < 0) index += static_cast<int64_t>(item.number);
        if (index < 0 || static_cast<uint64_t>(index) >= item.number) return nullptr;
        while (p && index--) p = message_skip(in, p);
        return p;
    }
    if (item.head != MessagePack::Head::map) return nullptr;
    const uint8_t *found = nullptr;
    for (uint64_t i = 0; i < item.number; i++) {
        MessagePack::Item key{};
        const uint8_t *data = MessagePack::read_head(in, p, key);
        if (!data) return nullptr;
        bool same = false;
        if (key.head == MessagePack::Head::str || key.head == MessagePack::Head::bin) {
            if (input_left(in, data) < key.number) return input_fail(in, Status::truncated, p);
            same = RB_TYPE_P(step, T_STRING) && static_cast<uint64_t>(RSTRING_LEN(step)) == key.number &&
                   memcmp(RSTRING_PTR(step), data, key.number) == 0;
        } else if (key.head == MessagePack::Head::positive || key.head == MessagePack::Head::negative) {
            same = RB_FIXNUM_P(step) && static_cast<int64_t>(key.number) == RB_FIX2LONG(step) &&
                   (key.head == MessagePack::Head::negative) == (RB_FIX2LONG(step) < 0);
        } else {
            same = (key.head == MessagePack::Head::nil && NIL_P(step)) ||
                   (key.head == MessagePack::Head::true_ && step == Qtrue) ||
                   (key.head == MessagePack::Head::false_ && step == Qfalse);
        }
        if (!(p = message_skip(in, p))) return nullptr;
        if (same) found = p;  // the last of a key counts, as when all is read
        if (!(p = message_skip(in, p))) return nullptr;
    }
    return found;
}

// message_dig(bytes, steps) -> the value there, or nil. Nothing else is allocated.
VALUE message_pack_dig(VALUE, VALUE bytes, VALUE steps) {
    check_bytes(bytes);
    Check_Type(steps, T_ARRAY);
    UnpackOptions options;
    Unpack u(begin_of(bytes), static_cast<size_t>(RSTRING_LEN(bytes)), options);
    const uint8_t *p = u.in.begin;
    for (long i = 0; p && i < RARRAY_LEN(steps); i++) p = step_into(u.in, p, RARRAY_AREF(steps, i));
    VALUE value = Qnil;
    if (p) p = unpack_value(u, p, &value, Unpack::depth_max);
    if (!p && u.in.status != Status::ok) raise_unpack(u);
    RB_GC_GUARD(bytes);
    return value;
}

}  // namespace

void message_pack_init(VALUE sparpack) {
    VALUE native = rb_const_get(sparpack, rb_intern("Native"));
    rb_define_singleton_method(native, "message_pack", method(message_pack_pack), 2);
    rb_define_singleton_method(native, "message_unpack", method(message_pack_unpack), 1);
    scan_class = rb_define_class_under(native, "MessageScan", rb_cObject);
    rb_gc_register_mark_object(scan_class);
    rb_define_alloc_func(scan_class, scan_alloc);
    rb_define_method(scan_class, "feed", method(message_feed), 2);
    rb_define_singleton_method(native, "message_dig", method(message_pack_dig), 2);
    rb_define_singleton_method(native, "message_head", method(message_pack_head), 2);
    rb_define_singleton_method(native, "message_unpack_at", method(message_pack_unpack_at), 5);
}

}  // namespace sparpack
