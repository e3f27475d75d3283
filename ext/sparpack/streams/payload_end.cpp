// Sparpack::Native::PayloadEnd: an object that finds the end of a payload which arrives in pieces.
#include "payload_end.hpp"

#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../wire/pull_end.hpp"
#include "../wire/walks.hpp"

namespace sparpack {

namespace {

struct PayloadEnd {
    WireId wire;
    union {
#define X(name, grammar) PullEnd<grammar::Events> name;
        SPARPACK_WIRES(X)
#undef X
    };
    void *levels;
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

template <class Grammar> void begin(PayloadEnd *end, PullEnd<Grammar> &search, int depth) {
    using Level = typename PullEnd<Grammar>::Level;
    end->levels = xcalloc(static_cast<size_t>(depth) + 1, sizeof(Level));
    pull_end_begin(search, static_cast<Level *>(end->levels), depth);
}

// What a caller asks of a search, whichever wire it is for.
struct Find {
    const uint8_t *bytes;
    size_t size;
    size_t at = 0;

    template <class Grammar> Pulled operator()(PullEnd<Grammar> &search) {
        if (search.at > size) fault_argument("fewer bytes than before");
        Pulled result = pull_end_find(search, bytes, size);
        at = search.at;
        return result;
    }
};

struct Missing {
    template <class Grammar> size_t operator()(const PullEnd<Grammar> &search) const { return search.missing; }
};

struct IsBlank {
    template <class Grammar> bool operator()(const PullEnd<Grammar> &search) const { return pull_end_is_blank(search); }
};

template <class Ask> auto ask(VALUE object, Ask &&ask) {
    PayloadEnd *end = static_cast<PayloadEnd *>(rb_check_typeddata(object, &payload_end_type));
    switch (end->wire) {
#define X(name, grammar) \
    case WireId::name: return ask(end->name);
        SPARPACK_WIRES(X)
#undef X
    }
    __builtin_unreachable();
}

}  // namespace

VALUE payload_end_new(WireId wire, int depth) {
    VALUE object = rb_data_typed_object_zalloc(payload_end_class, sizeof(PayloadEnd), &payload_end_type);
    PayloadEnd *end = data_of<PayloadEnd>(object);
    end->wire = wire;
    switch (wire) {
#define X(name, grammar) \
    case WireId::name: begin(end, end->name, depth); break;
        SPARPACK_WIRES(X)
#undef X
    }
    return object;
}

// Sparpack::Native.payload_end_find(end, bytes): where the payload ends, if these are all of its bytes that have come; nil
// if it goes on, false if the bytes cannot be a payload.
static VALUE native_payload_end_find(VALUE, VALUE object, VALUE bytes) {
    Check_Type(bytes, T_STRING);
    Find find{reinterpret_cast<const uint8_t *>(RSTRING_PTR(bytes)), static_cast<size_t>(RSTRING_LEN(bytes))};
    Pulled result = ask(object, find);
    RB_GC_GUARD(bytes);
    if (result == Pulled::done) return SIZET2NUM(find.at);
    return result == Pulled::more ? Qnil : Qfalse;
}

// Sparpack::Native.payload_end_missing(end): how many bytes at least are missing after a search that has returned nil.
static VALUE native_payload_end_missing(VALUE, VALUE object) { return SIZET2NUM(ask(object, Missing())); }

// Sparpack::Native.payload_end_blank?(end): whether no payload has begun after a search that has returned nil.
static VALUE native_payload_end_is_blank(VALUE, VALUE object) { return ask(object, IsBlank()) ? Qtrue : Qfalse; }

void payload_end_init() {
    VALUE native = native_module();
    payload_end_class = rb_define_class_under(native, "PayloadEnd", rb_cObject);
    rb_undef_alloc_func(payload_end_class);
    rb_gc_register_mark_object(payload_end_class);
    rb_define_singleton_method(native, "payload_end_find", method(native_payload_end_find), 2);
    rb_define_singleton_method(native, "payload_end_missing", method(native_payload_end_missing), 1);
    rb_define_singleton_method(native, "payload_end_blank?", method(native_payload_end_is_blank), 1);
}

}  // namespace sparpack
