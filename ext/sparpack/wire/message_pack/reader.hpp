// What readers and writers of MessagePack as a wire of structs know, and how it is read. One reader reads all the forms that
// wire.hpp lists.
#pragma once

#include "../../bytes/uuid.hpp"
#include "../contract.hpp"
#include "events.hpp"
#include "heads.hpp"

namespace sparpack {

struct MessagePackReader {
    using M = MessagePack;

    struct Frame {
        int32_t next = keyed;  // reading an array: the id of the next element
        uint32_t left = 0;     // reading: elements or entries still to come
        int32_t id = 0;        // what next_field met: an id or, if there is one, a name
        uint32_t name_size = 0;
        const uint8_t *name = nullptr;
        bool is_union = false;      // writing
        bool stops_at_nil = false;  // reading: next_field does not pass over a field that is nil
    };
    static constexpr int32_t keyed = INT32_MIN;  // a map, or a union

    struct Header {
        const uint8_t *prepared;  // the name as a key
        uint32_t prepared_size;   // behind the last field 1, which no name has: `id` is compared
        uint32_t room_before;     // of the headers of all fields before this one
        int32_t id;               // `never` behind the last field
        uint32_t holes;           // ids between the field before and this one; behind the last field, the size of an array
    };
    static constexpr int32_t never = INT32_MIN + 1;

    struct Events : MessagePackEvents {
        static Level field_value(const Frame &) { return whole(); }
    };

    static constexpr size_t header_max = 3;  // an id, without what stands for ids that no field has
    static constexpr size_t number_max = M::header_max;
    static constexpr size_t scalar_max = 2 + uuid_text;
    static constexpr size_t open_max = 5;
    static constexpr size_t close_max = 0;
    static constexpr size_t string_room(size_t size) { return size + (size <= UINT8_MAX ? 2 : 5); }

    static FoundField found(const Frame &frame) {
        FoundField field;
        field.id = frame.id;
        field.name = frame.name;
        field.name_size = frame.name_size;
        return field;
    }

    // --- reading -------------------------------------------------------------------------------------------------

    static const char *name_of(M::Head head) {
        switch (head) {
        case M::Head::nil: return "nil";
        case M::Head::false_:
        case M::Head::true_: return "bool";
        case M::Head::positive:
        case M::Head::negative: return "an integer";
        case M::Head::float32:
        case M::Head::float64: return "a float";
        case M::Head::str: return "str";
        case M::Head::bin: return "bin";
        case M::Head::array: return "an array";
        case M::Head::map: return "a map";
        case M::Head::ext: return "ext";
        case M::Head::reserved: break;
        }
        return "an unknown type";
    }

    // Called where no value of the expected type begins. Statuses: truncated, bad_format, mismatch.
    SPARPACK_COLD static const uint8_t *mismatch(Input &in, const uint8_t *p) {
        M::Item item{};
        return M::read_head(in, p, item) ? input_mismatch(in, p, name_of(item.head)) : nullptr;
    }

    // Statuses: truncated, bad_format, mismatch, bad_union.
    static SPARPACK_INLINE const uint8_t *open_struct(Input &in, const uint8_t *p, Frame &frame, bool is_union) {
        const uint8_t *start = p;
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        uint8_t byte = *p;
        bool is_array = byte & (M::fixmap ^ M::fixarray);
        if (SPARPACK_LIKELY((byte & 0xe0) == M::fixmap)) {
            frame.left = byte & 15;
            p++;
        } else {
            M::Item item{};
            p = M::read_head(in, p, item);
            if (!p) return nullptr;
            is_array = item.head == M::Head::array;
            if (!is_array && item.head != M::Head::map) return input_mismatch(in, start, name_of(item.head));
            frame.left = static_cast<uint32_t>(item.number);
        }
        if (SPARPACK_UNLIKELY(frame.left > input_left(in, p) / (is_array ? 1 : 2)))
            return input_fail(in, Status::truncated, start);
        if (is_array && !is_union) frame.next = 0;
        if (is_array && is_union && frame.left) {
            if (frame.left != 2) return input_fail(in, Status::bad_union, start);
            frame.left = 1;
        }
        return p;
    }

    static constexpr unsigned bit_of(Keys form) { return 1u << static_cast<unsigned>(form); }

    // In which form a struct is whose head begins at `start`, as a bit; 0 if it is a map without entries, which all but
    // arrays have. Its first key is at p.
    static SPARPACK_INLINE unsigned form_of(const Input &in, const uint8_t *start, const uint8_t *p) {
        const uint8_t byte = *start;
        if ((byte & 0xf0) == M::fixarray || byte == M::array16 || byte == M::array32) return bit_of(Keys::array);
        if (byte == M::fixmap || p == in.end) return 0;
        if ((*p & 0xe0) == M::fixstr || (*p >= M::str8 && *p <= M::str32)) return bit_of(Keys::names);
        return *p < M::fixmap || *p >= M::uint8_byte ? bit_of(Keys::ids) : bit_of(Keys::none);
    }

    // Compares a few bytes as two overlapping words, because a call of memcmp would take longer.
    static SPARPACK_INLINE bool same_bytes(const uint8_t *p, const uint8_t *q, size_t size) {
        if (SPARPACK_UNLIKELY(size > 16)) return memcmp(p, q, size) == 0;
        if (size >= 8) {
            uint64_t first = load<uint64_t>(p) ^ load<uint64_t>(q),
                     last = load<uint64_t>(p + size - 8) ^ load<uint64_t>(q + size - 8);
            return (first | last) == 0;
        }
        if (size >= 4) {
            uint32_t first = load<uint32_t>(p) ^ load<uint32_t>(q),
                     last = load<uint32_t>(p + size - 4) ^ load<uint32_t>(q + size - 4);
            return (first | last) == 0;
        }
        for (size_t i = 0; i < size; i++) {
            if (p[i] != q[i]) return false;
        }
        return true;
    }

    // Arrays often begin with one element that is nil, because the first id is 1.
    static SPARPACK_INLINE bool next_behind_hole(const Input &in, const uint8_t *&p, Frame &frame, const Header &header) {
        if (frame.next + 1 != header.id || frame.left < 2 || input_left(in, p) < 2) return false;
        if (*p != M::nil_byte || p[1] == M::nil_byte) return false;
        p++;
        frame.left -= 2;
        frame.next += 2;
        return true;
    }

    static SPARPACK_INLINE bool next_known(const Input &in, const uint8_t *&p, Frame &frame, const Header &header) {
        if (SPARPACK_UNLIKELY(frame.left == 0 || p == in.end)) return false;
        size_t size = 0;
        if (frame.next == header.id) {
            if (*p == M::nil_byte) return false;
            frame.next++;
        } else {
            if (frame.next != keyed) return next_behind_hole(in, p, frame, header);
            size = *p < M::fixmap ? 1 : header.prepared_size;
            if (input_left(in, p) <= size || p[size] == M::nil_byte) return false;
            if (size == 1 ? *p != header.id : !same_bytes(p, header.prepared, size)) return false;
            p += size;
        }
        frame.left--;
        return true;
    }

    // Reads an entry's key. Statuses: truncated, bad_format, bad_field_id, bad_field_key.
    static const uint8_t *read_key(Input &in, const uint8_t *p, Frame &frame) {
        M::Item item{};
        const uint8_t *start = p;
        if (!(p = M::read_head(in, p, item))) return nullptr;
        frame.name = nullptr;
        frame.name_size = 0;
        switch (item.head) {
        case M::Head::positive:
        case M::Head::negative:
            frame.id = static_cast<int32_t>(item.number);
            if (item.head == M::Head::positive ? item.number > INT16_MAX : static_cast<int64_t>(item.number) < INT16_MIN)
                return input_fail(in, Status::bad_field_id, start);
            return p;
        case M::Head::str:
        case M::Head::bin:
            if (input_left(in, p) < item.number) return input_fail(in, Status::truncated, start);
            frame.name = p;
            frame.name_size = static_cast<uint32_t>(item.number);
            return p + item.number;
        case M::Head::nil:
        case M::Head::false_:
        case M::Head::true_:
        case M::Head::float32:
        case M::Head::float64:
        case M::Head::array:
        case M::Head::map:
        case M::Head::ext:
        case M::Head::reserved: break;
        }
        return input_fail(in, Status::bad_field_key, start);
    }

    // Statuses: those of read_key.
    static SPARPACK_INLINE int next_field(Input &in, const uint8_t *&p, Frame &frame, const FieldTable &table,
                                          uint32_t hint) {
        return SPARPACK_LIKELY(frame.left == 0) ? next_end : search_field(in, p, frame, table, hint);
    }

    // Statuses: those of read_key.
    [[gnu::noinline]] static int search_field(Input &in, const uint8_t *&p, Frame &frame, const FieldTable &table,
                                              uint32_t hint) {
        for (; frame.left; p++) {
            const uint8_t *start = p;
            frame.left--;
            if (frame.next == keyed) {
                if (SPARPACK_UNLIKELY(!(p = read_key(in, p, frame)))) return next_failed;
            } else {
                frame.id = frame.next++;
            }
            if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p), next_failed;
            if (*p == M::nil_byte && SPARPACK_LIKELY(!frame.stops_at_nil)) continue;
            if (SPARPACK_UNLIKELY(frame.id > INT16_MAX)) return input_fail(in, Status::bad_field_id, start), next_failed;
            int index = frame.name ? table.find_name(frame.name, frame.name_size, hint) : table.find(frame.id, hint);
            return SPARPACK_LIKELY(index >= 0) ? index : next_unknown;
        }
        return next_end;
    }

    // Statuses: truncated, bad_format, mismatch.
    static SPARPACK_INLINE const uint8_t *read_bool(Input &in, const uint8_t *p, const Frame *, bool *value) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        if (SPARPACK_UNLIKELY((*p | 1) != M::true_byte)) return mismatch(in, p);
        *value = *p & 1;
        return p + 1;
    }

    // Reads an integer of any width and sign. Statuses: truncated, bad_format, mismatch, integer_too_large.
    template <class T> static SPARPACK_INLINE const uint8_t *read_integer(Input &in, const uint8_t *p, int64_t *value) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        uint8_t byte = *p;
        if (SPARPACK_LIKELY(byte < M::fixmap || byte >= M::negative_fixint)) {
            *value = static_cast<int8_t>(byte);
            return p + 1;
        }
        unsigned code = byte - unsigned{M::uint8_byte};  // the low two bits say the width, the next one that there is a sign
        if (SPARPACK_UNLIKELY(code > 7)) return mismatch(in, p);
        size_t size = size_t{1} << (code & 3);
        uint64_t bits;
        if (SPARPACK_LIKELY(input_left(in, p) > 8)) {
            bits = big_endian(load<uint64_t>(p + 1));
        } else {
            if (input_left(in, p) <= size) return input_fail(in, Status::truncated, p);
            uint8_t few[8] = {};
            for (size_t i = 0; i < size; i++) few[i] = p[i + 1];
            bits = big_endian(load<uint64_t>(few));
        }
        unsigned shift = 64 - 8 * static_cast<unsigned>(size);
        int64_t number = code & 4 ? static_cast<int64_t>(bits) >> shift : static_cast<int64_t>(bits >> shift);
        if (SPARPACK_UNLIKELY(number != static_cast<T>(number) || (code == 3 && number < 0)))
            return input_fail(in, Status::integer_too_large, p);
        *value = number;
        return p + 1 + size;
    }

    static SPARPACK_INLINE const uint8_t *read_i8(Input &in, const uint8_t *p, int64_t *value) {
        return read_integer<int8_t>(in, p, value);
    }
    static SPARPACK_INLINE const uint8_t *read_i16(Input &in, const uint8_t *p, int64_t *value) {
        return read_integer<int16_t>(in, p, value);
    }
    static SPARPACK_INLINE const uint8_t *read_i32(Input &in, const uint8_t *p, int64_t *value) {
        return read_integer<int32_t>(in, p, value);
    }
    static SPARPACK_INLINE const uint8_t *read_i64(Input &in, const uint8_t *p, int64_t *value) {
        return read_integer<int64_t>(in, p, value);
    }

    // Statuses: truncated, bad_format, mismatch.
    static SPARPACK_INLINE const uint8_t *read_double(Input &in, const uint8_t *p, double *value) {
        if (SPARPACK_UNLIKELY(input_left(in, p) <= 8 || *p != M::float64_byte)) return read_real(in, p, value);
        uint64_t bits = big_endian(load<uint64_t>(p + 1));
        memcpy(value, &bits, sizeof bits);
        return p + 9;
    }

    // An integer is read for a double, because some writers write 1.0 as 1. It is rounded as Integer#to_f does.
    SPARPACK_COLD static const uint8_t *read_real(Input &in, const uint8_t *p, double *value) {
        M::Item item{};
        const uint8_t *start = p;
        if (!(p = M::read_head(in, p, item))) return nullptr;
        switch (item.head) {
        case M::Head::float32:
        case M::Head::float64: return *value = M::real_of(item), p;
        case M::Head::positive: return *value = static_cast<double>(item.number), p;
        case M::Head::negative: return *value = static_cast<double>(static_cast<int64_t>(item.number)), p;
        case M::Head::nil:
        case M::Head::false_:
        case M::Head::true_:
        case M::Head::str:
        case M::Head::bin:
        case M::Head::array:
        case M::Head::map:
        case M::Head::ext:
        case M::Head::reserved: break;
        }
        return input_mismatch(in, start, name_of(item.head));
    }

    // Reads str or bin. Older writers know only one of them. Statuses: truncated, bad_format, mismatch.
    static SPARPACK_INLINE const uint8_t *read_text(Input &in, const uint8_t *p, StringBytes *string) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        if (SPARPACK_UNLIKELY((*p & 0xe0) != M::fixstr)) return read_long_text(in, p, string);
        size_t size = *p++ & 31;
        if (SPARPACK_UNLIKELY(input_left(in, p) < size)) return input_fail(in, Status::truncated, p - 1);
        *string = {p, size, size};
        return p + size;
    }
    [[gnu::noinline]] static const uint8_t *read_long_text(Input &in, const uint8_t *p, StringBytes *string) {
        M::Item item{};
        const uint8_t *start = p;
        if (!(p = M::read_head(in, p, item))) return nullptr;
        if (item.head != M::Head::str && item.head != M::Head::bin) return input_mismatch(in, start, name_of(item.head));
        if (input_left(in, p) < item.number) return input_fail(in, Status::truncated, start);
        size_t size = static_cast<size_t>(item.number);
        *string = {p, size, size};
        return p + size;
    }
    static SPARPACK_INLINE const uint8_t *read_binary(Input &in, const uint8_t *p, StringBytes *string) {
        return read_text(in, p, string);
    }

    static bool next_is_text(const Input &in, const uint8_t *p) {
        return p < in.end && ((*p & 0xe0) == M::fixstr || (*p >= M::str8 && *p <= M::str32));
    }
    static void unescape(const StringBytes &string, uint8_t *to) { memcpy(to, string.data, string.size); }

    // Statuses: those of read_text, bad_uuid.
    static const uint8_t *read_uuid_bytes(Input &in, const uint8_t *p, uint8_t *bytes) {
        StringBytes string;
        const uint8_t *start = p;
        if (!(p = read_text(in, p, &string))) return nullptr;
        if (string.size == uuid_bytes && *start == M::bin8) return memcpy(bytes, string.data, uuid_bytes), p;
        bool is_uuid = uuid_parse(reinterpret_cast<const char *>(string.data), string.size, bytes);
        return is_uuid ? p : input_fail(in, Status::bad_uuid, start);
    }

    // Each element has at least one byte, which bounds what a count can make us allocate.
    // Statuses: truncated, bad_format, mismatch.
    static SPARPACK_INLINE const uint8_t *read_count(Input &in, const uint8_t *p, M::Head head, size_t smallest,
                                                     size_t *count) {
        const uint8_t *start = p;
        M::Item item{};
        if (SPARPACK_UNLIKELY(!(p = M::read_head(in, p, item)))) return nullptr;
        if (SPARPACK_UNLIKELY(item.head != head)) return input_mismatch(in, start, name_of(item.head));
        if (SPARPACK_UNLIKELY(input_left(in, p) / smallest < item.number)) return input_fail(in, Status::truncated, start);
        *count = static_cast<size_t>(item.number);
        return p;
    }
    static const uint8_t *read_list(Input &in, const uint8_t *p, WireType, size_t *count) {
        return read_count(in, p, M::Head::array, 1, count);
    }
    static const uint8_t *read_map(Input &in, const uint8_t *p, WireType, WireType, size_t *count) {
        return read_count(in, p, M::Head::map, 2, count);
    }
};

}  // namespace sparpack
