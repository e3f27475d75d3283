// The files of this room for the compiler, which takes longer for Ruby's headers than for what is in them.
#include "protected.cpp"
#include "sparsam.cpp"
#include "thrift_ends.cpp"
