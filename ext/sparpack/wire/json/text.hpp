// JSON's grammar (RFC 8259) for text that arrives in pieces: reading strings, numbers and literals, and writing strings.
#pragma once

#include "../../bytes/digits.hpp"
#include "../../bytes/plain.hpp"
#include "../../bytes/reader.hpp"
#include "../../bytes/utf8.hpp"
#include "../../bytes/writer.hpp"
#include "../events.hpp"

namespace sparpack {

struct JsonText {
    // How reading a token can end. `cut` means that more bytes are needed. All others except `ok` say what was expected
    // where reading failed.
    enum class Token : uint8_t { ok, cut, escape, character, digit, number_end, literal };

    using String = event::Text;
    using Number = event::Decimal;

    // No text has so many digits that they could outweigh a larger exponent. Adding them to it does not overflow.
    static constexpr int64_t exponent_enough = int64_t{1} << 56;

    static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

    // True for bytes that must not follow directly on a number or a literal.
    static bool is_word(uint8_t byte) {
        return is_digit(byte) || (byte | 0x20u) - 'a' < 26u || byte == '_' || byte == '.' || byte == '+' || byte == '-';
    }

    // --- reading: p moves to where the token ended or failed -----------------------------------------------------------

    // Reads from behind the opening quote to behind the closing one.
    static Token read_string(const uint8_t *&p, const uint8_t *end, String &string);

    // Writes what the string means: string.unescaped bytes. If another thread has changed it since it was read, it may mean
    // more, of which the rest is left out, or less, which is filled up with question marks.
    static void unescape(uint8_t *to, const String &string) { unescape(to, string.unescaped, string.data, string.size); }

    static void unescape(uint8_t *to, size_t length, const uint8_t *data, size_t size);

    // True if an escaped string means these bytes.
    static bool means(const uint8_t *data, size_t size, const uint8_t *bytes, size_t length);

    // A number ends where something else follows. The end of the bytes ends it only if they are the last.
    static Token read_number(const uint8_t *&p, const uint8_t *end, bool last, Number &number);

    static Token read_literal(const uint8_t *&p, const uint8_t *end, bool last, const char *text, size_t size) {
        size_t left = static_cast<size_t>(end - p), here = left < size ? left : size;
        if (memcmp(p, text, here) != 0) return Token::literal;
        if (here < size || left == size) {
            if (!last) return Token::cut;
            if (here < size) return p = end, Token::literal;
        } else if (is_word(p[size])) {
            return Token::literal;
        }
        p += size;
        return Token::ok;
    }

    // Tells whether a token that was cut is surely still cut now that more bytes have come. `seen` is how many of its bytes
    // were looked at; it begins as 0. So a string or number that comes in small pieces is not read again for each of them.
    // Thrift's JSON may have control characters in strings.
    static bool is_still_cut(const uint8_t *token, size_t &seen, const uint8_t *end, bool controls = false);

    // --- writing -------------------------------------------------------------------------------------------------------

    // Writes the quotes, too. Reserves the room itself.
    static uint8_t *write_string(Writer &w, uint8_t *p, const uint8_t *data, size_t size);

    // What follows the backslash. 'u' stands for four hexadecimal digits of the byte.
    static constexpr char letters[] = "uuuuuuuubtnufruuuuuuuuuuuuuuuuuu";

    // The caller has reserved six bytes.
    static SPARPACK_INLINE uint8_t *write_escape(uint8_t *p, uint8_t byte) {
        p[0] = '\\';
        if (byte >= 0x20) return p[1] = byte, p + 2;
        p[1] = static_cast<uint8_t>(letters[byte]);
        if (p[1] != 'u') return p + 2;
        static constexpr char hex[] = "0123456789abcdef";
        p[2] = p[3] = '0';
        p[4] = static_cast<uint8_t>(hex[byte >> 4]);
        p[5] = static_cast<uint8_t>(hex[byte & 15]);
        return p + 6;
    }

    // Digits count as long as they fit; the first 19 significant ones always do.
    static void read_digits(const uint8_t *&p, const uint8_t *end, Number &number);

    static size_t utf8_size(uint32_t code) { return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }

    static uint8_t *put_code(uint8_t *to, uint32_t code) {
        static constexpr uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
        size_t size = utf8_size(code);
        if (size == 1) return *to = static_cast<uint8_t>(code), to + 1;
        for (size_t i = size; --i; code >>= 6) to[i] = static_cast<uint8_t>(0x80 | (code & 0x3f));
        *to = static_cast<uint8_t>(lead[size] | code);
        return to + size;
    }

    // Reads a backslash and what it escapes. A surrogate pair is read as one.
    static Token read_escape(const uint8_t *&p, const uint8_t *end, uint32_t &code);

    static Token read_unit(const uint8_t *&p, const uint8_t *end, uint32_t &unit);
};

}  // namespace sparpack
