#include "cells_read.hpp"
#include "cells_write.hpp"

namespace sparpack {

SPARPACK_CELLS_READER(Compact)
SPARPACK_CELLS_WRITER(Compact)

}  // namespace sparpack
