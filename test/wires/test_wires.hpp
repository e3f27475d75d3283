// Two wires that keep the contract honest, because they are as unlike Thrift as can be. Only the sanitized build has them,
// for test files that require support/test_wires.
#pragma once

#include "sexp.hpp"
#include "tuple.hpp"

#define SPARPACK_WIRES_OF_TESTS(X) \
    X(tuple, Tuple)                \
    X(sexp, Sexp)
