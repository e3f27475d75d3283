// The codec as Ruby sees it: Sparpack::Codec, and the methods encode and decode of the classes themselves.
#include "codec.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../glue/output.hpp"
#include "../plan/codec_facts.hpp"
#include "../plan/rows.hpp"
#include "../streams/payload_end.hpp"
#include "../values/text.hpp"
#include "../wire/lz4_sign.hpp"
#include "arguments.hpp"
#include "payload.hpp"

namespace sparpack {

namespace {

[[noreturn]] SPARPACK_COLD void source_refuse(VALUE klass, VALUE bytes) {
    VALUE hint = native_call("source_hint", klass, bytes);
    fault_type("bytes to decode must be a String, got %" PRIsVALUE "%" PRIsVALUE, rb_obj_class(bytes), hint);
}

void source_check(VALUE klass, VALUE bytes) {
    if (SPARPACK_UNLIKELY(!RB_TYPE_P(bytes, T_STRING))) source_refuse(klass, bytes);
}

VALUE source_of(VALUE klass, VALUE bytes) {
    source_check(klass, bytes);
    return unlocked(bytes);
}

// --- the classes' own methods ------------------------------------------------------------------------------------------

// Calls with arguments have functions of their own, so that the common ones need no stack for options.
[[gnu::noinline]] VALUE encode_with_arguments(int argc, VALUE *argv, VALUE self, const Link *link) {
    Arguments arguments(argc, argv, 0, "encode(wire = :compact, **options)");
    return encode_payload(link, self, rb_obj_class(self), arguments.wire, arguments.options);
}

VALUE value_encode(int argc, VALUE *argv, VALUE self) {
    const Link *link = plan_link(storage_plan_of(self));
    if (SPARPACK_UNLIKELY(argc != 0)) return encode_with_arguments(argc, argv, self, link);
    return encode(link, self, WireId::compact, options_usual);
}

[[gnu::noinline]] VALUE decode_with_arguments(int argc, VALUE *argv, VALUE klass, const Link *link) {
    Arguments arguments(argc, argv, 1, "decode(bytes, wire = :compact, **options)");
    if (arguments.options.lazy) return native_call("decode_lazily", klass, rb_ary_new_from_values(argc, argv));
    return decode_payload(link, klass, source_of(klass, argv[0]), arguments.wire, arguments.options);
}

VALUE class_decode(int argc, VALUE *argv, VALUE klass) {
    const Link *link = plan_link(plan_of(klass));
    if (SPARPACK_UNLIKELY(argc != 1)) return decode_with_arguments(argc, argv, klass, link);
    return decode(link, klass, source_of(klass, argv[0]), WireId::compact, options_usual);
}

// Sparpack::Native.from_json(klass, text, options): an object, or an Array of them if the text is an array.
VALUE native_from_json(VALUE, VALUE klass, VALUE text, VALUE options) {
    const Link *link = plan_link(plan_of(klass));
    Check_Type(options, T_HASH);
    Arguments arguments(wire_symbol(WireId::json), options, false);
    arguments.options.arrays = true;
    return decode_payload(link, klass, source_of(klass, text), WireId::json, arguments.options);
}

VALUE native_validate(VALUE, VALUE object, VALUE mode, VALUE all) {
    Check check = check_of(mode);
    const Plan *plan = storage_find(object);
    if (!plan) storage_refuse(object);
    return validate(plan_link(plan), object, check, RTEST(all));
}

// --- Sparpack::Codec ---------------------------------------------------------------------------------------------------

struct Codec {
    VALUE klass;
    const Plan *plan;
    const Link *link;
    Options options;
    WireId wire;
};

void codec_mark(void *data) { rb_gc_mark_movable(static_cast<Codec *>(data)->klass); }
void codec_compact(void *data) { gc_update(&static_cast<Codec *>(data)->klass); }
size_t codec_size(const void *) { return sizeof(Codec); }

const rb_data_type_t codec_type = {"sparpack/codec",
                                   {codec_mark, RUBY_DEFAULT_FREE, codec_size, codec_compact, {nullptr}},
                                   nullptr,
                                   nullptr,
                                   RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | RUBY_TYPED_FROZEN_SHAREABLE};

VALUE codec_allocate(VALUE klass) {
    VALUE object = rb_data_typed_object_zalloc(klass, sizeof(Codec), &codec_type);
    Codec *codec = data_of<Codec>(object);
    codec->klass = Qnil;
    codec->options = options_usual;
    return object;
}

Codec *codec_get(VALUE self) {
    Codec *codec = static_cast<Codec *>(rb_check_typeddata(self, &codec_type));
    if (SPARPACK_UNLIKELY(!codec->link)) fault_type("uninitialized codec");
    return codec;
}

// Sparpack::Native.codec_setup(codec, klass, wire, options)
VALUE native_codec_setup(VALUE, VALUE self, VALUE klass, VALUE wire, VALUE options) {
    Codec *codec = static_cast<Codec *>(rb_check_typeddata(self, &codec_type));
    rb_check_frozen(self);
    Check_Type(options, T_HASH);
    Arguments read(wire, options);
    const Plan *plan = plan_of(klass);
    const Link *link = plan_link(plan);
    form_check(link, traits_of(read.wire));
    rows_check(link, traits_of(read.wire), wire_name(read.wire));
    if (codec->link) fault_type("the codec is already set up");  // checked last: Ruby code above may have set it up
    codec->options = read.options;
    codec->wire = read.wire;
    codec->plan = plan;
    RB_OBJ_WRITE(self, &codec->klass, klass);
    codec->link = link;
    return self;
}

SPARPACK_INLINE void check_object(const Codec *codec, VALUE object) {
    if (SPARPACK_LIKELY(storage_is_own(object, codec->plan)) || storage_is_lazy(object, codec->plan)) return;
    if (storage_fits_adopted(object, codec->plan)) return;
    Fault fault;
    fault.status = Status::value_mismatch;
    fault.expected_class = codec->klass;
    fault.found = object;
    fault_raise_encode(fault, codec->klass, wire_name(codec->wire));
}

VALUE codec_encode(VALUE self, VALUE object) {
    const Codec *codec = codec_get(self);
    check_object(codec, object);
    return encode_payload(codec->link, object, codec->klass, codec->wire, codec->options);
}

CodecFacts facts_of(const Codec *codec) { return {codec->klass, codec->link, &codec->options, codec->wire}; }

LazyDecode lazily;  // written by codec_init alone

// As decode_payload, with the codec's own options.
SPARPACK_INLINE VALUE decode_as(VALUE self, const Codec *codec, VALUE bytes, size_t offset = 0, size_t *next = nullptr,
                                size_t base = 0, bool partial = false) {
    bytes = source_of(codec->klass, bytes);
    if (SPARPACK_UNLIKELY(codec->options.lazy)) {
        VALUE object = lazily(facts_of(codec), self, bytes, offset, next, nullptr);
        if (object != Qundef) return object;
    }
    return decode_payload(codec->link, codec->klass, bytes, codec->wire, codec->options, offset, next, base, partial);
}

VALUE codec_decode(VALUE self, VALUE bytes) { return decode_as(self, codec_get(self), bytes); }

// Sparpack::Native.decode_into(codec, object, bytes): gives an object what the bytes hold. If they cannot be decoded, it
// stays as it is.
VALUE native_decode_into(VALUE, VALUE self, VALUE object, VALUE bytes) {
    const Codec *codec = codec_get(self);
    if (!storage_fits(object, codec->plan))
        fault_type("expected %" PRIsVALUE ", got %" PRIsVALUE, codec->klass, rb_obj_class(object));
    rb_check_frozen(object);
    bytes = source_of(codec->klass, bytes);
    VALUE read = decode_payload(codec->link, codec->klass, bytes, codec->wire, codec->options);
    storage_fill(codec->plan, object, read);
    return object;
}

// Sparpack::Native.decode_prefix(codec, bytes, offset, base, partial): [object, its end]. `partial` says that more bytes
// may follow.
VALUE native_decode_prefix(VALUE, VALUE self, VALUE bytes, VALUE offset, VALUE base, VALUE partial) {
    const Codec *codec = codec_get(self);
    size_t before = NUM2SIZET(base);  // conversions may run Ruby code: the size is read after them
    long start = NUM2LONG(offset), size = RSTRING_LEN(bytes = source_of(codec->klass, bytes));
    if (start < 0 || start > size) fault_argument("offset: expected 0..%ld, got %ld", size, start);
    size_t next = 0;
    VALUE object = decode_as(self, codec, bytes, static_cast<size_t>(start), &next, before, RTEST(partial));
    return rb_assoc_new(object, SIZET2NUM(next));
}

// Sparpack::Native.decode_payload(codec, bytes, base): the object whose bytes these are. `base` is their place in the input.
VALUE native_decode_payload(VALUE, VALUE self, VALUE bytes, VALUE base) {
    const Codec *codec = codec_get(self);
    size_t before = NUM2SIZET(base);
    return decode_as(self, codec, bytes, 0, nullptr, before);
}

// Sparpack::Native.decode_rest(codec, bytes, offset): the object whose bytes begin there and end with the String.
VALUE native_decode_rest(VALUE, VALUE self, VALUE bytes, VALUE offset) {
    const Codec *codec = codec_get(self);
    long start = NUM2LONG(offset), size = RSTRING_LEN(bytes = source_of(codec->klass, bytes));
    if (start < 0 || start > size) fault_argument("offset: expected 0..%ld, got %ld", size, start);
    return decode_as(self, codec, bytes, static_cast<size_t>(start), nullptr, 0);
}

// Sparpack::Native.encode_behind(codec, object, head): the head and the bytes of the object, as a new String.
VALUE native_encode_behind(VALUE, VALUE self, VALUE object, VALUE head) {
    const Codec *codec = codec_get(self);
    Check_Type(head, T_STRING);
    check_object(codec, object);
    if (codec->options.compression != Compression::none)
        fault_argument("a codec that compresses cannot write behind a head");
    OutputTarget target = {rb_str_dup(head)};
    VALUE bytes = encode(codec->link, object, codec->wire, codec->options, &target);
    RB_GC_GUARD(self);
    return bytes;
}

// Sparpack::Native.encode_converted(codec, object, reader, bytes, begin, end, base): encodes an object that a reading codec
// has decoded from a part of the bytes. The part says how long the result may be, and with the base where it is in the
// input.
VALUE native_encode_converted(VALUE, VALUE self, VALUE object, VALUE reader, VALUE bytes, VALUE first, VALUE last,
                              VALUE base) {
    const Codec *codec = codec_get(self), *reads = codec_get(reader);
    const size_t begin = NUM2SIZET(first), end = NUM2SIZET(last), before = NUM2SIZET(base);
    source_check(reads->klass, bytes);
    check_object(codec, object);  // may run Ruby code
    if (begin > end || end > string_size(bytes)) fault_argument("the payload is not in the bytes");
    const uint8_t *payload = string_bytes(bytes) + begin;
    const int64_t most = memory_of_payload(reads->options, traits_of(reads->wire), payload, end - begin);
    const OutputLimit limit = {most, reads->klass, wire_name(reads->wire), before + begin};
    Options options = codec->options;
    options.output = &limit;
    VALUE result = encode(codec->link, object, codec->wire, options);
    if (RSTRING_LEN(result) > most) output_refuse(limit);
    if (options.compression != Compression::none) result = compress_encoded(result, codec->klass, codec->wire, options);
    RB_GC_GUARD(self);
    RB_GC_GUARD(reader);
    return result;
}

// Compresses what was encoded, and then writes it.
SPARPACK_COLD void embed_compressed(const Codec *codec, VALUE object, OutputTarget &target) {
    target.epoch = target.outer->epoch;
    VALUE bytes = encode_payload(codec->link, object, codec->klass, codec->wire, codec->options);
    output_check_target(target);
    Writer &w = target.outer->writer;
    const uint8_t *p = writer_append(w, w.begin + target.used, RSTRING_PTR(bytes), string_size(bytes));
    target.used = static_cast<size_t>(p - w.begin);
    RB_GC_GUARD(bytes);
}

// Reads what only a String can hold: a payload that is compressed, or one of an object that keeps it. Returns Qundef if
// there is too little memory, and Qnil if an object cannot be lazy.
SPARPACK_COLD VALUE extract_string(VALUE self, const Codec *codec, Embedded &payload, bool compressed) {
    if (!charge(payload.memory, string_cost(payload.size))) return Qundef;
    payload.ran_ruby = true;
    VALUE bytes = rb_str_new(reinterpret_cast<const char *>(payload.begin), static_cast<long>(payload.size));
    if (compressed)
        return decode_compressed(codec->link, codec->klass, bytes, codec->wire, codec->options, 0, nullptr, 0, &payload);
    VALUE object = lazily(facts_of(codec), self, bytes, 0, nullptr, &payload);
    return object == Qundef ? Qnil : object;
}

// Sparpack::Native.unlocked(bytes): the String itself or, if a thread reads an io into it, a copy. Ruby code calls this
// before it makes a copy of its own, which would share the memory.
VALUE native_unlocked(VALUE, VALUE bytes) {
    Check_Type(bytes, T_STRING);
    return unlocked(bytes);
}

// Sparpack::Native.lz4_sign(bytes): whether a payload begins like one that is compressed with LZ4.
VALUE native_lz4_sign(VALUE, VALUE bytes) {
    StringValue(bytes);
    const uint8_t *begin = string_bytes(bytes);
    VALUE result = lz4_sign(begin, begin + RSTRING_LEN(bytes)) ? Qtrue : Qfalse;
    RB_GC_GUARD(bytes);
    return result;
}

// Sparpack::Native.lz4_refuse(status, offset, limit): raises the error of bytes that LZ4.inflate cannot read.
VALUE native_lz4_refuse(VALUE, VALUE status, VALUE offset, VALUE limit) {
    Fault fault;
    fault.status = static_cast<Status>(NUM2INT(status));
    switch (fault.status) {
    case Status::truncated:
    case Status::trailing_bytes:
    case Status::bad_lz4_header:
    case Status::bad_lz4_block:
    case Status::decompressed_too_long: break;
    default: fault_argument("status: expected one of reading LZ4");
    }
    if (fault.status == Status::decompressed_too_long) fault.limit = NUM2LONG(limit);
    fault_raise_decode(fault, rb_utf8_str_new_cstr("LZ4"), "lz4", NUM2LONG(offset), 0);
}

VALUE codec_wire(VALUE self) { return wire_symbol(codec_get(self)->wire); }
VALUE codec_class(VALUE self) { return codec_get(self)->klass; }

VALUE native_payload_end(VALUE, VALUE self) {
    const Codec *codec = codec_get(self);
    return payload_end_new(codec->wire, codec->options.depth, codec->options.utf8_keep);
}

// The most bytes that one payload from an io may have.
VALUE native_codec_payload_limit(VALUE, VALUE self) { return LL2NUM(codec_get(self)->options.payload); }

// Sparpack::Native.codec_check_payload(codec, size, offset): raises LimitExceeded if a payload from an io is too long.
// `offset` is where it begins.
VALUE native_codec_check_payload(VALUE, VALUE self, VALUE size, VALUE offset) {
    const Codec *codec = codec_get(self);
    if (NUM2LL(size) <= codec->options.payload) return Qnil;
    Fault fault;
    fault.status = Status::payload_too_long;
    fault.limit = static_cast<long>(codec->options.payload);
    fault_raise_decode(fault, codec->klass, wire_name(codec->wire), NUM2LONG(offset), NUM2LONG(offset));
}

}  // namespace

CodecFacts codec_facts(VALUE self) { return facts_of(codec_get(self)); }

// Readers and constructors may replace what holds the codec.
void codec_embed(VALUE self, VALUE object, OutputTarget &target) {
    const Codec *codec = codec_get(self);
    check_object(codec, object);
    if (SPARPACK_UNLIKELY(codec->options.compression != Compression::none)) {
        embed_compressed(codec, object, target);
    } else {
        encode(codec->link, object, codec->wire, codec->options, &target);
    }
    RB_GC_GUARD(self);
}

VALUE codec_extract(VALUE self, Embedded &payload) {
    const Codec *codec = codec_get(self);
    const bool compressed = is_compressed(codec->wire, payload.begin, payload.begin + payload.size);
    VALUE object = Qnil;
    if (SPARPACK_UNLIKELY(compressed || (codec->options.lazy && !payload.freeze)))
        object = extract_string(self, codec, payload, compressed);
    if (SPARPACK_LIKELY(NIL_P(object))) {
        payload.ran_ruby |= codec->link->runs_ruby;
        object = decode(codec->link, codec->klass, Qnil, codec->wire, codec->options, 0, nullptr, 0, false, &payload);
    }
    RB_GC_GUARD(self);
    return object;
}

void form_refuse(const Link *link) {
    const Link *far = link->scattered;
    if (far->fields[0].id < 0)
        fault_schema("%" PRIsVALUE ": an array has no place for a negative id (use keys: :ids)", far->plan->klass);
    fault_schema("%" PRIsVALUE ": the ids are too far apart for an array (use keys: :ids)", far->plan->klass);
}

void codec_init(VALUE sparpack, LazyDecode lazy_decode) {
    lazily = lazy_decode;
    arguments_init(sparpack);
    define_methods(rb_const_get(sparpack, rb_intern("Value")), {{"encode", value_encode}});
    define_methods(rb_const_get(sparpack, rb_intern("Declaration")), {{"decode", class_decode}});

    VALUE codec = rb_const_get(sparpack, rb_intern("Codec"));
    rb_define_alloc_func(codec, codec_allocate);
    rb_undef_method(codec, "initialize_copy");
    define_methods(
        codec, {{"encode", codec_encode}, {"decode", codec_decode}, {"wire", codec_wire}, {"struct_class", codec_class}});

    VALUE native = native_module();
    define_singleton_methods(native, {{"codec_setup", native_codec_setup},
                                      {"codec_payload_limit", native_codec_payload_limit},
                                      {"codec_check_payload", native_codec_check_payload},
                                      {"payload_end", native_payload_end},
                                      {"unlocked", native_unlocked},
                                      {"decode_into", native_decode_into},
                                      {"decode_prefix", native_decode_prefix},
                                      {"decode_payload", native_decode_payload},
                                      {"decode_rest", native_decode_rest},
                                      {"encode_behind", native_encode_behind},
                                      {"encode_converted", native_encode_converted},
                                      {"lz4_sign", native_lz4_sign},
                                      {"lz4_refuse", native_lz4_refuse},
                                      {"from_json", native_from_json},
                                      {"validate", native_validate}});

    VALUE kinds = rb_ary_new();
    for (const char *name : kind_names) rb_ary_push(kinds, ID2SYM(rb_intern(name)));
    rb_define_const(native, "KINDS", rb_obj_freeze(kinds));
}

}  // namespace sparpack
