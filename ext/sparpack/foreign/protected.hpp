// Encode and decode attempts in which methods of adopted classes are called. What these raise is kept from the caller, so
// that the library's own code can run from the start and raise it again in a state of its own.
#pragma once

#include "../codec/codec.hpp"

namespace sparpack {

// Both are as encode and decode with options.attempt, but return Qundef and set `error` if a method raises an error.
// Whatever else leaves a method passes: throw, exit, an interrupt, or a full stack. A target may then have a part of the
// bytes. If an object was to be filled, it has the values that it had before.
VALUE protected_encode(const Link *link, VALUE object, WireId wire, const Options &options, VALUE target, VALUE *error);
VALUE protected_decode(const Link *link, VALUE object, VALUE source, WireId wire, const Options &options, size_t offset,
                       size_t *next, VALUE *error);

// Returns whether all bytes of an object are in a String, and calls no method. If bytes are missing, `next` is
// decode_truncated.
bool decodes_unseen(const Link *link, VALUE source, WireId wire, const Options &options, size_t offset, size_t *next);

}  // namespace sparpack
