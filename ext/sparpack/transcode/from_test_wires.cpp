#include "struct_transit.hpp"

#ifdef SPARPACK_TEST_WIRES

namespace sparpack {

#define X(name, grammar) template TransitFunction transit_from<grammar>(WireId);
SPARPACK_WIRES_OF_TESTS(X)
#undef X

}  // namespace sparpack

#endif
