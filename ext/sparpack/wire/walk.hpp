// Walks over a value that no plan knows: skips it, measures it, or copies it to another Thrift wire. The depth is bounded,
// and every claimed size is checked against the bytes left, as in a decode.
#pragma once

#include "../bytes/limits.hpp"
#include "../bytes/reader.hpp"
#include "../bytes/uuid.hpp"
#include "../bytes/writer.hpp"
#include "fields.hpp"

namespace sparpack {

// Every string and container may have any size.
struct AnySize {
    static constexpr bool string_fits(size_t) { return true; }
    static constexpr bool container_fits(size_t) { return true; }
};

// Sinks receive what a walk meets. This one does nothing.
struct Skip : AnySize {
    struct Frame {};
    void field(Frame &, int32_t, WireType) {}
    void boolean(Frame *, bool) {}
    void integer(WireType, int64_t) {}
    void real(double) {}
    void bytes(const uint8_t *, size_t) {}
    void uuid(const uint8_t *) {}
    void list(WireType, size_t) {}
    void map(WireType, WireType, size_t) {}
    void stop() {}
};

// Counts the bytes that a copy in the binary protocol takes.
struct BinarySize : AnySize {
    struct Frame {};
    size_t size = 0;
    void field(Frame &, int32_t, WireType) { size += 3; }
    void boolean(Frame *, bool) { size += 1; }
    void integer(WireType type, int64_t) {
        size += type == WireType::i8 ? 1 : type == WireType::i16 ? 2 : type == WireType::i32 ? 4 : 8;
    }
    void real(double) { size += 8; }
    void bytes(const uint8_t *, size_t length) { size += 4 + length; }
    void uuid(const uint8_t *) { size += uuid_bytes; }
    void list(WireType, size_t) { size += 5; }
    void map(WireType, WireType, size_t) { size += 6; }
    void stop() { size += 1; }
};

template <class Wire> struct Copy : AnySize {
    using Frame = typename Wire::Frame;
    static constexpr size_t room = 32;  // any header and scalar of any wire

    Writer &w;
    uint8_t *p;

    Copy(Writer &writer, uint8_t *cursor) : w(writer), p(cursor) {}

    void reserve() { p = writer_reserve(w, p, room); }
    void field(Frame &frame, int32_t id, WireType type) { reserve(), p = Wire::write_field(w, p, frame, id, type); }
    void boolean(Frame *frame, bool value) { reserve(), p = Wire::write_bool(w, p, frame, value); }
    void integer(WireType type, int64_t value) {
        reserve();
        if (type == WireType::i8) {
            p = Wire::write_i8(w, p, value);
        } else if (type == WireType::i16) {
            p = Wire::write_i16(w, p, value);
        } else if (type == WireType::i32) {
            p = Wire::write_i32(w, p, value);
        } else {
            p = Wire::write_i64(w, p, value);
        }
    }
    void real(double value) { reserve(), p = Wire::write_double(w, p, value); }
    void bytes(const uint8_t *data, size_t size) {
        reserve(), p = Wire::write_size(w, p, size);
        p = writer_append(w, p, data, size);
    }
    void uuid(const uint8_t *data) { p = writer_append(w, p, data, uuid_bytes); }
    void list(WireType type, size_t count) { reserve(), p = Wire::write_list(w, p, type, count); }
    void map(WireType key, WireType value, size_t count) { reserve(), p = Wire::write_map(w, p, key, value, count); }
    void stop() { reserve(), p = Wire::write_stop(w, p); }
};

// A sink that refuses larger strings and containers than these limits allow.
template <class Sink> struct Limited : Sink {
    SizeLimits limits;

    template <class... Arguments>
    explicit Limited(SizeLimits sizes, Arguments &&...arguments) : Sink{arguments...}, limits(sizes) {}

    bool string_fits(size_t size) const { return static_cast<int64_t>(size) <= limits.string; }
    bool container_fits(size_t count) const { return static_cast<int64_t>(count) <= limits.container; }
};

// `depth` is how many more levels of structs and containers may be opened. `in_frame` and `out_frame` belong to the struct
// that has the value as a field; they are nullptr for an element. Statuses: those of the wire's readers, too_deep,
// string_too_long, container_too_large.
template <class Wire, class Sink>
const uint8_t *walk(Input &in, const uint8_t *p, WireType type, const typename Wire::Frame *in_frame, Sink &sink,
                    typename Sink::Frame *out_frame, int depth) {
    int64_t integer = 0;
    switch (type) {
    case WireType::bool_: {
        bool value = false;
        if ((p = Wire::read_bool(in, p, in_frame, &value))) sink.boolean(out_frame, value);
        return p;
    }
    case WireType::i8:
        if ((p = Wire::read_i8(in, p, &integer))) sink.integer(type, integer);
        return p;
    case WireType::i16:
        if ((p = Wire::read_i16(in, p, &integer))) sink.integer(type, integer);
        return p;
    case WireType::i32:
        if ((p = Wire::read_i32(in, p, &integer))) sink.integer(type, integer);
        return p;
    case WireType::i64:
        if ((p = Wire::read_i64(in, p, &integer))) sink.integer(type, integer);
        return p;
    case WireType::double_: {
        double value = 0;
        if ((p = Wire::read_double(in, p, &value))) sink.real(value);
        return p;
    }
    case WireType::string: {
        const uint8_t *data = nullptr;
        size_t size = 0;
        const uint8_t *start = p;
        if (!(p = Wire::read_bytes(in, p, &data, &size))) return nullptr;
        if (!sink.string_fits(size)) return input_fail(in, Status::string_too_long, start);
        sink.bytes(data, size);
        return p;
    }
    case WireType::uuid:
        if ((p = Wire::read_uuid(in, p))) sink.uuid(p - uuid_bytes);
        return p;
    case WireType::list:
    case WireType::set: {
        if (depth <= 0) return input_fail(in, Status::too_deep, p);
        WireType element = WireType::stop;
        size_t count = 0;
        const uint8_t *start = p;
        if (!(p = Wire::open_list(in, p, &element, &count))) return nullptr;
        if (!sink.container_fits(count)) return input_fail(in, Status::container_too_large, start);
        sink.list(element, count);
        for (size_t i = 0; i < count; i++) {
            if (!(p = walk<Wire>(in, p, element, nullptr, sink, nullptr, depth - 1))) return nullptr;
        }
        return p;
    }
    case WireType::map: {
        if (depth <= 0) return input_fail(in, Status::too_deep, p);
        WireType key = WireType::stop, value = WireType::stop;  // an empty map may have no types
        size_t count = 0;
        const uint8_t *start = p;
        if (!(p = Wire::open_map(in, p, &key, &value, &count))) return nullptr;
        if (!sink.container_fits(count)) return input_fail(in, Status::container_too_large, start);
        sink.map(key, value, count);
        for (size_t i = 0; i < count; i++) {
            if (!(p = walk<Wire>(in, p, key, nullptr, sink, nullptr, depth - 1))) return nullptr;
            if (!(p = walk<Wire>(in, p, value, nullptr, sink, nullptr, depth - 1))) return nullptr;
        }
        return p;
    }
    case WireType::struct_: {
        if (depth <= 0) return input_fail(in, Status::too_deep, p);
        typename Wire::Frame in_struct{};
        typename Sink::Frame out_struct{};
        for (;;) {
            int next = Wire::next_field(in, p, in_struct, no_fields, 0);
            if (next == next_end) break;
            if (next != next_unknown) return nullptr;
            sink.field(out_struct, in_struct.id, in_struct.type);
            p = walk<Wire>(in, p, in_struct.type, &in_struct, sink, &out_struct, depth - 1);
            if (!p) return nullptr;
        }
        sink.stop();
        return p;
    }
    case WireType::stop: break;
    }
    return input_fail(in, Status::bad_wire_type, p);
}

// Walks over the value of the field that next_field met.
template <class Wire, class Sink>
const uint8_t *walk_field(Input &in, const uint8_t *p, const typename Wire::Frame &frame, Sink &sink,
                          typename Sink::Frame *out_frame, int depth) {
    return walk<Wire>(in, p, Wire::found(frame).type, &frame, sink, out_frame, depth);
}

template <class Wire>
const uint8_t *skip(Input &in, const uint8_t *p, WireType type, const typename Wire::Frame *frame, int depth) {
    Skip sink;
    return walk<Wire>(in, p, type, frame, sink, nullptr, depth);
}

}  // namespace sparpack
