// The functions of this room that are called and not inlined. Only wire/all.cpp includes this file.
#include "base64.cpp"
#include "double_exact.cpp"
#include "double_read.cpp"
#include "double_text.cpp"
#include "utf8.cpp"
