#include "cells_read.hpp"
#include "cells_write.hpp"

#ifdef SPARPACK_TEST_WIRES

namespace sparpack {

#define X(name, grammar)           \
    SPARPACK_CELLS_READER(grammar) \
    SPARPACK_CELLS_WRITER(grammar)
SPARPACK_WIRES_OF_TESTS(X)
#undef X

}  // namespace sparpack

#endif
