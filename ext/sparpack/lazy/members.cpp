#include "../codec/codec.hpp"
#include "../plan/rows.hpp"
#include "patch.hpp"

namespace sparpack {

namespace {

void add_edit(Patch &patch, const uint8_t *begin, const uint8_t *end, size_t from, size_t size) {
    if (size > patch.room) patch_refuse_size(patch);
    patch.room -= size;
    const Edit edit = {static_cast<size_t>(begin - patch.base), static_cast<size_t>(end - patch.base), from, size};
    rb_str_cat(patch.edits, reinterpret_cast<const char *>(&edit), sizeof edit);
}

// Appends new bytes. Returns where they begin.
size_t add_bytes(Patch &patch, const void *data, size_t size) {
    const size_t from = string_size(patch.bytes);
    rb_str_cat(patch.bytes, static_cast<const char *>(data), static_cast<long>(size));
    return from;
}

void add_value(Patch &patch, const Node &node) {
    const size_t from = string_size(patch.bytes);
    // At least doubled, because where realloc copies, growing by each value would take quadratic time.
    if (rb_str_capacity(patch.bytes) < from + node.size)
        rb_str_modify_expand(patch.bytes, static_cast<long>(std::max(from, node.size)));
    memcpy(RSTRING_PTR(patch.bytes) + from, RSTRING_PTR(patch.bytes) + node.from, node.size);
    rb_str_set_len(patch.bytes, static_cast<long>(from + node.size));
}

// Replaces a value, but not the white space in front of it.
void edit_value(Patch &patch, const Node &node, const uint8_t *p, const uint8_t *end) {
    while (traits_of(patch.facts.wire).spaces && p < end && JsonScan::is_space(*p)) p++;
    add_edit(patch, p, end, node.from, node.size);
}

void meet(Patch &patch, Node &node) {
    patch.left -= !node.met;
    node.met = true;
}

bool is_compact(const Patch &patch) { return patch.facts.wire == WireId::compact; }
bool is_text(const Patch &patch) { return traits_of(patch.facts.wire).text; }
bool is_message_pack(const Members &m) { return m.steps.traits.untyped; }

// Writes a header of the compact protocol.
size_t compact_header(uint8_t *to, int32_t before, int32_t id, uint8_t code) {
    Writer w{};
    w.begin = to;
    w.end = to + Compact::header_max;
    Compact::Frame frame;
    frame.id = before;
    return static_cast<size_t>(Compact::write_header(w, writer_reserve(w, to, Compact::header_max), frame, id, code) - to);
}

void edit_compact_header(Members &m, Patch &patch, const uint8_t *begin, const uint8_t *end, int32_t id, uint8_t code) {
    uint8_t header[Compact::header_max];
    const size_t size = compact_header(header, m.written, id, code);
    add_edit(patch, begin, end, add_bytes(patch, header, size), size);
}

// Writes another number of fields to the head of a struct of MessagePack.
void edit_head(Members &m, Patch &patch, size_t count) {
    uint8_t head[MessagePackReader::open_max];
    Writer w{};
    w.begin = head;
    w.end = head + sizeof head;
    uint8_t *p = writer_reserve(w, head, sizeof head);
    p = m.is_array ? MessagePack::write_array(w, p, count) : MessagePack::write_map(w, p, count);
    const size_t size = static_cast<size_t>(p - head), from = add_bytes(patch, head, size);
    m.count = count;
    if (m.head == 0) {
        add_edit(patch, m.open, m.begin, from, size);
        m.head = patch_count(patch);
    } else {
        Edit &edit = patch_edits(patch)[m.head - 1];
        edit.from = from;
        edit.size = size;
    }
}

// --- text --------------------------------------------------------------------------------------------------------------

// Where the text of the members begins, or what is left of it.
const uint8_t *first_of(const Members &m, const Patch &patch) {
    return m.emptied ? m.emptied : m.begin + (patch.facts.wire == WireId::json);
}

const uint8_t *back_over_space(const uint8_t *p, const uint8_t *first) {
    while (p > first && JsonScan::is_space(p[-1])) p--;
    return p;
}

// Removes a member with a comma: the one in front of it, or the one behind it if no member is left in front of it.
bool remove_member(Members &m, Patch &patch, const Input &in, const uint8_t *name, const uint8_t *end) {
    if (patch.facts.wire == WireId::thrift_json) {
        end = JsonScan::skip_space(in, end);
        if (end == in.end || *end++ != '}') return false;
    }
    const uint8_t *first = first_of(m, patch), *before = back_over_space(name, first);
    if (before > first) return add_edit(patch, before - 1, end, 0, 0), true;
    const uint8_t *comma = JsonScan::skip_space(in, end);
    if (comma < in.end && *comma == ',') end = JsonScan::skip_space(in, comma + 1);
    add_edit(patch, name, end, 0, 0);
    m.emptied = end;
    return true;
}

// Adds a member in front of the closing brace.
void add_member(Members &m, Patch &patch, const Node &node, const uint8_t *brace) {
    const uint8_t *first = first_of(m, patch), *at = back_over_space(brace, first);
    const bool alone = at == first && !m.filled;
    const size_t from = string_size(patch.bytes);
    if (patch.facts.wire == WireId::json) {
        const Json::Header &header = rows_of<Json>(m.link)[node.field].header;
        add_bytes(patch, header.prepared + alone, header.prepared_size - alone);
        add_value(patch, node);
    } else {
        const ThriftJson::Header &header = rows_of<ThriftJson>(m.link)[node.field].header;
        const size_t skip = alone ? ThriftJson::between : 1;
        add_bytes(patch, header.bytes + skip, header.size - skip);
        add_value(patch, node);
        add_bytes(patch, "}", 1);
    }
    m.filled = true;
    add_edit(patch, at, at, from, string_size(patch.bytes) - from);
}

// --- MessagePack -------------------------------------------------------------------------------------------------------

// True if the fields of a map go by their names. If its first key does not tell, they go as the codec writes them.
bool goes_by_name(const Members &m, const Patch &patch) {
    using Reader = MessagePackReader;
    const Input in(patch.base, string_size(patch.source));
    const unsigned form = m.count == 0 ? 0 : Reader::form_of(in, m.open, m.begin);
    if (form == Reader::bit_of(Keys::names) || form == Reader::bit_of(Keys::ids)) return form == Reader::bit_of(Keys::names);
    return patch.facts.wire != WireId::message_pack_ids;
}

void add_entry(Members &m, Patch &patch, const Node &node, const uint8_t *end) {
    const size_t from = string_size(patch.bytes);
    const int32_t id = m.link->fields[node.field].id;
    if (m.is_array) {
        if (id < 0) form_refuse(m.link);
        for (size_t i = m.count; i < static_cast<size_t>(id); i++) add_bytes(patch, "\xc0", 1);
    } else if (goes_by_name(m, patch)) {
        const auto &header = rows_of<MessagePackNames>(m.link)[node.field].header;
        add_bytes(patch, header.prepared, header.prepared_size);
    } else {
        const auto &header = rows_of<MessagePackIds>(m.link)[node.field].header;
        add_bytes(patch, header.prepared, header.prepared_size);
    }
    add_value(patch, node);
    add_edit(patch, end, end, from, string_size(patch.bytes) - from);
    edit_head(m, patch, m.is_array ? static_cast<size_t>(id) + 1 : m.count + 1);
}

}  // namespace

void members_open(Members &m, const uint8_t *begin, const AnyFrame &frame) {
    m.begin = begin;
    m.count = m.steps.count(frame);
    m.is_array = m.steps.is_array(frame);
}

void members_keep(Members &m, Patch &patch, const uint8_t *before, const uint8_t *p, const AnyFrame &frame) {
    if (!is_compact(patch)) return;
    const int32_t id = m.steps.id(frame);
    // A header in the long form has the id itself.
    if (members_wait(m) && *before >> 4) edit_compact_header(m, patch, before, p, id, *before & 15);
    m.before = m.written = id;
}

const uint8_t *members_remove(Members &m, Patch &patch, const uint8_t *before, const uint8_t *p, const uint8_t *end,
                              const AnyFrame &frame) {
    if (is_text(patch)) {
        const Input in(patch.base, string_size(patch.source));
        return remove_member(m, patch, in, m.steps.name(in, before, frame, before == m.begin), end) ? end : nullptr;
    }
    if (is_message_pack(m) && m.is_array) {
        add_edit(patch, p, end, add_bytes(patch, "\xc0", 1), 1);
        return end;
    }
    add_edit(patch, before, end, 0, 0);
    if (is_message_pack(m)) edit_head(m, patch, m.count - 1);
    if (is_compact(patch)) m.before = m.steps.id(frame);
    return end;
}

const uint8_t *members_change(Members &m, Patch &patch, Node &node, const uint8_t *before, const uint8_t *p,
                              const uint8_t *end, const AnyFrame &frame) {
    meet(patch, node);
    if (node.removed) {
        if (m.link->is_union) patch_refuse_unset(patch, m.node);
        return members_remove(m, patch, before, p, end, frame);
    }
    if (is_compact(patch) && node.type->kind == Kind::bool_) {
        const int32_t id = m.steps.id(frame);
        edit_compact_header(m, patch, before, p, id, node.flag ? Compact::code_true : Compact::code_false);
        m.before = m.written = id;
        return end;
    }
    members_keep(m, patch, before, p, frame);
    edit_value(patch, node, p, end);
    return end;
}

void members_fill(Members &m, Patch &patch, Node &node, const uint8_t *p, const uint8_t *end) {
    meet(patch, node);
    node.met_in = m.number;
    edit_value(patch, node, p, end);
}

void members_absent(Members &m, Patch &patch, Node &node, const uint8_t *p) {
    meet(patch, node);
    if (node.removed) return;
    if (is_text(patch)) return add_member(m, patch, node, p - 1);
    if (is_message_pack(m)) return add_entry(m, patch, node, p);
    const size_t from = string_size(patch.bytes);
    const Field &field = m.link->fields[node.field];
    if (is_compact(patch)) {
        const uint8_t code = field.type.kind == Kind::bool_ ? (node.flag ? Compact::code_true : Compact::code_false)
                                                            : Compact::code(field.type.wire);
        uint8_t header[Compact::header_max];
        add_bytes(patch, header, compact_header(header, m.written, field.id, code));
        m.before = m.written = field.id;
        if (field.type.kind != Kind::bool_) add_value(patch, node);
    } else {
        const uint16_t id = big_endian(static_cast<uint16_t>(field.id));
        const uint8_t type = static_cast<uint8_t>(field.type.wire);
        add_bytes(patch, &type, 1);
        add_bytes(patch, &id, sizeof id);
        add_value(patch, node);
    }
    add_edit(patch, p - 1, p - 1, from, string_size(patch.bytes) - from);
}

void patch_replace(Patch &patch, Node &node, const uint8_t *p, const uint8_t *end) {
    meet(patch, node);
    edit_value(patch, node, p, end);
}

bool patch_is_over(const Patch &patch) { return patch.left == 0; }

}  // namespace sparpack
