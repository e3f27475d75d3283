// Reads and writes base64 with tables that the compiler computes.
#include "base64.hpp"

namespace sparpack {

namespace {

class Base64Tables {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    constexpr void digit(int character, uint32_t value) {
        values[0][character] = value << 2;
        values[1][character] = value >> 4 | (value & 15) << 12;
        values[2][character] = value >> 2 << 8 | (value & 3) << 22;
        values[3][character] = value << 16;
    }

public:
    static constexpr uint32_t wrong = 0xff000000u;  // no digit

    uint16_t pairs[4096];     // two digits for 12 bits, the first in the lower byte
    uint32_t values[4][256];  // what a digit contributes to three bytes, of which the first is the lowest, by its place

    constexpr Base64Tables() : pairs{}, values{} {
        for (int bits = 0; bits < 4096; bits++)
            pairs[bits] = static_cast<uint16_t>(digits[bits >> 6] | digits[bits & 63] << 8);
        for (auto &place : values) {
            for (uint32_t &value : place) value = wrong;
        }
        for (int value = 0; value < 64; value++) digit(digits[value], static_cast<uint32_t>(value));
        digit('-', 62);
        digit('_', 63);
    }

    SPARPACK_INLINE uint32_t join(const uint8_t *p) const {
        return values[0][p[0]] | values[1][p[1]] | values[2][p[2]] | values[3][p[3]];
    }
};

constexpr Base64Tables base64_tables;

}  // namespace

int base64_digit(uint8_t byte) {
    uint32_t value = base64_tables.values[3][byte];
    return value == Base64Tables::wrong ? -1 : static_cast<int>(value >> 16);
}

uint8_t *base64_write(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
    const Base64Tables &tables = base64_tables;
    writer_check(w, p, base64_text_size(size));
    const uint8_t *end = data + size;
    for (; end - data >= 8; data += 6, p += 8) {
        uint64_t bits = big_endian(load<uint64_t>(data));
        uint64_t text = tables.pairs[bits >> 52] | static_cast<uint64_t>(tables.pairs[bits >> 40 & 4095]) << 16 |
                        static_cast<uint64_t>(tables.pairs[bits >> 28 & 4095]) << 32 |
                        static_cast<uint64_t>(tables.pairs[bits >> 16 & 4095]) << 48;
        store(p, little_endian(text));
    }
    for (; data < end; data += 3, p += 4) {
        ptrdiff_t left = end - data;
        uint32_t bits = uint32_t{data[0]} << 16 | (left > 1 ? uint32_t{data[1]} << 8 : 0) | (left > 2 ? data[2] : 0u);
        store(p, little_endian(tables.pairs[bits >> 12]));
        store(p + 2, little_endian(tables.pairs[bits & 4095]));
        if (left < 3) p[3] = '=';
        if (left < 2) p[2] = '=';
        if (left < 3) return p + 4;
    }
    return p;
}

bool base64_measure(const uint8_t *text, size_t *text_size, size_t *size) {
    size_t digits = *text_size;
    if (digits % 4 == 0 && digits && text[digits - 1] == '=') digits -= text[digits - 2] == '=' ? 2 : 1;
    *text_size = digits;
    *size = digits / 4 * 3 + digits % 4 * 3 / 4;
    return digits % 4 != 1;
}

bool base64_read(uint8_t *to, const uint8_t *text, size_t digits) {
    const Base64Tables &tables = base64_tables;
    const uint8_t *end = text + digits;
    uint32_t seen = 0;
    if (digits % 4 == 1) return false;
    for (; end - text > 4; text += 4, to += 3) {
        uint32_t bytes = tables.join(text);
        seen |= bytes;
        store(to, little_endian(bytes));  // one byte more than three: there is at least one more digit
    }
    size_t left = static_cast<size_t>(end - text);
    if (left == 0) return true;
    uint8_t last[4] = {'A', 'A', 'A', 'A'};
    for (size_t i = 0; i < left; i++) last[i] = text[i];
    uint32_t bytes = tables.join(last);
    seen |= bytes;
    size_t size = left * 3 / 4;
    for (size_t i = 0; i < size; i++) to[i] = static_cast<uint8_t>(bytes >> 8 * i);
    return !(seen >> 24) && !(bytes >> 8 * size);
}

bool base64_check(const uint8_t *text, size_t digits) {
    const Base64Tables &tables = base64_tables;
    const uint8_t *end = text + digits;
    uint32_t seen = 0;
    for (; end - text > 4; text += 4) seen |= tables.join(text);
    uint8_t last[4];  // base64_read writes four bytes for all but the last digits, so compilers warn of three
    return !(seen >> 24) && base64_read(last, text, static_cast<size_t>(end - text));
}

}  // namespace sparpack
