// The files of this room for the compiler, which takes longer for Ruby's headers than for what is in them.
#include "count.cpp"
#include "json_elements.cpp"
#include "payload_end.cpp"
#include "source_crew.cpp"
