// The codec behind `read` and `write` of Apache's gem. It takes objects, protocols and transports that it knows. For all
// else, and for whatever it cannot read or write, the gem's own methods run from the start, as if nothing had happened. So
// all errors are the gem's.
#include "thrift.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "thrift_attempts.hpp"

namespace sparpack {

namespace {

ID id_construct, id_read, id_write, id_serialize, id_deserialize, id_flush, id_protocol, id_transport;

// Whether calls may be verified. Written in the main Ractor, and read by all.
bool verifying;

// Returns whether a call shall be verified: Ruby then runs both the gem's own code and ours, and compares them.
SPARPACK_INLINE bool chosen() {
    return SPARPACK_UNLIKELY(__atomic_load_n(&verifying, __ATOMIC_RELAXED)) && RTEST(native_call("thrift_verify?"));
}

SPARPACK_COLD VALUE verify(const char *name, int argc, const VALUE *argv, VALUE self) {
    return native_call(name, self, rb_ary_new_from_values(argc, argv));
}

// Lets the gem's own method run after a method of the user's has raised an error. If it raises none, the caller gets the
// first one.
SPARPACK_COLD VALUE run_again(VALUE error, VALUE self, ID name, int argc, const VALUE *argv) {
    return native_call("thrift_again", error, self, ID2SYM(name), rb_ary_new_from_values(argc, argv));
}

// Struct#initialize(values = {}), which may have a block
VALUE thrift_construct(int argc, VALUE *argv, VALUE self) {
    if (SPARPACK_UNLIKELY(!try_construct(argc, argv, self)))
        rb_funcallv_kw(self, id_construct, argc, argv, rb_keyword_given_p());
    if (rb_block_given_p()) rb_yield(self);
    return Qnil;
}

// Struct#read and Union#read(protocol, depth = 64)
VALUE thrift_read(int argc, VALUE *argv, VALUE self) {
    if (argc > 0 && chosen()) return verify("thrift_verify_read", argc, argv, self);
    VALUE transport = Qnil, error = Qnil;
    ThriftRefusal refusal;
    if (SPARPACK_LIKELY(try_read(argc, argv, self, &transport, &refusal, &error))) return Qnil;
    if (!NIL_P(error)) return run_again(error, self, id_read, argc, argv);
    if (SPARPACK_LIKELY(!refusal.happened)) return rb_funcallv(self, id_read, argc, argv);
    VALUE arguments = rb_ary_new_from_values(argc, argv);
    return native_call("thrift_replay", transport, refusal.error, refusal.returned, self, arguments);
}

// Struct#write and Union#write(protocol, depth = 64)
VALUE thrift_write(int argc, VALUE *argv, VALUE self) {
    if (argc > 0 && chosen()) return verify("thrift_verify_write", argc, argv, self);
    VALUE error = Qnil;
    if (SPARPACK_LIKELY(try_write(argc, argv, self, &error))) return Qnil;
    return NIL_P(error) ? rb_funcallv(self, id_write, argc, argv) : run_again(error, self, id_write, argc, argv);
}

// Returns whether the transport of a protocol is that of the Serializer or Deserializer which has both. They begin anew with
// it, so that a frozen one raises.
SPARPACK_INLINE bool is_own(VALUE self, const ThriftEnd &end) {
    return end.kind == ThriftTransport::memory && end.transport == rb_attr_get(self, id_transport) &&
           !RB_OBJ_FROZEN_RAW(end.transport);
}

// Serializer#serialize(object)
VALUE thrift_serialize(VALUE self, VALUE object) {
    if (chosen()) return verify("thrift_verify_serialize", 1, &object, self);
    const Link *link = link_of(object);
    ThriftEnd end;
    if (SPARPACK_LIKELY(link && thrift_target_of(rb_attr_get(self, id_protocol), &end) && is_own(self, end))) {
        VALUE error = Qnil;
        VALUE bytes = SPARPACK_UNLIKELY(link->plan->calls) ? protected_encode(link, object, end.wire, apache, 0, &error)
                                                           : encode(link, object, end.wire, apache);
        if (SPARPACK_LIKELY(bytes != Qundef)) return bytes;
        if (!NIL_P(error)) return run_again(error, self, id_serialize, 1, &object);
    }
    return rb_funcallv(self, id_serialize, 1, &object);
}

// Deserializer#deserialize(object, bytes)
VALUE thrift_deserialize(VALUE self, VALUE object, VALUE bytes) {
    VALUE arguments[] = {object, bytes};
    if (chosen()) return verify("thrift_verify_deserialize", 2, arguments, self);
    const Link *link = link_of(object);
    ThriftEnd end;
    if (SPARPACK_LIKELY(link && RB_TYPE_P(bytes, T_STRING) && can_fill(link, object) &&
                        thrift_source_of(rb_attr_get(self, id_protocol), &end) && is_own(self, end))) {
        Options options = apache;
        options.string = end.string;
        options.binary_uuids = end.binary_uuids;
        if (SPARPACK_UNLIKELY(link->plan->calls)) {
            VALUE error = Qnil;
            size_t next = 0;
            if (protected_decode(link, object, bytes, end.wire, options, 0, &next, &error) != Qundef) return object;
            if (!NIL_P(error)) return run_again(error, self, id_deserialize, 2, arguments);
        } else if (SPARPACK_LIKELY(decode(link, object, unlocked(bytes), end.wire, options) != Qundef)) {
            return object;
        }
    }
    return rb_funcallv(self, id_deserialize, 2, arguments);
}

// FramedTransport#flush
VALUE thrift_flush_frame(VALUE self) {
    VALUE buffer = thrift_flush(self);
    return SPARPACK_LIKELY(buffer) ? buffer : rb_funcallv(self, id_flush, 0, nullptr);
}

// --- for verification --------------------------------------------------------------------------------------------------

enum Protocol : int { protocol_compact = 0, protocol_binary = 1 };

WireId wire_of(VALUE protocol) {
    int number = NUM2INT(protocol);
    if (number != protocol_compact && number != protocol_binary) fault_argument("protocol: expected 0 or 1");
    return number == protocol_compact ? WireId::compact : WireId::binary;
}

// Sparpack::Native.thrift_encode(object, protocol): the bytes, or nil if the gem's own code has to run
VALUE native_thrift_encode(VALUE, VALUE object, VALUE protocol) {
    WireId wire = wire_of(protocol);
    const Link *link = link_of(object);
    VALUE bytes = link && !link->plan->calls ? encode(link, object, wire, apache) : Qundef;
    return bytes == Qundef ? Qnil : bytes;
}

// Sparpack::Native.thrift_decode(object, bytes, offset, protocol, class = nil): fills the object and returns where it ends
// in the bytes, or nil. The class is that of the gem's protocol.
VALUE native_thrift_decode(int argc, VALUE *argv, VALUE) {
    rb_check_arity(argc, 4, 5);
    VALUE object = argv[0], bytes = argv[1], offset = argv[2], protocol = argv[3];
    WireId wire = wire_of(protocol);
    Check_Type(bytes, T_STRING);
    long start = NUM2LONG(offset);
    if (start < 0 || start > RSTRING_LEN(bytes)) fault_argument("offset: out of range");
    const Link *link = link_of(object);
    if (!link || link->plan->calls || !can_fill(link, object)) return Qnil;
    Options options = apache;
    options.binary_uuids = argc > 4 && thrift_binary_uuids(argv[4]);
    size_t next = 0;
    VALUE result = decode(link, object, unlocked(bytes), wire, options, static_cast<size_t>(start), &next);
    return result == Qundef ? Qnil : SIZET2NUM(next);
}

// Sparpack::Native.thrift_verify(on): whether calls may be verified from now on
VALUE native_thrift_verify(VALUE, VALUE on) {
    __atomic_store_n(&verifying, RTEST(on), __ATOMIC_RELAXED);
    return Qnil;
}

// Sparpack::Native.thrift_refuse(klass, reason): the gem's own code has to run for a class
VALUE native_thrift_refuse(VALUE, VALUE klass, VALUE reason) {
    Check_Type(klass, T_CLASS);
    Check_Type(reason, T_STRING);
    rb_ivar_set(klass, id_refused, rb_str_new_frozen(reason));
    return Qnil;
}

// Sparpack::Native.thrift_refusal(klass): the reason, or nil
VALUE native_thrift_refusal(VALUE, VALUE klass) {
    Check_Type(klass, T_CLASS);
    return rb_attr_get(klass, id_refused);
}

// Sparpack::Native.thrift_method(module, name): defines a method in a module of the gem. The gem's own has another name by
// now.
VALUE native_thrift_method(VALUE, VALUE place, VALUE name) {
    const NativeMethod methods[] = {{"initialize", thrift_construct},
                                    {"read", thrift_read},
                                    {"write", thrift_write},
                                    {"serialize", thrift_serialize},
                                    {"deserialize", thrift_deserialize},
                                    {"flush", thrift_flush_frame}};
    if (!RB_TYPE_P(place, T_MODULE)) Check_Type(place, T_CLASS);
    Check_Type(name, T_STRING);
    for (const NativeMethod &each : methods) {
        if (strcmp(StringValueCStr(name), each.name) == 0) define_methods(place, {each});
    }
    return Qnil;
}

// Sparpack::Native.thrift_gem(module, has_depths)
VALUE native_thrift_gem(VALUE, VALUE place, VALUE depths) {
    Check_Type(place, T_MODULE);
    rb_gc_register_mark_object(place);
    gem = place;
    has_depths = RTEST(depths);
    return Qnil;
}

}  // namespace

void foreign_thrift_init() {
    id_construct = rb_intern("sparpack_gem_initialize");
    id_type_checking = rb_intern("@type_checking");
    id_read = rb_intern("sparpack_gem_read");
    id_write = rb_intern("sparpack_gem_write");
    id_serialize = rb_intern("sparpack_gem_serialize");
    id_deserialize = rb_intern("sparpack_gem_deserialize");
    id_flush = rb_intern("sparpack_gem_flush");
    id_refused = rb_intern("sparpack_refused");
    id_protocol = rb_intern("@protocol");
    id_transport = rb_intern("@transport");
    thrift_ends_init();
    VALUE native = native_module();
    define_singleton_methods(native, {{"thrift_encode", native_thrift_encode},
                                      {"thrift_decode", native_thrift_decode},
                                      {"thrift_verify", native_thrift_verify},
                                      {"thrift_refuse", native_thrift_refuse},
                                      {"thrift_refusal", native_thrift_refusal},
                                      {"thrift_gem", native_thrift_gem},
                                      {"thrift_method", native_thrift_method}});
}

}  // namespace sparpack
