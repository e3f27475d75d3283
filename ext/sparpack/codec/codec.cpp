// The codec as Ruby sees it: Sparpack::Codec, and the methods encode and decode of the classes themselves.
#include "codec.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../glue/text.hpp"

namespace sparpack {

namespace {

// Written by codec_init alone. The Symbols of wires and options are static and never move.
VALUE wire_symbols[wire_count];
VALUE opt_limits, opt_validate, opt_unknown, opt_freeze, opt_utf8, opt_mismatch;
VALUE limits_class;

struct Choice {
    const char *name;
    int value;
};

constexpr Choice checks[] = {{"none", static_cast<int>(Check::none)},
                             {"normal", static_cast<int>(Check::normal)},
                             {"strict", static_cast<int>(Check::strict)},
                             {"recursive", static_cast<int>(Check::recursive)}};
constexpr Choice unknowns[] = {{"skip", static_cast<int>(Unknown::skip)},
                               {"reject", static_cast<int>(Unknown::reject)},
                               {"keep", static_cast<int>(Unknown::keep)}};
constexpr Choice utf8s[] = {{"check", 0}, {"keep", 1}};
constexpr Choice mismatches[] = {{"raise", 0}, {"skip", 1}};

// The message begins with `what`, such as "unknown: expected".
template <size_t n> int choose(const char *what, const Choice (&choices)[n], VALUE value) {
    if (SYMBOL_P(value)) {
        VALUE name = rb_sym2str(value);
        for (const Choice &choice : choices) {
            size_t size = strlen(choice.name);
            if (static_cast<size_t>(RSTRING_LEN(name)) == size && memcmp(choice.name, RSTRING_PTR(name), size) == 0)
                return choice.value;
        }
    }
    VALUE known = rb_str_new(nullptr, 0), symbols = rb_ary_new();
    for (const Choice &choice : choices) {
        rb_str_catf(known, "%s:%s", RSTRING_LEN(known) ? ", " : "", choice.name);
        rb_ary_push(symbols, ID2SYM(rb_intern(choice.name)));
    }
    VALUE hint = native_call("choice_hint", value, symbols);
    fault_argument("%s one of %" PRIsVALUE ", got %" PRIsVALUE "%" PRIsVALUE, what, known, fault_quote(value), hint);
}

WireId wire_of(VALUE symbol) {
    for (size_t i = 0; i < wire_count; i++) {
        if (SPARPACK_LIKELY(wire_symbols[i] == symbol)) return static_cast<WireId>(i);
    }
    VALUE hint = native_call("wire_hint", symbol);
    fault_argument("unknown wire %" PRIsVALUE "%" PRIsVALUE, fault_quote(symbol), hint);
}

// Checks the range, because a subclass of Limits may return what Limits#initialize refuses.
int64_t limit(VALUE limits, const char *name, int64_t none, int64_t least = 0, int64_t most = unlimited) {
    VALUE value = rb_funcall(limits, rb_intern(name), 0);
    if (NIL_P(value)) return none;
    int64_t number = NUM2LL(value);
    if (number < least || number > most) fault_argument("%s: out of range, got %" PRIsVALUE, name, fault_quote(value));
    return number;
}

void limits_read(VALUE limits, Options *options) {
    if (!RTEST(rb_obj_is_kind_of(limits, limits_class))) {
        VALUE hint = native_call("limits_hint", limits);
        fault_argument("limits: expected a Sparpack::Limits, got %" PRIsVALUE "%" PRIsVALUE, fault_quote(limits), hint);
    }
    options->memory = limit(limits, "memory", -1);
    options->payload = limit(limits, "message", unlimited);
    options->string = limit(limits, "string", unlimited);
    options->container = limit(limits, "container", unlimited);
    options->depth = static_cast<int>(limit(limits, "depth", depth_max, 1, depth_max));
    if (options->depth > depth_usual) options->depth_watched = depth_max;
}

int option_read(VALUE name, VALUE value, VALUE data) {
    Options *options = reinterpret_cast<Options *>(data);
    if (name == opt_limits) {
        if (!NIL_P(value)) limits_read(value, options);
    } else if (name == opt_validate) {
        options->validate = static_cast<Check>(choose("validate: expected", checks, value));
    } else if (name == opt_unknown) {
        options->unknown = static_cast<Unknown>(choose("unknown: expected", unknowns, value));
    } else if (name == opt_freeze) {
        options->freeze = RTEST(value);
    } else if (name == opt_utf8) {
        options->utf8_keep = choose("utf8: expected", utf8s, value) == 1;
    } else if (name == opt_mismatch) {
        options->mismatch_skip = choose("mismatch: expected", mismatches, value) == 1;
    } else {
        VALUE known = rb_ary_new_from_args(6, opt_limits, opt_validate, opt_unknown, opt_freeze, opt_utf8, opt_mismatch);
        VALUE hint = native_call("option_hint", name, value, known);
        fault_argument("unknown option %" PRIsVALUE "%" PRIsVALUE, fault_quote(name), hint);
    }
    return ST_CONTINUE;
}

void options_read(VALUE hash, Options *options) {
    if (NIL_P(hash)) return;
    rb_hash_foreach(hash, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(option_read), reinterpret_cast<VALUE>(options));
}

// Reads arguments of the form (…, wire = :compact, **options).
struct Arguments {
    WireId wire = WireId::compact;
    Options options;

    Arguments(int argc, const VALUE *argv, int leading, const char *form) {
        int count = argc;
        VALUE keywords = Qnil;
        if (rb_keyword_given_p()) keywords = argv[--count];
        if (count < leading || count > leading + 1)
            fault_argument("wrong number of arguments (given %d, expected %d..%d: %s)", count, leading, leading + 1, form);
        if (count > leading) wire = wire_of(argv[leading]);
        if (SPARPACK_UNLIKELY(!NIL_P(keywords))) options_read(keywords, &options);
    }
};

[[noreturn]] SPARPACK_COLD void source_refuse(VALUE klass, VALUE bytes) {
    VALUE hint = native_call("source_hint", klass, bytes);
    fault_type("bytes to decode must be a String, got %" PRIsVALUE "%" PRIsVALUE, rb_obj_class(bytes), hint);
}

VALUE source_of(VALUE klass, VALUE bytes) {
    if (SPARPACK_UNLIKELY(!RB_TYPE_P(bytes, T_STRING))) source_refuse(klass, bytes);
    return bytes;
}

// --- the classes' own methods ------------------------------------------------------------------------------------------

// Calls with arguments have functions of their own, so that the common ones need no stack for options.
[[gnu::noinline]] VALUE encode_with_arguments(int argc, VALUE *argv, VALUE self, const Link *link) {
    Arguments arguments(argc, argv, 0, "encode(wire = :compact, **options)");
    return encode(link, self, arguments.wire, arguments.options);
}

VALUE value_encode(int argc, VALUE *argv, VALUE self) {
    const Link *link = plan_link(storage_check(self));
    if (SPARPACK_UNLIKELY(argc != 0)) return encode_with_arguments(argc, argv, self, link);
    return encode(link, self, WireId::compact, options_usual);
}

[[gnu::noinline]] VALUE decode_with_arguments(int argc, VALUE *argv, VALUE klass, const Link *link) {
    Arguments arguments(argc, argv, 1, "decode(bytes, wire = :compact, **options)");
    return decode(link, klass, source_of(klass, argv[0]), arguments.wire, arguments.options);
}

VALUE class_decode(int argc, VALUE *argv, VALUE klass) {
    const Link *link = plan_link(plan_of(klass));
    if (SPARPACK_UNLIKELY(argc != 1)) return decode_with_arguments(argc, argv, klass, link);
    return decode(link, klass, source_of(klass, argv[0]), WireId::compact, options_usual);
}

VALUE native_validate(VALUE, VALUE object, VALUE mode, VALUE all) {
    Check check = static_cast<Check>(choose("a mode is", checks, mode));
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
    Options read;
    options_read(options, &read);
    WireId id = wire_of(wire);
    const Plan *plan = plan_of(klass);
    const Link *link = plan_link(plan);
    if (codec->link) fault_type("the codec is already set up");  // checked last: Ruby code above may have set it up
    codec->options = read;
    codec->wire = id;
    codec->plan = plan;
    RB_OBJ_WRITE(self, &codec->klass, klass);
    codec->link = link;
    return self;
}

VALUE codec_encode(VALUE self, VALUE object) {
    const Codec *codec = codec_get(self);
    if (SPARPACK_UNLIKELY(!storage_fits(object, codec->plan))) {
        Fault fault;
        fault.status = Status::value_mismatch;
        fault.expected_class = codec->klass;
        fault.found = object;
        fault_raise_encode(fault, codec->klass, wire_name(codec->wire));
    }
    return encode(codec->link, object, codec->wire, codec->options);
}

VALUE codec_decode(VALUE self, VALUE bytes) {
    const Codec *codec = codec_get(self);
    return decode(codec->link, codec->klass, source_of(codec->klass, bytes), codec->wire, codec->options);
}

// Sparpack::Native.decode_into(codec, object, bytes): gives an object what the bytes hold. If they cannot be decoded, it
// stays as it is.
VALUE native_decode_into(VALUE, VALUE self, VALUE object, VALUE bytes) {
    const Codec *codec = codec_get(self);
    if (!storage_fits(object, codec->plan))
        fault_type("expected %" PRIsVALUE ", got %" PRIsVALUE, codec->klass, rb_obj_class(object));
    rb_check_frozen(object);
    storage_fill(codec->plan, object, codec_decode(self, bytes));
    return object;
}

// Sparpack::Native.decode_prefix(codec, bytes, offset, base, partial): [object, its end]. `partial` says that more bytes
// may follow.
VALUE native_decode_prefix(VALUE, VALUE self, VALUE bytes, VALUE offset, VALUE base, VALUE partial) {
    const Codec *codec = codec_get(self);
    size_t before = NUM2SIZET(base);  // conversions may run Ruby code: the size is read after them
    long start = NUM2LONG(offset), size = RSTRING_LEN(source_of(codec->klass, bytes));
    if (start < 0 || start > size) fault_argument("offset: expected 0..%ld, got %ld", size, start);
    size_t next = 0;
    VALUE object = decode(codec->link, codec->klass, bytes, codec->wire, codec->options, static_cast<size_t>(start), &next,
                          before, RTEST(partial));
    return rb_assoc_new(object, SIZET2NUM(next));
}

VALUE codec_wire(VALUE self) { return wire_symbols[static_cast<size_t>(codec_get(self)->wire)]; }
VALUE codec_class(VALUE self) { return codec_get(self)->klass; }

VALUE native_payload_end(VALUE, VALUE self) {
    const Codec *codec = codec_get(self);
    return payload_end_new(codec->wire, codec->options.depth);
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

VALUE static_symbol(const char *name) { return ID2SYM(rb_intern(name)); }

}  // namespace

void codec_init(VALUE sparpack) {
    for (size_t i = 0; i < wire_count; i++) wire_symbols[i] = static_symbol(wire_names[i]);
    opt_limits = static_symbol("limits");
    opt_validate = static_symbol("validate");
    opt_unknown = static_symbol("unknown");
    opt_freeze = static_symbol("freeze");
    opt_utf8 = static_symbol("utf8");
    opt_mismatch = static_symbol("mismatch");
    limits_class = rb_const_get(sparpack, rb_intern("Limits"));
    rb_gc_register_mark_object(limits_class);
    rb_define_const(limits_class, "DEPTH_MAX", INT2FIX(depth_max));

    rb_define_method(rb_const_get(sparpack, rb_intern("Value")), "encode", method(value_encode), -1);
    rb_define_method(rb_const_get(sparpack, rb_intern("Declaration")), "decode", method(class_decode), -1);

    VALUE codec = rb_const_get(sparpack, rb_intern("Codec"));
    rb_define_alloc_func(codec, codec_allocate);
    rb_undef_method(codec, "initialize_copy");
    rb_define_method(codec, "encode", method(codec_encode), 1);
    rb_define_method(codec, "decode", method(codec_decode), 1);
    rb_define_method(codec, "wire", method(codec_wire), 0);
    rb_define_method(codec, "struct_class", method(codec_class), 0);

    VALUE native = native_module();
    rb_define_singleton_method(native, "codec_setup", method(native_codec_setup), 4);
    rb_define_singleton_method(native, "codec_payload_limit", method(native_codec_payload_limit), 1);
    rb_define_singleton_method(native, "codec_check_payload", method(native_codec_check_payload), 3);
    rb_define_singleton_method(native, "payload_end", method(native_payload_end), 1);
    rb_define_singleton_method(native, "decode_into", method(native_decode_into), 3);
    rb_define_singleton_method(native, "decode_prefix", method(native_decode_prefix), 5);
    rb_define_singleton_method(native, "validate", method(native_validate), 3);

    VALUE wires = rb_ary_new();
    for (VALUE symbol : wire_symbols) rb_ary_push(wires, symbol);
    rb_define_const(sparpack, "WIRES", rb_obj_freeze(wires));
    VALUE kinds = rb_ary_new();
    for (const char *name : kind_names) rb_ary_push(kinds, static_symbol(name));
    rb_define_const(native, "KINDS", rb_obj_freeze(kinds));
}

}  // namespace sparpack
