#include "protected.hpp"

namespace sparpack {

namespace {

struct Attempt {
    const Link *link;
    VALUE object;
    VALUE source;  // of a decode
    VALUE target;  // of an encode
    WireId wire;
    Options options;
    size_t offset;
    size_t *next;
    VALUE result;
};

VALUE run(VALUE data) {
    Attempt &attempt = *reinterpret_cast<Attempt *>(data);
    attempt.options.calls = true;
    OutputTarget target = {attempt.target};
    attempt.result = attempt.source ? decode(attempt.link, attempt.object, attempt.source, attempt.wire, attempt.options,
                                             attempt.offset, attempt.next)
                                    : encode(attempt.link, attempt.object, attempt.wire, attempt.options,
                                             target.string ? &target : nullptr);
    return Qnil;
}

bool is_a(VALUE error, VALUE klass) { return RTEST(rb_obj_is_kind_of(error, klass)); }

// Returns the error that rb_protect has met. Jumps on if that is not one that is usually rescued. What is thrown is not an
// object that Ruby code could have.
VALUE take_error(int state) {
    VALUE error = rb_errinfo();
    bool is_object = !RB_SPECIAL_CONST_P(error) && RB_BUILTIN_TYPE(error) != RUBY_T_IMEMO;
    if (!is_object || !(is_a(error, rb_eStandardError) || is_a(error, rb_eScriptError))) rb_jump_tag(state);
    rb_set_errinfo(Qnil);
    return error;
}

VALUE protect(Attempt &attempt, VALUE *error) {
    int state = 0;
    rb_protect(run, reinterpret_cast<VALUE>(&attempt), &state);
    if (SPARPACK_UNLIKELY(state != 0)) return *error = take_error(state), Qundef;
    return attempt.result;
}

}  // namespace

VALUE protected_encode(const Link *link, VALUE object, WireId wire, const Options &options, VALUE target, VALUE *error) {
    Attempt attempt = {link, object, 0, target, wire, options, 0, nullptr, Qundef};
    return protect(attempt, error);
}

VALUE protected_decode(const Link *link, VALUE object, VALUE source, WireId wire, const Options &options, size_t offset,
                       size_t *next, VALUE *error) {
    VALUE frozen = unlocked_frozen(source), before = storage_save(object);
    Attempt attempt = {link, object, frozen, 0, wire, options, offset, next, Qundef};
    VALUE result = protect(attempt, error);
    if (result == Qundef) storage_restore(object, before);
    RB_GC_GUARD(frozen);
    return result;
}

bool decodes_unseen(const Link *link, VALUE source, WireId wire, const Options &options, size_t offset, size_t *next) {
    Options unseen = options;
    unseen.validate = Check::none;  // a constructor may set what is not read
    return decode(link, link->plan->klass, unlocked(source), wire, unseen, offset, next) != Qundef;
}

}  // namespace sparpack
