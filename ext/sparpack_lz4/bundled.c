/* LZ4 itself, if the system has no liblz4 (extconf.rb). Its functions stay inside this library, because the process may
 * have loaded another version of LZ4. */
#ifndef SPARPACK_SYSTEM_LZ4
#define LZ4LIB_VISIBILITY __attribute__((visibility("hidden")))
#include "vendor/lz4.c"
#endif
