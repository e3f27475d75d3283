#include "struct_transit.hpp"

namespace sparpack {

template TransitFunction transit_from<Json>(WireId);

}  // namespace sparpack
