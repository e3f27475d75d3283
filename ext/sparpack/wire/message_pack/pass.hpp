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

// How many values of a container are still to pass. The keys and values of a map count one each, so before the value of a
// pair the number is odd.
struct MessagePackLeft {
    uint64_t count;
    bool in_map;
};

// A fast loop passes up to two values without looking for the end of the bytes. Each takes at most 32 bytes (fixstr).
constexpr ptrdiff_t message_pack_pass_ahead = 64;

// Passes over elements of an array, up to the first that has no size in message_pack_sizes. To know where the next element
// begins, the processor has to load the first byte of this one and then its size, which takes ten cycles. Elements with the
// same first byte have a loop of their own: there the processor guesses that the size stays the same, and does not wait.
SPARPACK_INLINE const uint8_t *message_pack_pass_elements(const uint8_t *p, const uint8_t *safe, MessagePackLeft &left) {
    uint64_t count = left.count;
    while (p < safe && count != 0) {
        const uint8_t byte = *p;
        const size_t size = message_pack_sizes.of[byte];
        if (size == 0) break;
        do {
            p += size;
            count--;
        } while (count != 0 && p < safe && *p == byte);
    }
    left.count = count;
    return p;
}

// Passes over keys and values of a map, up to the first that has no size in message_pack_sizes. Most keys are short strings,
// whose size is computed faster than it is loaded from the table.
SPARPACK_INLINE const uint8_t *message_pack_pass_pairs(const uint8_t *p, const uint8_t *safe, MessagePackLeft &left) {
    using M = MessagePack;
    uint64_t count = left.count;
    while (p < safe && count != 0) {
        const size_t key = *p;  // as wide as an address, so that adding it is one instruction
        if (count % 2 == 0 && (key & 0xe0) == M::fixstr) {
            p += key - (M::fixstr - 1);
            count--;
            if (p >= safe) break;
        }
        const size_t size = message_pack_sizes.of[*p];
        if (size == 0) break;
        p += size;
        count--;
    }
    left.count = count;
    return p;
}

// Returns the end of the value at p, or nullptr if only its events can tell.
inline const uint8_t *message_pack_pass(const uint8_t *p, const uint8_t *end) {
    using M = MessagePack;
    MessagePackLeft around[untyped_depth_max];  // in the containers around the current one
    MessagePackLeft here = {1, false};
    int top = 0;
    const uint8_t *const safe = end - p > message_pack_pass_ahead ? end - message_pack_pass_ahead : p;
    for (;;) {
        p = here.in_map ? message_pack_pass_pairs(p, safe, here) : message_pack_pass_elements(p, safe, here);
        while (here.count == 0) {
            if (top == 0) return p;
            here = around[--top];
        }
        if (SPARPACK_UNLIKELY(p == end)) return nullptr;
        const size_t room = static_cast<size_t>(end - p);
        const uint8_t byte = *p;
        size_t size = message_pack_sizes.of[byte];
        here.count--;
        if (size != 0) {
            if (SPARPACK_UNLIKELY(size > room)) return nullptr;
            p += size;
            continue;
        }
        MessagePackLeft inner = {0, byte < M::fixarray || byte >= M::map16};
        if (byte < M::fixstr) {
            size = 1;
            inner.count = inner.in_map ? 2 * (byte & 15) : byte & 15;
        } else if (byte >= M::array16) {
            const size_t bytes = byte & 1 ? 4 : 2;
            size = 1 + bytes;
            if (SPARPACK_UNLIKELY(size > room)) return nullptr;
            const uint64_t number = message_pack_sized(p, bytes);
            inner.count = inner.in_map ? 2 * number : number;
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
        if (inner.count != 0) {
            if (SPARPACK_UNLIKELY(top == untyped_depth_max)) return nullptr;
            around[top++] = here;
            here = inner;
        }
    }
}

}  // namespace sparpack
