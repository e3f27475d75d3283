// Reads and writes JSON's strings, and reads its numbers.
#include "text.hpp"

namespace sparpack {

JsonText::Token JsonText::read_string(const uint8_t *&p, const uint8_t *end, String &string) {
    const uint8_t *q = p;
    size_t saved = 0;
    string = {p, 0, 0, false, false, 0};
    bool ascii = true;
    for (;;) {
        q = plain_end(q, end, &ascii);
        if (q == end) return Token::cut;
        if (*q == '"') break;
        if (*q != '\\') return p = q, Token::character;
        string.escaped = true;
        const uint8_t *start = q;
        uint32_t code = 0;
        Token result = read_escape(q, end, code);
        if (result != Token::ok) return p = start, result;
        if (code >= 0xd800 && code < 0xe000) string.broken = true;
        saved += static_cast<size_t>(q - start) - utf8_size(code);
    }
    string.size = static_cast<size_t>(q - p);
    string.unescaped = string.size - saved;
    if (!ascii && utf8_check(p, string.size) == Text::broken) string.broken = true;
    p = q + 1;
    return Token::ok;
}

void JsonText::unescape(uint8_t *to, size_t length, const uint8_t *data, size_t size) {
    const uint8_t *p = data, *end = p + size;
    uint8_t *full = to + length;
    bool ascii = true;
    while (p < end) {
        const uint8_t *run = p;
        p = plain_end(p, end, &ascii);
        size_t room = static_cast<size_t>(full - to), count = static_cast<size_t>(p - run);
        if (SPARPACK_UNLIKELY(count > room)) count = room;
        copy_bytes(to, run, count);
        to += count;
        if (p == end || to == full) break;
        if (*p != '\\') {
            *to++ = *p++;
            continue;
        }
        const uint8_t *start = p;
        uint32_t code = 0;
        read_escape(p, end, code);
        if (SPARPACK_UNLIKELY(p == start || utf8_size(code) > static_cast<size_t>(full - to))) break;
        to = put_code(to, code);
    }
    while (to < full) *to++ = '?';
}

bool JsonText::means(const uint8_t *data, size_t size, const uint8_t *bytes, size_t length) {
    const uint8_t *p = data, *end = p + size, *stop = bytes + length;
    while (p < end) {
        uint8_t one[4];
        uint8_t *after = one;
        if (*p != '\\') {
            *after++ = *p++;
        } else {
            const uint8_t *start = p;
            uint32_t code = 0;
            read_escape(p, end, code);
            if (p == start) return false;
            after = put_code(one, code);
        }
        if (after - one > stop - bytes || memcmp(one, bytes, static_cast<size_t>(after - one)) != 0) return false;
        bytes += after - one;
    }
    return bytes == stop;
}

JsonText::Token JsonText::read_number(const uint8_t *&p, const uint8_t *end, bool last, Number &number) {
    number = {true, false, true, 0, 0};
    if (*p == '-') {
        number.negative = true;
        p++;
    }
    if (p == end) return last ? Token::digit : Token::cut;
    if (!is_digit(*p)) return Token::digit;
    if (*p == '0') {
        p++;
    } else {
        read_digits(p, end, number);
    }
    if (p < end && *p == '.') {
        number.integer = false;
        const uint8_t *start = ++p;
        if (p < end && !is_digit(*p)) return Token::digit;
        read_digits(p, end, number);
        if (p == start) return last ? Token::digit : Token::cut;
        number.exponent = -static_cast<int64_t>(p - start);
    }
    if (p < end && (*p | 0x20) == 'e') {
        number.integer = false;
        p++;
        bool minus = p < end && *p == '-';
        if (p < end && (*p == '-' || *p == '+')) p++;
        if (p == end) return last ? Token::digit : Token::cut;
        if (!is_digit(*p)) return Token::digit;
        int64_t exponent = 0;
        for (; p < end && is_digit(*p); p++) {
            if (exponent < exponent_enough) exponent = exponent * 10 + (*p - '0');
        }
        number.exponent += minus ? -exponent : exponent;
    }
    if (p == end) return last ? Token::ok : Token::cut;
    return is_word(*p) ? Token::number_end : Token::ok;
}

bool JsonText::is_still_cut(const uint8_t *token, size_t &seen, const uint8_t *end, bool controls) {
    const uint8_t *p = token + seen;
    if (p == end) return false;
    if (*token == '"') {
        if (seen == 0) p++;
        Token result = Token::ok;
        bool ascii = true;
        while (result == Token::ok) {
            p = plain_end(p, end, &ascii);
            seen = static_cast<size_t>(p - token);
            if (p == end) return true;
            uint32_t code;
            if (*p == '\\') {
                result = read_escape(p, end, code);
            } else if (controls && *p != '"') {
                p++;
            } else {
                result = Token::character;
            }
        }
        return result == Token::cut;
    }
    bool goes_on = seen > 2 && is_digit(p[-1]);  // before that, a 0 may be the first digit, which ends a number
    seen = static_cast<size_t>(end - token);
    while (p < end && is_digit(*p)) p++;
    return goes_on && p == end;
}

uint8_t *JsonText::write_string(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
    const uint8_t *end = data + size;
    p = writer_reserve(w, p, size + 2);
    *p++ = '"';
    for (;;) {
        const uint8_t *run = data;
        data = plain_copy(p, data, end);
        p += data - run;
        if (SPARPACK_LIKELY(data == end)) break;
        p = writer_reserve(w, p, 6 + static_cast<size_t>(end - data) + 1);
        p = write_escape(p, *data++);
    }
    *p++ = '"';
    return p;
}

void JsonText::read_digits(const uint8_t *&p, const uint8_t *end, Number &number) {
    constexpr uint64_t leaves_eight = 100000000000, leaves_one = UINT64_MAX / 10;
    while (end - p >= 8 && number.mantissa < leaves_eight) {
        uint64_t digits = digits_load(p);
        if (digits_count(digits) < 8) break;
        number.mantissa = number.mantissa * ten_to_8 + digits_join(digits);
        p += 8;
    }
    for (; p < end && is_digit(*p); p++) {
        uint64_t digit = *p - uint64_t{'0'};
        if (SPARPACK_UNLIKELY(number.mantissa >= leaves_one) && number.mantissa > (UINT64_MAX - digit) / 10) {
            number.exact = false;
        } else if (number.exact) {
            number.mantissa = number.mantissa * 10 + digit;
        }
    }
}

JsonText::Token JsonText::read_escape(const uint8_t *&p, const uint8_t *end, uint32_t &code) {
    if (end - p < 2) return Token::cut;
    switch (p[1]) {
    case '"':
    case '\\':
    case '/': code = p[1]; break;
    case 'b': code = '\b'; break;
    case 'f': code = '\f'; break;
    case 'n': code = '\n'; break;
    case 'r': code = '\r'; break;
    case 't': code = '\t'; break;
    case 'u': {
        Token result = read_unit(p, end, code);
        if (result != Token::ok || code < 0xd800 || code >= 0xdc00) return result;
        // A high surrogate. Whether the low one follows is only known once enough bytes have arrived.
        const uint8_t *q = p;
        uint32_t low = 0;
        if (q == end || (*q == '\\' && end - q < 2)) return Token::cut;
        if (*q != '\\' || q[1] != 'u') return Token::ok;
        result = read_unit(q, end, low);
        if (result == Token::cut) return Token::cut;
        if (result == Token::ok && low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            p = q;
        }
        return Token::ok;
    }
    default: return Token::escape;
    }
    p += 2;
    return Token::ok;
}

JsonText::Token JsonText::read_unit(const uint8_t *&p, const uint8_t *end, uint32_t &unit) {
    unit = 0;
    for (int i = 2; i < 6; i++) {
        if (end - p <= i) return Token::cut;
        uint8_t byte = p[i], letter = static_cast<uint8_t>(byte | 0x20);
        if (is_digit(byte)) {
            unit = unit << 4 | (byte - uint32_t{'0'});
        } else if (letter >= 'a' && letter <= 'f') {
            unit = unit << 4 | (letter - uint32_t{'a'} + 10);
        } else {
            return Token::escape;
        }
    }
    p += 6;
    return Token::ok;
}

}  // namespace sparpack
