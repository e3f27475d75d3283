// The files of this room for the compiler, which takes longer for Ruby's headers than for what is in them.
#include "costs.cpp"
#include "floats.cpp"
#include "key_cache.cpp"
#include "sets.cpp"
#include "text.cpp"
