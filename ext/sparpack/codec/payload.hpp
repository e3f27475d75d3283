// Payloads of the codec that are compressed, or may be. Only wires whose traits say so have them.
#pragma once

#include "../wire/lz4_sign.hpp"
#include "codec.hpp"

namespace sparpack {

// True if bytes begin as a compressed payload does, in a wire that has some.
SPARPACK_INLINE bool is_compressed(WireId wire, const uint8_t *begin, const uint8_t *end) {
    return traits_of(wire).compression && SPARPACK_UNLIKELY(lz4_sign(begin, end));
}

// Compresses what was encoded. Raises EncodeError::LimitExceeded if it is too large for one block.
VALUE compress_encoded(VALUE bytes, VALUE klass, WireId wire, const Options &options);

// Decodes a payload that begins as a compressed one. As decode. If the source is a copy of an `outer` payload, what the
// object costs is taken from the memory of that one.
VALUE decode_compressed(const Link *link, VALUE klass, VALUE source, WireId wire, const Options &options, size_t offset,
                        size_t *next, size_t base, Embedded *outer = nullptr);

// Returns the memory limit of a payload. That of a reader that asked for compression depends on the decompressed size, which
// is at most this many times the compressed one.
constexpr int64_t lz4_growth = 255;
SPARPACK_COLD inline int64_t memory_of_payload(const Options &options, const WireTraits &traits, const uint8_t *payload,
                                               size_t size) {
    if (!traits.compression || options.compression == Compression::none || !lz4_sign(payload, payload + size))
        return options_memory(options, size);
    int64_t most = lz4_growth * static_cast<int64_t>(size);
    return options_memory(options, static_cast<size_t>(most < options.decompressed ? most : options.decompressed));
}

// As encode, but compresses the bytes if the options say so.
SPARPACK_INLINE VALUE encode_payload(const Link *link, VALUE object, VALUE klass, WireId wire, const Options &options) {
    VALUE bytes = encode(link, object, wire, options);
    if (SPARPACK_LIKELY(options.compression == Compression::none)) return bytes;
    return compress_encoded(bytes, klass, wire, options);
}

// As decode, but decompresses the bytes if they are compressed.
SPARPACK_INLINE VALUE decode_payload(const Link *link, VALUE klass, VALUE source, WireId wire, const Options &options,
                                     size_t offset = 0, size_t *next = nullptr, size_t base = 0, bool partial = false) {
    const uint8_t *bytes = string_bytes(source);
    if (is_compressed(wire, bytes + offset, bytes + RSTRING_LEN(source)))
        return decode_compressed(link, klass, source, wire, options, offset, next, base);
    return decode(link, klass, source, wire, options, offset, next, base, partial);
}

}  // namespace sparpack
