#include "cells_read.hpp"
#include "cells_write.hpp"

namespace sparpack {

SPARPACK_CELLS_READER(MessagePackArray::Reader)
SPARPACK_CELLS_WRITER(MessagePackArray)
SPARPACK_CELLS_WRITER(MessagePackNames)

}  // namespace sparpack
