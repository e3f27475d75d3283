#include "struct_transit.hpp"

namespace sparpack {

template TransitFunction transit_from<ThriftJson>(WireId);

}  // namespace sparpack
