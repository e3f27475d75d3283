// MessagePack's byte grammar (the specification's "Formats"). It needs no schema, because each value says what it is.
#pragma once

#include "../../bytes/reader.hpp"
#include "../../bytes/writer.hpp"

namespace sparpack {

struct MessagePack {
    // What a value begins with. For str, bin, array, map and ext, `number` is the size.
    enum class Head : uint8_t {
        nil,
        false_,
        true_,
        positive,
        negative,
        float32,
        float64,
        str,
        bin,
        array,
        map,
        ext,
        reserved
    };

    struct Item {
        Head head;
        int8_t type;      // of ext
        uint64_t number;  // the bits of an integer or a float, or a size
    };

    static constexpr size_t header_max = 9;  // the largest header or scalar, in bytes
    static constexpr uint8_t fixmap = 0x80, fixarray = 0x90, fixstr = 0xa0, nil_byte = 0xc0, false_byte = 0xc2,
                             true_byte = 0xc3, bin8 = 0xc4, ext8 = 0xc7, float32_byte = 0xca, float64_byte = 0xcb,
                             uint8_byte = 0xcc, uint16_byte = 0xcd, uint32_byte = 0xce, uint64_byte = 0xcf, int8_byte = 0xd0,
                             int16_byte = 0xd1, int32_byte = 0xd2, int64_byte = 0xd3, fixext1 = 0xd4, fixext16 = 0xd8,
                             str8 = 0xd9, str16 = 0xda, str32 = 0xdb, array16 = 0xdc, array32 = 0xdd, map16 = 0xde,
                             map32 = 0xdf, negative_fixint = 0xe0;

    // --- reading -----------------------------------------------------------------------------------------------------

    template <class T> SPARPACK_INLINE static T big(const uint8_t *p) { return big_endian(load<T>(p)); }

    // The place that knows what each format byte says. Three others know some of them again, for speed: see
    // message_pack/unpack.cpp.
    // Does not check sizes against the bytes left. A caller that has all bytes must do that. Statuses: truncated,
    // bad_format.
    static const uint8_t *read_head(Input &in, const uint8_t *p, Item &item);

    // Returns what a value with this first byte begins with. It is for values whose other bytes are not there yet. A signed
    // integer counts as positive.
    static Head head_of(uint8_t byte) {
        const uint8_t bytes[header_max] = {byte};
        Input in(bytes, sizeof bytes);
        Item item{};
        read_head(in, bytes, item);
        return item.head;
    }

    static double real_of(const Item &item) {
        if (item.head == Head::float64) {
            double real;
            memcpy(&real, &item.number, sizeof real);
            return real;
        }
        uint32_t bits = static_cast<uint32_t>(item.number);
        float real;
        memcpy(&real, &bits, sizeof real);
        return static_cast<double>(real);
    }

    // --- writing: the caller has reserved header_max -------------------------------------------------------------------

    static uint8_t *write_byte(Writer &w, uint8_t *p, uint8_t byte) { return writer_put(w, p, byte); }

    SPARPACK_INLINE static uint8_t *write_integer(Writer &w, uint8_t *p, int64_t number) {
        if (SPARPACK_LIKELY(number >= 0)) return write_unsigned(w, p, static_cast<uint64_t>(number));
        if (number >= -32) return writer_put(w, p, static_cast<uint8_t>(number));
        if (number >= INT8_MIN) return put<uint8_t>(w, p, int8_byte, static_cast<uint64_t>(number));
        if (number >= INT16_MIN) return put<uint16_t>(w, p, int16_byte, static_cast<uint64_t>(number));
        if (number >= INT32_MIN) return put<uint32_t>(w, p, int32_byte, static_cast<uint64_t>(number));
        return put<uint64_t>(w, p, int64_byte, static_cast<uint64_t>(number));
    }

    SPARPACK_INLINE static uint8_t *write_unsigned(Writer &w, uint8_t *p, uint64_t number) {
        if (number < fixmap) return writer_put(w, p, static_cast<uint8_t>(number));
        if (number <= UINT8_MAX) return put<uint8_t>(w, p, uint8_byte, number);
        if (number <= UINT16_MAX) return put<uint16_t>(w, p, uint16_byte, number);
        if (number <= UINT32_MAX) return put<uint32_t>(w, p, uint32_byte, number);
        return put<uint64_t>(w, p, uint64_byte, number);
    }

    SPARPACK_INLINE static uint8_t *write_double(Writer &w, uint8_t *p, double number) {
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        return put<uint64_t>(w, p, float64_byte, bits);
    }

    SPARPACK_INLINE static uint8_t *write_float(Writer &w, uint8_t *p, float number) {
        uint32_t bits;
        memcpy(&bits, &number, sizeof bits);
        return put<uint32_t>(w, p, float32_byte, bits);
    }

    SPARPACK_INLINE static uint8_t *write_str(Writer &w, uint8_t *p, size_t size) {
        if (size < 32) return writer_put(w, p, static_cast<uint8_t>(fixstr | size));
        if (size <= UINT8_MAX) return put<uint8_t>(w, p, str8, size);
        if (size <= UINT16_MAX) return put<uint16_t>(w, p, str16, size);
        return put<uint32_t>(w, p, str32, size);
    }

    // Writes the header of a str in the older format, which has neither str8 nor bin.
    static uint8_t *write_raw(Writer &w, uint8_t *p, size_t size) {
        return size > 31 && size <= UINT8_MAX ? put<uint16_t>(w, p, str16, size) : write_str(w, p, size);
    }

    static uint8_t *write_bin(Writer &w, uint8_t *p, size_t size) {
        if (size <= UINT8_MAX) return put<uint8_t>(w, p, bin8, size);
        if (size <= UINT16_MAX) return put<uint16_t>(w, p, bin8 + 1, size);
        return put<uint32_t>(w, p, bin8 + 2, size);
    }

    static uint8_t *write_array(Writer &w, uint8_t *p, size_t size) {
        if (size < 16) return writer_put(w, p, static_cast<uint8_t>(fixarray | size));
        if (size <= UINT16_MAX) return put<uint16_t>(w, p, array16, size);
        return put<uint32_t>(w, p, array32, size);
    }

    static uint8_t *write_map(Writer &w, uint8_t *p, size_t size) {
        if (size < 16) return writer_put(w, p, static_cast<uint8_t>(fixmap | size));
        if (size <= UINT16_MAX) return put<uint16_t>(w, p, map16, size);
        return put<uint32_t>(w, p, map32, size);
    }

    static uint8_t *write_ext(Writer &w, uint8_t *p, int8_t type, size_t size) {
        switch (size) {
        case 1: p = writer_put(w, p, fixext1); break;
        case 2: p = writer_put(w, p, static_cast<uint8_t>(fixext1 + 1)); break;
        case 4: p = writer_put(w, p, static_cast<uint8_t>(fixext1 + 2)); break;
        case 8: p = writer_put(w, p, static_cast<uint8_t>(fixext1 + 3)); break;
        case 16: p = writer_put(w, p, fixext16); break;
        default:
            if (size <= UINT8_MAX) {
                p = put<uint8_t>(w, p, ext8, size);
            } else if (size <= UINT16_MAX) {
                p = put<uint16_t>(w, p, ext8 + 1, size);
            } else {
                p = put<uint32_t>(w, p, ext8 + 2, size);
            }
        }
        return writer_put(w, p, type);
    }

private:
    SPARPACK_INLINE static const uint8_t *fixed(Item &item, Head head, uint64_t number, const uint8_t *p) {
        item.head = head;
        item.number = number;
        return p + 1;
    }

    template <class T> SPARPACK_INLINE static uint64_t number_at(const uint8_t *p) {
        if constexpr (sizeof(T) == 1) {
            return *p;
        } else {
            return big<T>(p);
        }
    }

    template <class T> SPARPACK_INLINE static const uint8_t *sized(Input &in, const uint8_t *p, Item &item, Head head) {
        if (SPARPACK_UNLIKELY(!input_need(in, p, 1 + sizeof(T)))) return nullptr;
        item.head = head;
        item.number = number_at<T>(p + 1);
        return p + 1 + sizeof(T);
    }

    template <class S, class U>
    SPARPACK_INLINE static const uint8_t *signed_integer(Input &in, const uint8_t *p, Item &item) {
        p = sized<U>(in, p, item, Head::positive);
        if (SPARPACK_UNLIKELY(!p)) return nullptr;
        int64_t number = static_cast<S>(static_cast<U>(item.number));
        item.head = number < 0 ? Head::negative : Head::positive;
        item.number = static_cast<uint64_t>(number);
        return p;
    }

    SPARPACK_INLINE static const uint8_t *ext(Input &in, const uint8_t *start, Item &item, const uint8_t *p) {
        if (SPARPACK_UNLIKELY(!p)) return nullptr;
        if (SPARPACK_UNLIKELY(p >= in.end)) return input_fail(in, Status::truncated, start);
        item.type = static_cast<int8_t>(*p);
        return p + 1;
    }

    template <class T> SPARPACK_INLINE static uint8_t *put(Writer &w, uint8_t *p, uint8_t head, uint64_t number) {
        p = writer_put(w, p, head);
        if constexpr (sizeof(T) == 1) {
            return writer_put(w, p, static_cast<uint8_t>(number));
        } else {
            return writer_put(w, p, big_endian(static_cast<T>(number)));
        }
    }
};

}  // namespace sparpack
