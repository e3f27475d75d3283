// What is quickly compiled, at once, because Ruby's headers take longer than the files.
#include "declare/all.cpp"
#include "convert/converter.cpp"
#include "glue/all.cpp"
#include "hashes/all.cpp"
#include "native.cpp"
#include "plan/rows.cpp"
#include "streams/all.cpp"
#include "values/all.cpp"
