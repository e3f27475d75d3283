#include "arguments.hpp"

#include <cstdlib>
#include <initializer_list>

#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../values/text.hpp"

namespace sparpack {

namespace {

// Written by arguments_init alone. The Symbols of wires and options are static and never move.
VALUE wire_symbols[wire_count];
VALUE opt_limits, opt_validate, opt_unknown, opt_freeze, opt_utf8, opt_mismatch, opt_keys, opt_enums, opt_i64, opt_frame,
    opt_compression, opt_lazy, opt_observe;
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
constexpr Choice keys[] = {{"array", static_cast<int>(Keys::array)},
                           {"names", static_cast<int>(Keys::names)},
                           {"ids", static_cast<int>(Keys::ids)}};
constexpr Choice enums[] = {{"numbers", 0}, {"names", 1}};
constexpr Choice integers[] = {{"number", 0}, {"string", 1}};
constexpr Choice compressions[] = {{"lz4", static_cast<int>(Compression::lz4)},
                                   {"lz4_block", static_cast<int>(Compression::lz4_block)}};

// The message begins with `what`, such as "unknown: expected".
template <size_t n> int choose(const char *what, const Choice (&choices)[n], VALUE value) {
    if (SYMBOL_P(value)) {
        VALUE name = rb_sym2str(value);
        for (const Choice &choice : choices) {
            size_t size = strlen(choice.name);
            if (string_size(name) == size && memcmp(choice.name, RSTRING_PTR(name), size) == 0) return choice.value;
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

// nil is false, so that an option can be passed on.
bool flag(const char *what, VALUE value) {
    if (RTEST(value) && value != Qtrue) fault_argument("%s true or false, got %" PRIsVALUE, what, fault_quote(value));
    return value == Qtrue;
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
    options->decompressed = limit(limits, "decompressed", unlimited);
    options->depth = static_cast<int>(limit(limits, "depth", depth_max, 1, depth_max));
    if (options->depth > depth_usual) options->depth_watched = depth_max;
}

// Which options only some wires know.
bool knows(WireId wire, VALUE option) {
    const WireTraits &traits = traits_of(wire);
    return option == opt_keys          ? traits.keys != Keys::none
           : option == opt_enums       ? traits.enum_names
           : option == opt_i64         ? traits.integer_text
           : option == opt_compression ? traits.compression
                                       : true;
}

// Raises ArgumentError for an option that only other wires know.
void check_known(WireId wire, VALUE option) {
    if (SPARPACK_LIKELY(knows(wire, option))) return;
    VALUE others = rb_str_new(nullptr, 0);
    for (size_t i = 0; i < wire_count; i++) {
        WireId other = static_cast<WireId>(i);
        if (wire_symbols[i] && knows(other, option) && !traits_of(other).form_of)
            rb_str_catf(others, "%s:%s", RSTRING_LEN(others) ? ", " : "", wire_name(other));
    }
    fault_argument("the wire :%s does not know the option %" PRIsVALUE " (known to %" PRIsVALUE ")", wire_name(wire),
                   fault_quote(option), others);
}

// The form of a wire that has these keys.
WireId form_of(WireId wire, Keys keys) {
    for (size_t i = 0; i < wire_count; i++) {
        WireId form = static_cast<WireId>(i);
        if (traits_of(form).keys == keys && wire_symbols[i] == wire_symbol(wire)) return form;
    }
    return wire;
}

int option_read(VALUE name, VALUE value, VALUE data) {
    Arguments &arguments = *reinterpret_cast<Arguments *>(data);
    Options &options = arguments.options;
    check_known(arguments.wire, name);
    if (name == opt_limits) {
        if (!NIL_P(value)) limits_read(value, &options);
    } else if (name == opt_validate) {
        options.validate = static_cast<Check>(choose("validate: expected", checks, value));
    } else if (name == opt_unknown) {
        options.unknown = static_cast<Unknown>(choose("unknown: expected", unknowns, value));
    } else if (name == opt_freeze) {
        options.freeze = flag("freeze: expected", value);
    } else if (name == opt_lazy) {
        options.lazy = flag("lazy: expected", value);
    } else if (name == opt_utf8) {
        options.utf8_keep = choose("utf8: expected", utf8s, value) == 1;
    } else if (name == opt_mismatch) {
        options.mismatch_skip = choose("mismatch: expected", mismatches, value) == 1;
    } else if (name == opt_keys) {
        arguments.wire = form_of(arguments.wire, static_cast<Keys>(choose("keys: expected", keys, value)));
    } else if (name == opt_enums) {
        options.enum_names = choose("enums: expected", enums, value) == 1;
    } else if (name == opt_i64) {
        options.integer_text = choose("i64: expected", integers, value) == 1;
    } else if (name == opt_compression) {
        if (NIL_P(value)) return options.compression = Compression::none, ST_CONTINUE;
        options.compression = static_cast<Compression>(choose("compression: expected", compressions, value));
        native_call("load_compression");
    } else if ((name != opt_frame && name != opt_observe) || !arguments.of_codec) {
        VALUE known = rb_ary_new();
        for (VALUE option : {opt_limits, opt_validate, opt_unknown, opt_freeze, opt_lazy, opt_utf8, opt_mismatch, opt_keys,
                             opt_enums, opt_i64, opt_compression}) {
            if (knows(arguments.wire, option)) rb_ary_push(known, option);
        }
        if (arguments.of_codec) rb_ary_push(rb_ary_push(known, opt_frame), opt_observe);
        VALUE hint = native_call("option_hint", name, value, known);
        fault_argument("unknown option %" PRIsVALUE "%" PRIsVALUE, fault_quote(name), hint);
    }
    return ST_CONTINUE;
}

void options_read(VALUE hash, Arguments *arguments) {
    rb_hash_foreach(hash, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(option_read), reinterpret_cast<VALUE>(arguments));
}

VALUE static_symbol(const char *name) { return ID2SYM(rb_intern(name)); }

}  // namespace

Arguments::Arguments(int argc, const VALUE *argv, int leading, const char *form) {
    int count = argc;
    VALUE keywords = Qnil;
    if (rb_keyword_given_p()) keywords = argv[--count];
    if (count < leading || count > leading + 1)
        fault_argument("wrong number of arguments (given %d, expected %d..%d: %s)", count, leading, leading + 1, form);
    if (count > leading) wire = wire_of(argv[leading]);
    if (SPARPACK_UNLIKELY(!NIL_P(keywords))) options_read(keywords, this);
}

Arguments::Arguments(VALUE wire_name, VALUE hash, bool codec) : wire(wire_of(wire_name)), of_codec(codec) {
    options_read(hash, this);
}

Check check_of(VALUE mode) { return static_cast<Check>(choose("a mode is", checks, mode)); }

VALUE wire_symbol(WireId wire) { return wire_symbols[static_cast<size_t>(wire)]; }

void arguments_init(VALUE sparpack) {
    VALUE wires = rb_ary_new(), texts = rb_ary_new();
    // Only tests that ask for the wires of the tests get them (test/support/test_wires.rb).
    size_t named = wires_of_tests && !getenv("SPARPACK_TEST_WIRES") ? wire_count - wires_of_tests : wire_count;
    for (size_t i = 0; i < named; i++) {
        wire_symbols[i] = static_symbol(wire_name(static_cast<WireId>(i)));
        const WireTraits &traits = traits_of(static_cast<WireId>(i));
        if (!traits.form_of) rb_ary_push(wires, wire_symbols[i]);
        if (traits.text) rb_ary_push(texts, wire_symbols[i]);
    }
    rb_define_const(sparpack, "WIRES", rb_obj_freeze(wires));
    // Those that are text.
    rb_define_const(native_module(), "TEXT_WIRES", rb_obj_freeze(texts));
    opt_limits = static_symbol("limits");
    opt_validate = static_symbol("validate");
    opt_unknown = static_symbol("unknown");
    opt_freeze = static_symbol("freeze");
    opt_lazy = static_symbol("lazy");
    opt_utf8 = static_symbol("utf8");
    opt_mismatch = static_symbol("mismatch");
    opt_keys = static_symbol("keys");
    opt_enums = static_symbol("enums");
    opt_i64 = static_symbol("i64");
    opt_frame = static_symbol("frame");
    opt_compression = static_symbol("compression");
    opt_observe = static_symbol("observe");
    VALUE known = rb_hash_new();  // {wire => its own options}
    for (size_t i = 0; i < named; i++) {
        VALUE own = rb_ary_new();
        for (VALUE option : {opt_keys, opt_enums, opt_i64, opt_compression}) {
            if (knows(static_cast<WireId>(i), option)) rb_ary_push(own, option);
        }
        rb_hash_aset(known, wire_symbols[i], rb_obj_freeze(own));
    }
    rb_define_const(native_module(), "WIRE_OPTIONS", rb_obj_freeze(known));
    limits_class = rb_const_get(sparpack, rb_intern("Limits"));
    rb_gc_register_mark_object(limits_class);
    rb_define_const(limits_class, "DEPTH_MAX", INT2FIX(depth_max));
}

}  // namespace sparpack
