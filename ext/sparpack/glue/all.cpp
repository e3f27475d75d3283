// The files of this room for the compiler, which takes longer for Ruby's headers than for what is in them.
#include "compression.cpp"
#include "fault.cpp"
#include "io.cpp"
#include "nan.cpp"
#include "native_module.cpp"
#include "output.cpp"
#include "pending.cpp"
#include "technique.cpp"
