// One payload on its way from a wire to another, without objects. Whatever is wrong, unusual or not known to give the same
// bytes as a decode and an encode makes it give up: its caller then decodes and encodes. So no fault has a path, and only an
// output that may grow no more raises (converter.cpp).
#pragma once

#include "../bytes/limits.hpp"
#include "../bytes/reader.hpp"
#include "../glue/costs.hpp"
#include "../glue/output.hpp"
#include "../plan/rows.hpp"
#include "../plan/storage.hpp"

namespace sparpack {

// What happens to unknown fields. `copy` is for wires that can carry one another's. `refuse` leaves them to the decode.
enum class Unclaimed : uint8_t { skip, copy, refuse };

// What both sides allow.
struct TransitRules {
    int64_t string;
    int64_t container;
    int depth;
    int depth_watched;  // a struct with fewer levels left checks its depth and the stack
    bool strict_enums;  // a number without a name is refused
    bool enum_names;    // enums are written by their names
    bool integer_text;  // an i64 is written as text
    bool stack_checked;
    bool keeps;  // a decode keeps unknown fields
    Unclaimed unclaimed;

    SizeLimits sizes() const { return {string, container}; }
};

struct Transit {
    Output output;
    Input in;
    const TransitRules &rules;
    int64_t memory;           // what is left of the limit: a decode's objects are charged, although they are not made
    bool is_disordered;       // fields have come in another order than that of their ids
    bool sorts = false;       // fields are put in order
    VALUE scratch = Qfalse;   // a hidden String, for the hashes of the keys of large maps (distinct.hpp)
    size_t scratch_used = 0;  // in hashes

    Transit(const uint8_t *bytes, size_t size, const TransitRules &r, int64_t limit)
        : in(bytes, size), rules(r), memory(limit), is_disordered(false) {}

    Writer &writer() { return output.writer; }
    uint8_t *at(size_t offset) { return output.writer.begin + offset; }
    size_t offset(const uint8_t *q) const { return static_cast<size_t>(q - output.writer.begin); }
    bool charges(int64_t cost) { return charge(memory, cost); }
};

// Where a transit reads and where it writes. Two registers, by value.
struct Places {
    const uint8_t *in;
    uint8_t *out;
};

constexpr Places given_up = {nullptr, nullptr};

// Returns where the payload at `start` ends and where its bytes in the other wire end, or given_up.
using TransitFunction = Places (*)(Transit &t, const Link *link, const uint8_t *start);

// The function for two wires. `From` is the Reader of a wire. Each has a file of its own, because compiling them takes long.
template <class From> TransitFunction transit_from(WireId to);

}  // namespace sparpack
