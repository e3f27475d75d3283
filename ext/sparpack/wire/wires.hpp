// The wires. A new one needs its file and one line in this list.
#pragma once

#include "binary.hpp"
#include "compact.hpp"

namespace sparpack {

// X(name, grammar)
#define SPARPACK_WIRES(X) \
    X(compact, Compact)   \
    X(binary, Binary)

enum class WireId : uint8_t {
#define X(name, grammar) name,
    SPARPACK_WIRES(X)
#undef X
};

constexpr const char *wire_names[] = {
#define X(name, grammar) #name,
    SPARPACK_WIRES(X)
#undef X
};

constexpr size_t wire_count = sizeof wire_names / sizeof *wire_names;

inline const char *wire_name(WireId wire) { return wire_names[static_cast<size_t>(wire)]; }

}  // namespace sparpack
