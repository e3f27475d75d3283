#include "walks.hpp"

namespace sparpack {

SPARPACK_WALKS(SPARPACK_WALK)
SPARPACK_PULLS(SPARPACK_PULL)

}  // namespace sparpack
