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
    UnpackOptions options;
    int bits = options.flags = NUM2INT(flags);
    options.symbolize_keys = bits & 1;
    options.freeze = bits & 2;
    options.allow_unknown_ext = bits & 4;
    options.strict_utf8 = bits & 8;
    options.types = RTEST(types) ? types : Qfalse;
    if (options.types || options.allow_unknown_ext) bytes = rb_str_new_frozen(bytes);
    Unpack u(begin_of(bytes), static_cast<size_t>(RSTRING_LEN(bytes)), options);
    size_t start = NUM2SIZET(offset);
    if (start > input_left(u.in, u.in.begin)) fault_argument("the offset is past the end of the bytes");
    VALUE value = Qnil;
    const uint8_t *p = unpack_value(u, u.in.begin + start, &value, NUM2INT(depth));
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

// scan.feed(bytes, offset, depth) -> [result, offset of what was not looked at]; the result is true at the end of a value,
// nil if more must come, false if no value is like this.
VALUE message_feed(VALUE self, VALUE bytes, VALUE offset, VALUE depth) {
    MessageScan &scan = *static_cast<MessageScan *>(rb_check_typeddata(self, &scan_type));
    check_bytes(bytes);
    Input in(begin_of(bytes), static_cast<size_t>(RSTRING_LEN(bytes)));
    size_t start = NUM2SIZET(offset);
    if (start > input_left(in, in.begin)) fault_argument("the offset is past the end of the bytes");
    const uint8_t *p = in.begin + start;
    Scanned result = message_scan(scan, in, p, NUM2INT(depth));
    RB_GC_GUARD(bytes);
    VALUE answer = result == Scanned::done ? Qtrue : result == Scanned::more ? Qnil : Qfalse;
    return rb_assoc_new(answer, SIZET2NUM(static_cast<size_t>(p - in.begin)));
}

// message_head(bytes, offset) -> [:array or :map or :nil or another, number, offset of what follows]; nil if it is cut
// short.
VALUE message_pack_head(VALUE, VALUE bytes, VALUE offset) {
    check_bytes(bytes);
    Input in(begin_of(bytes), static_cast<size_t>(RSTRING_LEN(bytes)));
    size_t start = NUM2SIZET(offset);
    if (start > input_left(in, in.begin)) fault_argument("the offset is past the end of the bytes");
    MessagePack::Item item{};
    const uint8_t *p = MessagePack::read_head(in, in.begin + start, item);
    RB_GC_GUARD(bytes);
    if (!p && in.status == Status::truncated) return Qnil;
    const char *name = "other";
    if (p && item.head == MessagePack::Head::array) name = "array";
    if (p && item.head == MessagePack::Head::map) name = "map";
    if (p && item.head == MessagePack::Head::nil) name = "nil";
    size_t next = p ? static_cast<size_t>(p - in.begin) : start;
    return rb_ary_new_from_args(3, ID2SYM(rb_intern(name)), ULL2NUM(item.number), SIZET2NUM(next));
}

}  // namespace

void message_pack_init(VALUE sparpack) {
    VALUE native = rb_const_get(sparpack, rb_intern("Native"));
    rb_define_singleton_method(native, "message_pack", method(message_pack_pack), 2);
    rb_define_singleton_method(native, "message_unpack", method(message_pack_unpack), 1);
    scan_class = rb_define_class_under(native, "MessageScan", rb_cObject);
    rb_gc_register_mark_object(scan_class);
    rb_define_alloc_func(scan_class, scan_alloc);
    rb_define_method(scan_class, "feed", method(message_feed), 3);
    rb_define_singleton_method(native, "message_head", method(message_pack_head), 2);
    rb_define_singleton_method(native, "message_unpack_at", method(message_pack_unpack_at), 5);
}

}  // namespace sparpack
