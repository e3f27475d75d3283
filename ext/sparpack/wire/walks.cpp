#include "walks.hpp"

namespace sparpack {

SPARPACK_WALKS(SPARPACK_WALK)
SPARPACK_ERASED(SPARPACK_ERASE)
SPARPACK_PULLS(SPARPACK_PULL)

}  // namespace sparpack
