// Sparpack::Native.scan: an object that finds the end of a message which arrives in pieces.
#include "../wire/scan.hpp"
#include "../glue/fault.hpp"
#include "codec.hpp"

namespace sparpack {

namespace {

struct ScanState {
    WireId wire;
    union {
#define X(name, grammar) Scan<grammar> name;
        SPARPACK_WIRES(X)
#undef X
    };
    void *levels;
};

void scan_free(void *data) {
    xfree(static_cast<ScanState *>(data)->levels);
    xfree(data);
}

VALUE scan_class;  // written by scan_init alone

size_t scan_size(const void *) { return sizeof(ScanState); }

const rb_data_type_t scan_type = {
    "sparpack/scan", {nullptr, scan_free, scan_size, nullptr, {nullptr}}, nullptr, nullptr, RUBY_TYPED_FREE_IMMEDIATELY};

template <class Wire> void begin(ScanState *state, Scan<Wire> &scan, int depth) {
    state->levels = xcalloc(static_cast<size_t>(depth), sizeof(ScanLevel<Wire>));
    scan_begin(scan, static_cast<ScanLevel<Wire> *>(state->levels), depth);
}

}  // namespace

VALUE scan_new(WireId wire, int depth) {
    VALUE object = rb_data_typed_object_zalloc(scan_class, sizeof(ScanState), &scan_type);
    ScanState *state = data_of<ScanState>(object);
    state->wire = wire;
    switch (wire) {
#define X(name, grammar) \
    case WireId::name: begin<grammar>(state, state->name, depth); break;
        SPARPACK_WIRES(X)
#undef X
    }
    return object;
}

// Sparpack::Native.scan_feed(scan, bytes): where the message ends; nil if it goes on, false if it cannot be a message.
static VALUE native_scan_feed(VALUE, VALUE object, VALUE bytes) {
    ScanState *state = static_cast<ScanState *>(rb_check_typeddata(object, &scan_type));
    Check_Type(bytes, T_STRING);
    const uint8_t *data = reinterpret_cast<const uint8_t *>(RSTRING_PTR(bytes));
    size_t size = static_cast<size_t>(RSTRING_LEN(bytes)), at = 0;
    Scanned result = Scanned::bad;
    switch (state->wire) {
#define X(name, grammar)                                          \
    case WireId::name:                                            \
        at = state->name.at;                                      \
        if (at > size) fault_argument("fewer bytes than before"); \
        result = scan_feed(state->name, data, size);              \
        at = state->name.at;                                      \
        break;
        SPARPACK_WIRES(X)
#undef X
    }
    RB_GC_GUARD(bytes);
    if (result == Scanned::done) return SIZET2NUM(at);
    return result == Scanned::more ? Qnil : Qfalse;
}

void scan_init(VALUE sparpack) {
    VALUE native = rb_const_get(sparpack, rb_intern("Native"));
    scan_class = rb_define_class_under(native, "Scan", rb_cObject);
    rb_undef_alloc_func(scan_class);
    rb_gc_register_mark_object(scan_class);
    rb_define_singleton_method(native, "scan_feed", method(native_scan_feed), 2);
}

}  // namespace sparpack
