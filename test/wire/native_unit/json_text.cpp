// JSON's strings, numbers and literals. Whatever is written can be read again, and no byte beyond a cut is looked at.
#include "wire/json/text.hpp"

#include <initializer_list>
#include "check.hpp"
#include "room.hpp"

using namespace sparpack;
using Token = JsonText::Token;

namespace {

// Bytes in memory of exactly their size, so that a sanitizer notices reads beyond them.
struct Exact {
    uint8_t *bytes;
    size_t size;

    Exact(const void *from, size_t count) : bytes(new uint8_t[count + !count]), size(count) { memcpy(bytes, from, count); }
    ~Exact() { delete[] bytes; }
    Exact(const Exact &) = delete;
    Exact &operator=(const Exact &) = delete;

    const uint8_t *end() const { return bytes + size; }
};

// Reads from behind the opening quote.
Token string_at(const void *text, size_t size, JsonText::String &string, uint8_t *to = nullptr, size_t *used = nullptr) {
    Exact exact(text, size);
    const uint8_t *p = exact.bytes;
    Token token = JsonText::read_string(p, exact.end(), string);
    if (token == Token::ok && to) JsonText::unescape(to, string);
    if (used) *used = static_cast<size_t>(p - exact.bytes);
    return token;
}

void there_and_back(const uint8_t *bytes, size_t size) {
    Exact exact(bytes, size);
    Room<4096> room;
    uint8_t *end = JsonText::write_string(room.w, room.bytes, exact.bytes, size);
    size_t written = static_cast<size_t>(end - room.bytes), used = 0;
    JsonText::String string{};
    uint8_t back[600];
    CHECK(string_at(room.bytes + 1, written - 1, string, back, &used) == Token::ok && used == written - 1);
    CHECK(string.unescaped == size && memcmp(back, bytes, size) == 0, "size %zu, not %zu", string.unescaped, size);
    CHECK(string.broken == (utf8_check(exact.bytes, size) == Text::broken));
    for (size_t cut = 0; cut + 1 < written; cut++) {
        CHECK(string_at(room.bytes + 1, cut, string) == Token::cut, "cut at %zu", cut);
    }
}

void strings() {
    Random random{1};
    for (int i = 0; i < 2000; i++) {
        uint8_t bytes[100];
        size_t size = random.below(sizeof bytes);
        bool odd = random.below(2);
        for (size_t k = 0; k < size; k++)
            bytes[k] = static_cast<uint8_t>(odd ? random.next() : "ab\"\\\n\x01/ "[random.below(8)]);
        there_and_back(bytes, size);
    }
}

void escapes() {
    struct {
        const char *text;
        const char *means;
        bool broken;
    } cases[] = {{"\\u0041\\/\\\"\\\\", "A/\"\\", false},
                 {"\\b\\f\\n\\r\\t", "\b\f\n\r\t", false},
                 {"\\u00e9\\u20AC\\ud83d\\uDE00", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", false},
                 {"\\ud83d", "\xed\xa0\xbd", true},
                 {"\\ud83dx", "\xed\xa0\xbdx", true},
                 {"\\ude00\\ud83d\\u0041", "\xed\xb8\x80\xed\xa0\xbd\x41", true},
                 {"\\ud83d\\ud83d\\ude00", "\xed\xa0\xbd\xf0\x9f\x98\x80", true}};
    for (auto &c : cases) {
        char text[64];
        size_t size = static_cast<size_t>(snprintf(text, sizeof text, "%s\"", c.text));
        JsonText::String string{};
        uint8_t back[64];
        CHECK(string_at(text, size, string, back) == Token::ok && string.broken == c.broken, "%s", c.text);
        CHECK(string.unescaped == strlen(c.means) && memcmp(back, c.means, string.unescaped) == 0, "%s", c.text);
        for (size_t cut = 0; cut < size; cut++) CHECK(string_at(text, cut, string) == Token::cut, "%s at %zu", c.text, cut);
    }
    for (const char *text : {"\\x\"", "\\u12g4\"", "\\U0041\""}) {
        JsonText::String string{};
        CHECK(string_at(text, strlen(text), string) == Token::escape, "%s", text);
    }
    for (const char *text : {"\n\"", "abcdefgh\x1f\""}) {
        JsonText::String string{};
        size_t used = 0;
        CHECK(string_at(text, strlen(text), string, nullptr, &used) == Token::character && used == strlen(text) - 2);
    }
}

Token number_at(const char *text, size_t size, bool last, JsonText::Number &number, size_t *used) {
    Exact exact(text, size);
    const uint8_t *p = exact.bytes;
    Token token = JsonText::read_number(p, exact.end(), last, number);
    *used = static_cast<size_t>(p - exact.bytes);
    return token;
}

void numbers() {
    struct {
        const char *text;
        bool integer, exact;
        uint64_t mantissa;
        int64_t exponent;
    } cases[] = {{"0", true, true, 0, 0},
                 {"-0", true, true, 0, 0},
                 {"18446744073709551615", true, true, UINT64_MAX, 0},
                 {"18446744073709551616", true, false, 0, 0},
                 {"99999999999999999999999", true, false, 0, 0},
                 {"1844674407370955161", true, true, 1844674407370955161u, 0},
                 {"18446744073709551609", true, true, 18446744073709551609u, 0},
                 {"184467440737095516150", true, false, 0, 0},
                 {"1844674407370955161905", true, false, 0, 0},
                 {"12345678", true, true, 12345678, 0},
                 {"1234567812345678", true, true, 1234567812345678, 0},
                 {"12345678123456789", true, true, 12345678123456789, 0},
                 {"123456781234567812", true, true, 123456781234567812, 0},
                 {"99999999999.12345678", false, true, 9999999999912345678u, -8},
                 {"100000000000.12345678", false, true, 10000000000012345678u, -8},
                 {"10000000000.123456789", false, true, 10000000000123456789u, -9},
                 {"200000000000.12345678", false, false, 0, 0},
                 {"0.00000000000000000000123456789", false, true, 123456789, -29},
                 {"1.250", false, true, 1250, -3},
                 {"-12e3", false, true, 12, 3},
                 {"1.5E-10", false, true, 15, -11},
                 {"1e+99999999999999", false, true, 1, 0}};
    for (auto &c : cases) {
        size_t size = strlen(c.text), used = 0;
        JsonText::Number number{};
        CHECK(number_at(c.text, size, true, number, &used) == Token::ok && used == size, "%s", c.text);
        CHECK(number.integer == c.integer && number.exact == c.exact && number.negative == (*c.text == '-'), "%s", c.text);
        CHECK(!c.exact || number.mantissa == c.mantissa, "%s", c.text);
        CHECK(!c.exact || number.exponent == c.exponent || number.exponent > 1 << 19, "%s", c.text);
        for (size_t cut = 1; cut <= size; cut++) {
            CHECK(number_at(c.text, cut, false, number, &used) == Token::cut, "%s at %zu", c.text, cut);
        }
    }
    for (const char *text : {"-", "1.", "1e", "1e+", "-x", "1.x", "1ex"}) {
        JsonText::Number number{};
        size_t used = 0;
        CHECK(number_at(text, strlen(text), true, number, &used) == Token::digit, "%s", text);
    }
    for (const char *text : {"00", "1x", "1.5.", "1-", "0e1e"}) {
        JsonText::Number number{};
        size_t used = 0;
        CHECK(number_at(text, strlen(text), true, number, &used) == Token::number_end, "%s", text);
    }
}

void literals() {
    for (const char *text : {"true", "true]", "true "}) {
        for (size_t cut = 0; cut <= strlen(text); cut++) {
            for (bool last : {false, true}) {
                Exact exact(text, cut);
                const uint8_t *p = exact.bytes;
                Token token = JsonText::read_literal(p, exact.end(), last, "true", 4);
                bool whole = cut > 4 || (cut == 4 && last);
                CHECK(token == (whole ? Token::ok : last ? Token::literal : Token::cut), "%s at %zu", text, cut);
            }
        }
    }
    for (const char *text : {"trux", "x", "truee", "true1"}) {
        Exact exact(text, strlen(text));
        const uint8_t *p = exact.bytes;
        CHECK(JsonText::read_literal(p, exact.end(), false, "true", 4) == Token::literal, "%s", text);
    }
}

}  // namespace

int main() {
    strings();
    escapes();
    numbers();
    literals();
    return wrong > 0;
}
