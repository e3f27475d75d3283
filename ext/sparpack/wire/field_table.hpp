// The fields of a struct as a wire looks them up: by id or by name. A reader expects the next field first. Only if another
// one comes, it is looked up.
#pragma once

#include "wire_type.hpp"

namespace sparpack {

struct FieldKey {
    int16_t id;
    WireType type;
};

// A field's name: that of the IDL, or Ruby's where it is different. Both find the field.
struct FieldName {
    const uint8_t *data;
    uint32_t size;
    uint16_t index;  // of the field

    SPARPACK_INLINE bool is(const uint8_t *name, size_t length) const {
        return size == length && memcmp(data, name, length) == 0;
    }
};

struct FieldTable {
    const FieldKey *keys;   // sorted by id
    const uint16_t *dense;  // id -> index; `absent` for an id without a field
    uint32_t count;
    uint32_t dense_size;
    uint32_t name_mask;
    uint32_t names_size;      // of names and by_name, in bytes
    const uint32_t *by_name;  // name -> its place in `names` + 1, open addressing; 0 where there is none
    const FieldName *names;   // first the IDL's names in the order of the fields, then Ruby's that are different

    static constexpr uint16_t absent = 0xffff;

    // A class may declare all 65,536 ids. Its last index would equal `absent`, so it gets no dense table.
    static constexpr bool dense_holds(uint32_t fields) { return fields <= absent; }

    // Finds ids that are too large for the dense table, whose size stays in proportion to the number of fields.
    SPARPACK_COLD int search(int32_t id) const {
        uint32_t low = 0, high = count;
        while (low < high) {
            uint32_t middle = (low + high) / 2;
            if (keys[middle].id < id) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < count && keys[low].id == id ? static_cast<int>(low) : -1;
    }

    // Returns the index of the field with this id, or -1. `hint` is the index that is expected.
    SPARPACK_INLINE int find(int32_t id, uint32_t hint) const {
        if (SPARPACK_LIKELY(hint < count && keys[hint].id == id)) return static_cast<int>(hint);
        if (SPARPACK_LIKELY(static_cast<uint32_t>(id) < dense_size)) {
            uint16_t index = dense[id];
            return index == absent ? -1 : index;
        }
        return search(id);
    }

    // FNV-1a. Names come from a schema, and each is compared, so strangers cannot make lookups slow.
    static uint32_t hash_of(const uint8_t *name, size_t size) {
        uint32_t hash = 2166136261u;
        for (size_t i = 0; i < size; i++) hash = (hash ^ name[i]) * 16777619u;
        return hash;
    }

    [[gnu::noinline]] int search_name(const uint8_t *name, size_t size) const {
        if (!by_name) return -1;
        for (uint32_t i = hash_of(name, size) & name_mask; by_name[i]; i = (i + 1) & name_mask) {
            const FieldName &found = names[by_name[i] - 1];
            if (found.is(name, size)) return found.index;
        }
        return -1;
    }

    // Returns the index of the field with a name of this size for which `is` returns true, or -1.
    template <class Is> int find_name_if(size_t size, Is is) const {
        for (uint32_t i = 0; by_name && i <= name_mask; i++) {
            if (!by_name[i]) continue;
            const FieldName &found = names[by_name[i] - 1];
            if (found.size == size && is(found.data)) return found.index;
        }
        return -1;
    }

    // Returns the index of the field with this name, or -1. `hint` is the index that is expected.
    SPARPACK_INLINE int find_name(const uint8_t *name, size_t size, uint32_t hint) const {
        if (SPARPACK_LIKELY(hint < count && names[hint].is(name, size))) return static_cast<int>(hint);
        return search_name(name, size);
    }
};

// For reading a struct of which nothing is known.
constexpr FieldTable no_fields{nullptr, nullptr, 0, 0, 0, 0, nullptr, nullptr};

// What `next_field` returns if not an index.
enum NextField : int { next_end = -1, next_unknown = -2, next_mismatch = -3, next_failed = -4 };

// What a wire met where `next_field` returned no index: for next_unknown, the id or the name; for next_mismatch, the index
// and the type.
struct FoundField {
    int32_t id = 0;
    int index = 0;
    WireType type = WireType::stop;
    const uint8_t *name = nullptr;  // in the input; nullptr if the wire has no names
    size_t name_size = 0;
};

}  // namespace sparpack
