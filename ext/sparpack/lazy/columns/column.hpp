// Columns: the values of paths in many payloads. The paths are a tree of branches, which a payload is walked along once.
// Each leaf has a column.
#pragma once

#include "../../plan/codec_facts.hpp"
#include "../../values/key_cache.hpp"
#include "../path.hpp"
#include "../scan.hpp"

namespace sparpack {

// What a walk does with the value of a branch.
enum class Action : uint8_t {
    number,    // reads a bool, an integer or a double
    text,      // makes a String of it
    decode,    // decodes it
    fields,    // goes on to fields of a struct or a union that a scan knows
    elements,  // goes on to every element of a list
    indexed,   // goes on to some elements of a list
    follow,    // decodes it, and goes on in the object
};

struct TakenLink;

struct Branch {
    Node node;        // the step that leads here; its parts for changes are not used
    bool any;         // the step is every element
    bool leaf;        // the value has a column, the first one of this branch
    bool in_struct;   // the value is a field of a struct, which was charged for the most that a short text takes
    bool above_rows;  // leads to the rows, or has them as its elements
    Action action;
    Branch *child;             // the first one. Elements come in the order of their indexes, every element behind them
    Branch *last;              // child
    Branch *next;              // of the same parent
    uint32_t column, columns;  // those of this branch and of those below it, which are adjacent
    TakenLink *link;           // of a struct or a union that goes on to fields
};

// A link that leads a scan to the branches of its fields: their types have no parts but the branch.
struct TakenLink : Link {
    const Branch *branch;
    Field *own_fields;
    uint64_t taken;  // those that have branches, by their indexes
};

// The numbers of a column in the layout of Arrow. The memory is not Ruby's, so that no lock is needed to fill it.
struct Packed {
    uint8_t *values;
    uint8_t *validity;  // bits; nullptr while no value is nil
    size_t rows, room;
    size_t marked, mark_room;  // how many rows have a bit in validity, and may have one
    size_t nulls;
};

struct Column {
    Kind kind;
    VALUE array;     // the rows; 0 before the first ones
    VALUE *waiting;  // values that are not in the array yet: rows, or elements of lists that are not complete
    size_t count, room;
    uint32_t open;  // lists that are not complete
    Packed packed;
    size_t rows_before, nulls_before;  // what was there before the payload
    bool given;                        // to the first of its paths
};

struct Columns {
    VALUE codec;
    CodecFacts facts;
    Type type;  // of a payload
    Branch *root;
    Branch *branches;
    size_t branch_count, branch_room;
    Column *columns;
    uint32_t count;
    uint32_t path_count;
    uint32_t *of_path;   // the column of each path
    const Branch *rows;  // the container whose elements are the rows; nullptr if payloads are
    bool packed, share;
    bool complete;
    KeyCache *keys;
    VALUE ends;           // an Array that gets the offset behind each payload, or nil
    int64_t left, limit;  // of the memory that the values of a payload may take, beside what is charged for objects
    size_t counted;       // bytes of packed numbers of which Ruby's garbage collector knows
    bool is_detached;     // they are filled without Ruby's lock
    bool failed;          // then: there is no memory
};

// A scan that fills columns on its way.
struct ColumnScan : Scan {
    Columns &c;
    VALUE source;
    bool may_follow;          // other bytes, behind the payload
    bool provisional;         // so the limit of memory, which depends on the payload's size, may be less
    bool lacks_size = false;  // it was given up, because it may be beyond that limit

    ColumnScan(Columns &columns, VALUE bytes, size_t offset, size_t size, bool bytes_may_follow)
        : Scan(string_bytes(bytes) + offset, size, *columns.facts.options),
          c(columns),
          source(bytes),
          may_follow(bytes_may_follow),
          provisional(bytes_may_follow && columns.facts.options->memory < 0) {
        base = offset;
    }

    // A payload that is taken without Ruby's lock.
    ColumnScan(Columns &columns, const uint8_t *bytes, size_t size)
        : Scan(bytes, size, *columns.facts.options), c(columns), source(Qnil), may_follow(false), provisional(false) {}

    // True if a payload that ends here, at the earliest, may take so much memory.
    bool allows(const uint8_t *p, int64_t values, int64_t rows) {
        if (!provisional) return true;
        const int64_t most = options_memory(options, static_cast<size_t>(p - in.begin));
        if (values <= most && rows <= most) return true;
        lacks_size = true;
        return false;
    }

    // True as long as the payload up to here would be within the limit if it ended here. To be asked before memory is taken
    // for more than what stands in the bytes: a scalar takes less than they allow.
    bool stays_within(const uint8_t *p) { return allows(p, limit - memory, c.limit - c.left); }
};

// Walks one payload. As a scan, returns nullptr if only a decode can tell. Then some values may be in the columns already.
using ColumnWalk = const uint8_t *(*)(ColumnScan &s, const uint8_t *start);
ColumnWalk column_walk(WireId wire);

// Makes room for a value: moves rows to the array, or takes more memory. The columns own it.
void column_make_room(Column &column);
// In bytes; 0 for bits.
constexpr size_t packed_width(Kind kind) {
    switch (kind) {
    case Kind::bool_: return 0;
    case Kind::i8: return 1;
    case Kind::i16: return 2;
    case Kind::i32:
    case Kind::enum_: return 4;
    default: return 8;
    }
}

inline size_t packed_size(const Column &column) {
    const size_t width = packed_width(column.kind), room = column.packed.room;
    return column.packed.mark_room / 8 + (width ? room * width : room / 8);
}
void packed_free(Packed &packed);

// These return false if there is no memory. The last one adds some rows of another column.
bool packed_make_room(Packed &packed, size_t width);
bool packed_push_nil(Packed &packed, Kind kind);
bool packed_mark(Packed &packed, bool valid);
bool packed_append(Packed &packed, Kind kind, const Packed &from, size_t first, size_t rows);

SPARPACK_INLINE void column_push(Column &column, VALUE value) {
    if (SPARPACK_UNLIKELY(column.count >= column.room)) column_make_room(column);
    column.waiting[column.count++] = value;
}

SPARPACK_INLINE bool bit_at(const uint8_t *bits, size_t index) { return bits[index / 8] >> index % 8 & 1; }

SPARPACK_INLINE void bit_push(uint8_t *bits, size_t index, bool value) {
    const uint8_t before = static_cast<uint8_t>(bits[index / 8] & ((1u << index % 8) - 1));
    bits[index / 8] = static_cast<uint8_t>(before | static_cast<unsigned>(value) << index % 8);
}

// Adds a number of a kind: an integer, 0 or 1, or the bits of a double. Returns false if there is no memory.
SPARPACK_INLINE bool packed_push(Packed &packed, Kind kind, int64_t number) {
    const size_t width = packed_width(kind);
    if (SPARPACK_UNLIKELY(packed.rows >= packed.room) && !packed_make_room(packed, width)) return false;
    const size_t row = packed.rows++;
    switch (width) {
    case 0: bit_push(packed.values, row, number != 0); break;
    case 1: packed.values[row] = static_cast<uint8_t>(number); break;
    case 2: store(packed.values + row * 2, little_endian(static_cast<uint16_t>(number))); break;
    case 4: store(packed.values + row * 4, little_endian(static_cast<uint32_t>(number))); break;
    default: store(packed.values + row * 8, little_endian(static_cast<uint64_t>(number))); break;
    }
    return true;
}

// Makes a list of the last values of some columns, one for each element.
void columns_close(Columns &c, const Branch &branch, size_t count);
void columns_open(Columns &c, const Branch &branch);

// How many rows a column has, with the elements of lists that are not complete.
SPARPACK_INLINE size_t columns_rows(const Columns &c, const Column &column) {
    if (c.packed) return column.packed.rows;
    return column.count + (column.array ? static_cast<size_t>(RARRAY_LEN(column.array)) : 0);
}

// True unless all columns together may be too large if they get as many rows as the first one of a branch. To be asked
// before a row is added of which no byte need stand in the payload, which goes on up to here at least.
bool columns_may_grow(ColumnScan &s, const Branch &branch, const uint8_t *p);

// Adds a value that is nil, and what is below it. Raises NoMemoryError, with Ruby's lock.
void columns_push_nil(Columns &c, const Branch &branch);

// Adds a value that was decoded, and goes on in it. Returns false if it takes more memory than the limit allows.
bool columns_follow(Columns &c, const Branch &branch, VALUE value);

// Charges lists with this many elements for each column of a branch.
SPARPACK_INLINE bool columns_charge(Columns &c, const Branch &branch, int64_t cost) {
    int64_t all = 0;
    return !__builtin_mul_overflow(cost, static_cast<int64_t>(branch.columns), &all) && charge(c.left, all);
}

// What rows take for each column.
SPARPACK_INLINE int64_t rows_cost(size_t count) { return static_cast<int64_t>(count * sizeof(VALUE)); }

// Adds a String that was decoded or, if Strings are shared, the one that is equal to it.
void columns_push_string(const Columns &c, Column &column, VALUE string);

// Adds the branches of a path. Raises ArgumentError if the schema does not have it. `steps` are those of dig, and :[] for
// every element.
void columns_add_path(Columns &c, uint32_t path, VALUE steps);

// Completes the tree when all paths are there.
void columns_plan(Columns &c, VALUE paths);

}  // namespace sparpack
