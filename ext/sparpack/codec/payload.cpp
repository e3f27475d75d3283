#include "payload.hpp"

#include "../glue/compression.hpp"
#include "../glue/fault.hpp"
#include "../values/costs.hpp"
#include "../wire/message_pack/pass.hpp"

namespace sparpack {

VALUE compress_encoded(VALUE bytes, VALUE klass, WireId wire, const Options &options) {
    if (string_size(bytes) < lz4_least) return bytes;
    VALUE compressed = compress(bytes, options.compression);
    rb_str_resize(bytes, 0);  // nobody else has it
    if (!NIL_P(compressed)) return compressed;
    Fault fault;
    fault.status = Status::lz4_too_long;
    fault.limit = lz4_block_max;
    fault_raise_encode(fault, klass, wire_name(wire));
}

namespace {

[[noreturn]] void fail(const Decompressed &found, VALUE klass, WireId wire, size_t offset, size_t base, int64_t limit,
                       int64_t memory) {
    Fault fault;
    fault.status = found.status;
    VALUE hint = found.status == Status::lz4_missing ? compression_hint() : Qnil;
    if (found.status == Status::decompressed_too_long) {
        if (memory < limit) fault.status = Status::too_much_memory;
        fault.limit = static_cast<long>(memory < limit ? memory : limit);
    }
    fault_raise_decode(fault, klass, wire_name(wire), static_cast<long>(base + found.at), static_cast<long>(base + offset),
                       hint);
}

struct Decoding {
    const Link *link;
    VALUE klass, payload;
    WireId wire;
    const Options &options;
    Embedded *embedded;
};

VALUE decode_whole(VALUE data) {
    const Decoding &d = *reinterpret_cast<const Decoding *>(data);
    return decode(d.link, d.klass, d.payload, d.wire, d.options, 0, nullptr, 0, false, d.embedded);
}

// The size of the payload or, if other bytes may follow, as much of it as there is.
size_t size_of(VALUE source, size_t offset, bool followed) {
    const uint8_t *begin = string_bytes(source) + offset, *end = string_bytes(source) + string_size(source);
    const uint8_t *found = followed ? message_pack_pass(begin, end) : nullptr;
    return static_cast<size_t>((found ? found : end) - begin);
}

// What a String takes until the garbage collector finds it, after it was resized to nothing.
int64_t kept_cost(VALUE string) {
    return FL_TEST(string, RSTRING_NOEMBED) ? object_cost(sizeof(struct RString)) : string_cost(string_size(string));
}

}  // namespace

// A reader that did not ask for compression is not less safe because others compress: its objects, and the decompressed
// payload, may take as much memory as if the compressed bytes were the payload.
VALUE decode_compressed(const Link *link, VALUE klass, VALUE source, WireId wire, const Options &options, size_t offset,
                        size_t *next, size_t base, Embedded *outer) {
    const size_t left = size_of(source, offset, next != nullptr);
    bool proportional = options.memory < 0 && options.compression != Compression::none;
    int64_t memory = proportional ? unlimited : options_memory(options, left);
    const bool scarce = outer && outer->memory < memory;
    if (scarce) memory = outer->memory;
    Decompressed found = decompress(source, offset, memory < options.decompressed ? memory : options.decompressed);
    if (NIL_P(found.payload)) {
        if (scarce && found.status == Status::decompressed_too_long && memory < options.decompressed) return Qundef;
        fail(found, klass, wire, offset, base, options.decompressed, memory);
    }
    if (next) {
        *next = found.end;
    } else if (found.end != offset + left && !options.trailing) {
        found.status = Status::trailing_bytes;
        found.at = found.end;
        fail(found, klass, wire, offset, base, 0, 0);
    }
    Options inner = options;
    if (!proportional) inner.memory = options_memory(options, found.end - offset);
    Embedded embedded{string_bytes(found.payload), string_size(found.payload), outer ? outer->memory : 0};
    Decoding decoding{link, klass, found.payload, wire, inner, outer ? &embedded : nullptr};
    VALUE object = read_decompressed(decode_whole, reinterpret_cast<VALUE>(&decoding), base + offset);
    if (outer) outer->memory = embedded.memory - kept_cost(found.payload);
    rb_str_resize(found.payload, 0);  // nobody else has it
    return outer && outer->memory < 0 ? Qundef : object;
}

}  // namespace sparpack
