#include "compression.hpp"

#include "native_module.hpp"

namespace sparpack {

VALUE compress(VALUE payload, Compression form) {
    return native_call("compress", payload, form == Compression::lz4 ? Qtrue : Qfalse);
}

VALUE compression_hint() { return native_call("compression_hint"); }

Decompressed decompress(VALUE source, size_t offset, int64_t limit) {
    Decompressed result;
    VALUE parts = native_call("decompress", source, SIZET2NUM(offset), LL2NUM(limit));
    if (NIL_P(parts)) {
        result.status = Status::lz4_missing;
        result.at = offset;
        return result;
    }
    VALUE first = rb_ary_entry(parts, 0);
    size_t place = NUM2SIZET(rb_ary_entry(parts, 1));
    if (RB_TYPE_P(first, T_STRING)) {
        result.payload = first;
        result.end = place;
    } else {
        result.status = static_cast<Status>(NUM2INT(first));
        result.at = place;
    }
    return result;
}

namespace {

VALUE tell_decompressed(VALUE start, VALUE error) { return native_call("fail_decompressed", error, start); }

}  // namespace

VALUE read_decompressed(VALUE (*read)(VALUE), VALUE data, size_t start) {
    return rb_rescue2(read, data, tell_decompressed, SIZET2NUM(start), rb_eStandardError, static_cast<VALUE>(0));
}

}  // namespace sparpack
