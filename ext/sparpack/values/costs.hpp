// What Ruby's objects take in memory, in bytes, and how the memory limit is charged for them: for both engines, in one
// place. A cost is what ObjectSpace.memsize_of says or somewhat more, because malloc takes a share, too.
#pragma once

#include "sets.hpp"

namespace sparpack {

#define SPARPACK_RUBY_SINCE(major, minor) \
    (RUBY_API_VERSION_MAJOR > (major) || (RUBY_API_VERSION_MAJOR == (major) && RUBY_API_VERSION_MINOR >= (minor)))

constexpr size_t word_size = sizeof(VALUE);
constexpr int64_t malloc_cost = 16;  // of a block, in addition to its size

// Every object has a slot. Up to Ruby 3.1 all slots have the same size, and what does not fit is malloc'ed as a block. Later
// versions have slots of several sizes, and an object lives in the smallest that holds all of it, if there is one.
constexpr bool objects_vary = SPARPACK_RUBY_SINCE(3, 2);
constexpr size_t object_size = 5 * word_size;  // up to Ruby 3.1

struct ObjectSizes {
    static constexpr size_t words_max = 256;

    size_t largest;              // in bytes
    uint16_t of[words_max + 1];  // the slot for an object of so many words, in bytes
};
extern ObjectSizes object_sizes;  // written by costs_init alone

// An object of this size, if all of it is in its slot.
SPARPACK_INLINE int64_t object_cost(size_t bytes) {
    if constexpr (!objects_vary) return static_cast<int64_t>(object_size);
    return object_sizes.of[(bytes + word_size - 1) / word_size];
}

SPARPACK_INLINE bool object_embeds(size_t bytes) { return objects_vary && bytes <= object_sizes.largest; }

// An object that has a slot for its head and a block for what it holds.
SPARPACK_INLINE int64_t block_cost(size_t head, size_t bytes) {
    return object_cost(head) + malloc_cost + static_cast<int64_t>(bytes);
}

// --- scalars -----------------------------------------------------------------------------------------------------------

SPARPACK_INLINE int64_t float_cost() { return object_cost(sizeof(struct RBasic) + sizeof(double)); }

// An Integer that is not an immediate.
SPARPACK_INLINE int64_t integer_cost(size_t bytes) {
    constexpr size_t embedded = 3 * word_size;
    bytes = (bytes + 7) / 8 * 8;  // rounded up to whole words
    size_t all = sizeof(struct RBasic) + bytes;
    if (SPARPACK_RUBY_SINCE(4, 0) ? object_embeds(all) : bytes <= embedded) return object_cost(all);
    return block_cost(sizeof(struct RBasic) + embedded, bytes);
}

SPARPACK_INLINE int64_t rational_cost() { return object_cost(sizeof(struct RBasic) + 2 * word_size); }

SPARPACK_INLINE int64_t string_cost(size_t size) {
    constexpr size_t head = objects_vary ? offsetof(struct RString, as.embed.ary) : 2 * word_size;
    if (objects_vary ? object_embeds(head + size + 1) : size < object_size - head) return object_cost(head + size + 1);
    return block_cost(sizeof(struct RString), size);
}

// A Symbol that Ruby makes from a String: with its name, in US-ASCII if possible, and the copy that the name is made from.
SPARPACK_INLINE int64_t symbol_cost(size_t size) { return object_cost(object_size) + 2 * string_cost(size); }

// --- containers --------------------------------------------------------------------------------------------------------

SPARPACK_INLINE int64_t array_cost(size_t count) {
    constexpr size_t head = sizeof(struct RBasic), embedded = object_size / word_size - 2;
    size_t bytes = count * word_size;
    if (objects_vary ? object_embeds(head + bytes) : count <= embedded) return object_cost(head + bytes);
    return block_cost(sizeof(struct RArray), bytes);
}

// Code that does not know how many elements follow adds them in runs of this size. A shorter Array is made in one step.
constexpr size_t run_size = 256;

// Returns the room that a container gets when `room` elements are there and one more follows.
SPARPACK_INLINE size_t room_doubled(size_t room) { return room ? 2 * room : 4; }

// The same for an Array. When a run does not fit, Ruby makes room for one and a half times what is needed.
SPARPACK_INLINE size_t room_of_array(size_t room) {
    if (room < run_size) return room_doubled(room);
    size_t needed = room == run_size ? room : (room / run_size + 1) * run_size;
    return needed + needed / 2;
}

// A Struct or a Data.
SPARPACK_INLINE int64_t structure_cost(size_t count) { return array_cost(count + 1); }

// A Hash with this many pairs or fewer has no table.
constexpr size_t pairs_few = word_size, pair_size = 2 * word_size;

constexpr size_t table_head = 7 * word_size;  // of an st_table, and of the table of a Set

// Returns n for a table of 2**n entries that is made for `count` of them at once: it has more entries than that.
SPARPACK_INLINE unsigned table_power(size_t count) {
    constexpr unsigned least = 2;
    unsigned bits = 64 - static_cast<unsigned>(__builtin_clzll(count | 1));
    return bits < least ? least : bits;
}

// Returns n for a table that grew: it may be full. The first `bulk` elements come at once, the others one by one.
SPARPACK_INLINE unsigned table_power(size_t count, size_t bulk) {
    if (count <= bulk) return table_power(count);
    unsigned first = table_power(bulk), last = table_power(count - 1);
    return first > last ? first : last;
}

// Returns n for the largest table that this many elements can have. Its first `bulk` elements may have been inserted at
// once, or the table may have replaced the few pairs of a small Hash. Ruby makes a table for twice as many then.
SPARPACK_INLINE unsigned table_grown_power(size_t count, size_t bulk) {
    unsigned few = table_power(2 * pairs_few), all = table_power(count, bulk);
    return few > all ? few : all;
}

// The same for a Hash or a Set: the largest number of elements that fit into the next larger table that Ruby makes.
SPARPACK_INLINE size_t room_of_table(size_t room) {
    return room < pairs_few ? room_doubled(room) : (size_t{2} << table_power(room)) - 1;
}

// The entries of a table and, if there are many, an index of twice as many numbers.
SPARPACK_INLINE int64_t table_cost(unsigned power, size_t entry) {
    int64_t number = power <= 4 ? 0 : power <= 7 ? 1 : power <= 15 ? 2 : 4;
    return (static_cast<int64_t>(entry) + 2 * number) << power;
}

// A Hash with few pairs, or with a table of 2**power entries.
SPARPACK_INLINE int64_t hash_cost_by(size_t count, unsigned power) {
    constexpr int64_t few = static_cast<int64_t>(pairs_few * pair_size);
    int64_t table = count <= pairs_few ? 0 : malloc_cost + table_cost(power, pair_size + word_size);
    // Since Ruby 3.3 the slot has room for few pairs, even if there are none or many.
    if constexpr (SPARPACK_RUBY_SINCE(3, 3)) return object_cost(sizeof(struct RBasic) + 2 * word_size + few) + table;
    if (count == 0) return object_cost(object_size);
    if (count <= pairs_few) return object_cost(object_size) + malloc_cost + few;
    return object_cost(object_size) + malloc_cost + static_cast<int64_t>(table_head) + table;
}

SPARPACK_INLINE int64_t hash_cost(size_t count) { return hash_cost_by(count, table_power(count, pairs_bulk)); }

SPARPACK_INLINE int64_t hash_grown_cost(size_t count) { return hash_cost_by(count, table_grown_power(count, pairs_bulk)); }

#ifdef HAVE_RB_SET_FOREACH
SPARPACK_INLINE int64_t set_cost(size_t count) {
    constexpr size_t head = offsetof(struct RTypedData, data) + table_head;
    return object_cost(head) + malloc_cost + table_cost(table_power(count), pair_size);
}
SPARPACK_INLINE int64_t set_grown_cost(size_t count) { return set_cost(count); }
#else
// A Set that has a Hash in an instance variable.
SPARPACK_INLINE int64_t set_cost(size_t count) {
    return object_cost(object_size) + hash_cost_by(count, table_power(count, elements_bulk));
}
SPARPACK_INLINE int64_t set_grown_cost(size_t count) {
    return object_cost(object_size) + hash_cost_by(count, table_grown_power(count, elements_bulk));
}
#endif

// An object with this much memory of a C extension. Since Ruby 3.3 it is embedded if the type allows it.
SPARPACK_INLINE int64_t data_cost(size_t size, bool embedded = false) {
    constexpr size_t head = offsetof(struct RTypedData, data);
    if (embedded && embeds_data && object_embeds(head + size)) return object_cost(head + size);
    return block_cost(sizeof(struct RTypedData), size);
}

SPARPACK_INLINE int64_t time_cost() { return data_cost(6 * sizeof(int64_t), true); }

// --- limits ------------------------------------------------------------------------------------------------------------

constexpr int64_t unlimited = INT64_MAX;

// Takes a cost from what is left of the limit, before the memory is allocated. Returns false if too little is left.
SPARPACK_INLINE bool charge(int64_t &memory, int64_t cost) { return SPARPACK_LIKELY((memory -= cost) >= 0); }

void costs_init();

}  // namespace sparpack
