// Sparpack::Native::PayloadEnd: an object that finds the end of a payload which arrives in pieces.
#include "payload_end.hpp"

#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../wire/walks.hpp"

namespace sparpack {

namespace {

struct Search;

struct PayloadEnd {
    const Search *search;
    void *levels;
    union State {
#define X(name, grammar) PullEnd<grammar::Events> name;
        SPARPACK_WIRES(X)
#undef X
    } state;
};

template <class Grammar> PullEnd<Grammar> &search_in(PayloadEnd *end) {
    static_assert(sizeof(PullEnd<Grammar>) <= sizeof(PayloadEnd::State) &&
                  alignof(PullEnd<Grammar>) <= alignof(PayloadEnd::State));
    return reinterpret_cast<PullEnd<Grammar> &>(end->state);
}

// A search's functions in one wire.
struct Search {
    void (*begin)(PayloadEnd *end, int depth, bool any_text);
    Pulled (*find)(PayloadEnd *end, const uint8_t *bytes, size_t size, size_t *at);
    size_t (*missing)(PayloadEnd *end);
    bool (*is_blank)(PayloadEnd *end);
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

template <class Grammar> void search_begin(PayloadEnd *end, int depth, bool any_text) {
    using Level = typename PullEnd<Grammar>::Level;
    end->levels = xcalloc(static_cast<size_t>(depth) + 1, sizeof(Level));
    pull_end_begin(search_in<Grammar>(end), static_cast<Level *>(end->levels), depth, any_text);
}

template <class Grammar> Pulled search_find(PayloadEnd *end, const uint8_t *bytes, size_t size, size_t *at) {
    PullEnd<Grammar> &search = search_in<Grammar>(end);
    if (search.at > size) fault_argument("fewer bytes than before");
    Pulled result = pull_end_find(search, bytes, size);
    *at = search.at;
    return result;
}

template <class Grammar> size_t search_missing(PayloadEnd *end) { return search_in<Grammar>(end).missing; }

template <class Grammar> bool search_is_blank(PayloadEnd *end) { return pull_end_is_blank(search_in<Grammar>(end)); }

template <class Grammar>
constexpr Search search_of = {search_begin<Grammar>, search_find<Grammar>, search_missing<Grammar>,
                              search_is_blank<Grammar>};

constexpr const Search *searches[] = {
#define X(name, grammar) &search_of<grammar::Events>,
    SPARPACK_WIRES(X)
#undef X
};

PayloadEnd *payload_end_get(VALUE object) {
    return static_cast<PayloadEnd *>(rb_check_typeddata(object, &payload_end_type));
}

}  // namespace

VALUE payload_end_new(WireId wire, int depth, bool any_text) {
    VALUE object = rb_data_typed_object_zalloc(payload_end_class, sizeof(PayloadEnd), &payload_end_type);
    PayloadEnd *end = data_of<PayloadEnd>(object);
    end->search = of_wire(searches, wire);
    end->search->begin(end, depth, any_text);
    return object;
}

// Sparpack::Native.payload_end_find(end, bytes): where the payload ends, if these are all of its bytes that have come; nil
// if it goes on, false if the bytes cannot be a payload.
static VALUE native_payload_end_find(VALUE, VALUE object, VALUE bytes) {
    Check_Type(bytes, T_STRING);
    bytes = unlocked(bytes);
    PayloadEnd *end = payload_end_get(object);
    size_t at = 0;
    Pulled result = end->search->find(end, string_bytes(bytes), string_size(bytes), &at);
    RB_GC_GUARD(bytes);
    if (result == Pulled::done) return SIZET2NUM(at);
    return result == Pulled::more ? Qnil : Qfalse;
}

// Sparpack::Native.payload_end_missing(end): how many bytes at least are missing after a search that has returned nil.
static VALUE native_payload_end_missing(VALUE, VALUE object) {
    PayloadEnd *end = payload_end_get(object);
    return SIZET2NUM(end->search->missing(end));
}

// Sparpack::Native.payload_end_blank?(end): whether no payload has begun after a search that has returned nil.
static VALUE native_payload_end_is_blank(VALUE, VALUE object) {
    PayloadEnd *end = payload_end_get(object);
    return end->search->is_blank(end) ? Qtrue : Qfalse;
}

void payload_end_init() {
    VALUE native = native_module();
    payload_end_class = rb_define_class_under(native, "PayloadEnd", rb_cObject);
    rb_undef_alloc_func(payload_end_class);
    rb_gc_register_mark_object(payload_end_class);
    define_singleton_methods(native, {{"payload_end_find", native_payload_end_find},
                                      {"payload_end_missing", native_payload_end_missing},
                                      {"payload_end_blank?", native_payload_end_is_blank}});
}

}  // namespace sparpack
