#include "struct_transit.hpp"

namespace sparpack {

template TransitFunction transit_from<MessagePackArray>(WireId);

}  // namespace sparpack
