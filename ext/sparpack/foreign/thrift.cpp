// The codec behind `read` and `write` of Apache's gem. It takes objects, protocols and transports that it knows. For all
// else, and for whatever it cannot read or write, the gem's own methods run from the start, as if nothing had happened. So
// all errors are the gem's.
#include "thrift.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "protected.hpp"

namespace sparpack {

namespace {

// Structs and containers count together, so an object with more levels is left to the gem, whose limit is for structs.
constexpr int depth_apache = 64;

constexpr Options apache = [] {
    Options options;
    options.memory = unlimited;
    options.depth = depth_apache;
    options.validate = Check::strict;  // only a field whose values a generated `validate` checks is an enum
    options.utf8_keep = true;
    options.exact_sets = true;
    options.exact_enums = true;
    options.plain_text = true;
    options.plain_keys = true;
    options.typed_empty = true;
    options.trailing = true;
    options.attempt = true;
    return options;
}();

// How often a buffered transport reads more for one struct. Each time, the struct is read from its start, so a long one is
// left to the gem.
constexpr int refills_max = 8;

// The module Thrift, and how its version differs from others. Written by thrift_gem alone, before the methods exist.
VALUE gem;
bool has_depths;

ID id_construct, id_type_checking, id_read, id_write, id_serialize, id_deserialize, id_flush, id_refused, id_protocol,
    id_transport;

// Whether calls may be verified. Written in the main Ractor, and read by all.
bool verifying;

// Returns whether a call shall be verified: Ruby then runs both the gem's own code and ours, and compares them.
SPARPACK_INLINE bool chosen() {
    return SPARPACK_UNLIKELY(__atomic_load_n(&verifying, __ATOMIC_RELAXED)) && RTEST(native_call("thrift_verify?"));
}

SPARPACK_COLD VALUE verify(const char *name, int argc, const VALUE *argv, VALUE self) {
    return native_call(name, self, rb_ary_new_from_values(argc, argv));
}

// Returns nullptr if the gem's own code has to run for objects of the class. Plans are made in the main Ractor.
SPARPACK_COLD const Plan *prepare(VALUE klass) {
    if (RB_FL_TEST_RAW(klass, RUBY_FL_SINGLETON) || RTEST(rb_attr_get(klass, id_refused))) return nullptr;
    return RTEST(native_call("thrift_prepare", klass)) ? plan_sealed(klass) : nullptr;
}

// Returns whether native code may stand in for the gem with objects of a class whose plan this is.
SPARPACK_INLINE bool is_usable(const Plan *plan, VALUE klass) {
    if (SPARPACK_UNLIKELY(plan->manner != Manner::thrift || plan->klass != klass)) return false;
    if (SPARPACK_UNLIKELY(__atomic_load_n(&plan->dropped, __ATOMIC_ACQUIRE))) return false;
    return SPARPACK_LIKELY(!plan->main_only) || RTEST(native_call("main_ractor?"));
}

SPARPACK_INLINE const Link *link_of(VALUE object) {
    if (SPARPACK_UNLIKELY(RB_SPECIAL_CONST_P(object))) return nullptr;
    VALUE klass = RBASIC_CLASS(object);
    const Plan *plan = plan_sealed(klass);
    if (SPARPACK_UNLIKELY(!plan) && !(plan = prepare(klass))) return nullptr;
    return is_usable(plan, klass) ? plan_link(plan) : nullptr;
}

// The arguments of `read` and `write` are a protocol, and in newer gems how many levels of structs there may be.
SPARPACK_INLINE bool take_depth(int argc, const VALUE *argv, Options *options) {
    if (SPARPACK_UNLIKELY(argc != 1)) {
        if (argc != 2 || !has_depths || !RB_FIXNUM_P(argv[1])) return false;
        if (RB_FIX2LONG(argv[1]) <= 0 || RB_FIX2LONG(argv[1]) > INT_MAX) return false;
        if (RB_FIX2LONG(argv[1]) < options->depth) options->depth = static_cast<int>(RB_FIX2LONG(argv[1]));
    }
    return true;
}

// Older gems keep what an object had in a field that is not read, and `validate` looks at that, too: whether an enum has the
// value, and whether a required field has any. A decode takes the default for that.
SPARPACK_COLD bool may_be_invalid(const Link *link, VALUE object) {
    const Plan *plan = link->plan;
    for (const Field *field = link->fields, *end = field + link->count; field < end; field++) {
        const Slot &slot = plan->slots[field->slot];
        bool is_enum = !NIL_P(slot.numbers), is_required = field->required && !NIL_P(slot.default_value);
        if (!is_enum && !is_required) continue;
        bool is_nil = NIL_P(rb_attr_get(object, plan->ivars[field->slot]));
        if (is_nil ? is_required : is_enum) return true;
    }
    return false;
}

// In newer gems, an object without variables gets no defaults when it is read.
SPARPACK_INLINE bool can_fill(const Link *link, VALUE object) {
    if (SPARPACK_UNLIKELY(RB_OBJ_FROZEN_RAW(object))) return false;
    if (SPARPACK_UNLIKELY(!link->plan->resets)) return link->is_union || !may_be_invalid(link, object);
    return SPARPACK_LIKELY(!link->plan->has_defaults) || rb_ivar_count(object) > 0;
}

// Reads an object that begins at the input's offset, and fills it only after all that can fail. A key's `hash` may change
// the transport. Then the gem would have gone on with something else. Returns false if the gem's own code has to run.
SPARPACK_COLD bool read_watched(const Link *link, VALUE self, const ThriftEnd &end, const ThriftInput &input,
                                const Options &options, size_t *next) {
    VALUE source = rb_str_new_frozen(input.bytes);
    VALUE other = storage_blank(link->plan, link->plan->klass);
    if (decode(link, other, source, end.wire, options, input.offset, next) == Qundef) return false;
    if (RB_OBJ_FROZEN_RAW(self) || !thrift_input_same(end, input, source)) return false;
    storage_fill_from(link->plan, self, other);
    return true;
}

SPARPACK_INLINE bool read_from(const Link *link, VALUE self, const ThriftEnd &end, const ThriftInput &input,
                               const Options &options, size_t *next) {
    if (SPARPACK_UNLIKELY(link->runs_ruby)) return read_watched(link, self, end, input, options, next);
    return decode(link, self, input.bytes, end.wire, options, input.offset, next) != Qundef;
}

// Lets the gem's own method run after a method of the user's has raised an error. If it raises none, the caller gets the
// first one.
SPARPACK_COLD VALUE run_again(VALUE error, VALUE self, ID name, int argc, const VALUE *argv) {
    return native_call("thrift_again", error, self, ID2SYM(name), rb_ary_new_from_values(argc, argv));
}

// Reads an object whose methods have to be called. They must not be called again when more bytes are there, so an object
// that nobody sees is read first.
SPARPACK_COLD bool read_calling(const Link *link, VALUE self, const ThriftEnd &end, ThriftInput input,
                                const Options &options, ThriftRefusal *refusal, VALUE *error) {
    size_t next = 0;
    for (int refills = 0; end.kind == ThriftTransport::buffered; refills++) {
        if (decodes_unseen(link, input.bytes, end.wire, options, input.offset, &next)) break;
        if (next != decode_truncated || refills == refills_max || !thrift_more(end, &input, refusal)) return false;
    }
    VALUE bytes = rb_str_new_frozen(input.bytes), before = storage_save(self);
    VALUE result = protected_decode(link, self, bytes, end.wire, options, input.offset, &next, error);
    if (SPARPACK_UNLIKELY(!thrift_input_same(end, input, bytes))) {
        thrift_restore(end, input, bytes);
        if (result != Qundef) storage_restore(self, before);
        return false;
    }
    if (result != Qundef) thrift_read_up_to(end, input, next);
    return result != Qundef;
}

// Returns whether it has read. If the transport below a buffer gave no bytes, the gem's own code has to meet that `refusal`,
// too, after the bytes before it. The same holds for an `error` of a method of the user's.
bool try_read(int argc, const VALUE *argv, VALUE self, VALUE *transport, ThriftRefusal *refusal, VALUE *error) {
    const Link *link = link_of(self);
    ThriftEnd end;
    Options options = apache;
    if (!link || !take_depth(argc, argv, &options) || !thrift_source_of(argv[0], &end)) return false;
    if (!can_fill(link, self)) return false;
    options.string = end.string;
    options.binary_uuids = end.binary_uuids;
    options.grows = end.kind == ThriftTransport::buffered;
    ThriftInput input;
    if (SPARPACK_UNLIKELY(thrift_wants_frame(end))) {
        storage_reset(link->plan, self);  // as the gem does before it reads
        thrift_read_frame(end);
    }
    if (!thrift_input(end, &input)) return false;
    *transport = end.transport;
    if (SPARPACK_UNLIKELY(link->plan->calls)) return read_calling(link, self, end, input, options, refusal, error);
    for (int refills = 0;; refills++) {
        size_t next = 0;
        if (SPARPACK_LIKELY(read_from(link, self, end, input, options, &next)))
            return thrift_read_up_to(end, input, next), true;
        if (next != decode_truncated || refills == refills_max || !thrift_more(end, &input, refusal)) return false;
    }
}

// Writes an object whose methods have to be called. One of them may change the transport.
SPARPACK_COLD bool write_calling(const Link *link, VALUE self, const ThriftEnd &end, VALUE target, const Options &options,
                                 VALUE *error) {
    size_t size = thrift_written(target);
    bool direct = RB_TYPE_P(target, T_STRING);
    VALUE bytes = protected_encode(link, self, end.wire, options, direct ? target : 0, error);
    if (bytes == Qundef || thrift_output(end) != target || (!direct && thrift_written(target) != size))
        return thrift_unwrite(target, size), false;
    if (!direct) thrift_write_to(target, bytes);
    return true;
}

bool try_write(int argc, const VALUE *argv, VALUE self, VALUE *error) {
    const Link *link = link_of(self);
    ThriftEnd end;
    Options options = apache;
    if (!link || !take_depth(argc, argv, &options) || !thrift_target_of(argv[0], &end)) return false;
    VALUE target = thrift_output(end);
    if (SPARPACK_UNLIKELY(!target)) return false;
    if (SPARPACK_UNLIKELY(link->plan->calls)) return write_calling(link, self, end, target, options, error);
    if (SPARPACK_LIKELY(RB_TYPE_P(target, T_STRING))) return encode(link, self, end.wire, options, target) != Qundef;
    VALUE bytes = encode(link, self, end.wire, options);
    if (bytes == Qundef) return false;
    thrift_write_to(target, bytes);
    return true;
}

// Returns whether it has set the variables of a new object. It makes no plan, for most objects are never written.
SPARPACK_INLINE bool try_construct(int argc, const VALUE *argv, VALUE self) {
    const Plan *plan = plan_sealed(RBASIC_CLASS(self));
    if (SPARPACK_UNLIKELY(!plan || !is_usable(plan, RBASIC_CLASS(self)))) return false;
    if (argc == 0) return storage_construct(plan, self, Qnil);
    if (argc != 1 || RB_SPECIAL_CONST_P(argv[0]) || RBASIC_CLASS(argv[0]) != rb_cHash) return false;
    return !RTEST(rb_attr_get(gem, id_type_checking)) && storage_construct(plan, self, argv[0]);
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
        } else if (SPARPACK_LIKELY(decode(link, object, bytes, end.wire, options) != Qundef)) {
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
    VALUE result = decode(link, object, bytes, wire, options, static_cast<size_t>(start), &next);
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

struct Replacement {
    const char *name;
    Method function;
    int arity;
};

// Sparpack::Native.thrift_method(module, name): defines a method in a module of the gem. The gem's own has another name by
// now.
VALUE native_thrift_method(VALUE, VALUE place, VALUE name) {
    const Replacement methods[] = {{"initialize", method(thrift_construct), -1},
                                   {"read", method(thrift_read), -1},
                                   {"write", method(thrift_write), -1},
                                   {"serialize", method(thrift_serialize), 1},
                                   {"deserialize", method(thrift_deserialize), 2},
                                   {"flush", method(thrift_flush_frame), 0}};
    if (!RB_TYPE_P(place, T_MODULE)) Check_Type(place, T_CLASS);
    Check_Type(name, T_STRING);
    for (const Replacement &each : methods) {
        if (strcmp(StringValueCStr(name), each.name) == 0) (rb_define_method)(place, each.name, each.function, each.arity);
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
    rb_define_singleton_method(native, "thrift_encode", method(native_thrift_encode), 2);
    rb_define_singleton_method(native, "thrift_decode", method(native_thrift_decode), -1);
    rb_define_singleton_method(native, "thrift_verify", method(native_thrift_verify), 1);
    rb_define_singleton_method(native, "thrift_refuse", method(native_thrift_refuse), 2);
    rb_define_singleton_method(native, "thrift_refusal", method(native_thrift_refusal), 1);
    rb_define_singleton_method(native, "thrift_gem", method(native_thrift_gem), 2);
    rb_define_singleton_method(native, "thrift_method", method(native_thrift_method), 2);
}

}  // namespace sparpack
