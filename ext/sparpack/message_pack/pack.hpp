// Ruby's own values to MessagePack.
#pragma once

#include "../bytes/limits.hpp"
#include "../glue/fault.hpp"
#include "../glue/output.hpp"
#include "../wire/message_pack/heads.hpp"
#include "types.hpp"

namespace sparpack {

struct Packer;

// What a caller may choose.
struct PackOptions {
    int depth = untyped_depth_max;  // levels of Arrays and Hashes
    bool compatible = false;        // the older format, without str8 and bin
    bool sorted = false;            // sorts the pairs of a Hash by their keys
    bool places = false;            // paths say which pair of a Hash it is, and not its key
};

// Reads [compatible, sorted, depth], as Ruby passes them.
PackOptions pack_options(VALUE row);

// Where and how Ruby code writes with a packer while it runs in the middle of a packing (to_msgpack, extension types).
struct Reentry {
    static constexpr size_t no_ext = SIZE_MAX;

    size_t cursor;  // where it continues in the output; moves on as it writes
    size_t sends;   // `sends` of the packing when the cursor was set
    int held;       // `held` of the packing when the cursor was set
    int depth;      // levels that are left
    size_t ext;     // where the data of the extension type begins that it is writing, in the output; no_ext if it is none
};

// The state of a packing.
struct Pack {
    Output output;  // first, so that packer_grow can cast a Writer to its Pack
    Fault fault;
    VALUE packer;           // a Sparpack::MessagePack::Packer, made on demand; Qfalse until then
    VALUE types_object;     // a Sparpack::MessagePack::Types that the caller keeps; Qnil if nothing is registered
    Types *types;           // nullptr if nothing is registered
    Packer *sink;           // its io takes what does not fit; nullptr in memory
    size_t reference_from;  // a String of at least this size is given to the io as it is
    size_t sends;           // how often the io was given something
    int held;               // open extension types of unknown size: while there are any, nothing goes to the io
    Reentry reentry;        // while Ruby code runs
    PackOptions options;

    // The class of the last object that was written with the name of its class; 0 until then.
    struct {
        VALUE klass = 0, codec = Qnil, name = Qnil;
    } named;

    explicit Pack(VALUE types, const PackOptions &o = {})
        : packer(Qfalse),
          types_object(types),
          types(types_of(types)),
          sink(nullptr),
          reference_from(SIZE_MAX),
          sends(0),
          held(0),
          reentry{0, 0, 0, o.depth, Reentry::no_ext},
          options(o) {}
};

// Sets where Ruby code continues. If something fails later, the output ends there, except for what the io has.
inline void pack_set_cursor(Pack &k, const uint8_t *p) {
    k.reentry.cursor = static_cast<size_t>(p - k.output.writer.begin);
    k.reentry.sends = k.sends;
}

// What call_ruby raises.
[[noreturn]] void fail_ended(const Pack &k);

// Returns the place behind so many bytes of output.
SPARPACK_INLINE uint8_t *pack_at(const Pack &k, size_t used) { return k.output.writer.begin + used; }

// The output while Ruby code runs that should write nothing, such as a `to_s` or a transcoder. If that code uses the packer
// nevertheless, it moves the output, and its bytes would be inside the value.
struct PackPause {
    size_t used, cursor, sends;
    int held;
};

SPARPACK_INLINE PackPause pack_pause(const Pack &k, const uint8_t *p) {
    return {static_cast<size_t>(p - k.output.writer.begin), k.reentry.cursor, k.sends, k.held};
}

[[noreturn]] void pack_fail_used(Pack &k, const PackPause &pause);

// Returns where to continue. Raises an ArgumentError if something was written.
SPARPACK_INLINE uint8_t *pack_resume(Pack &k, const PackPause &pause) {
    k.held = pause.held;
    if (SPARPACK_UNLIKELY(k.reentry.cursor != pause.cursor || k.sends != pause.sends)) pack_fail_used(k, pause);
    return pack_at(k, pause.used);
}

// Calls Ruby code that should write nothing. Raises an ArgumentError if it has used the packer. Sets p to where to continue.
template <class Call> SPARPACK_INLINE auto pack_call(Pack &k, uint8_t *&p, Call call) {
    PackPause pause = pack_pause(k, p);
    auto result = call_ruby(k, call);
    p = pack_resume(k, pause);
    return result;
}

// Between the pairs of a Hash or the elements of a Set, Ruby may call `eql?` of a key to find its place again. That may use
// the packer, too: if a new epoch has begun since the previous pair, whose epoch is `seen`, these raise an ArgumentError.
// One is for the beginning of each callback, the other for after the last one.
[[noreturn]] void pack_fail_touched();

SPARPACK_INLINE void pack_walk_on(const Pack &k, uint32_t seen) {
    if (SPARPACK_UNLIKELY(k.output.epoch != seen)) pack_fail_touched();
    output_check(k);
}

SPARPACK_INLINE void pack_walk_end(Pack &k, uint32_t seen) {
    pack_walk_on(k, seen);
    k.output.epoch++;
}

// Notes a fault and returns nullptr.
uint8_t *pack_fail(Pack &k, Status status, VALUE found);

// Raises the fault that was noted. `depth` is how many levels the value might have.
[[noreturn]] void pack_raise(Pack &k, int depth);

// Writes one value. Returns the next place in the output, or nullptr after a fault.
// Statuses: too_deep, value_out_of_range, value_changed, container_too_large.
uint8_t *pack_value(Pack &k, uint8_t *p, VALUE value, int depth);

// The same for a value that is known to be an Array or a Hash, even if its class is registered.
uint8_t *pack_array(Pack &k, uint8_t *p, VALUE array, int depth);
uint8_t *pack_hash(Pack &k, uint8_t *p, VALUE hash, int depth);

// Writes a String as str or, if `bin` is true, as bin.
uint8_t *pack_string(Pack &k, uint8_t *p, VALUE string);
uint8_t *pack_bytes(Pack &k, uint8_t *p, VALUE string, bool bin);

// Writes bytes that are packed already.
uint8_t *pack_raw(Pack &k, uint8_t *p, VALUE string);

// Writes what pairs_sort has packed: a String that nobody else has.
uint8_t *pack_packed(Pack &k, uint8_t *p, VALUE bytes);

// Writes the header and the data of an extension type.
uint8_t *pack_ext(Pack &k, uint8_t *p, int8_t type, VALUE data);

// These write the data in place: `begin` leaves room for the header, and `end` writes it. No io gets output in between.
uint8_t *pack_ext_begin(Pack &k, uint8_t *p, size_t *start);
uint8_t *pack_ext_end(Pack &k, uint8_t *p, size_t start, int8_t type);

}  // namespace sparpack
