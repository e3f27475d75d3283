// Tells whether bytes begin as zlib's format does (RFC 1950). Its header has only two bytes, which a payload may have as
// well. So the beginning of the compressed data (RFC 1951) is checked, too.
#pragma once

#include "../bytes/base.hpp"

namespace sparpack {

// Bits, the lowest of each byte first. Behind the end there are zeros, and `over` counts them.
struct DeflateBits {
    const uint8_t *p;
    const uint8_t *end;
    uint32_t held = 0;
    int count = 0;
    int over = 0;

    uint32_t take(int bits) {
        while (count < bits) {
            if (p == end) over += 8;
            held |= static_cast<uint32_t>(p < end ? *p++ : 0) << count;
            count += 8;
        }
        uint32_t value = held & ((1u << bits) - 1);
        held >>= bits;
        count -= bits;
        return value;
    }

    // A Huffman code begins with its highest bit.
    uint32_t take_reversed(int bits) {
        uint32_t value = 0;
        while (bits--) value = value << 1 | take(1);
        return value;
    }
};

// Reads symbols of the fixed code. They must not copy what was not written, and the last block must end 4 bytes before the
// end, where a checksum is.
inline bool deflate_is_fixed(DeflateBits &bits, bool last) {
    constexpr int symbols_max = 96;
    constexpr uint8_t extra_length[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                        2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    uint32_t written = 0;
    for (int i = 0; i < symbols_max; i++) {
        uint32_t code = bits.take_reversed(7);
        if (bits.over) return false;
        if (code == 0) return last ? bits.end - bits.p == 4 : true;
        uint32_t symbol = code;  // 256 + code, if it has only 7 bits
        if (code >= 24) {
            code = code << 1 | bits.take(1);
            if (code < 192 || code >= 200) {  // a literal
                if (code >= 200) bits.take(1);
                written++;
                continue;
            }
            symbol = code - 192 + 24;
        }
        if (symbol > 29) return false;
        const int length_bits = extra_length[symbol - 1];
        uint32_t length = symbol <= 8 ? symbol + 2 : symbol == 29 ? 258 : ((4 + ((symbol - 1) & 3)) << length_bits) + 3;
        length += bits.take(length_bits);
        uint32_t distance = bits.take_reversed(5);
        if (distance >= 30) return false;
        uint32_t least = distance + 1;
        if (distance >= 4) {
            int extra = static_cast<int>(distance / 2) - 1;
            least = ((2 + (distance & 1)) << extra) + 1 + bits.take(extra);
        }
        if (least > written || bits.over) return false;
        written += length;
    }
    return true;
}

// Reads the lengths of the codes of a dynamic block, which have to make a complete code.
inline bool deflate_is_dynamic(DeflateBits &bits) {
    if (bits.take(5) > 29 || bits.take(5) > 29) return false;
    uint32_t codes = bits.take(4) + 4, sum = 0;
    for (uint32_t i = 0; i < codes; i++) {
        uint32_t length = bits.take(3);
        if (length) sum += 128u >> length;
    }
    return sum == 128 && !bits.over;
}

inline bool deflate_begins_zlib(const uint8_t *p, const uint8_t *end) {
    constexpr ptrdiff_t least = 9;  // header, an empty block and a checksum
    if (end - p < least || *p != 0x78 || (p[0] << 8 | p[1]) % 31 != 0 || p[1] & 0x20) return false;
    DeflateBits bits{p + 2, end};
    bool last = bits.take(1);
    switch (bits.take(2)) {
    case 0: {
        uint32_t size = p[3] | p[4] << 8, complement = p[5] | p[6] << 8;
        return (size ^ complement) == 0xffff;
    }
    case 1: return deflate_is_fixed(bits, last);
    case 2: return deflate_is_dynamic(bits);
    default: return false;
    }
}

}  // namespace sparpack
