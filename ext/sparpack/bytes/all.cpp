// The files of this room for the compiler.
#include "base64.cpp"
#include "double_exact.cpp"
#include "double_read.cpp"
#include "double_text.cpp"
#include "utf8.cpp"
