// The files of this room for the compiler, which takes longer for Ruby's headers than for what is in them.
#include "dig.cpp"
#include "lazy.cpp"
#include "members.cpp"
#include "passage.cpp"
#include "patch.cpp"
#include "path.cpp"
