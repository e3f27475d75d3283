// Ruby's own values to MessagePack's bytes.
#pragma once

#include "../glue/fault.hpp"
#include "../glue/output.hpp"
#include "../wire/message_pack.hpp"
#include "types.hpp"

namespace sparpack {

struct Packer;

// What a caller may ask for.
struct PackOptions {
    static constexpr int depth_max = 128;

    int depth = depth_max;    // levels of Arrays and Hashes
    bool compatible = false;  // the older format, without str8 and bin
    bool sorted = false;      // the pairs of a Hash by their keys
};

// [compatible, sorted, depth] as Ruby has them.
PackOptions pack_options(VALUE row);

// What a packing carries with it. Where Ruby code runs in the middle (to_msgpack, extension types), that code may write on
// by a packer: the cursor then lies in `cursor`, and what is written goes behind it.
struct Pack {
    static constexpr size_t no_payload = SIZE_MAX;

    Output output;  // first, so that growing finds the Pack
    Fault fault;
    VALUE packer;           // a Sparpack::MessagePack::Packer, made when one is needed; Qfalse until then
    VALUE types_object;     // a Sparpack::MessagePack::Types that the caller keeps; Qnil if nothing is registered
    Types *types;           // nullptr if nothing is registered
    Packer *sink;           // whose io takes what does not fit; nullptr in memory
    size_t reference_from;  // a String of so many bytes is given to the io as it is
    size_t cursor;          // while Ruby code runs: where it goes on, in the output
    size_t sends;           // how often the io was given something
    size_t cursor_sends;    // the same, when the cursor was there
    int depth;              // while Ruby code runs: levels that are left
    int held;               // extension types whose size is not known yet: until then nothing goes to the io
    int cursor_held;        // the same, where the cursor is
    size_t payload;         // where the payload begins that Ruby code is writing, in the output; no_payload if none is
    PackOptions options;

    explicit Pack(VALUE types, const PackOptions &o = {})
        : packer(Qfalse),
          types_object(types),
          types(types_of(types)),
          sink(nullptr),
          reference_from(SIZE_MAX),
          cursor(0),
          sends(0),
          cursor_sends(0),
          depth(o.depth),
          held(0),
          cursor_held(0),
          payload(no_payload),
          options(o) {}
};

// Where Ruby code goes on. What fails later leaves nothing behind it, unless the io has it.
inline void pack_set_cursor(Pack &k, const uint8_t *p) {
    k.cursor = static_cast<size_t>(p - k.output.writer.begin);
    k.cursor_sends = k.sends;
}

// The place in the output behind so many bytes, after Ruby code ran: an old continuation may lead into a packing whose
// output is somebody's String by now.
uint8_t *pack_at(const Pack &k, size_t used);

// Where a value stands while Ruby code runs that has nothing to write: a `to_s`, a transcoder, a question. It may use the
// packer all the same, which moves the output, and would leave its bytes inside of the value.
struct PackPause {
    size_t used, cursor, sends;
    int held;
};

SPARPACK_INLINE PackPause pack_pause(const Pack &k, const uint8_t *p) {
    return {static_cast<size_t>(p - k.output.writer.begin), k.cursor, k.sends, k.held};
}

[[noreturn]] void pack_fail_used(Pack &k, const PackPause &pause);

// Between the pairs of a Hash, or the elements of a Set, Ruby may ask a key's `eql?`, which may use the packer, too. Nothing
// else disturbs the output there: `seen` is its count after the pair before. Raises an ArgumentError.
[[noreturn]] void pack_fail_asked();

SPARPACK_INLINE void pack_check_asked(const Pack &k, uint32_t seen) {
    if (SPARPACK_UNLIKELY(k.output.disturbances != seen)) pack_fail_asked();
}

// Answers where to go on. Raises an ArgumentError if something was written.
SPARPACK_INLINE uint8_t *pack_resume(Pack &k, const PackPause &pause) {
    k.output.disturbances++;
    k.held = pause.held;
    if (SPARPACK_UNLIKELY(k.cursor != pause.cursor || k.sends != pause.sends)) pack_fail_used(k, pause);
    return pack_at(k, pause.used);
}

// Says what is wrong, and answers nullptr.
uint8_t *pack_fail(Pack &k, Status status, VALUE found);

// Raises what was wrong, with a value for which there were so many levels.
[[noreturn]] void pack_raise(Pack &k, int depth);

// One value. Answers the next place in the output, or nullptr after a fault.
// Statuses: too_deep, value_out_of_range, value_changed, container_too_large.
uint8_t *pack_value(Pack &k, uint8_t *p, VALUE value, int depth);

// The same for what is known to be an Array or a Hash, whatever is registered for its class.
uint8_t *pack_array(Pack &k, uint8_t *p, VALUE array, int depth);
uint8_t *pack_hash(Pack &k, uint8_t *p, VALUE hash, int depth);

// A String as str or, if asked for, as bin.
uint8_t *pack_string(Pack &k, uint8_t *p, VALUE string);
uint8_t *pack_bytes(Pack &k, uint8_t *p, VALUE string, bool bin);

// Bytes that are packed already.
uint8_t *pack_raw(Pack &k, uint8_t *p, VALUE string);

// What was packed before, as pairs_sort does it: a String that nobody else has.
uint8_t *pack_packed(Pack &k, uint8_t *p, VALUE bytes);

// An extension type's header and payload.
uint8_t *pack_ext(Pack &k, uint8_t *p, int8_t type, VALUE payload);

// A payload that is written in place: `begin` leaves room for the header, `end` writes it. In between nothing of the output
// goes to an io.
uint8_t *pack_ext_begin(Pack &k, uint8_t *p, size_t *start);
uint8_t *pack_ext_end(Pack &k, uint8_t *p, size_t start, int8_t type);

}  // namespace sparpack
