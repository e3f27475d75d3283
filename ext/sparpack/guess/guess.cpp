// Sparpack::Native.guess, and the hint of a failed decode. A wrong hint is worse than none, so doubt means none.
#include "../bytes/small.hpp"  // it runs once for an error: a third less code, and as much less time to compile it

#include "guess.hpp"

#include "../glue/native_module.hpp"
#include "../objects/storage.hpp"
#include "search.hpp"

namespace sparpack {

Guess guess(const Stretch &all, const Link *link, Sign tried, Extent extent) {
    bool stream = extent == Extent::stream;
    Search search(link, tried, stream);
    if (all.size() == 0) {
        search.found(layer(Sign::empty));
        return search.guess;
    }
    bool whole = extent == Extent::whole || stream;
    Trial first = tried != Sign::none ? try_wire(tried, all, link, &search.left) : Trial();
    if (first.found.named || fits(first, whole)) return search.guess;
    if (search.wire_that_fits(all, whole) || extent == Extent::later) return search.guess;
    // If the wire reads several fields, or one with many values, the payload is damaged, or its class has changed.
    bool is_large = first.found.own == 1 && first.found.strange == 0 && first.events > 8;
    if (first.found.own > 1 || is_large) return search.guess;
    if (link && search.several(all)) return search.guess;
    if (!search.other_format(all) && !search.envelope(all)) search.payloads(all);
    return search.guess;
}

static VALUE symbol(Sign sign) { return ID2SYM(rb_intern(sign_names[static_cast<size_t>(sign)])); }

static Sign sign_of(WireId wire) {
    for (size_t i = 0; i < sign_count; i++) {
        if (strcmp(sign_names[i], wire_name(wire)) == 0) return static_cast<Sign>(i);
    }
    return Sign::none;
}

static VALUE symbol(Rest rest) {
    constexpr const char *names[] = {nullptr, "unread", "cut", "strange"};
    const char *name = names[static_cast<size_t>(rest)];
    return name ? ID2SYM(rb_intern(name)) : Qnil;
}

// [[sign, whether it fits the class, where the inner bytes begin, their size, or nil if they go on to the end, how many
// payloads or frames there are, and what follows them, or nil], …]
static VALUE layers_of(const Guess &guess) {
    VALUE layers = rb_ary_new();
    for (int i = 0; i < guess.count; i++) {
        const Layer &layer = guess.layers[i];
        VALUE size = layer.to_end ? Qnil : UINT2NUM(layer.size);
        rb_ary_push(layers, rb_ary_new_from_args(6, symbol(layer.sign), layer.fits ? Qtrue : Qfalse, UINT2NUM(layer.at),
                                                 size, UINT2NUM(layer.count), symbol(layer.rest)));
    }
    return layers;
}

VALUE guess_hint(const Stretch &all, const Link *link, WireId tried, Extent extent) {
    Guess found = guess(all, link, sign_of(tried), extent);
    // JSON says of itself what is wrong with it.
    const Layer &last = found.layers[found.count ? found.count - 1 : 0];
    bool itself = last.sign == Sign::json && (found.count == 1 || found.layers[0].sign == Sign::utf8);
    if (found.count && itself && sign_of(tried) == Sign::json) return Qnil;
    if (found.count == 0 || (last.sign == Sign::empty && extent == Extent::later)) return Qnil;
    return native_call("guess_hint", layers_of(found), ID2SYM(rb_intern(wire_name(tried))));
}

// Sparpack::Native.guess(bytes, class or nil, whole, stream): the layers, from the outside in. Unless `whole`, other bytes
// follow. With `stream`, several payloads may follow one another.
static VALUE native_guess(VALUE, VALUE bytes, VALUE klass, VALUE whole, VALUE stream) {
    const Link *link = NIL_P(klass) ? nullptr : plan_link(plan_of(klass));
    Check_Type(bytes, T_STRING);
    bytes = unlocked(bytes);
    const uint8_t *begin = string_bytes(bytes);
    Guess found = guess({begin, begin + RSTRING_LEN(bytes), !RTEST(whole)}, link, Sign::none,
                        RTEST(stream) ? Extent::stream : Extent::whole);
    RB_GC_GUARD(bytes);
    return layers_of(found);
}

void guess_init() { define_singleton_methods(native_module(), {{"guess", native_guess}}); }

}  // namespace sparpack
