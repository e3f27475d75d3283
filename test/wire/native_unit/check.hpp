// What the programs of this folder share: they print what is wrong and return how many checks failed.
#pragma once

#include <cstdint>
#include <cstdio>

inline int wrong = 0;

#define CHECK(x, ...)                                    \
    do {                                                 \
        if (!(x) && ++wrong <= 10) {                     \
            printf("%s:%d: %s", __FILE__, __LINE__, #x); \
            printf("  " __VA_ARGS__);                    \
            printf("\n");                                \
        }                                                \
    } while (0)

// splitmix64: the same numbers on every machine.
struct Random {
    uint64_t state;

    uint64_t next() {
        uint64_t z = (state += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    uint64_t below(uint64_t limit) { return next() % limit; }
};
