// One payload on its way from a wire to another, without objects. Whatever is wrong, unusual or not known to give the same
// bytes as a decode and an encode makes it give up: its caller then decodes and encodes. So no fault has a path, and only an
// output that may grow no more raises (converter.cpp).
#pragma once

#include "../bytes/limits.hpp"
#include "../bytes/reader.hpp"
#include "../glue/output.hpp"
#include "../objects/storage.hpp"
#include "../plan/rows.hpp"
#include "../values/costs.hpp"

namespace sparpack {

// What happens to unknown fields. `copy` is for wires that can carry one another's. `refuse` leaves them to the decode.
enum class Unclaimed : uint8_t { skip, copy, refuse };

struct Enums;

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
    WireId to;
    const Enums *enums;  // in a thread that does not have Ruby's lock; otherwise nullptr

    SizeLimits sizes() const { return {string, container}; }
};

struct Cell;

// Memory of a transit beyond that on the stack.
struct Block {
    uint8_t *bytes = nullptr;
    size_t size = 0;
    VALUE string = Qfalse;  // a hidden String that owns it; Qfalse in a thread that must not touch Ruby
};

struct Transit;

// Gives a block at least as many bytes. It may move. May longjmp.
using Enlarge = void (*)(Transit &t, Block &block, size_t size);

struct Transit {
    static constexpr size_t stack_cells = 512;

    Output output;
    Input in;
    const TransitRules &rules;
    int64_t memory;           // what is left of the limit: a decode's objects are charged, although they are not made
    bool is_unusual = false;  // a fused pair leaves it to the cells
    const Enlarge enlarge;
    Block scratch;            // for the hashes of the keys of large maps (distinct.hpp)
    size_t scratch_used = 0;  // in hashes
    Cell *cells;              // what has been read (cells.hpp)
    size_t cells_used = 0;
    size_t cells_room = stack_cells;
    Block cells_block;  // if the stack is not enough for them
    alignas(16) uint8_t cells_stack[stack_cells * 16];

    Transit(const uint8_t *bytes, size_t size, const TransitRules &r, int64_t limit, Enlarge with)
        : in(bytes, size), rules(r), memory(limit), enlarge(with), cells(reinterpret_cast<Cell *>(cells_stack)) {}

    // Writes to memory that somebody else owns.
    Transit(const uint8_t *bytes, size_t size, const TransitRules &r, int64_t limit, Enlarge with, const Writer &to)
        : output(to),
          in(bytes, size),
          rules(r),
          memory(limit),
          enlarge(with),
          cells(reinterpret_cast<Cell *>(cells_stack)) {}

    Writer &writer() { return output.writer; }
    uint8_t *at(size_t offset) { return output.writer.begin + offset; }
    size_t offset(const uint8_t *q) const { return static_cast<size_t>(q - output.writer.begin); }
    bool charges(int64_t cost) { return charge(memory, cost); }
};

// Reads a payload of a wire into cells, and returns where it ends, or nullptr.
using CellsReader = const uint8_t *(*)(Transit &t, const Link *link, const uint8_t *start);

// Writes the payload that is in cells, and returns where its bytes end, or nullptr.
using CellsWriter = uint8_t *(*)(Transit &t, const Link *link);

// Reads and writes a payload in one pass. If it gives up and has set `is_unusual`, the payload can still go through cells.
struct Places {
    const uint8_t *in;
    uint8_t *out;
};
using FusedPair = Places (*)(Transit &t, const Link *link, const uint8_t *start);

// The halves of each wire. `From` is the Reader of a wire. Each wire has a file of its own, because these take long to
// compile.
template <class From> const uint8_t *cells_read_payload(Transit &t, const Link *link, const uint8_t *start);
template <class To> uint8_t *cells_write_payload(Transit &t, const Link *link);

// Reads a struct or a container into cells, the first of which is its head. `depth` is how many levels there may be below.
template <class From> const uint8_t *cells_read(Transit &t, const uint8_t *p, const Type &type, int depth);

// Writes the struct or the container whose head is at a place.
template <class To> uint8_t *cells_write(Transit &t, uint8_t *q, const Type &type, size_t head, int depth);

// Writes what an encode writes for an absent field, whose room is reserved. Gives up if it is required.
template <class To>
uint8_t *cells_write_absent(Transit &t, uint8_t *q, const Link *link, const Row<To> *row, typename To::Frame &frame,
                            int depth);

// The fused pair of two wires, or nullptr.
FusedPair fused_pair(WireId from, WireId to);

}  // namespace sparpack
