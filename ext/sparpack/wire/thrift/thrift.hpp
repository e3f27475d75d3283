// What the wires of Thrift share: fields go by id and say their types, structs end with a stop, containers begin with the
// types and the number of their elements. A wire derives from this and adds what differs:
//
//     Frame, Header, header    the frame has the id, the index and the type of the field that was read last
//     header_max, scalar_max, number_max, open_max, string_room, and close_max if a stop is longer than a byte
//     size_min(type)           the least that an element takes
//     next_known, next_field, open_list, open_map
//     read_bool to read_double, read_bytes, and read_uuid, which passes over it
//     write_field, write_known, write_list, write_map, write_stop
//     write_bool to write_double, and write_size, which begins a string
//
// Events comes with it (events.hpp). A stop must differ from the beginning of every field, whose id may be any from -32768
// to 32767.
#pragma once

#include "../contract.hpp"

namespace sparpack {

template <class Wire> struct ThriftEvents;

template <class Wire> struct Thrift {
    static constexpr WireTraits traits = [] {
        WireTraits thrift{};
        thrift.keeps = Kept::fields;
        return thrift;
    }();

    using Key = Wire;  // keys are written like any other value
    using Reader = Wire;
    using WrittenAs = Wire;
    using Events = ThriftEvents<Wire>;

    static constexpr size_t close_max = 1;  // the stop

    // What next_field met.
    template <class Frame> static SPARPACK_INLINE FoundField found(const Frame &frame) {
        return {frame.id, frame.index, frame.type};
    }

    // Opens a list or a set whose elements must have this type, unless it is empty.
    // Statuses: those of Wire::open_list, mismatch.
    static SPARPACK_INLINE const uint8_t *read_list(Input &in, const uint8_t *p, WireType element, size_t *count) {
        WireType type = WireType::stop;
        const uint8_t *start = p;
        if (SPARPACK_UNLIKELY(!(p = Wire::open_list(in, p, &type, count)))) return nullptr;
        if (SPARPACK_UNLIKELY(type != element) && (*count != 0 || in.typed_empty))
            return input_mismatch(in, start, wire_type_name(type), Part::element);
        return p;
    }

    static SPARPACK_INLINE const uint8_t *read_map(Input &in, const uint8_t *p, WireType key, WireType value,
                                                   size_t *count) {
        WireType key_type = WireType::stop, value_type = WireType::stop;
        const uint8_t *start = p;
        if (SPARPACK_UNLIKELY(!(p = Wire::open_map(in, p, &key_type, &value_type, count)))) return nullptr;
        if (SPARPACK_UNLIKELY(*count != 0 && key_type != key))
            return input_mismatch(in, start, wire_type_name(key_type), Part::key);
        if (SPARPACK_UNLIKELY(*count != 0 && value_type != value))
            return input_mismatch(in, start, wire_type_name(value_type), Part::element);
        return p;
    }

    // Text and binary look alike.
    static SPARPACK_INLINE const uint8_t *read_text(Input &in, const uint8_t *p, StringBytes *string) {
        if (SPARPACK_UNLIKELY(!(p = Wire::read_bytes(in, p, &string->data, &string->size)))) return nullptr;
        string->length = string->size;
        return p;
    }
    static SPARPACK_INLINE const uint8_t *read_binary(Input &in, const uint8_t *p, StringBytes *string) {
        return read_text(in, p, string);
    }

    static SPARPACK_INLINE uint8_t *write_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        p = Wire::write_size(w, p, size);
        writer_check(w, p, size);
        copy_bytes(p, data, size);
        return p + size;
    }
    static SPARPACK_INLINE uint8_t *write_binary(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return write_text(w, p, data, size);
    }

    // Writes a string of at most string_short bytes, of which string_short may be read. They are copied at once, and what
    // follows in the output overwrites the excess.
    static SPARPACK_INLINE uint8_t *write_short_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        p = Wire::write_size(w, p, size);
        writer_check(w, p, string_short);
        memcpy(p, data, string_short);
        return p + size;
    }

    // Statuses: truncated.
    static SPARPACK_INLINE const uint8_t *read_uuid_bytes(Input &in, const uint8_t *p, uint8_t *bytes) {
        if (SPARPACK_UNLIKELY(!(p = Wire::read_uuid(in, p)))) return nullptr;
        memcpy(bytes, p - uuid_bytes, uuid_bytes);
        return p;
    }

    static SPARPACK_INLINE uint8_t *write_uuid(Writer &w, uint8_t *p, const uint8_t *bytes) {
        writer_check(w, p, uuid_bytes);
        memcpy(p, bytes, uuid_bytes);
        return p + uuid_bytes;
    }

    template <class Frame> static SPARPACK_INLINE uint8_t *close_struct(Writer &w, uint8_t *p, Frame &) {
        return Wire::write_stop(w, p);
    }
};

}  // namespace sparpack
