// Copies a value in the binary protocol to memory of the size that BinarySize has counted for it.
#pragma once

#include "binary.hpp"
#include "copy.hpp"

namespace sparpack {

// Counts again, and refuses what would be more than there is room for: another thread may change the bytes between the two
// passes.
struct KeptCopy {
    using Level = Copy<Binary>::Level;

    // More than was counted, because a copy reserves the room of any header.
    static constexpr size_t room = Copy<Binary>::room;

    Writer writer{};
    Copy<Binary> copy;
    BinarySize counted;
    BinarySize::Level none;
    size_t size;

    // There are `counted_before` + room bytes.
    KeptCopy(uint8_t *to, size_t counted_before) : copy(writer, to), size(counted_before) {
        writer.begin = to;
        writer.end = to + size + room;
    }
    KeptCopy(const KeptCopy &) = delete;
    KeptCopy &operator=(const KeptCopy &) = delete;

    bool fits() const { return counted.size <= size; }
    bool is_complete() const { return counted.size == size; }

    SPARPACK_INLINE bool field(Level &level, const event::Field &field) {
        return counted.field(none, field) && fits() && copy.field(level, field);
    }

    SPARPACK_INLINE bool scalar(Level &level, const event::Scalar &scalar) {
        return counted.scalar(none, scalar) && fits() && copy.scalar(level, scalar);
    }

    SPARPACK_INLINE bool open(Level &outer, Level &inner, const event::Open &open) {
        return counted.open(none, none, open) && fits() && copy.open(outer, inner, open);
    }

    SPARPACK_INLINE bool close(Level &level, Level &outer, const event::Close &close) {
        return counted.close(none, none, close) && fits() && copy.close(level, outer, close);
    }
};

}  // namespace sparpack
