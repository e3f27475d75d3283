// The codec: a plan walked over a wire.
#pragma once

#include "../plan/instance.hpp"
#include "options.hpp"
#include "wires.hpp"

namespace sparpack {

// The bytes of an object of `link`'s plan, as an unfrozen ASCII-8BIT String. Raises EncodeError.
VALUE encode(const Link *link, VALUE object, WireId wire, const Options &options);

// The object that stands at `offset` in a String; `next`, where given, is where it ends, and else the String must end
// there, too. `base` is added to the offsets that errors tell. Raises DecodeError.
VALUE decode(const Link *link, VALUE klass, VALUE source, WireId wire, const Options &options, size_t offset = 0,
             size_t *next = nullptr, size_t base = 0, bool partial = false);

// An object that finds the end of a message which comes in pieces.
VALUE scan_new(WireId wire, int depth);

// The faults of an object, as an Array of ValidationError: all of them, or the first.
VALUE validate(const Link *link, VALUE object, Check check, bool all);

}  // namespace sparpack
