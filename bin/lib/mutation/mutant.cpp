// The mutant of this process. See mutant.hpp.
#include <cstdint>
#include <cstdlib>

#define SPARPACK_EXPORT extern "C" __attribute__((visibility("default"), used))

SPARPACK_EXPORT int sparpack_mutant;
SPARPACK_EXPORT int sparpack_mutants;
SPARPACK_EXPORT uint8_t sparpack_mutants_reached[SPARPACK_MUTANTS + 1];

int sparpack_mutant, sparpack_mutants = SPARPACK_MUTANTS;
uint8_t sparpack_mutants_reached[SPARPACK_MUTANTS + 1];

// Processes that tests start read it from the environment.
__attribute__((constructor)) static void read_mutant() {
    if (const char *text = getenv("SPARPACK_MUTANT")) sparpack_mutant = atoi(text);
}
