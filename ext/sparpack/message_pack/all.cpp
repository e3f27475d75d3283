// The files of this room for the compiler, which takes longer for Ruby's headers than for what is in them.
#include "builtin.cpp"
#include "embedded_types.cpp"
#include "pairs.cpp"
#include "types.cpp"
#include "untyped.cpp"
