// What no wire inlines of this room. Only wire/all.cpp includes it.
#include "base64.cpp"
#include "double_exact.cpp"
#include "double_read.cpp"
#include "double_text.cpp"
#include "utf8.cpp"
