// Keys of maps that are containers or structs, in wires whose keys are text: the same bytes as anywhere else, in quotes.
#pragma once

#include "../decoder.hpp"
#include "../encoder.hpp"
#include "../strings.hpp"

namespace sparpack {

// Reads a key whose text is unescaped into memory of its own: (cursor) -> cursor. Faults in it have the place of the key.
template <class Wire, class Read> SPARPACK_COLD Cursor read_quoted(Decoder &d, Cursor p, const Type &type, Read read) {
    StringBytes string;
    Cursor start = p;
    if (!(p = Wire::read_text(d.in, p, &string))) return name_type(d, type);
    if (string.text == Text::broken && !d.options.utf8_keep) return fail(d, Status::invalid_utf8, start);
    if (static_cast<int64_t>(string.length) > d.options.string)
        return fail_limit(d, Status::string_too_long, start, d.options.string);
    if (!charge(d, string_cost(string.length))) return fail_memory(d, start);
    VALUE text = rb_obj_hide(unescaped<Wire>(string));
    const Input outer = d.in;
    d.in = Input(reinterpret_cast<Cursor>(RSTRING_PTR(text)), string.length);
    Cursor q = read(Wire::end_payload(d.in, d.in.begin));
    if (q && (q = Wire::end_payload(d.in, q)) != d.in.end) q = fail(d, Status::trailing_bytes, q);
    const Input inner = d.in;
    d.in = outer;
    RB_GC_GUARD(text);
    if (SPARPACK_LIKELY(q != nullptr)) return p;
    d.in.found = inner.found;
    d.in.part = inner.part;
    bool is_json = inner.status != Status::truncated && inner.status != Status::trailing_bytes;
    return fail(d, is_json && !status_is_syntax(inner.status) ? inner.status : Status::json_key, start);
}

// Writes a key by `write` and turns it into text in place: (cursor) -> cursor.
template <class Wire, class Write> SPARPACK_COLD uint8_t *write_quoted(Encoder &e, uint8_t *p, Write write) {
    if (e.quotes == quotes_max) return refuse_limit(e, Status::too_deep, quotes_max);
    e.quotes++;
    size_t before = static_cast<size_t>(p - e.output.writer.begin);
    if (!(p = write(p))) return nullptr;
    e.quotes--;
    const uint8_t *from = e.output.writer.begin + before;
    size_t size = static_cast<size_t>(p - from), count = Wire::escapes(from, size);
    int64_t most = e.options.string < INT32_MAX ? e.options.string : INT32_MAX;
    if (static_cast<int64_t>(size + count) > most) return refuse_limit(e, Status::string_too_long, most);
    p = writer_reserve(e.output.writer, p, count + 2);
    return Wire::quote(e.output.writer, e.output.writer.begin + before, p, count);
}

}  // namespace sparpack
