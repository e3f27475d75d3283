// Writing to Ruby's ios.
#pragma once

#include "../values/ruby.hpp"

namespace sparpack {

// True if a String of this size should be written to the io as bytes, past its method `write`. Only Ruby's own ios take
// bytes. There are two reasons. An io in text mode may transcode what it writes and replace its line ends. And since Ruby
// 3.3 IO#write takes over the String's memory, which then waits for the garbage collector.
bool io_takes_bytes(VALUE io, size_t size);

// Writes a String that is frozen or that nobody else has.
void io_write(VALUE io, ID writer, VALUE string, bool as_bytes);

// Frees the memory of a String that was made for an io, if the io is one of Ruby's own, because these keep nothing.
// Otherwise the memory of much output would wait for the garbage collector.
void io_written(VALUE io, VALUE string);

void io_init();

}  // namespace sparpack
