// MessagePack to Ruby's own values. It needs no schema, because each value says what it is.
#pragma once

#include "../bytes/limits.hpp"
#include "../glue/fault.hpp"
#include "../glue/pending.hpp"
#include "../values/key_cache.hpp"
#include "../wire/message_pack/heads.hpp"
#include "types.hpp"

namespace sparpack {

// Whether a value that is compressed with LZ4 is decompressed.
enum class Compressed : uint8_t {
    detected,  // unless the caller wants unknown extension types as they are
    expected,
    never,
};

// What a caller may choose.
struct UnpackOptions {
    bool symbolize_keys = false;
    bool freeze = false;
    bool allow_unknown_ext = false;
    bool strict_utf8 = false;
    bool places = false;              // paths say which pair of a Hash it is, and not its key
    bool limited = false;             // one of these limits is set
    size_t payload = SIZE_MAX;        // bytes of one value
    size_t string = SIZE_MAX;         // bytes of one str or bin
    size_t ext = SIZE_MAX;            // bytes of one extension type's data
    size_t container = SIZE_MAX;      // elements or pairs
    int64_t memory = unlimited;       // bytes that the objects take
    int64_t decompressed = 64 << 20;  // bytes of a value that was compressed
    Compressed compressed = Compressed::detected;
    int depth = untyped_depth_max;
    VALUE types_object = Qnil;  // a Sparpack::MessagePack::Types that the caller keeps
    Types *types = nullptr;
};

// The state of an unpacking. Values wait in `pending` until their Array or Hash is made in one step.
struct Unpack {
    Input in;
    const UnpackOptions &options;
    KeyCache *keys;
    KeyMarks charged;  // places of keys that this unpacking has paid for; only under a limit
    VALUE source;      // the String of the bytes; unless it is frozen, others may change it while Ruby code runs
    size_t room;       // elements that may still get room before they are read
    int64_t memory;    // what is left of the limit, in bytes
    Fault fault;
    Pending pending;
    bool ran_ruby;  // in the middle, perhaps

    // The name of a class, and its codec, that came last.
    struct {
        VALUE name = 0, codec = Qnil;
    } named;

    // `stack` is an array in the caller's frame. It is small where such frames are nested, by recursive extension types.
    template <size_t places>
    Unpack(VALUE string, const uint8_t *bytes, size_t size, const UnpackOptions &o, VALUE (&stack)[places])
        : in(bytes, size),
          options(o),
          keys(key_cache_here()),
          source(string),
          room(size),
          memory(o.memory),
          pending(stack, places),
          ran_ruby(false) {
        if (SPARPACK_UNLIKELY(o.memory != unlimited)) charged = {};
    }
};

// True if the bytes are still where they were, after Ruby code ran that may have changed the String.
SPARPACK_INLINE bool source_stays(const Unpack &u) {
    if (!u.source) return true;
    const uint8_t *begin = reinterpret_cast<const uint8_t *>(RSTRING_PTR(u.source));
    return begin <= u.in.begin && begin + RSTRING_LEN(u.source) >= u.in.end;
}

// Reads one value. Returns where the next one begins, or nullptr after a fault. Extension types may run Ruby code, so nobody
// may change the String of the bytes.
// Statuses: truncated, bad_format, too_deep, unknown_ext, invalid_utf8, too_many_nan_keys, value_changed, bad_timestamp,
// string_too_long, container_too_large, too_much_memory, ext_too_long.
const uint8_t *unpack_value(Unpack &u, const uint8_t *p, VALUE *out, int depth);

// Frees what waited for its Array or Hash. After Ruby code ran in the middle, the garbage collector has to, because a
// continuation may return into it.
SPARPACK_INLINE void unpack_end(Unpack &u) {
    if (SPARPACK_LIKELY(!u.ran_ruby)) pending_end(u.pending, u.memory);
}

// Charges a key, or another name for which Ruby has one String or Symbol. One that recurs in the same payload is charged
// only once.
bool unpack_charge_name(Unpack &u, const uint8_t *data, size_t size, bool symbol);

// `before` is how many bytes came before these. `bytes` is the String that holds all of them, or nil.
[[noreturn]] void unpack_raise(Unpack &u, size_t before, VALUE bytes = Qnil);

// Raises if there are more bytes than one value may have.
SPARPACK_INLINE void unpack_check_size(Unpack &u) {
    if (SPARPACK_LIKELY(input_left(u.in, u.in.begin) <= u.options.payload)) return;
    input_fail(u.in, Status::payload_too_long, u.in.begin);
    unpack_raise(u, 0);
}

}  // namespace sparpack
