#include "../bytes/small.hpp"  // half the code and half the time to compile it, for up to a fifth more instructions

#include "cells_read.hpp"
#include "cells_write.hpp"

namespace sparpack {

SPARPACK_CELLS_READER(ThriftJson)
SPARPACK_CELLS_WRITER(ThriftJson)

}  // namespace sparpack
