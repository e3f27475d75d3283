// The tokens of JSON text that is complete: white space, strings, numbers and base64, for wires that are JSON. They are
// strict: RFC 8259 and nothing else. (text.hpp reads the same tokens from text that arrives in pieces.)
#pragma once

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
    SPARPACK_COLD static const uint8_t *fail_value(Input &in, const uint8_t *p);

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
            JsonText::unescape(to, string.length, string.data, string.size);
        }
    }

    // Returns the text between quotes. If it has escapes, it is unescaped into `room`; `end` is nullptr if that is too
    // small. Statuses: those of string.
    template <size_t n>
    static const uint8_t *quoted(Input &in, const uint8_t *p, uint8_t (&room)[n], const uint8_t **begin,
                                 const uint8_t **end) {
        return quoted(in, p, room, n, begin, end);
    }
    static const uint8_t *quoted(Input &in, const uint8_t *p, uint8_t *room, size_t size, const uint8_t **begin,
                                 const uint8_t **end);

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
    static const uint8_t *base64(Input &in, const uint8_t *p, StringBytes *string);

    // Writes what a text means: `length` bytes, of which the last are zeros if another thread has changed the text since.
    static void base64_decode(const StringBytes &string, uint8_t *to);

private:
    SPARPACK_COLD static const uint8_t *fail_literal(Input &in, const uint8_t *p, const char *text, size_t size);

    // Reads on at what ends a run of plain ASCII.
    template <bool controls>
    static const uint8_t *string_slow(Input &in, const uint8_t *data, const uint8_t *q, StringBytes *string);

    SPARPACK_COLD static uint8_t *write_escaped(Writer &w, uint8_t *p, const uint8_t *data, const uint8_t *end);

    SPARPACK_COLD static const uint8_t *fail_integer(Input &in, const uint8_t *start, bool alone);

    SPARPACK_COLD static const uint8_t *fail_real(Input &in, const uint8_t *p);
};

}  // namespace sparpack
