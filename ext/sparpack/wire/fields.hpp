// The fields of a struct as a wire sees them: ids and types, sorted by id. A reader expects the next field first. Only if
// another one comes, its id is looked up.
#pragma once

#include "type.hpp"

namespace sparpack {

struct FieldKey {
    int16_t id;
    WireType type;
};

// What is known about a field's header at link time.
struct FieldHead {
    int32_t after;  // id of the field before, if the header is then the one byte `compact`; else `never`
    int32_t id;
    WireType type;
    uint8_t compact;

    static constexpr int32_t never = INT32_MIN;  // no field has this id
};

// Follows the head of a struct's last field.
constexpr FieldHead no_head = {FieldHead::never, FieldHead::never, WireType::stop, 0};

struct FieldTable {
    const FieldKey *keys;
    const uint16_t *dense;  // id -> index; `absent` for an id without a field
    uint32_t count;
    uint32_t dense_size;

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

    SPARPACK_INLINE int find(int32_t id, uint32_t hint) const {
        if (SPARPACK_LIKELY(hint < count && keys[hint].id == id)) return static_cast<int>(hint);
        if (SPARPACK_LIKELY(static_cast<uint32_t>(id) < dense_size)) {
            uint16_t index = dense[id];
            return index == absent ? -1 : index;
        }
        return search(id);
    }
};

// What `next_field` returns if not an index.
enum NextField : int { next_end = -1, next_unknown = -2, next_mismatch = -3, next_failed = -4 };

}  // namespace sparpack
