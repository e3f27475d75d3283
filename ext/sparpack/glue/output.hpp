// Where an encode writes: a buffer on the stack first, then a Ruby String that doubles and is cut to size in the end.
// Nothing to clean up when something longjmps: the stack goes by itself, the String is the GC's.
#pragma once

#include "../bytes/writer.hpp"
#include "ruby.hpp"

namespace sparpack {

SPARPACK_COLD uint8_t *output_grow(Writer &w, uint8_t *p, size_t need);

struct Output {
    static constexpr size_t stack_size = 4096;

    Writer writer;          // first, so that grow finds the Output by the Writer
    VALUE string;           // Qfalse while the stack is enough
    uint32_t disturbances;  // how often something was allocated or run in the middle of an encode
    uint8_t stack[stack_size];

    Output() : string(Qfalse), disturbances(0) {
        writer.begin = stack;
        writer.end = stack + stack_size;
        writer.grow = output_grow;
#ifdef SPARPACK_DEBUG
        writer.reserved = stack;
#endif
    }
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;
};

// The bytes up to the cursor, as an unfrozen ASCII-8BIT String.
VALUE output_finish(Output &output, const uint8_t *p);

}  // namespace sparpack
