// Unknown fields of structs in MessagePack, as an object keeps them: one map, whose keys are first ids in ascending order
// and then names in the order of their bytes. No field of Thrift begins with the byte that a map begins with.
#pragma once

#include "../sinks.hpp"
#include "../walk.hpp"
#include "wire.hpp"

namespace sparpack {

struct MessagePackEntry {
    int32_t id;
    uint32_t name_size;
    const uint8_t *name;   // nullptr if the key is an id
    const uint8_t *begin;  // of the key
    const uint8_t *value;
    const uint8_t *end;

    bool is_before(const MessagePackEntry &other) const { return compare(other) < 0; }

    int compare(const MessagePackEntry &other) const {
        if (!name || !other.name) return name ? 1 : other.name ? -1 : id < other.id ? -1 : id > other.id;
        size_t size = name_size < other.name_size ? name_size : other.name_size;
        int order = memcmp(name, other.name, size);
        return order ? order : name_size < other.name_size ? -1 : name_size > other.name_size;
    }

    // Returns the index of the field that has this id or name, or -1.
    int find(const FieldTable &table) const { return name ? table.find_name(name, name_size, 0) : table.find(id, 0); }
};

// Reads an entry. Statuses: those of a key, of a value and of the limits.
inline const uint8_t *message_pack_entry(Input &in, const uint8_t *p, SizeLimits limits, int depth,
                                         MessagePackEntry *entry) {
    MessagePackForms::Frame frame;
    const uint8_t *begin = p;
    if (!(p = MessagePackForms::read_key(in, p, frame))) return nullptr;
    *entry = {frame.id, frame.name_size, frame.name, begin, p, p};
    Limited<Skip> sink(in, limits);
    Skip::Level kept;
    if (!(p = walk_value<MessagePackEvents>(in, p, MessagePackEvents::whole(), sink, kept, depth))) return nullptr;
    entry->end = p;
    return p;
}

// Opens the map. Statuses: truncated, bad_format, mismatch.
inline const uint8_t *message_pack_entries(Input &in, const uint8_t *p, size_t *count) {
    return MessagePackForms::read_map(in, p, WireType::stop, WireType::stop, count);
}

}  // namespace sparpack
