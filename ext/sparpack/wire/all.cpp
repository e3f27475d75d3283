// What several files call of the parts without Ruby, and none inlines. The walks take longest, and are compiled alone.
#include "../bytes/all.cpp"
#include "json/scan.cpp"
#include "json/text.cpp"
#include "message_pack/heads.cpp"
#include "thrift/json.cpp"
