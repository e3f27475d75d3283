// Unknown fields of structs in MessagePack: how a decode keeps them, and how an encode writes them again. Only kept.hpp
// includes this file.
#pragma once

#include "../../wire/message_pack/entries.hpp"
#include "../encoder.hpp"
#include "reader.hpp"
#include "sorted.hpp"

namespace sparpack {

namespace {

// Keeps an unknown field: its key, as small as it can be, and its value. The objects are hidden from Ruby code.
template <class Wire>
[[maybe_unused]] SPARPACK_COLD Cursor keep_entry(Decoder &d, Cursor p, const typename Wire::Frame &frame, VALUE *unknown,
                                                 int depth) {
    Cursor end = skip_field<Wire>(d, p, frame, depth);
    if (!end) return nullptr;
    size_t key_room = frame.name ? Wire::string_room(frame.name_size) : Wire::header_max;
    size_t value_size = static_cast<size_t>(end - p), room = key_room + value_size;
    if (!charge(d, kept_cost(room, NIL_P(*unknown) ? 0 : RARRAY_LEN(*unknown)))) return fail_memory(d, p);
    VALUE bytes = rb_obj_hide(rb_str_new(nullptr, static_cast<long>(room)));
    Writer writer{};
    writer.begin = reinterpret_cast<uint8_t *>(RSTRING_PTR(bytes));
    writer.end = writer.begin + room;
    uint8_t *q = writer_reserve(writer, writer.begin, room);
    q = frame.name ? Wire::write_text(writer, q, frame.name, frame.name_size)
                   : MessagePack::write_integer(writer, q, frame.id);
    memcpy(q, p, value_size);
    rb_str_set_len(bytes, q + value_size - writer.begin);
    if (NIL_P(*unknown)) *unknown = rb_obj_hide(rb_ary_new());
    rb_ary_push(*unknown, bytes);
    return end;
}

// How kept_sorted reads and joins them.
struct MessagePackKept {
    using Entry = MessagePackEntry;

    static constexpr size_t room(size_t) { return MessagePackForms::open_max; }
    static bool read(Input &in, Entry *entry) {
        MessagePackForms::Frame frame;
        if (!MessagePackForms::read_key(in, in.begin, frame)) return false;
        *entry = {frame.id, frame.name_size, frame.name, in.begin, in.begin, in.end};
        return true;
    }
    static uint8_t *open(Writer &w, uint8_t *p, size_t count) { return MessagePack::write_map(w, p, count); }
    static uint8_t *next(Writer &, uint8_t *p) { return p; }
    static uint8_t *close(Writer &, uint8_t *p) { return p; }
};

template <class Wire>
uint8_t *write_field(Encoder &e, uint8_t *p, const Link *link, const Row<Wire> &field, VALUE value,
                     typename Wire::Frame &frame, int depth);

// The entries that an object keeps, and which of them are written.
template <class Wire> struct EntryWriter {
    static constexpr bool is_array = Wire::traits.leaves_holes;

    Encoder &e;
    const Link *link;
    const VALUE *values;  // nullptr for a union
    int depth;
    VALUE kept;  // the String
    Input in;
    size_t count = 0;    // of all entries
    size_t left = 0;     // of these, those that were not read yet
    size_t written = 0;  // of those that were read
    const uint8_t *next;
    MessagePackEntry entry{};  // the one that comes next

    EntryWriter(Encoder &encoder, const Link *fields, const VALUE *set, int levels, VALUE bytes)
        : e(encoder),
          link(fields),
          values(set),
          depth(levels),
          kept(bytes),
          in(string_bytes(bytes), string_size(bytes)),
          next(in.begin) {}

    void rewind() {
        next = message_pack_entries(in, in.begin, &count);
        left = next ? count : 0;
        written = 0;
    }

    // A field that is set goes before what was kept by a class that did not know it. An array has no places for names, nor
    // for ids that are far beyond the others. Only those count that are written, so that a second reader writes the same.
    bool is_written() const {
        if (values && field_is_set(link, values, entry.find(link->table))) return false;
        if (!is_array || !values) return true;
        return !entry.name && entry.id >= 0 && static_cast<size_t>(entry.id) <= 4 * (link->count + written + 1) + 16;
    }

    // Finds the next entry that is written. Returns false at the end, and if a limit is exceeded, which `in` then says.
    bool find() {
        while (left > 0) {
            left--;
            if (!(next = message_pack_entry(in, next, size_limits(e.options), depth, &entry))) return left = 0, false;
            if (is_written()) return written++, true;
        }
        return false;
    }

    uint8_t *write(uint8_t *p, const uint8_t *from) {
        p = writer_append(e.output.writer, p, from, static_cast<size_t>(entry.end - from));
        return p;
    }
};

template <class Wire>
uint8_t *write_array_with_entries(EntryWriter<Wire> &kept, uint8_t *p, const Row<Wire> *rows, typename Wire::Frame &frame) {
    Encoder &e = kept.e;
    size_t size = Wire::positions(rows[kept.link->count].header), at = 0;
    for (kept.rewind(); kept.find();) size = larger(size, static_cast<size_t>(kept.entry.id) + 1);
    kept.rewind();
    p = writer_reserve(e.output.writer, p, Wire::open_max);
    p = Wire::open_struct(e.output.writer, p, frame, size, false);
    bool some = kept.find();
    for (uint32_t i = 0; at < size; at++) {
        const Field *field = i < kept.link->count && static_cast<size_t>(rows[i].id) == at ? &rows[i] : nullptr;
        VALUE value = field ? kept.values[field->slot] : Qnil;
        if (!NIL_P(value)) {
            Row<Wire> alone[2] = {rows[i], rows[i + 1]};
            alone[0].header.holes = 0;  // what is between the fields is written here
            if (!(p = write_field<Wire>(e, p, kept.link, alone[0], value, frame, kept.depth))) return nullptr;
        } else if (some && static_cast<size_t>(kept.entry.id) == at) {
            p = kept.write(p, kept.entry.value);
            some = kept.find();
        } else {
            p = writer_put(e.output.writer, writer_reserve(e.output.writer, p, 1), MessagePack::nil_byte);
        }
        i += field != nullptr;
    }
    return p;
}

template <class Wire>
uint8_t *write_map_with_entries(EntryWriter<Wire> &kept, uint8_t *p, const Row<Wire> *rows, typename Wire::Frame &frame) {
    Encoder &e = kept.e;
    size_t size = 0, written = 0;
    uint32_t count = kept.values ? kept.link->count : 0;
    for (uint32_t i = 0; i < count; i++) size += !NIL_P(kept.values[rows[i].slot]);
    for (kept.rewind(); kept.find();) size++;
    kept.rewind();
    p = writer_reserve(e.output.writer, p, Wire::open_max);
    p = MessagePack::write_map(e.output.writer, p, size);
    bool some = kept.find();
    for (uint32_t i = 0; i < count; i++) {
        VALUE value = kept.values[rows[i].slot];
        if (NIL_P(value)) continue;
        for (; some && !kept.entry.name && kept.entry.id < rows[i].id; some = kept.find())
            p = kept.write(p, kept.entry.begin);
        if (!(p = write_field<Wire>(e, p, kept.link, rows[i], value, frame, kept.depth))) return nullptr;
        written++;
    }
    for (; some; some = kept.find()) p = kept.write(p, kept.entry.begin);
    return written + kept.written == size ? p : refuse_changed(e);
}

// Writes the fields that are set, and the entries that were kept. A union with an unknown field has no values.
template <class Wire>
[[maybe_unused]] SPARPACK_COLD uint8_t *write_with_entries(Encoder &e, uint8_t *p, const Link *link, const VALUE *values,
                                                           VALUE unknown, int depth) {
    const Row<Wire> *rows = rows_to_write<Wire>(link, e.form);
    typename Wire::Frame frame{};
    EntryWriter<Wire> kept(e, link, values, depth, unknown);
    for (uint32_t i = 0, count = values ? link->count : 0; i < count; i++) {
        if (rows[i].required && NIL_P(values[rows[i].slot])) return refuse_missing(e, link, rows[i]);
    }
    bool is_pair = false;
    if (!values && EntryWriter<Wire>::is_array) {
        kept.rewind();
        is_pair = kept.find() && !kept.entry.name;
    }
    if (is_pair) {
        p = writer_reserve(e.output.writer, p, Wire::open_max);
        p = kept.write(MessagePack::write_array(e.output.writer, p, 2), kept.entry.begin);
    } else if (EntryWriter<Wire>::is_array && values) {
        p = write_array_with_entries<Wire>(kept, p, rows, frame);
    } else {
        p = write_map_with_entries<Wire>(kept, p, rows, frame);
    }
    RB_GC_GUARD(unknown);
    if (p && kept.in.status != Status::ok) return refuse_kept(e, kept.in.status);
    return p;
}

}  // namespace

}  // namespace sparpack
