// Finds the end of a value of which nothing is known, as a walk with Limited<Skip> does, but without events: fields that a
// class leaves out may be most of what it reads. Where anything is wrong, it gives up, and a walk says what.
#pragma once

#include <type_traits>

#include "../../bytes/limits.hpp"
#include "binary.hpp"
#include "compact.hpp"
#include "events.hpp"

namespace sparpack {

template <class Wire> class Passer {
public:
    Passer(const Input &input, SizeLimits sizes) : in(input), limits(sizes) { in.counts = Counts::checked; }

    // `depth` is how many levels may be opened. Returns nullptr if the value is wrong.
    const uint8_t *value(const uint8_t *p, WireType type, bool is_field, int depth) {
        return is_field ? one<true>(p, type, depth) : one<false>(p, type, depth);
    }

private:
    static constexpr bool is_compact = std::is_same_v<Wire, Compact>;

    template <bool is_field> SPARPACK_INLINE const uint8_t *one(const uint8_t *p, WireType type, int depth) {
        switch (type) {
        case WireType::bool_: return boolean<is_field>(p);
        case WireType::i8: return left(p) >= 1 ? p + 1 : nullptr;
        case WireType::i16: {
            int64_t number;
            return Wire::read_i16(in, p, &number);
        }
        case WireType::i32: return integer<32>(p);
        case WireType::i64: return integer<64>(p);
        case WireType::double_: return left(p) >= sizeof(double) ? p + sizeof(double) : nullptr;
        case WireType::string: {
            const uint8_t *data;
            size_t size = 0;
            p = Wire::read_bytes(in, p, &data, &size);
            return SPARPACK_LIKELY(static_cast<int64_t>(size) <= limits.string) ? p : nullptr;
        }
        case WireType::uuid: return left(p) >= uuid_bytes ? p + uuid_bytes : nullptr;
        case WireType::list:
        case WireType::set: return depth > 0 ? list(p, depth - 1) : nullptr;
        case WireType::map: return depth > 0 ? map(p, depth - 1) : nullptr;
        case WireType::struct_: return depth > 0 ? fields(p, depth - 1) : nullptr;
        case WireType::stop: break;
        }
        return nullptr;
    }

    [[gnu::noinline]] const uint8_t *fields(const uint8_t *p, int depth) {
        int32_t id = 0;
        for (;;) {
            if (SPARPACK_UNLIKELY(p == in.end)) return nullptr;
            const uint8_t byte = *p++;
            if ((is_compact ? byte & 15 : byte) == 0) return p;
            if (SPARPACK_UNLIKELY(!(p = field_id(p, byte, id)))) return nullptr;
            if (SPARPACK_UNLIKELY(!(p = one<true>(p, Wire::type_of(byte), depth)))) return nullptr;
        }
    }

    // Passes over the rest of a field's header.
    SPARPACK_INLINE const uint8_t *field_id(const uint8_t *p, [[maybe_unused]] uint8_t byte, [[maybe_unused]] int32_t &id) {
        if constexpr (is_compact) {
            if (SPARPACK_LIKELY(byte >> 4)) {
                id += byte >> 4;
            } else {
                uint64_t raw;
                if (!(p = varint_read<32>(in, p, &raw))) return nullptr;
                id = static_cast<int32_t>(unzigzag(raw));
            }
            return SPARPACK_LIKELY(id == static_cast<int16_t>(id)) ? p : nullptr;
        } else {
            return left(p) >= sizeof(int16_t) ? p + sizeof(int16_t) : nullptr;
        }
    }

    [[gnu::noinline]] const uint8_t *list(const uint8_t *p, int depth) {
        WireType type = WireType::stop;
        size_t count = 0;
        if (!(p = Wire::open_list(in, p, &type, &count)) || !allows(count)) return nullptr;
        while (count-- > 0 && (p = one<false>(p, type, depth))) {
        }
        return p;
    }

    [[gnu::noinline]] const uint8_t *map(const uint8_t *p, int depth) {
        WireType key = WireType::stop, type = WireType::stop;
        size_t count = 0;
        if (!(p = Wire::open_map(in, p, &key, &type, &count)) || !allows(count)) return nullptr;
        while (count-- > 0 && (p = value(p, key, false, depth)) && (p = value(p, type, false, depth))) {
        }
        return p;
    }

    bool allows(size_t count) const { return static_cast<int64_t>(count) <= limits.container; }

    SPARPACK_INLINE size_t left(const uint8_t *p) const { return input_left(in, p); }

    // The value of a field is part of its header in the compact protocol.
    template <bool is_field> SPARPACK_INLINE const uint8_t *boolean(const uint8_t *p) {
        if (is_compact && is_field) return p;
        bool flag;
        return Wire::read_bool(in, p, nullptr, &flag);
    }

    template <int bits> SPARPACK_INLINE const uint8_t *integer(const uint8_t *p) {
        if constexpr (is_compact) {
            if (SPARPACK_LIKELY(left(p) >= 8)) {
                const uint8_t *end = varint_pass<bits>(p);
                if (SPARPACK_LIKELY(end)) return end;
            }
            uint64_t value;
            return varint_read<bits>(in, p, &value);
        } else {
            return left(p) >= bits / 8 ? p + bits / 8 : nullptr;
        }
    }

    Input in;  // a copy, because what is wrong is not told here
    SizeLimits limits;
};

extern template class Passer<Compact>;
extern template class Passer<Binary>;

// Returns the end of the value that a level says, or nullptr if it is wrong, or if the wire has only the walk.
template <class Events>
const uint8_t *pass_value(const Input &in, const uint8_t *p, const typename Events::Level &level, SizeLimits limits,
                          int depth) {
    if constexpr (std::is_same_v<Events, ThriftEvents<Compact>>) {
        return Passer<Compact>(in, limits).value(p, level.first, level.at_value, depth);
    } else if constexpr (std::is_same_v<Events, ThriftEvents<Binary>>) {
        return Passer<Binary>(in, limits).value(p, level.first, level.at_value, depth);
    } else {
        return nullptr;
    }
}

}  // namespace sparpack
