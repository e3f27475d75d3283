// What a mutated copy of the sources calls. One build holds all mutants of a room; sparpack_mutant says which one is active.
// The operators have the precedence of those that they stand for: `a < Less{7} < b` is `a < b`, or `a <= b` in mutant 7.
#pragma once

#include <cstdint>

extern "C" {
extern int sparpack_mutant;                // 0: none
extern uint8_t *sparpack_mutants_reached;  // 1 where a mutant's code has run
}

namespace sparpack {
namespace mutation {

// Whether this mutant is active. Constant expressions are never mutated.
__attribute__((always_inline)) constexpr bool active(int number) {
    if (__builtin_is_constant_evaluated()) return false;
    sparpack_mutants_reached[number] = 1;
    return sparpack_mutant == number;
}

#define SPARPACK_MUTATE(Name, op, expected, mutated)                                                                 \
    struct Name {                                                                                                    \
        int number;                                                                                                  \
    };                                                                                                               \
    template <class T> struct Name##Left {                                                                           \
        T left;                                                                                                      \
        int number;                                                                                                  \
    };                                                                                                               \
    template <class T> __attribute__((always_inline)) constexpr Name##Left<T> operator op(T left, Name self) {       \
        return {left, self.number};                                                                                  \
    }                                                                                                                \
    template <class T, class U> __attribute__((always_inline)) constexpr auto operator op(Name##Left<T> self, U b) { \
        T a = self.left;                                                                                             \
        return active(self.number) ? (mutated) : (expected);                                                         \
    }

SPARPACK_MUTATE(Less, <, a < b, a <= b)
SPARPACK_MUTATE(LessOrEqual, <=, a <= b, a < b)
SPARPACK_MUTATE(Greater, >, a > b, a >= b)
SPARPACK_MUTATE(GreaterOrEqual, >=, a >= b, a > b)
SPARPACK_MUTATE(Equal, ==, a == b, a != b)
SPARPACK_MUTATE(NotEqual, !=, a != b, a == b)
SPARPACK_MUTATE(Plus, +, a + b, a + b + 1)
SPARPACK_MUTATE(Minus, -, a - b, a - b + 1)
#undef SPARPACK_MUTATE

struct Not {
    int number;
};
template <class T> __attribute__((always_inline)) constexpr bool operator->*(Not self, const T &value) {
    return active(self.number) ? static_cast<bool>(value) : !value;
}

}  // namespace mutation
}  // namespace sparpack
