// Unknown fields of structs in JSON, as an object keeps them: one object without white space, whose members are in the order
// of their names. Names have no escapes but those that are needed. No field of Thrift begins with a brace, and no map of
// MessagePack.
#pragma once

#include "../sinks.hpp"
#include "../walk.hpp"
#include "wire.hpp"

namespace sparpack {

struct JsonMember {
    StringBytes name;
    const uint8_t *begin;  // of the quote before the name
    const uint8_t *value;
    const uint8_t *end;

    // Compares the names as they stand in the text. Both have only the escapes that are needed.
    int compare(const JsonMember &other) const {
        size_t size = name.size < other.name.size ? name.size : other.name.size;
        int order = memcmp(name.data, other.name.data, size);
        return order ? order : name.size < other.name.size ? -1 : name.size > other.name.size;
    }

    // Returns the index of the field that has this name, or -1.
    int find(const FieldTable &table) const { return Json::find(table, name, 0); }
};

// Copies JSON without the white space between its tokens. Returns the end of the copy.
inline uint8_t *json_pack(uint8_t *to, const uint8_t *from, const uint8_t *end) {
    for (bool in_string = false; from < end;) {
        const uint8_t byte = *from++;  // another thread may change it
        if (!in_string && JsonText::is_space(byte)) continue;
        if (byte == '"') in_string = !in_string;
        *to++ = byte;
        if (byte == '\\' && from < end) *to++ = *from++;
    }
    return to;
}

// The size of a text with the escapes that it needs, without quotes.
inline size_t json_escaped_size(const uint8_t *data, size_t size) {
    size_t escaped = size;
    for (const uint8_t *p = data, *end = data + size; p < end; p++) {
        if (!is_plain(*p)) escaped += *p < 0x20 && JsonText::letters[*p] == 'u' ? 5 : 1;
    }
    return escaped;
}

inline bool json_is_packed(const uint8_t *p, const uint8_t *end) {
    for (bool in_string = false; p < end; p++) {
        if (!in_string && JsonText::is_space(*p)) return false;
        if (*p == '"') in_string = !in_string;
        if (*p == '\\') p++;
    }
    return true;
}

// True if a name has only the escapes that are needed, as they are written.
inline bool json_is_plain(const StringBytes &name) {
    if (!name.escaped) return true;
    for (const uint8_t *p = name.data, *end = p + name.size; p < end;) {
        const uint8_t *start = p;
        uint8_t written[6];
        uint32_t code = 0;
        if (*p++ != '\\') continue;
        p = start;
        JsonText::read_escape(p, end, code);
        if (code >= 0x80 || is_plain(static_cast<uint8_t>(code))) return false;
        const uint8_t *last = JsonText::write_escape(written, static_cast<uint8_t>(code));
        if (last - written != p - start || memcmp(written, start, static_cast<size_t>(p - start)) != 0) return false;
    }
    return true;
}

// Reads a member's name. Statuses: those of a string, invalid_utf8, json_colon.
inline const uint8_t *json_member_name(Input &in, const uint8_t *p, JsonMember *member) {
    member->begin = p;
    if (!(p = JsonScan::string(in, p, &member->name))) return nullptr;
    if (member->name.text == Text::broken) return input_fail(in, Status::invalid_utf8, member->begin);
    if (p == in.end || *p != ':') return JsonScan::fail_at(in, p, Status::json_colon);
    member->value = p + 1;
    return p + 1;
}

// Reads a member. Statuses: those of a name, of a value and of the limits.
inline const uint8_t *json_member(Input &in, const uint8_t *p, SizeLimits limits, int depth, JsonMember *member) {
    if (!(p = json_member_name(in, p, member))) return nullptr;
    Counted<Limited<Skip>> sink(in, limits);
    Counted<Limited<Skip>>::Level kept;
    return member->end = walk_value<Json::Events>(in, p, JsonEvents::whole(), sink, kept, depth);
}

}  // namespace sparpack
