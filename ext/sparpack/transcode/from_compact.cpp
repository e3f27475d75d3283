#include "struct_transit.hpp"

namespace sparpack {

template TransitFunction transit_from<Compact>(WireId);

}  // namespace sparpack
