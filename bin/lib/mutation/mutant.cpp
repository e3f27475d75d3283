// The mutant of this process. See mutant.hpp.
#include <fcntl.h>
#include <ruby.h>
#include <sys/mman.h>

#include <cstring>

namespace {

constexpr size_t reached_size = SPARPACK_MUTANTS + 1;

uint8_t own[reached_size];

}  // namespace

extern "C" {
int sparpack_mutant;
uint8_t *sparpack_mutants_reached = own;
}

namespace {

// The processes that a test starts write to the same file, however they end.
void share(const char *path) {
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, reached_size) != 0) rb_sys_fail(path);
    void *shared = mmap(nullptr, reached_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED) rb_sys_fail(path);
    sparpack_mutants_reached = static_cast<uint8_t *>(shared);
}

VALUE set_active(VALUE, VALUE number) { return sparpack_mutant = NUM2INT(number), number; }

// Returns the numbers of the mutants that were reached since the last call.
VALUE take_reached(VALUE) {
    VALUE numbers = rb_ary_new();
    for (int i = 1; i <= SPARPACK_MUTANTS; i++) {
        if (sparpack_mutants_reached[i]) rb_ary_push(numbers, INT2FIX(i));
    }
    memset(sparpack_mutants_reached, 0, reached_size);
    return numbers;
}

}  // namespace

// Processes that tests start have their mutant in the environment.
void mutation_init() {
    if (const char *text = getenv("SPARPACK_MUTANT")) sparpack_mutant = atoi(text);
    if (const char *path = getenv("SPARPACK_MUTANTS_REACHED")) share(path);
    VALUE module = rb_define_module("SparpackMutants");
    rb_define_singleton_method(module, "active=", set_active, 1);
    rb_define_singleton_method(module, "take_reached", take_reached, 0);
}
