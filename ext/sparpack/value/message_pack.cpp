// Sparpack::MessagePack: what Ruby calls.
#include "pack.hpp"
#include "unpack.hpp"

namespace sparpack {

namespace {

VALUE message_pack_pack(VALUE, VALUE value) {
    Pack k;
    uint8_t *p = pack_value(k, k.output.writer.begin, value, Pack::depth_max);
    if (SPARPACK_UNLIKELY(!p)) fault_raise_pack(k.fault);
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
    int bits = NUM2INT(flags);
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

}  // namespace

void message_pack_init(VALUE sparpack) {
    VALUE native = rb_const_get(sparpack, rb_intern("Native"));
    rb_define_singleton_method(native, "message_pack", method(message_pack_pack), 1);
    rb_define_singleton_method(native, "message_unpack", method(message_pack_unpack), 1);
    rb_define_singleton_method(native, "message_unpack_at", method(message_pack_unpack_at), 5);
}

}  // namespace sparpack
