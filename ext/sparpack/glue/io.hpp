// Ruby's ios, as what is written to.
#pragma once

#include "ruby.hpp"

namespace sparpack {

// Whether a String of so many bytes is given to an io as bytes, past its `write`. Only Ruby's own ios take bytes. There are
// two reasons: an io in text mode may transcode what it writes, and replace its line ends; and since Ruby 3.3 IO#write takes
// away a String's memory and leaves it to the garbage collector.
bool io_takes_bytes(VALUE io, size_t size);

// Writes a String that nobody else knows of, or a frozen one.
void io_write(VALUE io, ID writer, VALUE string, bool as_bytes);

// Lets go of the memory of a String that was made for an io, if the io is one of Ruby's own, which keep nothing: whoever
// writes much would have to wait for the garbage collector.
void io_written(VALUE io, VALUE string);

void io_init(VALUE sparpack);

}  // namespace sparpack
