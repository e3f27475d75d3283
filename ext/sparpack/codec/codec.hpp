// The codec: a plan walked over a wire.
#pragma once

#include "../glue/embedded.hpp"
#include "../glue/fault.hpp"
#include "../glue/options.hpp"
#include "../objects/storage.hpp"
#include "../plan/codec_facts.hpp"
#include "../wire/wires.hpp"

namespace sparpack {

// Raises SchemaError if a form of a wire has fields in places that their ids say, and the ids of a struct that a link
// reaches are too far apart for that.
[[noreturn]] void form_refuse(const Link *link);
SPARPACK_INLINE void form_check(const Link *link, const WireTraits &traits) {
    if (SPARPACK_UNLIKELY(traits.leaves_holes && link->scattered)) form_refuse(link);
}

// Returns the bytes of an object of `link`'s plan as an unfrozen String, in ASCII-8BIT unless the wire is text. With a
// target, gives them to that instead, and returns its String.
// Raises EncodeError, and SchemaError as above. An attempt returns Qundef instead of raising EncodeError.
VALUE encode(const Link *link, VALUE object, WireId wire, const Options &options, OutputTarget *target = nullptr);

// Returns the JSON of an object, complete or not, as the json gem would write what as_json returns. Returns nil if only Ruby
// can tell what that is. Raises nothing of its own.
VALUE encode_as_json(const Link *link, VALUE object, const Options &options);

// The facts of a Sparpack::Codec. Raises TypeError for anything else.
CodecFacts codec_facts(VALUE codec);

// See glue/embedded.hpp.
void codec_embed(VALUE codec, VALUE object, OutputTarget &target);
VALUE codec_extract(VALUE codec, Embedded &payload);

constexpr size_t decode_truncated = SIZE_MAX;

// Returns the object at `offset` in a String. If `next` is given, it is set to where the object ends; otherwise the String
// must end there, too. `base` is added to the offsets in errors. `partial` says that more bytes may follow. Raises
// DecodeError. An attempt returns Qundef instead, and `next` is
// decode_truncated if only bytes are missing. In Thrift's manner, `klass` may be an object, which is filled.
// If the payload is embedded in other bytes, there is no source, and Qundef is returned for an object that is too large.
VALUE decode(const Link *link, VALUE klass, VALUE source, WireId wire, const Options &options, size_t offset = 0,
             size_t *next = nullptr, size_t base = 0, bool partial = false, Embedded *embedded = nullptr);

// Returns the value of a type at a place of a String, or Qundef if it cannot be read. `depth` is how many levels there may
// be below, and `memory` what is left of the limit. Sets where the value ends. As decode, it may run Ruby code if the link
// of the payload says so.
VALUE decode_part(const Type &type, VALUE source, WireId wire, const Options &options, size_t offset, int depth,
                  int64_t memory, bool is_key = false, size_t *end = nullptr);

// Appends the bytes of a value to a String. Returns false if the value is refused, with a fault whose path begins there.
bool encode_part(const Type &type, VALUE value, WireId wire, const Options &options, int depth, VALUE target, Fault &fault);

// Returns the faults of an object as an Array of ValidationErrors: all of them, or only the first.
VALUE validate(const Link *link, VALUE object, Check check, bool all);

}  // namespace sparpack
