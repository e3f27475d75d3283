#include "cells_read.hpp"
#include "cells_write.hpp"

namespace sparpack {

SPARPACK_CELLS_READER(Json)
SPARPACK_CELLS_WRITER(Json)

}  // namespace sparpack
