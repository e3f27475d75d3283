// Thrift's compact protocol (thrift-compact-protocol.md): varints, zigzag, and field headers with id deltas.
#pragma once

#include "../../bytes/uuid.hpp"
#include "../../bytes/varint.hpp"
#include "thrift.hpp"

namespace sparpack {

struct Compact : Thrift<Compact> {
    // One per open struct. It holds the header of the current field when reading, and the id of the last one when writing.
    struct Frame {
        int32_t id = 0;
        int index = 0;
        WireType type = WireType::stop;
        bool flag = false;  // the value of a bool field, which is part of its header
    };

    // What is known about a field's header at link time. Most fields follow directly on the one before, and then the header
    // is one byte.
    struct Header {
        int32_t after;  // id of the field before, if the header is then the one byte `byte`; else `never`
        int32_t id;
        WireType type;
        uint16_t byte;  // or no_byte
    };
    static constexpr int32_t never = INT32_MIN;  // no field has this id
    static constexpr uint16_t no_byte = 0x100;

    static constexpr size_t header_max = 4;  // a type, and an id as a varint of up to three bytes
    static constexpr size_t scalar_max = uuid_bytes;
    static constexpr size_t number_max = varint_max;
    static constexpr size_t open_max = varint_max + 1;

    static constexpr size_t string_room(size_t size) { return size + (size < 0x80 ? 1 : varint_max); }

    static constexpr uint8_t code_true = 1, code_false = 2;

    static constexpr uint8_t codes[] = {0, 0, 1, 3, 7, 0, 4, 0, 5, 0, 6, 8, 12, 11, 10, 9, 13};
    static constexpr WireType types[] = {WireType::stop,    WireType::bool_, WireType::bool_, WireType::i8,
                                         WireType::i16,     WireType::i32,   WireType::i64,   WireType::double_,
                                         WireType::string,  WireType::list,  WireType::set,   WireType::map,
                                         WireType::struct_, WireType::uuid,  WireType::stop,  WireType::stop};

    static SPARPACK_INLINE uint8_t code(WireType type) { return codes[static_cast<uint8_t>(type)]; }

    // Returns stop for an unknown type code.
    static SPARPACK_INLINE WireType type_of(uint8_t code) { return types[code & 15]; }

    // The smallest size of an element in bytes. A count is checked against the bytes left before anything is allocated.
    static SPARPACK_INLINE size_t size_min(WireType type) {
        return type == WireType::double_ ? 8 : type == WireType::uuid ? uuid_bytes : 1;
    }

    // --- reading -------------------------------------------------------------------------------------------------

    // If the next field is the expected one, reads its header and returns true. The frame's id is that of the field before,
    // so the byte tells the id.
    static SPARPACK_INLINE bool next_known(const Input &in, const uint8_t *&p, Frame &frame, const Header &header) {
        if (SPARPACK_UNLIKELY(p == in.end || *p != header.byte)) return false;
        frame.id = header.id;
        frame.type = header.type;
        p++;
        return true;
    }

    // Reads a field's header. Returns an index into the table, or a NextField.
    // Statuses: truncated, bad_wire_type, bad_field_id, varint_too_long.
    static SPARPACK_INLINE int next_field(Input &in, const uint8_t *&p, Frame &frame, const FieldTable &table,
                                          uint32_t hint) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p), next_failed;
        const uint8_t *start = p;
        uint8_t header = *p++;
        if ((header & 15) == 0) return next_end;  // only the low nibble says stop
        frame.type = type_of(header);
        if (SPARPACK_UNLIKELY(frame.type == WireType::stop))
            return input_fail(in, Status::bad_wire_type, start), next_failed;
        frame.flag = (header & 15) == code_true;
        if (SPARPACK_LIKELY(header >> 4)) {
            frame.id += header >> 4;
        } else {
            uint64_t id;
            if (!(p = varint_read<32>(in, p, &id))) return next_failed;
            frame.id = static_cast<int32_t>(unzigzag(id));
        }
        int index = table.find(frame.id, hint);
        if (SPARPACK_UNLIKELY(index < 0)) {
            bool legal = frame.id == static_cast<int16_t>(frame.id);
            return legal ? next_unknown : (input_fail(in, Status::bad_field_id, start), next_failed);
        }
        frame.index = index;
        return SPARPACK_LIKELY(table.keys[index].type == frame.type) ? index : next_mismatch;
    }

    // `frame` belongs to the struct that has the bool as a field; it is nullptr for an element. Statuses: truncated,
    // bad_bool.
    static SPARPACK_INLINE const uint8_t *read_bool(Input &in, const uint8_t *p, const Frame *frame, bool *value) {
        if (frame) {
            *value = frame->flag;
            return p;
        }
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        if (SPARPACK_UNLIKELY(*p > code_false)) return input_fail(in, Status::bad_bool, p);
        *value = *p == code_true;  // false is written as 2, by some writers as 0
        return p + 1;
    }

    static SPARPACK_INLINE const uint8_t *read_i8(Input &in, const uint8_t *p, int64_t *value) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        *value = static_cast<int8_t>(*p);
        return p + 1;
    }

    // Statuses: truncated, varint_too_long, integer_too_large.
    static SPARPACK_INLINE const uint8_t *read_i16(Input &in, const uint8_t *p, int64_t *value) {
        const uint8_t *start = p;
        if (SPARPACK_UNLIKELY(!(p = read_i32(in, p, value)))) return nullptr;
        if (SPARPACK_UNLIKELY(*value != static_cast<int16_t>(*value)))
            return input_fail(in, Status::integer_too_large, start);
        return p;
    }

    static SPARPACK_INLINE const uint8_t *read_i32(Input &in, const uint8_t *p, int64_t *value) {
        uint64_t raw;
        if (SPARPACK_UNLIKELY(!(p = varint_read<32>(in, p, &raw)))) return nullptr;
        *value = unzigzag(raw);
        return p;
    }

    static SPARPACK_INLINE const uint8_t *read_i64(Input &in, const uint8_t *p, int64_t *value) {
        uint64_t raw;
        if (SPARPACK_UNLIKELY(!(p = varint_read<64>(in, p, &raw)))) return nullptr;
        *value = unzigzag(raw);
        return p;
    }

    static SPARPACK_INLINE const uint8_t *read_double(Input &in, const uint8_t *p, double *value) {
        if (SPARPACK_UNLIKELY(!input_need(in, p, 8))) return nullptr;
        uint64_t bits = little_endian(load<uint64_t>(p));
        memcpy(value, &bits, sizeof bits);
        return p + 8;
    }

    // Statuses: truncated, varint_too_long, negative_size.
    static SPARPACK_INLINE const uint8_t *read_bytes(Input &in, const uint8_t *p, const uint8_t **data, size_t *size) {
        uint64_t raw;
        const uint8_t *start = p;
        if (SPARPACK_UNLIKELY(!(p = varint_read<32>(in, p, &raw)))) return nullptr;
        if (SPARPACK_UNLIKELY(raw > INT32_MAX)) return input_fail(in, Status::negative_size, start);
        if (SPARPACK_UNLIKELY(!input_need(in, p, raw))) return nullptr;
        *data = p;
        *size = raw;
        return p + raw;
    }

    static SPARPACK_INLINE const uint8_t *read_uuid(Input &in, const uint8_t *p) {
        return input_need(in, p, uuid_bytes) ? p + uuid_bytes : nullptr;
    }

    // Opens a list or a set. Ignores the element type of an empty one, because too many writers put anything there.
    // Statuses: truncated, varint_too_long, negative_size, bad_wire_type.
    static SPARPACK_INLINE const uint8_t *open_list(Input &in, const uint8_t *p, WireType *type, size_t *count) {
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        const uint8_t *start = p;
        uint8_t header = *p++;
        uint64_t size = header >> 4;
        if (size == 15) {
            if (SPARPACK_UNLIKELY(!(p = varint_read<32>(in, p, &size)))) return nullptr;
            if (SPARPACK_UNLIKELY(size > INT32_MAX)) return input_fail(in, Status::negative_size, start);
        }
        *type = type_of(header);
        *count = size;
        return size == 0 ? p : check_count(in, p, start, *type, count, size_min(*type));
    }

    static SPARPACK_INLINE const uint8_t *open_map(Input &in, const uint8_t *p, WireType *key, WireType *value,
                                                   size_t *count) {
        uint64_t size;
        const uint8_t *start = p;
        if (SPARPACK_UNLIKELY(!(p = varint_read<32>(in, p, &size)))) return nullptr;
        *count = size;
        if (size == 0) return p;  // an empty map has no types
        if (SPARPACK_UNLIKELY(size > INT32_MAX)) return input_fail(in, Status::negative_size, start);
        if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p);
        uint8_t types = *p++;
        *key = type_of(types >> 4);
        *value = type_of(types);
        if (SPARPACK_UNLIKELY(*key == WireType::stop)) return input_fail(in, Status::bad_wire_type, p - 1);
        return check_count(in, p, p - 1, *value, count, size_min(*key) + size_min(*value));
    }

    static SPARPACK_INLINE const uint8_t *check_count(Input &in, const uint8_t *p, const uint8_t *start, WireType type,
                                                      size_t *count, size_t size) {
        if (SPARPACK_UNLIKELY(type == WireType::stop)) return input_fail(in, Status::bad_wire_type, start);
        return input_count(in, p, count, size);
    }

    // --- writing: the caller has reserved header_max for a header, varint_max or the size of the scalar for a value ---

    static SPARPACK_INLINE uint8_t *write_header(Writer &w, uint8_t *p, Frame &frame, int32_t id, uint8_t code) {
        int32_t delta = id - frame.id;
        frame.id = id;
        if (SPARPACK_LIKELY(delta > 0 && delta <= 15)) return writer_put(w, p, static_cast<uint8_t>(delta << 4 | code));
        p = writer_put(w, p, code);
        uint64_t raw = zigzag(id) & 0x1ffff;
        while (raw >= 0x80) {
            p = writer_put(w, p, static_cast<uint8_t>(raw | 0x80));
            raw >>= 7;
        }
        return writer_put(w, p, static_cast<uint8_t>(raw));
    }

    static SPARPACK_INLINE uint8_t *write_field(Writer &w, uint8_t *p, Frame &frame, int32_t id, WireType type) {
        return type == WireType::bool_ ? (frame.type = type, frame.index = id, p)  // write_bool writes the header
                                       : write_header(w, p, frame, id, code(type));
    }

    // Writes the header of a field of the plan. It is usually one known byte, because most fields follow directly on the
    // one before.
    static SPARPACK_INLINE uint8_t *write_known(Writer &w, uint8_t *p, Frame &frame, const Header &header) {
        if (SPARPACK_UNLIKELY(header.after != frame.id)) return write_field(w, p, frame, header.id, header.type);
        frame.id = header.id;
        return writer_put(w, p, static_cast<uint8_t>(header.byte));
    }

    // A bool has no known header, because its value is part of the header.
    static Header header(const FieldFacts &field) {
        int32_t delta = field.id - field.before;
        bool known = field.name && field.type != WireType::bool_ && delta > 0 && delta <= 15;
        if (!known) return {never, field.name ? field.id : never, field.type, no_byte};
        return {field.before, field.id, field.type, static_cast<uint16_t>(delta << 4 | code(field.type))};
    }

    static SPARPACK_INLINE uint8_t *write_bool(Writer &w, uint8_t *p, Frame *frame, bool value) {
        uint8_t byte = value ? code_true : code_false;
        return frame ? write_header(w, p, *frame, frame->index, byte) : writer_put(w, p, byte);
    }

    static SPARPACK_INLINE uint8_t *write_i8(Writer &w, uint8_t *p, int64_t value) {
        return writer_put(w, p, static_cast<int8_t>(value));
    }
    static SPARPACK_INLINE uint8_t *write_i16(Writer &w, uint8_t *p, int64_t value) {
        return varint_write(w, p, zigzag(value));
    }
    static SPARPACK_INLINE uint8_t *write_i32(Writer &w, uint8_t *p, int64_t value) {
        return varint_write(w, p, zigzag(value));
    }
    static SPARPACK_INLINE uint8_t *write_i64(Writer &w, uint8_t *p, int64_t value) {
        return varint_write(w, p, zigzag(value));
    }

    static SPARPACK_INLINE uint8_t *write_double(Writer &w, uint8_t *p, double value) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return writer_put(w, p, little_endian(bits));
    }

    static SPARPACK_INLINE uint8_t *write_size(Writer &w, uint8_t *p, size_t size) { return varint_write(w, p, size); }

    static SPARPACK_INLINE uint8_t *write_list(Writer &w, uint8_t *p, WireType type, size_t count) {
        if (SPARPACK_LIKELY(count < 15)) return writer_put(w, p, static_cast<uint8_t>(count << 4 | code(type)));
        p = writer_put(w, p, static_cast<uint8_t>(0xf0 | code(type)));
        return varint_write(w, p, count);
    }

    static SPARPACK_INLINE uint8_t *write_map(Writer &w, uint8_t *p, WireType key, WireType value, size_t count) {
        p = varint_write(w, p, count);
        return count == 0 ? p : writer_put(w, p, static_cast<uint8_t>(code(key) << 4 | code(value)));
    }

    static SPARPACK_INLINE uint8_t *write_stop(Writer &w, uint8_t *p) { return writer_put(w, p, uint8_t{0}); }
};

}  // namespace sparpack
