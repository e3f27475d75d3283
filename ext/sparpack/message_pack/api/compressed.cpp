#include "compressed.hpp"

#include "../../glue/compression.hpp"
#include "../../values/costs.hpp"
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

// If nobody has said that values are compressed, or set a limit, they may take as much as structs of the compressed bytes.
int64_t memory_of(const UnpackOptions &options, size_t size) {
    if (options.memory != unlimited || options.compressed == Compressed::expected) return options.memory;
    return memory_base + memory_per_byte * static_cast<int64_t>(size);
}

// Whether objects of so many bytes may take more. Without extension types, no byte makes anything larger than these.
bool may_exceed(int64_t memory, const UnpackOptions &options, size_t size) {
    const int64_t hash = hash_cost(0), symbol = symbol_cost(0);
    return options.types ||
           memory / ((hash > symbol ? hash : symbol) + static_cast<int64_t>(word_size)) < static_cast<int64_t>(size);
}

}  // namespace

bool is_compressed(const Unpack &u, bool may_follow) {
    const UnpackOptions &options = u.options;
    if (options.compressed == Compressed::never || !source_stays(u)) return false;
    if (options.allow_unknown_ext && options.compressed != Compressed::expected) return false;
    if (u.in.begin == u.in.end) return false;
    if (!(may_follow ? lz4_begins(u.in.begin, u.in.end) : lz4_sign(u.in.begin, u.in.end))) return false;
    if (options.compressed == Compressed::detected && !lz4_plausible(u.in.begin, u.in.end)) return false;
    return !types_reader(options.types, message_pack_ext_byte(*u.in.begin) ? lz4_block_type : lz4_array_type);
}

// The blocks of a large value may be more than an Array may have.
bool failed_compressed(const Unpack &u) {
    return (u.in.status == Status::unknown_ext || u.in.status == Status::container_too_large ||
            u.in.status == Status::too_much_memory) &&
           is_compressed(u);
}

VALUE decompress_value(VALUE bytes, UnpackOptions &options, size_t before, size_t *end) {
    const int64_t memory = memory_of(options, string_size(bytes));
    int64_t limit = memory < options.decompressed ? memory : options.decompressed;
    Decompressed found = decompress(bytes, 0, limit);
    if (NIL_P(found.payload)) {
        Fault fault;
        fault.status = found.status;
        if (found.status == Status::decompressed_too_long) fault.limit = static_cast<long>(limit);
        fault_raise_unpack(fault, static_cast<long>(before + found.at), static_cast<long>(before));
    }
    *end = found.end;
    const int64_t most = memory_of(options, found.end);
    if (options.memory == unlimited && may_exceed(most, options, string_size(found.payload))) {
        options.memory = most;
        options.limited = true;
    }
    options.compressed = Compressed::never;
    options.payload = SIZE_MAX;  // the limit was on the compressed bytes
    return found.payload;
}

VALUE load_compressed(VALUE bytes, const UnpackOptions &options, size_t before, size_t *end) {
    UnpackOptions inner = options;
    VALUE payload = decompress_value(bytes, inner, before, end);
    Loading loading{payload, inner};
    VALUE value = read_decompressed(load_whole, reinterpret_cast<VALUE>(&loading), before);
    RB_GC_GUARD(payload);
    return value;
}

}  // namespace sparpack
