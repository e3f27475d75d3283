#include "cells_read.hpp"
#include "cells_write.hpp"

namespace sparpack {

SPARPACK_CELLS_READER(ThriftJson)
SPARPACK_CELLS_WRITER(ThriftJson)

}  // namespace sparpack
