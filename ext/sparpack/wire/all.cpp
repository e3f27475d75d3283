// Functions that need no Ruby and that several files call. The walks take longest to compile, so walks.cpp is not here.
#include "../bytes/all.cpp"
#include "json/scan.cpp"
#include "json/text.cpp"
#include "message_pack/heads.cpp"
#include "thrift/json.cpp"
