// Thrift's binary protocol (thrift-binary-protocol.md): fixed widths, big-endian.
#pragma once

#include "../../bytes/reader.hpp"
#include "../../bytes/uuid.hpp"
#include "../../bytes/writer.hpp"
#include "thrift.hpp"

namespace sparpack {

struct Binary : Thrift<Binary> {
    static constexpr WireTraits traits = [] {
        WireTraits binary = Thrift::traits;
        binary.fixed_widths = true;
        return binary;
    }();

    struct Frame {
        int32_t id = 0;
        int index = 0;
        WireType type = WireType::stop;
    };

    struct Header {
        int32_t id;
        WireType type;
        uint32_t bytes;  // the header's three, the first one lowest
        const Run *run;  // that begins with it (plan/runs.hpp), or nullptr
    };

    static constexpr size_t header_max = 3;
    static constexpr size_t scalar_max = uuid_bytes;
    static constexpr size_t number_max = 8;
    static constexpr size_t open_max = 6;

    static constexpr size_t string_room(size_t size) { return size + 4; }

    // Returns stop for an unknown type code.
    static SPARPACK_INLINE WireType type_of(uint8_t code) {
        constexpr uint32_t known = 1u << 2 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << 8 | 1u << 10 | 0x3fu << 11;
        return code <= 16 && (known >> code & 1) ? static_cast<WireType>(code) : WireType::stop;
    }

    // The smallest size of an element in bytes. A count is checked against the bytes left before anything is allocated.
    static constexpr uint8_t sizes_min[] = {0, 0, 1, 1, 8, 0, 2, 0, 4, 0, 8, 4, 1, 6, 5, 5, 16};
    static SPARPACK_INLINE size_t size_min(WireType type) { return sizes_min[static_cast<uint8_t>(type)]; }

    // --- reading -------------------------------------------------------------------------------------------------

    // Statuses: truncated.
    template <class T> static SPARPACK_INLINE const uint8_t *read(Input &in, const uint8_t *p, T *value) {
        if (SPARPACK_UNLIKELY(!input_need(in, p, sizeof(T)))) return nullptr;
        *value = big_endian(load<T>(p));
        return p + sizeof(T);
    }

    // If the next field is the expected one, reads its header and returns true.
    static SPARPACK_INLINE bool next_known(const Input &in, const uint8_t *&p, Frame &frame, const Header &header) {
        if (SPARPACK_UNLIKELY(input_left(in, p) < 3 || *p != static_cast<uint8_t>(header.type))) return false;
        if (SPARPACK_UNLIKELY(static_cast<int16_t>(big_endian(load<uint16_t>(p + 1))) != header.id)) return false;
        frame.id = header.id;
        frame.type = header.type;
        p += 3;
        return true;
    }

    // Reads a field's header. Returns an index into the table, or a NextField. Statuses: truncated, bad_wire_type.
    static SPARPACK_INLINE int next_field(Input &in, const uint8_t *&p, Frame &frame, const FieldTable &table,
                                          uint32_t hint) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p), next_failed;
        uint8_t code = *p++;
        if (code == 0) return next_end;
        frame.type = type_of(code);
        if (SPARPACK_UNLIKELY(frame.type == WireType::stop))
            return input_fail(in, Status::bad_wire_type, p - 1), next_failed;
        uint16_t id;
        if (SPARPACK_UNLIKELY(!(p = read(in, p, &id)))) return next_failed;
        frame.id = static_cast<int16_t>(id);
        int index = table.find(frame.id, hint);
        if (SPARPACK_UNLIKELY(index < 0)) return next_unknown;
        frame.index = index;
        return SPARPACK_LIKELY(table.keys[index].type == frame.type) ? index : next_mismatch;
    }

    static SPARPACK_INLINE const uint8_t *read_bool(Input &in, const uint8_t *p, const Frame *, bool *value) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        *value = *p != 0;  // any byte but zero is true
        return p + 1;
    }

    static SPARPACK_INLINE const uint8_t *read_i8(Input &in, const uint8_t *p, int64_t *value) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        *value = static_cast<int8_t>(*p);
        return p + 1;
    }

    static SPARPACK_INLINE const uint8_t *read_i16(Input &in, const uint8_t *p, int64_t *value) {
        uint16_t raw;
        if (SPARPACK_UNLIKELY(!(p = read(in, p, &raw)))) return nullptr;
        *value = static_cast<int16_t>(raw);
        return p;
    }

    static SPARPACK_INLINE const uint8_t *read_i32(Input &in, const uint8_t *p, int64_t *value) {
        uint32_t raw;
        if (SPARPACK_UNLIKELY(!(p = read(in, p, &raw)))) return nullptr;
        *value = static_cast<int32_t>(raw);
        return p;
    }

    static SPARPACK_INLINE const uint8_t *read_i64(Input &in, const uint8_t *p, int64_t *value) {
        uint64_t raw;
        if (SPARPACK_UNLIKELY(!(p = read(in, p, &raw)))) return nullptr;
        *value = static_cast<int64_t>(raw);
        return p;
    }

    static SPARPACK_INLINE const uint8_t *read_double(Input &in, const uint8_t *p, double *value) {
        uint64_t bits;
        if (SPARPACK_UNLIKELY(!(p = read(in, p, &bits)))) return nullptr;
        memcpy(value, &bits, sizeof bits);
        return p;
    }

    // Statuses: truncated, negative_size.
    static SPARPACK_INLINE const uint8_t *read_size(Input &in, const uint8_t *p, size_t *size) {
        uint32_t raw;
        if (SPARPACK_UNLIKELY(!(p = read(in, p, &raw)))) return nullptr;
        if (SPARPACK_UNLIKELY(raw > INT32_MAX)) return input_fail(in, Status::negative_size, p - sizeof raw);
        *size = raw;
        return p;
    }

    static SPARPACK_INLINE const uint8_t *read_bytes(Input &in, const uint8_t *p, const uint8_t **data, size_t *size) {
        if (SPARPACK_UNLIKELY(!(p = read_size(in, p, size)))) return nullptr;
        if (SPARPACK_UNLIKELY(!input_need(in, p, *size))) return nullptr;
        *data = p;
        return p + *size;
    }

    static SPARPACK_INLINE const uint8_t *read_uuid(Input &in, const uint8_t *p) {
        return input_need(in, p, uuid_bytes) ? p + uuid_bytes : nullptr;
    }

    // Opens a list or a set. Ignores the element type of an empty one. Statuses: truncated, negative_size, bad_wire_type.
    static SPARPACK_INLINE const uint8_t *open_list(Input &in, const uint8_t *p, WireType *type, size_t *count) {
        if (SPARPACK_UNLIKELY(!input_need(in, p, 5))) return nullptr;
        *type = type_of(*p);
        p = read_size(in, p + 1, count);
        if (SPARPACK_UNLIKELY(!p)) return nullptr;
        return *count == 0 ? p : check_count(in, p, p - 5, *type, count, size_min(*type));
    }

    static SPARPACK_INLINE const uint8_t *open_map(Input &in, const uint8_t *p, WireType *key, WireType *value,
                                                   size_t *count) {
        if (SPARPACK_UNLIKELY(!input_need(in, p, 6))) return nullptr;
        *key = type_of(p[0]);
        *value = type_of(p[1]);
        p = read_size(in, p + 2, count);
        if (SPARPACK_UNLIKELY(!p)) return nullptr;
        if (*count == 0) return p;
        if (SPARPACK_UNLIKELY(*key == WireType::stop)) return input_fail(in, Status::bad_wire_type, p - 6);
        return check_count(in, p, p - 5, *value, count, size_min(*key) + size_min(*value));
    }

    static SPARPACK_INLINE const uint8_t *check_count(Input &in, const uint8_t *p, const uint8_t *start, WireType type,
                                                      size_t *count, size_t size) {
        if (SPARPACK_UNLIKELY(type == WireType::stop)) return input_fail(in, Status::bad_wire_type, start);
        return input_count(in, p, count, size);
    }

    // --- writing: the caller has reserved header_max for a header and the size of the scalar for a value ---------------

    static SPARPACK_INLINE uint8_t *write_field(Writer &w, uint8_t *p, Frame &, int32_t id, WireType type) {
        p = writer_put(w, p, static_cast<uint8_t>(type));
        return writer_put(w, p, big_endian(static_cast<uint16_t>(id)));
    }

    static SPARPACK_INLINE uint8_t *write_known(Writer &w, uint8_t *p, Frame &frame, const Header &header) {
        return write_field(w, p, frame, header.id, header.type);
    }

    // No field has the id behind the last one.
    static Header header(const FieldFacts &field) {
        const uint16_t id = big_endian(static_cast<uint16_t>(field.id));
        uint8_t bytes[4] = {static_cast<uint8_t>(field.type), 0, 0, 0};
        memcpy(bytes + 1, &id, sizeof id);
        return {field.name ? field.id : INT32_MIN, field.type, little_endian(load<uint32_t>(bytes)), nullptr};
    }

    static SPARPACK_INLINE uint8_t *write_bool(Writer &w, uint8_t *p, Frame *, bool value) {
        return writer_put(w, p, static_cast<uint8_t>(value));
    }

    static SPARPACK_INLINE uint8_t *write_i8(Writer &w, uint8_t *p, int64_t value) {
        return writer_put(w, p, static_cast<int8_t>(value));
    }
    static SPARPACK_INLINE uint8_t *write_i16(Writer &w, uint8_t *p, int64_t value) {
        return writer_put(w, p, big_endian(static_cast<uint16_t>(value)));
    }
    static SPARPACK_INLINE uint8_t *write_i32(Writer &w, uint8_t *p, int64_t value) {
        return writer_put(w, p, big_endian(static_cast<uint32_t>(value)));
    }
    static SPARPACK_INLINE uint8_t *write_i64(Writer &w, uint8_t *p, int64_t value) {
        return writer_put(w, p, big_endian(static_cast<uint64_t>(value)));
    }

    static SPARPACK_INLINE uint8_t *write_double(Writer &w, uint8_t *p, double value) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return writer_put(w, p, big_endian(bits));
    }

    static SPARPACK_INLINE uint8_t *write_size(Writer &w, uint8_t *p, size_t size) {
        return write_i32(w, p, static_cast<int64_t>(size));
    }

    static SPARPACK_INLINE uint8_t *write_list(Writer &w, uint8_t *p, WireType type, size_t count) {
        p = writer_put(w, p, static_cast<uint8_t>(type));
        return write_size(w, p, count);
    }

    static SPARPACK_INLINE uint8_t *write_map(Writer &w, uint8_t *p, WireType key, WireType value, size_t count) {
        p = writer_put(w, p, static_cast<uint8_t>(key));
        p = writer_put(w, p, static_cast<uint8_t>(value));
        return write_size(w, p, count);
    }

    static SPARPACK_INLINE uint8_t *write_stop(Writer &w, uint8_t *p) { return writer_put(w, p, uint8_t{0}); }
};

}  // namespace sparpack
