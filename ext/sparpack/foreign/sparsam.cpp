// The codec behind the methods of Sparsam: `serialize` and `deserialize`, which are defined in its modules. Its rules are
// options of the codec (glue/options.hpp) and the manner of the plans (plan/plan.hpp).
#include "../codec/codec.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"

namespace sparpack {

namespace {

// Sparsam has no limits, but it overflows the stack. Up to the usual depth, the stack of any thread is large enough.
constexpr Options sparsam = [] {
    Options options;
    options.memory = unlimited;
    options.depth = depth_max;
    options.depth_watched = depth_max - depth_usual;
    options.validate = Check::none;
    options.utf8_keep = true;
    options.exact_classes = true;
    options.exact_sets = true;
    options.typed_empty = true;
    options.plain_keys = true;
    options.loose_types = true;
    options.trailing = true;
    options.foreign_errors = true;
    return options;
}();

enum Protocol : long { protocol_compact = 0, protocol_binary = 1 };

SPARPACK_INLINE WireId wire_of(VALUE protocol) {
    Check_Type(protocol, T_FIXNUM);
    long number = RB_FIX2LONG(protocol);
    if (SPARPACK_UNLIKELY(number != protocol_compact && number != protocol_binary))
        fault_raise_exception(native_call("foreign_protocol_error", protocol));
    return number == protocol_compact ? WireId::compact : WireId::binary;
}

SPARPACK_COLD const Plan *prepare(VALUE klass) {
    native_call("foreign_prepare", klass);
    const Plan *plan = plan_sealed(klass);
    if (!plan) fault_type("%" PRIsVALUE " has no plan", fault_quote(klass));
    return plan;
}

SPARPACK_INLINE const Link *link_of(VALUE klass) {
    const Plan *plan = plan_sealed(klass);
    return plan_link(SPARPACK_LIKELY(plan != nullptr) ? plan : prepare(klass));
}

SPARPACK_COLD void check_count(int argc, int least, int most) {
    if (argc < least || argc > most)
        fault_argument("wrong number of arguments (given %d, expected %d..%d)", argc, least, most);
}

// BaseType#serialize(protocol = CompactProtocol)
VALUE serialize(int argc, VALUE *argv, VALUE self) {
    if (SPARPACK_UNLIKELY(argc > 1)) check_count(argc, 0, 1);
    WireId wire = argc == 0 ? WireId::compact : wire_of(argv[0]);
    return encode(link_of(rb_obj_class(self)), self, wire, sparsam);
}

// Deserializer.deserialize(class, bytes, protocol = CompactProtocol)
VALUE deserialize(int argc, VALUE *argv, VALUE) {
    if (SPARPACK_UNLIKELY(argc < 2 || argc > 3)) check_count(argc, 2, 3);
    WireId wire = argc == 2 ? WireId::compact : wire_of(argv[2]);
    Check_Type(argv[1], T_STRING);
    const Link *link = link_of(argv[0]);  // may run Ruby code
    return decode(link, argv[0], unlocked(argv[1]), wire, sparsam);
}

// Sparpack::Native.foreign_decode(class, bytes, protocol, offset): [object, its end]
VALUE native_foreign_decode(VALUE, VALUE klass, VALUE bytes, VALUE protocol, VALUE offset) {
    WireId wire = wire_of(protocol);
    Check_Type(bytes, T_STRING);
    const Link *link = link_of(klass);
    long start = NUM2LONG(offset);
    if (start < 0 || start > RSTRING_LEN(bytes)) fault_argument("offset: out of range");
    size_t next = 0;
    VALUE object = decode(link, klass, unlocked(bytes), wire, sparsam, static_cast<size_t>(start), &next);
    return rb_assoc_new(object, SIZET2NUM(next));
}

// Sparpack::Native.foreign_methods(base_type, deserializer): defines the methods.
VALUE native_foreign_methods(VALUE, VALUE base_type, VALUE deserializer) {
    Check_Type(base_type, T_MODULE);
    Check_Type(deserializer, T_MODULE);
    define_methods(base_type, {{"serialize", serialize}});
    define_singleton_methods(deserializer, {{"deserialize", deserialize}});
    return Qnil;
}

}  // namespace

void sparsam_init() {
    VALUE native = native_module();
    define_singleton_methods(native,
                             {{"foreign_decode", native_foreign_decode}, {"foreign_methods", native_foreign_methods}});
}

}  // namespace sparpack
