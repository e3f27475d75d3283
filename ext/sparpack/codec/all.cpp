// The files of this room for the compiler, which takes longer for Ruby's headers than for what is in them.
#include "arguments.cpp"
#include "codec.cpp"
#include "memory_limit.cpp"
#include "payload.cpp"
#include "text/fault.cpp"
#include "text/native_text.cpp"
#include "untyped.cpp"
#include "validate.cpp"
