// Lazy decoding: a payload is checked as a whole, and of its object only the scalars are made. What is in other fields is
// made when somebody reads them.
#pragma once

#include "../objects/storage.hpp"
#include "../plan/codec_facts.hpp"

namespace sparpack {

// Returns a lazy object of the payload at an offset, or Qundef if a decode has to read or to refuse it. If `next` is given,
// it is set to where the object ends; otherwise the source must end there, too. The object has a copy of its bytes. If
// the payload is `embedded`, what its objects cost is taken from its memory.
VALUE lazy_decode(const CodecFacts &facts, VALUE codec, VALUE source, size_t offset, size_t *next, Embedded *embedded);

// Returns where the payload ends that begins at an offset, or nullptr if only a decode can tell.
const uint8_t *scan_at(const CodecFacts &facts, VALUE bytes, size_t offset);

}  // namespace sparpack
