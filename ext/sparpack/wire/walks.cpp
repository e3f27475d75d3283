#include "walks.hpp"

namespace sparpack {

SPARPACK_WALKS(SPARPACK_WALK)
SPARPACK_PULLS(SPARPACK_PULL)

template class Passer<Compact>;
template class Passer<Binary>;

}  // namespace sparpack
