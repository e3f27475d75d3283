#include "struct_transit.hpp"

namespace sparpack {

template TransitFunction transit_from<Binary>(WireId);

}  // namespace sparpack
