// The files of this room for the compiler, which takes longer for Ruby's headers than for what is in them.
#include "cells_of_binary.cpp"
#include "cells_of_compact.cpp"
#include "cells_of_json.cpp"
#include "cells_of_message_pack.cpp"
#include "cells_of_test_wires.cpp"
