// The mutant of this process. See mutant.hpp.
#include <ruby.h>

#include <cstring>

extern "C" {
int sparpack_mutant;
uint8_t sparpack_mutants_reached[SPARPACK_MUTANTS + 1];
}

namespace {

VALUE set_active(VALUE, VALUE number) { return sparpack_mutant = NUM2INT(number), number; }

// Returns the numbers of the mutants that were reached since the last call.
VALUE take_reached(VALUE) {
    VALUE numbers = rb_ary_new();
    for (int i = 1; i <= SPARPACK_MUTANTS; i++) {
        if (sparpack_mutants_reached[i]) rb_ary_push(numbers, INT2FIX(i));
    }
    memset(sparpack_mutants_reached, 0, sizeof sparpack_mutants_reached);
    return numbers;
}

}  // namespace

// Processes that tests start have their mutant in the environment.
void mutation_init() {
    if (const char *text = getenv("SPARPACK_MUTANT")) sparpack_mutant = atoi(text);
    VALUE module = rb_define_module("SparpackMutants");
    rb_define_singleton_method(module, "active=", set_active, 1);
    rb_define_singleton_method(module, "take_reached", take_reached, 0);
}
