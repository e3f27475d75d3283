// Base64, and the rare parts of JSON's tokens.
#include "scan.hpp"

#include "../../bytes/base64.hpp"

namespace sparpack {

const uint8_t *JsonScan::fail_value(Input &in, const uint8_t *p) {
    if (p == in.end) return input_fail(in, Status::truncated, p);
    const char *name = name_of(*p);
    return name ? input_mismatch(in, p, name) : input_fail(in, Status::bad_json, p);
}

const uint8_t *JsonScan::fail_literal(Input &in, const uint8_t *p, const char *text, size_t size) {
    size_t left = input_left(in, p);
    bool cut = left < size && memcmp(p, text, left) == 0;
    return cut ? input_fail(in, Status::truncated, in.end) : input_fail(in, Status::bad_json, p);
}

uint8_t *JsonScan::write_escaped(Writer &w, uint8_t *p, const uint8_t *data, const uint8_t *end) {
    while (data < end) {
        writer_check(w, p, 6);
        p = JsonText::write_escape(p, *data++);
        const uint8_t *run = data;
        writer_check(w, p, static_cast<size_t>(end - run));
        data = plain_copy(p, run, end);
        p += data - run;
    }
    return p;
}

const uint8_t *JsonScan::fail_integer(Input &in, const uint8_t *start, bool alone) {
    const uint8_t *p = start;
    if (p == in.end || !(is_digit(*p) || *p == '-')) return fail_value(in, p);
    event::Decimal number;
    JsonText::Token token = JsonText::read_number(p, in.end, true, number);
    if (token != JsonText::Token::ok || (p == in.end && !alone)) return fail_at(in, p, Status::json_number);
    if (!number.integer) return input_mismatch(in, start, "a number with a point or an exponent");
    return input_fail(in, Status::integer_too_large, start);
}

const uint8_t *JsonScan::fail_real(Input &in, const uint8_t *p) {
    if (p == in.end || !(is_digit(*p) || *p == '-')) return fail_value(in, p);
    event::Decimal number;
    JsonText::read_number(p, in.end, true, number);
    return fail_at(in, p, Status::json_number);
}

template <bool controls>
const uint8_t *JsonScan::string_slow(Input &in, const uint8_t *data, const uint8_t *q, StringBytes *string) {
    size_t saved = 0;
    bool ascii = true, wide = false, escaped = false;
    for (;;) {
        q = plain_end(q, in.end, &ascii);
        if (q == in.end) return input_fail(in, Status::truncated, q);
        if (*q == '"') break;
        if (*q != '\\') {
            if (!controls) return input_fail(in, Status::json_control, q);
            q++;
            continue;
        }
        const uint8_t *start = q;
        uint32_t code = 0;
        JsonText::Token token = JsonText::read_escape(q, in.end, code);
        if (token == JsonText::Token::cut) return input_fail(in, Status::truncated, in.end);
        if (token != JsonText::Token::ok) return input_fail(in, Status::json_escape, start);
        if (code >= 0xd800 && code < 0xe000) return input_fail(in, Status::json_surrogate, start);
        escaped = true;
        wide |= code >= 0x80;
        saved += static_cast<size_t>(q - start) - JsonText::utf8_size(code);
    }
    size_t size = static_cast<size_t>(q - data);
    Text text = utf8_check(data, size);
    if (text == Text::ascii && wide) text = Text::utf8;
    *string = {data, size, size - saved, text, escaped};
    return q + 1;
}

template const uint8_t *JsonScan::string_slow<false>(Input &, const uint8_t *, const uint8_t *, StringBytes *);
template const uint8_t *JsonScan::string_slow<true>(Input &, const uint8_t *, const uint8_t *, StringBytes *);

const uint8_t *JsonScan::quoted(Input &in, const uint8_t *p, uint8_t *room, size_t size, const uint8_t **begin,
                                const uint8_t **end) {
    StringBytes string;
    if (!(p = JsonScan::string(in, p, &string))) return nullptr;
    *begin = string.data;
    *end = string.data + string.size;
    if (SPARPACK_LIKELY(!string.escaped)) return p;
    *begin = room;
    *end = string.length <= size ? room + string.length : nullptr;
    if (*end) unescape(string, room);
    return p;
}

namespace {

// Returns the next byte of a string, unescaped; 0 for anything but ASCII. An escape that is none, because another thread has
// changed it, ends the string.
uint8_t next_byte(const uint8_t *&p, const uint8_t *end) {
    if (SPARPACK_LIKELY(*p != '\\')) return *p++;
    uint32_t code = 0;
    if (SPARPACK_UNLIKELY(JsonText::read_escape(p, end, code) != JsonText::Token::ok)) return p = end, uint8_t{0};
    return code < 0x80 ? static_cast<uint8_t>(code) : uint8_t{0};
}

// Passes the digits of base64 on, unescaped and without padding: (digits, their number, the number of bytes) -> bool.
// All pieces but the last have a multiple of four digits.
template <class Take> bool base64_pieces(const StringBytes &text, Take take) {
    const uint8_t *q = text.data, *end = q + text.size;
    uint8_t piece[64];
    size_t digits = text.size, size = 0;
    if (SPARPACK_LIKELY(!text.escaped)) return base64_measure(q, &digits, &size) && take(q, digits, size);
    while (q < end) {
        for (digits = 0; q < end && digits < sizeof piece;) piece[digits++] = next_byte(q, end);
        size = digits / 4 * 3;
        if (q == end && !base64_measure(piece, &digits, &size)) return false;
        if (!take(piece, digits, size)) return false;
    }
    return true;
}

}  // namespace

const uint8_t *JsonScan::base64(Input &in, const uint8_t *p, StringBytes *string) {
    const uint8_t *start = p;
    StringBytes text;
    if (!(p = JsonScan::string(in, p, &text))) return nullptr;
    size_t length = 0;
    bool good = base64_pieces(text, [&](const uint8_t *piece, size_t digits, size_t size) {
        length += size;
        return base64_check(piece, digits);
    });
    if (SPARPACK_UNLIKELY(!good)) return input_fail(in, Status::bad_base64, start);
    *string = {text.data, text.size, length, Text::broken, text.escaped};
    return p;
}

void JsonScan::base64_decode(const StringBytes &string, uint8_t *to) {
    uint8_t *full = to + string.length;
    base64_pieces(string, [&](const uint8_t *piece, size_t digits, size_t size) {
        bool good = size <= static_cast<size_t>(full - to) && base64_read(to, piece, digits);
        if (SPARPACK_LIKELY(good)) to += size;
        return good;
    });
    while (to < full) *to++ = 0;
}

}  // namespace sparpack
