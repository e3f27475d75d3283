// Sinks that write the events of one of Thrift's wires to another, or count what that takes.
#pragma once

#include "../bytes/uuid.hpp"
#include "../bytes/writer.hpp"
#include "events.hpp"

namespace sparpack {

// Counts the bytes that a copy in the binary protocol takes.
struct BinarySize {
    struct Level {};

    size_t size = 0;

    SPARPACK_INLINE bool field(Level &, const event::Field &) { return size += 3, true; }

    SPARPACK_INLINE bool scalar(Level &, const event::Scalar &scalar) {
        switch (scalar.wire_type) {
        case WireType::bool_:
        case WireType::i8: size += 1; break;
        case WireType::i16: size += 2; break;
        case WireType::i32: size += 4; break;
        case WireType::uuid: size += uuid_bytes; break;
        case WireType::string: size += 4 + scalar.text.size; break;
        default: size += 8; break;
        }
        return true;
    }

    SPARPACK_INLINE bool open(Level &, Level &, const event::Open &open) {
        size += open.container == event::Container::struct_ ? 0 : open.container == event::Container::map ? 6 : 5;
        return true;
    }

    SPARPACK_INLINE bool close(Level &, Level &, const event::Close &close) {
        return size += close.container == event::Container::struct_, true;
    }
};

template <class Wire> struct Copy {
    using Level = typename Wire::Frame;
    static constexpr size_t room = 32;  // any header and scalar of any wire

    Writer &w;
    uint8_t *p;

    Copy(Writer &writer, uint8_t *cursor) : w(writer), p(cursor) {}

    void reserve() { p = writer_reserve(w, p, room); }

    SPARPACK_INLINE bool field(Level &frame, const event::Field &field) {
        return reserve(), p = Wire::write_field(w, p, frame, field.id, field.type), true;
    }

    SPARPACK_INLINE bool scalar(Level &frame, const event::Scalar &scalar) {
        reserve();
        int64_t integer = scalar.type == event::Type::integer ? scalar.signed_integer() : 0;
        switch (scalar.wire_type) {
        case WireType::bool_:
            p = Wire::write_bool(w, p, scalar.place == event::Place::field ? &frame : nullptr, scalar.boolean);
            break;
        case WireType::i8: p = Wire::write_i8(w, p, integer); break;
        case WireType::i16: p = Wire::write_i16(w, p, integer); break;
        case WireType::i32: p = Wire::write_i32(w, p, integer); break;
        case WireType::i64: p = Wire::write_i64(w, p, integer); break;
        case WireType::double_: p = Wire::write_double(w, p, scalar.real); break;
        case WireType::string: p = Wire::write_size(w, p, scalar.text.size); [[fallthrough]];
        case WireType::uuid: p = writer_append(w, p, scalar.text.data, scalar.text.size); break;
        default: return false;
        }
        return true;
    }

    SPARPACK_INLINE bool open(Level &, Level &, const event::Open &open) {
        if (open.container == event::Container::struct_) return true;
        reserve();
        size_t count = static_cast<size_t>(open.count);
        p = open.container == event::Container::map ? Wire::write_map(w, p, open.first, open.second, count)
                                                    : Wire::write_list(w, p, open.first, count);
        return true;
    }

    SPARPACK_INLINE bool close(Level &, Level &, const event::Close &close) {
        if (close.container == event::Container::struct_) reserve(), p = Wire::write_stop(w, p);
        return true;
    }
};

}  // namespace sparpack
