// Checks a payload as a decode does, driven by a link, and makes nothing of it: framing, types, UTF-8, required fields,
// depth, sizes, and what its objects would take of the memory limit. Whatever is wrong or unusual makes it give up: its
// caller then decodes, which raises, or knows better. So no fault has a path.
#pragma once

#include "../glue/options.hpp"
#include "../glue/pending.hpp"
#include "../objects/storage.hpp"
#include "../plan/rows.hpp"

namespace sparpack {

// The header of a field, and the size of a string or any other scalar.
constexpr size_t scan_ahead = 4 + 8;

// The limit of memory for values of a payload that was checked before.
constexpr int64_t checked_memory = INT64_MAX / 4;

struct Scan {
    Input in;
    const Options &options;
    int64_t memory;                  // what is left of the limit
    const int64_t limit;             // of memory
    const uint8_t *const safe;       // up to here, as many bytes follow as a fast loop looks at without asking
    const uint8_t *const text_safe;  // up to here, a short text may begin
    size_t waiting = 0;              // how many values a decode would keep in its pending room at this place
    size_t waiting_most = 0;
    const size_t short_max;     // in bytes, of a string that a fast loop passes
    bool skipped = false;       // an unknown field
    bool unknown_here = false;  // the struct that is opened has one of its own
    uint8_t forms = 0;          // of structs in MessagePack, as bits by Keys; that of Keys::none for others
    VALUE index = Qnil;         // of a list of structs (element_index.hpp)
    size_t base = 0;            // where the bytes begin in the payload

    Scan(const uint8_t *bytes, size_t size, const Options &o) : Scan(bytes, size, o, options_memory(o, size)) {}

    Scan(const uint8_t *bytes, size_t size, const Options &o, int64_t most_memory)
        : in(bytes, size),
          options(o),
          memory(most_memory),
          limit(memory),
          safe(size > scan_ahead ? bytes + size - scan_ahead : nullptr),
          text_safe(size >= Utf8Masks::most ? bytes + size - Utf8Masks::most : nullptr),
          short_max(o.string < static_cast<int64_t>(string_scanned) ? static_cast<size_t>(o.string) : string_scanned) {}

    bool keeps() const { return unknown_here && options.unknown == Unknown::keep; }

    // True if all structs have the form that a wire writes.
    bool all_in_form_of(WireId wire) const { return (forms & ~(1u << static_cast<unsigned>(traits_of(wire).keys))) == 0; }

    bool charges(int64_t cost) { return charge(memory, cost); }

    SPARPACK_INLINE void takes(size_t values) {
        waiting += values;
        if (SPARPACK_UNLIKELY(waiting > waiting_most)) waiting_most = waiting;
    }

    // How much more the limit was than that of a payload that ends here. The size was not known.
    int64_t excess(const uint8_t *end) const { return limit - options_memory(options, static_cast<size_t>(end - in.begin)); }

    // True if what was passed up to here is a payload within its limit of memory.
    bool ends_within(const uint8_t *end) { return charges(excess(end)) && fits(); }

    // A decode may also need memory for values that wait for their object. A large part of the limit has to be left for
    // that.
    bool fits() const { return waiting_most <= Pending::stack_size || memory >= limit - limit / 4; }
};

// What a wire does without making objects. It returns where something ends, or nullptr if only a decode can tell. It calls
// no Ruby code, and opening a struct alone may allocate.
struct ScanOf {
    const uint8_t *(*payload)(Scan &s, const Link *link, const uint8_t *start);

    // Reads the scalars of a struct and notes the places of its other fields, by slots. `depth` is how many levels there may
    // be below.
    const uint8_t *(*open)(Scan &s, const Link *link, const uint8_t *start, VALUE *fields, int depth);

    // Reads the beginning of a list.
    const uint8_t *(*list)(Scan &s, const Type &type, const uint8_t *start, size_t *count);

    // Reads the place of a string.
    const uint8_t *(*string)(Input &in, const uint8_t *start, bool is_text, StringBytes *string);
};

// A wire of text has neither `open` nor `list`.
const ScanOf *scan_of(WireId wire);

// Adds what a decode gives the fields that are absent to the columns that a link leads to (columns/column.hpp). They are
// absent from a struct that ends here. Returns false if only a decode can tell.
bool columns_take_absent(Scan &s, const uint8_t *end, const Link *link, uint64_t seen);

// How many fields a struct may have that is scanned.
constexpr uint32_t scanned_fields_max = lazy_fields_max;

}  // namespace sparpack
