#include "cells_read.hpp"
#include "cells_write.hpp"

namespace sparpack {

SPARPACK_CELLS_READER(Binary)
SPARPACK_CELLS_WRITER(Binary)

}  // namespace sparpack
