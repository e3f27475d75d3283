// Finds out whether the keys of a map, or the elements of a set, may have come before. Equal values have equal bytes in a
// wire, so hashes of these bytes are compared. Equal hashes of different keys cost time and nothing else, because then the
// payload is decoded. The hash is not seeded, so an attacker can choose keys that collide. If too many do, the payload is
// decoded, too, because Ruby seeds its own hashes.
#pragma once

#include "transit.hpp"

namespace sparpack {

// Mixes eight bytes at a time, as wyhash does. Never 0, which marks an empty place.
inline uint64_t bytes_hash(const uint8_t *data, size_t size) {
    auto mix = [](uint64_t a, uint64_t b) {
        __extension__ typedef unsigned __int128 Wide;
        Wide product = static_cast<Wide>(a) * b;
        return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    };
    uint64_t hash = 0xa0761d6478bd642f ^ size;
    for (; size >= 8; size -= 8, data += 8) hash = mix(hash ^ load<uint64_t>(data), 0xe7037ed1a0b428db);
    uint64_t rest = 0;
    for (size_t i = 0; i < size; i++) rest |= static_cast<uint64_t>(data[i]) << (8 * i);
    return mix(hash ^ rest, 0x8ebc6af09c88c6e3) | 1;
}

// A few hashes are here. More are in a table in the transit's scratch memory, above those of the maps around this one. A
// table is last in that memory whenever a key is added, because the maps in it are complete.
class Distinct {
    static constexpr size_t few_max = 12;
    static constexpr size_t probes_max = 128;  // even a hundred million random keys need only about 60

    Transit &t;
    size_t count = 0;
    size_t base = 0;
    size_t places = 0;  // in the table: a power of two, or 0 while there are few
    uint64_t few[few_max];

    uint64_t *table() { return reinterpret_cast<uint64_t *>(t.scratch.bytes) + base; }

    // Returns false if the hash is there, or may be.
    bool put(uint64_t hash) {
        uint64_t *hashes = table();
        size_t first = hash >> 20;
        for (size_t i = first; i < first + probes_max; i++) {
            uint64_t &place = hashes[i & (places - 1)];
            if (place == hash) return false;
            if (place == 0) return place = hash, true;
        }
        return false;
    }

    // Takes room for `more` places behind those in use, all empty.
    void take(size_t more) {
        size_t size = (t.scratch_used + more) * sizeof(uint64_t);
        if (t.scratch.size < size) t.enlarge(t, t.scratch, 2 * size);
        memset(t.scratch.bytes + t.scratch_used * sizeof(uint64_t), 0, more * sizeof(uint64_t));
        t.scratch_used += more;
    }

    // Returns false if a hash finds no place.
    SPARPACK_COLD bool grow() {
        if (places == 0) {
            base = t.scratch_used;
            places = 4 * few_max;
            while (places & (places - 1)) places += places & -places;
            take(places);
            for (size_t i = 0; i < count; i++) put(few[i]);  // fewer than probes_max, so each finds a place
            return true;
        }
        size_t before = places;
        take(before);  // the old hashes move behind the table, and from there into it
        take(before);
        uint64_t *all = table();
        memcpy(all + 2 * before, all, before * sizeof(uint64_t));
        memset(all, 0, 2 * before * sizeof(uint64_t));
        places = 2 * before;
        for (size_t i = 0; i < before; i++) {
            uint64_t hash = table()[places + i];
            if (hash && !put(hash)) return false;
        }
        t.scratch_used = base + places;
        return true;
    }

public:
    explicit Distinct(Transit &transit) : t(transit) {}

    // Called when the map or the set is complete. A frame of a transit has no destructors, because it may be left by
    // longjmp.
    void end() {
        if (places) t.scratch_used = base;
    }

    // Returns false if the same bytes may have been added before.
    SPARPACK_INLINE bool add(const uint8_t *data, size_t size) {
        uint64_t hash = bytes_hash(data, size);
        if (SPARPACK_LIKELY(count < few_max)) {
            for (size_t i = 0; i < count; i++) {
                if (few[i] == hash) return false;
            }
            few[count++] = hash;
            return true;
        }
        if (2 * count >= places && !grow()) return false;
        count++;
        return put(hash);
    }
};

}  // namespace sparpack
