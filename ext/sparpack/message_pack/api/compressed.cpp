#include "compressed.hpp"

#include "../../glue/compression.hpp"
#include "../../wire/lz4_sign.hpp"
#include "unpacker.hpp"

namespace sparpack {

namespace {

struct Loading {
    VALUE payload;
    const UnpackOptions &options;
};

VALUE load_whole(VALUE data) {
    const Loading &loading = *reinterpret_cast<const Loading *>(data);
    return message_pack_load_with(loading.payload, loading.options);
}

}  // namespace

bool is_compressed(const Unpack &u) {
    const UnpackOptions &options = u.options;
    if (options.compressed == Compressed::never || !source_stays(u)) return false;
    if (options.allow_unknown_ext && options.compressed != Compressed::expected) return false;
    if (!lz4_sign(u.in.begin, u.in.end)) return false;
    if (options.compressed == Compressed::detected && !lz4_plausible(u.in.begin, u.in.end)) return false;
    return !types_reader(options.types, message_pack_ext_byte(*u.in.begin) ? lz4_block_type : lz4_array_type);
}

VALUE decompress_value(VALUE bytes, const UnpackOptions &options, size_t before, size_t *end) {
    int64_t limit = options.memory < options.decompressed ? options.memory : options.decompressed;
    Decompressed found = decompress(bytes, 0, limit);
    if (NIL_P(found.payload)) {
        Fault fault;
        fault.status = found.status;
        if (found.status == Status::decompressed_too_long) fault.limit = static_cast<long>(limit);
        fault_raise_unpack(fault, static_cast<long>(before + found.at), static_cast<long>(before));
    }
    *end = found.end;
    return found.payload;
}

VALUE load_compressed(VALUE bytes, const UnpackOptions &options, size_t before, size_t *end) {
    VALUE payload = decompress_value(bytes, options, before, end);
    UnpackOptions inner = options;
    inner.compressed = Compressed::never;
    inner.payload = SIZE_MAX;  // the limit was on the compressed bytes
    Loading loading{payload, inner};
    VALUE value = read_decompressed(load_whole, reinterpret_cast<VALUE>(&loading), before);
    RB_GC_GUARD(payload);
    return value;
}

}  // namespace sparpack
