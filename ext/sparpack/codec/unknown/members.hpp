// Unknown fields of structs in JSON: how a decode keeps them, and how an encode writes them again. Only kept.hpp includes
// this file.
#pragma once

#include "../../wire/json/members.hpp"
#include "../encoder.hpp"
#include "../strings.hpp"
#include "reader.hpp"
#include "sorted.hpp"

namespace sparpack {

namespace {

// Keeps an unknown field: its name with no escapes but those that are needed, and its value without white space, which may
// stand in the text of a key or on a line of its own later. Null is no value. The objects are hidden from Ruby code.
template <class Wire>
[[maybe_unused]] SPARPACK_COLD Cursor keep_member(Decoder &d, Cursor p, const typename Wire::Frame &frame, VALUE *unknown,
                                                  int depth) {
    Cursor end = skip_field<Wire>(d, p, frame, depth);
    if (!end || *p == 'n') return end;
    StringBytes name;
    if (!JsonScan::string(d.in, frame.name - 1, &name)) return nullptr;
    VALUE text = Qnil;
    size_t size = name.size, escape = 0;  // the last one is written as if it were long
    if (name.escaped) {
        if (!charge(d, string_cost(name.length))) return fail_memory(d, p);
        text = rb_obj_hide(unescaped<Wire>(name));
        size = json_escaped_size(string_bytes(text), name.length);
        escape = 6;
    }
    size_t room = size + 2 + escape + 1 + static_cast<size_t>(end - p);
    if (!charge(d, kept_cost(room, NIL_P(*unknown) ? 0 : RARRAY_LEN(*unknown)))) return fail_memory(d, p);
    VALUE bytes = rb_obj_hide(rb_str_new(nullptr, static_cast<long>(room)));
    Writer writer{};
    writer.begin = reinterpret_cast<uint8_t *>(RSTRING_PTR(bytes));
    writer.end = writer.begin + room;
    uint8_t *q = writer_reserve(writer, writer.begin, room);
    if (name.escaped) {
        q = JsonScan::write_string(writer, q, string_bytes(text), name.length);
    } else {  // it needs no escapes, unless another thread has changed it since, for which there is no room
        *q++ = '"';
        memcpy(q, name.data, name.size);
        q += name.size;
        *q++ = '"';
    }
    *q++ = ':';
    q = json_pack(q, p, end);
    rb_str_set_len(bytes, q - writer.begin);
    if (NIL_P(*unknown)) *unknown = rb_obj_hide(rb_ary_new());
    rb_ary_push(*unknown, bytes);
    RB_GC_GUARD(text);
    return end;
}

// How kept_sorted reads and joins them.
struct JsonKept {
    using Entry = JsonMember;

    static constexpr size_t room(size_t count) { return count + 2; }
    static bool read(Input &in, Entry *member) {
        member->end = in.end;
        return json_member_name(in, in.begin, member) != nullptr;
    }
    static uint8_t *open(Writer &w, uint8_t *p, size_t) { return writer_put(w, p, uint8_t{'{'}); }
    static uint8_t *next(Writer &w, uint8_t *p) { return writer_put(w, p, uint8_t{','}); }
    static uint8_t *close(Writer &w, uint8_t *p) { return writer_put(w, p, uint8_t{'}'}); }
};

template <class Wire>
uint8_t *write_field(Encoder &e, uint8_t *p, const Link *link, const Row<Wire> &field, VALUE value,
                     typename Wire::Frame &frame, int depth);

// Writes the fields that are set, and behind them the members that were kept. A union with an unknown field has no values.
template <class Wire>
[[maybe_unused]] SPARPACK_COLD uint8_t *write_with_members(Encoder &e, uint8_t *p, const Link *link, const VALUE *values,
                                                           VALUE unknown, int depth) {
    const Row<Wire> *rows = rows_to_write<Wire>(link, e.form);
    typename Wire::Frame frame{};
    for (uint32_t i = 0, count = values ? link->count : 0; i < count; i++) {
        VALUE value = values[rows[i].slot];
        if (NIL_P(value)) {
            if (rows[i].required) return refuse_missing(e, link, rows[i]);
            continue;
        }
        if (!(p = write_field<Wire>(e, p, link, rows[i], value, frame, depth))) return nullptr;
    }
    Input in(string_bytes(unknown), string_size(unknown));
    JsonMember member;
    for (Cursor next = in.begin; *next != '}'; next = member.end) {
        if (*next != (next == in.begin ? '{' : ',')) return refuse_changed(e);  // while it was copied
        if (!json_member(in, next + 1, size_limits(e.options), depth, &member)) return refuse_kept(e, in.status);
        if (values && field_is_set(link, values, member.find(link->table))) continue;
        size_t size = static_cast<size_t>(member.end - member.begin);
        p = writer_put(e.output.writer, writer_reserve(e.output.writer, p, size + 1), frame.lead);
        writer_check(e.output.writer, p, size);
        memcpy(p, member.begin, size);
        p += size;
        frame.lead = ',';
    }
    RB_GC_GUARD(unknown);
    p = writer_reserve(e.output.writer, p, Wire::close_max);
    return Wire::close_struct(e.output.writer, p, frame);
}

}  // namespace

}  // namespace sparpack
