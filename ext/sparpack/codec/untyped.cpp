#include "untyped.hpp"

namespace sparpack {

namespace {

UntypedPack pack;  // written by untyped_init alone
UntypedUnpack unpack;

// Counts all NaNs of a value that is a key or in one.
SPARPACK_COLD bool nan_keys_in(Decoder &d, VALUE value) {
    d.nan_keys += nan_count(value, nan_keys_max + 1);
    return d.nan_keys <= nan_keys_max;
}

}  // namespace

void untyped_init(UntypedPack packs, UntypedUnpack unpacks) {
    pack = packs;
    unpack = unpacks;
}

uint8_t *untyped_write(Encoder &e, uint8_t *p, VALUE value, int depth) {
    if (depth < 0) return refuse_limit(e, Status::too_deep, e.options.depth);
    VALUE bytes = call_ruby(e, [&] { return pack(value, depth + 1, e.options.utf8_keep, e.fault); });
    if (bytes == Qundef) {
        if (e.fault.status == Status::too_deep) e.fault.limit = e.options.depth;
        if (e.fault.status == Status::value_mismatch) e.fault.expected = "a value of MessagePack";
        return nullptr;
    }
    p = writer_append(e.output.writer, p, RSTRING_PTR(bytes), string_size(bytes));
    RB_GC_GUARD(bytes);
    return p;
}

Cursor untyped_read(Decoder &d, Cursor p, VALUE *out, int depth, Role role) {
    UntypedLimits limits = {d.options.string, d.options.container, d.memory, depth + 1, freezes(role), d.options.utf8_keep};
    Cursor start = p;
    p = unpack(d.in, p, out, limits, d.fault);
    d.memory = limits.memory;
    if (SPARPACK_LIKELY(p != nullptr)) {
        if (counts_nan(role) && !RB_SPECIAL_CONST_P(*out) && !nan_keys_in(d, *out)) return fail_nan_keys(d, start);
        return p;
    }
    if (d.in.status == Status::too_much_memory) d.fault.limit = static_cast<long>(d.limit);
    if (d.in.status == Status::too_many_nan_keys) d.fault.limit = static_cast<long>(nan_keys_untyped_max);
    if (int64_t limit = options_limit(d.options, d.in.status)) d.fault.limit = static_cast<long>(limit);
    return nullptr;
}

}  // namespace sparpack
