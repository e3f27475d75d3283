// Sparpack::Native::PayloadEnd: an object that finds the end of a payload which arrives in pieces.
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../wire/pull.hpp"
#include "../wire/thrift_events.hpp"
#include "codec.hpp"

namespace sparpack {

namespace {

template <class Wire> using Events = Pull<typename Wire::Events, Skip>;

struct PayloadEnd {
    WireId wire;
    union {
#define X(name, grammar) Events<grammar> name;
        SPARPACK_WIRES(X)
#undef X
    };
    void *levels;
    size_t at;  // how far the payload was read
};

void payload_end_free(void *data) {
    xfree(static_cast<PayloadEnd *>(data)->levels);
    xfree(data);
}

VALUE payload_end_class;  // written by payload_end_init alone

size_t payload_end_size(const void *) { return sizeof(PayloadEnd); }

const rb_data_type_t payload_end_type = {"sparpack/payload_end",
                                         {nullptr, payload_end_free, payload_end_size, nullptr, {nullptr}},
                                         nullptr,
                                         nullptr,
                                         RUBY_TYPED_FREE_IMMEDIATELY};

template <class Wire> void begin(PayloadEnd *end, Events<Wire> &events, int depth) {
    using Level = typename Events<Wire>::Level;
    end->levels = xcalloc(static_cast<size_t>(depth) + 1, sizeof(Level));
    pull_begin(events, static_cast<Level *>(end->levels), depth);
}

// A container is not opened before there are as many bytes as its count claims. A decode of bytes that are found to be bad
// would otherwise say that they are cut off.
template <class Wire> Pulled find(PayloadEnd *end, Events<Wire> &events, const uint8_t *bytes, size_t size) {
    Input in(bytes, size);
    Skip sink;
    const uint8_t *p = bytes + end->at;
    Pulled result = pull_all(events, in, p, sink);
    end->at = static_cast<size_t>(p - bytes);
    return in.status == Status::truncated ? Pulled::more : result;
}

}  // namespace

VALUE payload_end_new(WireId wire, int depth) {
    VALUE object = rb_data_typed_object_zalloc(payload_end_class, sizeof(PayloadEnd), &payload_end_type);
    PayloadEnd *end = data_of<PayloadEnd>(object);
    end->wire = wire;
    switch (wire) {
#define X(name, grammar) \
    case WireId::name: begin<grammar>(end, end->name, depth); break;
        SPARPACK_WIRES(X)
#undef X
    }
    return object;
}

// Sparpack::Native.payload_end_find(end, bytes): where the payload ends, if these are all of its bytes that have come; nil
// if it goes on, false if the bytes cannot be a payload.
static VALUE native_payload_end_find(VALUE, VALUE object, VALUE bytes) {
    PayloadEnd *end = static_cast<PayloadEnd *>(rb_check_typeddata(object, &payload_end_type));
    Check_Type(bytes, T_STRING);
    const uint8_t *data = reinterpret_cast<const uint8_t *>(RSTRING_PTR(bytes));
    size_t size = static_cast<size_t>(RSTRING_LEN(bytes));
    if (end->at > size) fault_argument("fewer bytes than before");
    Pulled result = Pulled::bad;
    switch (end->wire) {
#define X(name, grammar) \
    case WireId::name: result = find<grammar>(end, end->name, data, size); break;
        SPARPACK_WIRES(X)
#undef X
    }
    RB_GC_GUARD(bytes);
    if (result == Pulled::done) return SIZET2NUM(end->at);
    return result == Pulled::more ? Qnil : Qfalse;
}

void payload_end_init() {
    VALUE native = native_module();
    payload_end_class = rb_define_class_under(native, "PayloadEnd", rb_cObject);
    rb_undef_alloc_func(payload_end_class);
    rb_gc_register_mark_object(payload_end_class);
    rb_define_singleton_method(native, "payload_end_find", method(native_payload_end_find), 2);
}

}  // namespace sparpack
