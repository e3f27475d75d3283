// Sinks that write the events of a wire with the types of Thrift to another, or count what that takes.
#pragma once

#include "../../bytes/utf8.hpp"
#include "../../bytes/uuid.hpp"
#include "../../bytes/writer.hpp"
#include "../contract.hpp"
#include "../json/text.hpp"

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
        case WireType::string: size += 4 + scalar.text.unescaped; break;
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

// Writes the bytes of a text without its escapes. Returns where they end.
inline uint8_t *text_unescape(uint8_t *to, const event::Text &text) {
    if (text.escaped) {
        JsonText::unescape(to, text);
    } else {
        copy_bytes(to, text.data, text.size);
    }
    return to + text.unescaped;
}

// Bytes that are UTF-8 may be text, so they are copied as text. Other wires of Thrift do not say which of both they are.
template <class Wire> struct Copy {
    struct Level {
        typename Wire::Frame frame{};
        size_t index = 0;  // of the element or pair that comes next
    };

    static constexpr size_t room = 64;  // any header or number, or the beginning of a container, with a separator before it

    Writer &w;
    uint8_t *p;
    Status status = Status::ok;  // why it refused an event

    Copy(Writer &writer, uint8_t *cursor) : w(writer), p(cursor) {}

    void reserve(size_t size = room) { p = writer_reserve(w, p, size); }

    SPARPACK_INLINE bool field(Level &level, const event::Field &field) {
        return reserve(), p = Wire::write_field(w, p, level.frame, field.id, field.type), true;
    }

    SPARPACK_INLINE bool scalar(Level &level, const event::Scalar &scalar) {
        reserve();
        separate(level, scalar.place);
        if (scalar.place == event::Place::key) return write<typename Wire::Key>(level, scalar);
        return write<Wire>(level, scalar);
    }

    SPARPACK_INLINE bool open(Level &outer, Level &inner, const event::Open &open) {
        reserve();
        if constexpr (!Wire::traits.container_keys) {
            if (open.place == event::Place::key) return status = Status::value_not_key, false;
        }
        separate(outer, open.place);
        size_t count = static_cast<size_t>(open.count);
        switch (open.container) {
        case event::Container::struct_:
            if constexpr (Wire::traits.opens_structs) p = Wire::open_struct(w, p, inner.frame, 0, false);
            return true;
        case event::Container::map: p = Wire::write_map(w, p, open.first, open.second, count); return true;
        default: p = Wire::write_list(w, p, open.first, count); return true;
        }
    }

    SPARPACK_INLINE bool close(Level &level, Level &, const event::Close &close) {
        reserve();
        if (close.container == event::Container::struct_) {
            p = Wire::close_struct(w, p, level.frame);
        } else if constexpr (!Wire::traits.counts_elements) {
            p = close.container == event::Container::map ? Wire::close_map(w, p) : Wire::close_list(w, p);
        }
        return true;
    }

private:
    // Writes what stands before an element.
    SPARPACK_INLINE void separate([[maybe_unused]] Level &level, [[maybe_unused]] event::Place place) {
        if constexpr (!Wire::traits.counts_elements) {
            if (place == event::Place::element || place == event::Place::key) p = Wire::write_next(w, p, level.index++);
            if (place == event::Place::value) p = Wire::write_next_value(w, p);
        }
    }

    // `Scalars` is the wire or its Key.
    template <class Scalars> SPARPACK_INLINE bool write(Level &level, const event::Scalar &scalar) {
        int64_t integer = scalar.type == event::Type::integer ? scalar.signed_integer() : 0;
        switch (scalar.wire_type) {
        case WireType::bool_:
            p = Scalars::write_bool(w, p, scalar.place == event::Place::field ? &level.frame : nullptr, scalar.boolean);
            break;
        case WireType::i8: p = Scalars::write_i8(w, p, integer); break;
        case WireType::i16: p = Scalars::write_i16(w, p, integer); break;
        case WireType::i32: p = Scalars::write_i32(w, p, integer); break;
        case WireType::i64: p = Scalars::write_i64(w, p, integer); break;
        case WireType::double_: p = Scalars::write_double(w, p, scalar.real); break;
        case WireType::string: write_string<Scalars>(scalar.text); break;
        case WireType::uuid: return write_uuid<Scalars>(scalar.text);
        default: return false;
        }
        return true;
    }

    template <class Scalars> SPARPACK_INLINE void write_string(const event::Text &text) {
        if constexpr (Wire::traits.raw_strings) {
            p = Wire::write_size(w, p, text.unescaped);
            reserve(text.unescaped);
            p = text_unescape(p, text);
        } else {
            size_t room_of_text = Scalars::string_room(text.unescaped);
            reserve(room_of_text + text.unescaped);
            uint8_t *bytes = p + room_of_text;
            text_unescape(bytes, text);
            p = utf8_check(bytes, text.unescaped) == Text::broken ? Scalars::write_binary(w, p, bytes, text.unescaped)
                                                                  : Scalars::write_text(w, p, bytes, text.unescaped);
        }
    }

    // The uuid is its 16 bytes or, if it comes from JSON, text that was checked, but another thread may have changed it.
    template <class Scalars> SPARPACK_INLINE bool write_uuid(const event::Text &uuid) {
        uint8_t bytes[uuid_bytes], text[uuid_text];
        if (uuid.size == uuid_bytes) {
            memcpy(bytes, uuid.data, uuid_bytes);
        } else {
            if (SPARPACK_UNLIKELY(uuid.unescaped != uuid_text)) return false;
            text_unescape(text, uuid);
            if (SPARPACK_UNLIKELY(!uuid_parse(reinterpret_cast<const char *>(text), uuid_text, bytes))) return false;
        }
        return p = Scalars::write_uuid(w, p, bytes), true;
    }
};

}  // namespace sparpack
