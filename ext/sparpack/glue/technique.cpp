// Empty except in a bench build: see bytes/technique.hpp.
#include "../bytes/technique.hpp"

#ifdef SPARPACK_ABLATION

#include "fault.hpp"
#include "native_module.hpp"

namespace sparpack {

namespace {

struct Technique {
    const char *name;
    bool *on;
};

constexpr Technique techniques[] = {
#define SPARPACK_TECHNIQUE(name) {#name, &technique::name},
    SPARPACK_TECHNIQUES(SPARPACK_TECHNIQUE)
#undef SPARPACK_TECHNIQUE
};

// technique(name, on): switches one in all Ractors, until the next call.
VALUE technique_switch(VALUE, VALUE name, VALUE on) {
    for (const Technique &technique : techniques) {
        if (ID2SYM(rb_intern(technique.name)) == name) return (*technique.on = RTEST(on)) ? Qtrue : Qfalse;
    }
    fault_argument("no technique is called %" PRIsVALUE, fault_quote(name));
}

VALUE technique_names(VALUE) {
    VALUE names = rb_ary_new();
    for (const Technique &technique : techniques) rb_ary_push(names, ID2SYM(rb_intern(technique.name)));
    return names;
}

}  // namespace

void technique_init() {
    VALUE native = native_module();
    define_singleton_methods(native, {{"technique", technique_switch}, {"techniques", technique_names}});
}

}  // namespace sparpack

#endif
