// Passes over whole values of MessagePack in memory, several times as fast as their events. What is cut, wrong or too deep
// is left to these (end.hpp).
#pragma once

#include "../../bytes/limits.hpp"
#include "heads.hpp"

namespace sparpack {

// How many bytes a value takes by its first byte, if that says it: all scalars, and short strings. Otherwise 0.
struct MessagePackSizes {
    uint8_t of[256] = {};

    constexpr MessagePackSizes() {
        using M = MessagePack;
        for (int byte = 0; byte < M::fixmap; byte++) of[byte] = 1;
        for (int byte = M::negative_fixint; byte < 256; byte++) of[byte] = 1;
        for (int size = 0; size < 32; size++) of[M::fixstr + size] = static_cast<uint8_t>(1 + size);
        of[M::nil_byte] = of[M::false_byte] = of[M::true_byte] = 1;
        of[M::float32_byte] = 5;
        of[M::float64_byte] = 9;
        for (int power = 0; power < 4; power++) {
            of[M::uint8_byte + power] = of[M::int8_byte + power] = static_cast<uint8_t>(1 + (1 << power));
        }
        for (int power = 0; power < 5; power++) of[M::fixext1 + power] = static_cast<uint8_t>(2 + (1 << power));
    }
};

inline constexpr MessagePackSizes message_pack_sizes;

// The size of a head that has one in `bytes` bytes behind its first.
SPARPACK_INLINE uint64_t message_pack_sized(const uint8_t *p, size_t bytes) {
    return bytes == 1 ? p[1] : bytes == 2 ? MessagePack::big<uint16_t>(p + 1) : MessagePack::big<uint32_t>(p + 1);
}

// Returns the end of the value at p, or nullptr if only its events can tell.
inline const uint8_t *message_pack_pass(const uint8_t *p, const uint8_t *end) {
    using M = MessagePack;
    uint64_t left[untyped_depth_max];  // in the containers around the current one
    int top = 0;
    uint64_t here = 1;
    for (;;) {
        while (here == 0) {
            if (top == 0) return p;
            here = left[--top];
        }
        if (SPARPACK_UNLIKELY(p == end)) return nullptr;
        const size_t room = static_cast<size_t>(end - p);
        const uint8_t byte = *p;
        size_t size = message_pack_sizes.of[byte];
        if (SPARPACK_LIKELY(size != 0)) {
            if (SPARPACK_UNLIKELY(size > room)) return nullptr;
            p += size;
            here--;
            continue;
        }
        uint64_t inner = 0;
        if (byte < M::fixstr) {
            size = 1;
            inner = byte < M::fixarray ? 2 * (byte & 15) : byte & 15;
        } else if (byte >= M::array16) {
            const size_t bytes = byte & 1 ? 4 : 2;
            size = 1 + bytes;
            if (SPARPACK_UNLIKELY(size > room)) return nullptr;
            inner = message_pack_sized(p, bytes);
            if (byte >= M::map16) inner *= 2;
        } else if (byte == M::nil_byte + 1) {
            return nullptr;
        } else {  // str8 to str32, bin8 to bin32, and ext8 to ext32, which has the byte of its type, too
            const int width = byte >= M::str8 ? byte - M::str8 : (byte - M::bin8) % 3;
            const size_t head = size_t{1} + (size_t{1} << width) + (byte >= M::ext8 && byte < M::float32_byte);
            if (SPARPACK_UNLIKELY(head > room)) return nullptr;
            const uint64_t data = message_pack_sized(p, size_t{1} << width);
            if (SPARPACK_UNLIKELY(data > room - head)) return nullptr;
            size = head + data;
        }
        p += size;
        here--;
        if (inner != 0) {
            if (SPARPACK_UNLIKELY(top == untyped_depth_max)) return nullptr;
            left[top++] = here;
            here = inner;
        }
    }
}

}  // namespace sparpack
