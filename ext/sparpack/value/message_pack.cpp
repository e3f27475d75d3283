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

VALUE message_pack_unpack(VALUE, VALUE bytes) {
    if (!RB_TYPE_P(bytes, T_STRING)) fault_type("expected a String of bytes, got %" PRIsVALUE, rb_obj_class(bytes));
    Unpack u(reinterpret_cast<const uint8_t *>(RSTRING_PTR(bytes)), static_cast<size_t>(RSTRING_LEN(bytes)));
    VALUE value = Qnil;
    const uint8_t *p = unpack_value(u, u.in.begin, &value, Unpack::depth_max);
    if (SPARPACK_LIKELY(p != nullptr) && SPARPACK_UNLIKELY(p != u.in.end)) p = input_fail(u.in, Status::trailing_bytes, p);
    if (SPARPACK_UNLIKELY(!p)) {
        u.fault.status = u.in.status;
        fault_raise_unpack(u.fault, static_cast<long>(u.in.at - u.in.begin));
    }
    RB_GC_GUARD(bytes);
    return value;
}

}  // namespace

void message_pack_init(VALUE sparpack) {
    VALUE native = rb_const_get(sparpack, rb_intern("Native"));
    rb_define_singleton_method(native, "message_pack", method(message_pack_pack), 1);
    rb_define_singleton_method(native, "message_unpack", method(message_pack_unpack), 1);
}

}  // namespace sparpack
