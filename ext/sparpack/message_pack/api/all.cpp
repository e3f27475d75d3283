// The files of this room for the compiler, which takes longer for Ruby's headers than for what is in them.
#include "buffer.cpp"
#include "compressed.cpp"
#include "dig.cpp"
#include "factory.cpp"
#include "message_pack.cpp"
#include "packer.cpp"
#include "packer_write.cpp"
#include "unpacker.cpp"
