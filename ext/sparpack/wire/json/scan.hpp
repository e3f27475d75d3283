// The tokens of JSON text that is complete: white space, strings, numbers and base64, for wires that are JSON. They are
// strict: RFC 8259 and nothing else. (text.hpp reads the same tokens from text that arrives in pieces.)
#pragma once

#include "../../bytes/base64.hpp"
#include "../../bytes/double_read.hpp"
#include "../../bytes/double_text.hpp"
#include "../../bytes/plain.hpp"
#include "../contract.hpp"
#include "text.hpp"

namespace sparpack {

struct JsonScan {
    static SPARPACK_INLINE bool is_space(uint8_t byte) { return JsonText::is_space(byte); }

    static SPARPACK_INLINE const uint8_t *skip_space(const Input &in, const uint8_t *p) {
        while (p < in.end && is_space(*p)) p++;
        return p;
    }

    // What a value is that begins with this byte, in JSON's words; nullptr if none does.
    static const char *name_of(uint8_t byte) {
        switch (byte) {
        case '{': return "an object";
        case '[': return "an array";
        case '"': return "a string";
        case 't': return "true";
        case 'f': return "false";
        case 'n': return "null";
        default: return is_digit(byte) || byte == '-' ? "a number" : nullptr;
        }
    }

    // Fails at a value that is not what the caller expects. Statuses: truncated, bad_json, mismatch.
    SPARPACK_COLD static const uint8_t *fail_value(Input &in, const uint8_t *p) {
        if (p == in.end) return input_fail(in, Status::truncated, p);
        const char *name = name_of(*p);
        return name ? input_mismatch(in, p, name) : input_fail(in, Status::bad_json, p);
    }

    // Fails at a byte that is none of those which may stand here. Statuses: truncated and the given one.
    SPARPACK_COLD static const uint8_t *fail_at(Input &in, const uint8_t *p, Status status) {
        return input_fail(in, p >= in.end ? Status::truncated : status, p);
    }

    // Reads a literal: true, false or null. Statuses: truncated, bad_json.
    template <size_t n> static SPARPACK_INLINE const uint8_t *literal(Input &in, const uint8_t *p, const char (&text)[n]) {
        constexpr size_t size = n - 1;
        if (SPARPACK_LIKELY(input_left(in, p) >= size && memcmp(p, text, size) == 0)) return p + size;
        return fail_literal(in, p, text, size);
    }

    // --- strings -----------------------------------------------------------------------------------------------------

    // Reads a string from its opening quote on. One pass finds its end, its escapes, and whether it is ASCII.
    // Statuses: truncated, bad_json, mismatch, json_control unless control characters may stand in it, json_escape,
    // json_surrogate.
    template <bool controls = false>
    static SPARPACK_INLINE const uint8_t *string(Input &in, const uint8_t *p, StringBytes *string) {
        if (SPARPACK_UNLIKELY(p == in.end || *p != '"')) return fail_value(in, p);
        bool ascii = true;
        const uint8_t *data = p + 1, *q = plain_end(data, in.end, &ascii);
        if (SPARPACK_UNLIKELY(q == in.end || *q != '"' || !ascii)) return string_slow<controls>(in, data, q, string);
        size_t size = static_cast<size_t>(q - data);
        *string = {data, size, size, Text::ascii, false};
        return q + 1;
    }

    // Writes what a string stands for: `length` bytes.
    static void unescape(const StringBytes &string, uint8_t *to) {
        if (!string.escaped) {
            copy_bytes(to, string.data, string.size);
        } else {
            JsonText::unescape(to, string.data, string.size);
        }
    }

    // Returns the text between quotes. If it has escapes, it is unescaped into `room`; `end` is nullptr if that is too
    // small. Statuses: those of string.
    template <size_t n>
    static const uint8_t *quoted(Input &in, const uint8_t *p, uint8_t (&room)[n], const uint8_t **begin,
                                 const uint8_t **end) {
        StringBytes string;
        if (!(p = JsonScan::string(in, p, &string))) return nullptr;
        *begin = string.data;
        *end = string.data + string.size;
        if (SPARPACK_LIKELY(!string.escaped)) return p;
        *begin = room;
        *end = string.length <= n ? room + string.length : nullptr;
        if (*end) unescape(string, room);
        return p;
    }

    // The room of a string that may need an escape at each byte.
    static constexpr size_t string_room(size_t size) { return 2 + 6 * size; }

    // Writes a string with its quotes into room that is reserved.
    static SPARPACK_INLINE uint8_t *write_string(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        writer_check(w, p, size + 2);
        *p++ = '"';
        const uint8_t *end = data + size, *q = plain_copy(p, data, end);
        p += q - data;
        if (SPARPACK_UNLIKELY(q < end)) p = write_escaped(w, p, q, end);
        *p++ = '"';
        return p;
    }

    // The same if all of it is plain ASCII; otherwise returns nullptr. Whole blocks are read and written.
    static SPARPACK_INLINE uint8_t *write_plain_string(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        writer_check(w, p, 1 + plain_blocks(size));
        if (SPARPACK_UNLIKELY(!plain_ascii_copy(p + 1, data, size))) return nullptr;
        *p++ = '"';
        p += size;
        *p++ = '"';
        return p;
    }

    // The same as write_string for a long one, which reserves its own room, and little more than it needs.
    static uint8_t *write_long_string(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return JsonText::write_string(w, p, data, size);
    }

    // --- numbers -----------------------------------------------------------------------------------------------------

    // Reads an integer of so many bits. If `alone`, nothing can follow the input. Otherwise a number at its end may be cut,
    // which is then its only fault. Statuses: truncated, bad_json, mismatch, json_number, integer_too_large.
    template <int bits, bool alone = false>
    static SPARPACK_INLINE const uint8_t *integer(Input &in, const uint8_t *p, int64_t *value) {
        const uint8_t *end = integer_read<bits>(p, in.end, value);
        if (SPARPACK_UNLIKELY(!end || (end < in.end && JsonText::is_word(*end)))) return fail_integer(in, p, alone);
        return end;
    }

    // Reads a number as a double. Statuses: truncated, bad_json, mismatch, json_number, real_too_large.
    template <bool alone = false> static SPARPACK_INLINE const uint8_t *real(Input &in, const uint8_t *p, double *value) {
        const uint8_t *end = double_read(p, in.end, value);
        if (SPARPACK_UNLIKELY(!end || (end < in.end && JsonText::is_word(*end)))) return fail_real(in, p);
        if (SPARPACK_LIKELY(*value - *value == 0)) return end;
        return alone || end < in.end ? input_fail(in, Status::real_too_large, p) : input_fail(in, Status::truncated, end);
    }

    // --- base64 ------------------------------------------------------------------------------------------------------

    // Reads a string as base64: standard or URL-safe, with padding or without it. Statuses: those of string, bad_base64.
    static const uint8_t *base64(Input &in, const uint8_t *p, StringBytes *string) {
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

    static void base64_decode(const StringBytes &string, uint8_t *to) {
        base64_pieces(string, [&](const uint8_t *piece, size_t digits, size_t size) {
            bool good = base64_read(to, piece, digits);
            to += size;
            return good;
        });
    }

private:
    SPARPACK_COLD static const uint8_t *fail_literal(Input &in, const uint8_t *p, const char *text, size_t size) {
        size_t left = input_left(in, p);
        bool cut = left < size && memcmp(p, text, left) == 0;
        return cut ? input_fail(in, Status::truncated, in.end) : input_fail(in, Status::bad_json, p);
    }

    // Reads on at what ends a run of plain ASCII.
    template <bool controls>
    [[gnu::noinline]] static const uint8_t *string_slow(Input &in, const uint8_t *data, const uint8_t *q,
                                                        StringBytes *string) {
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

    SPARPACK_COLD static uint8_t *write_escaped(Writer &w, uint8_t *p, const uint8_t *data, const uint8_t *end) {
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

    SPARPACK_COLD static const uint8_t *fail_integer(Input &in, const uint8_t *start, bool alone) {
        const uint8_t *p = start;
        if (p == in.end || !(is_digit(*p) || *p == '-')) return fail_value(in, p);
        event::Decimal number;
        JsonText::Token token = JsonText::read_number(p, in.end, true, number);
        if (token != JsonText::Token::ok || (p == in.end && !alone)) return fail_at(in, p, Status::json_number);
        if (!number.integer) return input_mismatch(in, start, "a number with a point or an exponent");
        return input_fail(in, Status::integer_too_large, start);
    }

    SPARPACK_COLD static const uint8_t *fail_real(Input &in, const uint8_t *p) {
        if (p == in.end || !(is_digit(*p) || *p == '-')) return fail_value(in, p);
        event::Decimal number;
        JsonText::read_number(p, in.end, true, number);
        return fail_at(in, p, Status::json_number);
    }

    // Passes the digits of base64 on, unescaped and without padding: (digits, their number, the number of bytes) -> bool.
    // All pieces but the last have a multiple of four digits.
    template <class Take> static SPARPACK_INLINE bool base64_pieces(const StringBytes &text, Take take) {
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

    // Returns the next byte of a string, unescaped; 0 for anything but ASCII.
    static uint8_t next_byte(const uint8_t *&p, const uint8_t *end) {
        if (SPARPACK_LIKELY(*p != '\\')) return *p++;
        uint32_t code = 0;
        JsonText::read_escape(p, end, code);
        return code < 0x80 ? static_cast<uint8_t>(code) : uint8_t{0};
    }
};

}  // namespace sparpack
