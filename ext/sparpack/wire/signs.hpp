// What bytes look like that are not a payload of the wire which should read them: other formats by how they begin, and
// messages of Thrift's RPC by their headers. Nothing here looks further than `sign_window` bytes.
#pragma once

#include "../bytes/base.hpp"
#include "deflate_sign.hpp"

namespace sparpack {

// The names are those that Ruby uses (lib/sparpack/guess.rb).
#define SPARPACK_SIGNS(X) \
    X(none)               \
    X(empty)              \
    X(compact)            \
    X(binary)             \
    X(message_pack)       \
    X(message_pack_lz4)   \
    X(json)               \
    X(thrift_json)        \
    X(gzip)               \
    X(zlib)               \
    X(zstd)               \
    X(lz4)                \
    X(snappy)             \
    X(xz)                 \
    X(bzip2)              \
    X(zip)                \
    X(marshal)            \
    X(utf8)               \
    X(utf16)              \
    X(utf32)              \
    X(html)               \
    X(xml)                \
    X(http)               \
    X(yaml)               \
    X(base64)             \
    X(hex)                \
    X(framed)             \
    X(varint)             \
    X(envelope)

enum class Sign : uint8_t {
#define X(name) name,
    SPARPACK_SIGNS(X)
#undef X
};

constexpr const char *sign_names[] = {
#define X(name) #name,
    SPARPACK_SIGNS(X)
#undef X
};

constexpr size_t sign_count = sizeof sign_names / sizeof *sign_names;

// How many bytes are looked at to tell text from other bytes.
constexpr size_t sign_window = 256;

// Bytes to look at.
struct Stretch {
    const uint8_t *begin;
    const uint8_t *end;
    bool cut = false;  // more bytes follow that nobody has looked at

    size_t size() const { return static_cast<size_t>(end - begin); }
    bool starts(const char *text, size_t length) const { return size() >= length && memcmp(begin, text, length) == 0; }
    template <size_t n> bool starts(const char (&text)[n]) const { return starts(text, n - 1); }
    template <size_t n> bool starts_with_one_of(const char *const (&texts)[n]) const {
        for (const char *text : texts) {
            if (starts(text, strlen(text))) return true;
        }
        return false;
    }
    size_t window() const { return size() < sign_window ? size() : sign_window; }
};

inline bool sign_is_space(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }
inline bool sign_is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }
inline bool sign_is_letter(uint8_t byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }

inline Stretch sign_behind_spaces(Stretch all) {
    for (size_t i = all.window(); i-- && sign_is_space(*all.begin);) all.begin++;
    return all;
}

// True if there are no control characters among the first bytes.
inline bool sign_is_text(const Stretch &all) {
    for (size_t i = 0; i < all.window(); i++) {
        uint8_t byte = all.begin[i];
        if ((byte < 0x20 && !sign_is_space(byte)) || byte == 0x7f) return false;
    }
    return true;
}

inline bool sign_starts_in_any_case(const Stretch &all, const char *text, size_t length) {
    if (all.size() < length) return false;
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = all.begin[i];
        if ((byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte) != static_cast<uint8_t>(text[i])) return false;
    }
    return true;
}

// Formats with a number of their own at the beginning.
inline Sign sign_by_magic(const Stretch &all) {
    if (all.starts("\x1f\x8b\x08")) return Sign::gzip;
    if (all.starts("\x28\xb5\x2f\xfd")) return Sign::zstd;
    if (all.starts("\x04\x22\x4d\x18")) return Sign::lz4;
    if (all.starts("\xff\x06\0\0sNaPpY")) return Sign::snappy;
    if (all.starts("\xfd"
                   "7zXZ\0"))
        return Sign::xz;
    if (all.starts("BZh") && all.size() >= 10 && memcmp(all.begin + 4, "1AY&SY", 6) == 0) return Sign::bzip2;
    if (all.starts("PK\3\4")) return Sign::zip;
    if (all.starts("\4\b") && all.size() >= 3 && memchr("0TFi+\":I@e[{}SocmMlfU/uCd;", all.begin[2], 26))
        return Sign::marshal;
    if (deflate_begins_zlib(all.begin, all.end)) return Sign::zlib;
    return Sign::none;
}

// The value of a JSON key in Thrift's JSON names its type: {"1":{"i64":5}}.
inline bool sign_is_thrift_json(const Stretch &all) {
    const uint8_t *p = all.begin, *end = p + all.window();
    if (!all.starts("{\"")) return false;
    p += 2;
    if (p < end && *p == '-') p++;
    const uint8_t *digits = p;
    while (p < end && sign_is_digit(*p)) p++;
    if (p == digits || end - p < 8 || memcmp(p, "\":{\"", 4) != 0) return false;
    constexpr const char *types[] = {"tf\"",  "i8\"",  "i16\"", "i32\"", "i64\"", "dbl\"",
                                     "str\"", "rec\"", "map\"", "lst\"", "set\"", "uid\""};
    return Stretch{p + 4, end}.starts_with_one_of(types);
}

inline bool sign_is_http(const Stretch &all) {
    if (all.starts("HTTP/1.") || all.starts("HTTP/2 ")) return true;
    constexpr const char *requests[] = {"GET /", "POST /", "PUT /", "PATCH /", "DELETE /", "HEAD /", "OPTIONS /"};
    return all.starts_with_one_of(requests) && sign_is_text(all);
}

// Text formats other than JSON.
inline Sign sign_by_text(Stretch all) {
    if (sign_is_http(all)) return Sign::http;
    if (all.starts("---") && all.size() > 4 && (sign_is_space(all.begin[3])) && sign_is_text(all)) return Sign::yaml;
    all = sign_behind_spaces(all);
    if (all.size() < 5 || *all.begin != '<' || !sign_is_text(all)) return Sign::none;
    constexpr const char *pages[] = {"<!doctype html", "<html", "<head", "<body"};
    for (const char *begin : pages) {
        if (sign_starts_in_any_case(all, begin, strlen(begin))) return Sign::html;
    }
    if (all.starts("<?xml")) return Sign::xml;
    bool named = sign_is_letter(all.begin[1]) || all.begin[1] == '!';
    return named && memchr(all.begin, '>', all.window()) ? Sign::xml : Sign::none;
}

// Text whose characters have 16 or 32 bits.
struct WideText {
    size_t width = 0;  // of a character in bytes; 0 for anything else
    size_t mark = 0;   // the size of the byte order mark
    bool little = false;

    // Where the byte of an ASCII character is.
    size_t place(size_t index) const { return mark + index * width + (little ? 0 : width - 1); }
};

// With a byte order mark, the first characters must be ASCII. Without one, they must be the beginning of JSON or XML.
inline WideText sign_wide_text(const Stretch &all) {
    constexpr size_t marked = 2, unmarked = 6;
    const uint8_t *p = all.begin;
    if (all.size() < 8) return {};
    WideText text = all.starts("\xff\xfe\0\0")   ? WideText{4, 4, true}
                    : all.starts("\0\0\xfe\xff") ? WideText{4, 4, false}
                    : all.starts("\xff\xfe")     ? WideText{2, 2, true}
                    : all.starts("\xfe\xff")     ? WideText{2, 2, false}
                                                 : WideText{2, 0, p[0] != 0};
    if (!all.cut && all.size() % text.width) return {};
    size_t count = text.mark ? marked : unmarked;
    if (all.size() < text.mark + count * text.width) count = (all.size() - text.mark) / text.width;
    for (size_t i = 0; i < count; i++) {
        size_t place = text.place(i);
        uint8_t byte = p[place];
        if ((byte < 0x20 || byte > 0x7e) && !sign_is_space(byte)) return {};
        for (size_t k = text.mark + i * text.width; k < text.mark + (i + 1) * text.width; k++) {
            if (k != place && p[k] != 0) return {};
        }
    }
    if (count == 0 || (!text.mark && !memchr("{[<\"", p[text.place(0)], 4))) return {};
    return text;
}

// --- messages of Thrift's RPC ------------------------------------------------------------------------------------------

inline bool sign_is_name(const uint8_t *p, size_t size) {
    if (size == 0 || size > 128 || !(sign_is_letter(*p) || *p == '_')) return false;
    for (size_t i = 1; i < size; i++) {
        if (!sign_is_letter(p[i]) && !sign_is_digit(p[i]) && !memchr("_.:-/", p[i], 5)) return false;
    }
    return true;
}

inline uint32_t sign_size(const uint8_t *p) { return big_endian(load<uint32_t>(p)); }

// Reads a varint of 32 bits. Returns nullptr if there is none.
inline const uint8_t *sign_varint(const uint8_t *p, const uint8_t *end, uint32_t *value) {
    *value = 0;
    for (int shift = 0; shift < 35 && p < end; shift += 7) {
        *value |= static_cast<uint32_t>(*p & 0x7f) << shift;
        if (*p++ < 0x80) return p;
    }
    return nullptr;
}

// Returns the size of a message's header: the name of a method, the type of the message and its number. 0 if there is none.
inline size_t sign_envelope(const Stretch &all) {
    const uint8_t *p = all.begin, *end = all.end;
    size_t size = all.size();
    if (size < 5) return 0;
    uint32_t length = 0;
    if (p[0] == 0x82 && (p[1] & 0x1f) == 1 && p[1] >> 5 >= 1 && p[1] >> 5 <= 4) {  // compact
        uint32_t number = 0;
        if (!(p = sign_varint(p + 2, end, &number)) || !(p = sign_varint(p, end, &length))) return 0;
        if (static_cast<size_t>(end - p) < length || !sign_is_name(p, length)) return 0;
        return static_cast<size_t>(p - all.begin) + length;
    }
    bool strict = p[0] == 0x80 && p[1] == 1 && p[2] == 0;
    size_t before = strict ? 8 : 4, behind = strict ? 4 : 5;
    if (size < before + behind) return 0;
    length = sign_size(p + before - 4);
    if (length > size - before - behind || !sign_is_name(p + before, length) || (!strict && length < 3)) return 0;
    uint8_t type = strict ? p[3] : p[before + length];
    return type >= 1 && type <= 4 ? before + length + behind : 0;
}

// The same for Thrift's JSON, where a message is an array, which begins with the version: [1,"name",1,0,{…}].
inline size_t sign_json_envelope(const Stretch &all) {
    if (!all.starts("[1,\"")) return 0;
    const uint8_t *name = all.begin + 4, *p = name, *end = all.begin + all.window();
    while (p < end && *p != '"') p++;
    if (!sign_is_name(name, static_cast<size_t>(p - name))) return 0;
    if (end - p < 5 || p[1] != ',' || p[2] < '1' || p[2] > '4' || p[3] != ',') return 0;
    p += p[4] == '-' ? 5 : 4;
    const uint8_t *digits = p;
    while (p < end && sign_is_digit(*p)) p++;
    if (p == digits || end - p < 2 || p[0] != ',' || p[1] != '{') return 0;
    return static_cast<size_t>(p + 1 - all.begin);
}

}  // namespace sparpack
