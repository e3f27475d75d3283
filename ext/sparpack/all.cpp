// Rooms whose files are quickly compiled, for the same reason as in their own all.cpp.
#include "convert/converter.cpp"
#include "declare/all.cpp"
#include "glue/all.cpp"
#include "hashes/all.cpp"
#include "native.cpp"
#include "plan/rows.cpp"
#include "streams/all.cpp"
#include "values/all.cpp"
