// Random values in one of Thrift's wires.
#pragma once

#include <cstdlib>

#include "check.hpp"
#include "output.hpp"
#include "wire/thrift/copy.hpp"

// Writes a random value of a type, as a field of a struct or as an element.
template <class Wire> struct Maker {
    using Frame = typename Wire::Frame;
    using WireType = sparpack::WireType;

    static constexpr WireType types[] = {WireType::bool_, WireType::i8,  WireType::double_, WireType::i16,
                                         WireType::i32,   WireType::i64, WireType::string,  WireType::struct_,
                                         WireType::map,   WireType::set, WireType::list,    WireType::uuid};

    Random random;
    GrowingOutput output;
    uint8_t *p;

    explicit Maker(uint64_t seed) : random{seed}, p(output.writer.begin) {}

    Bytes finish() { return output.finish(p); }

    WireType type(int depth) {
        WireType found = types[random.below(sizeof types / sizeof *types)];
        bool nested =
            found == WireType::struct_ || found == WireType::map || found == WireType::set || found == WireType::list;
        return nested && depth <= 0 ? WireType::i64 : found;
    }

    void reserve() { p = sparpack::writer_reserve(output.writer, p, 32); }

    void bytes(const char *data, size_t size) { p = sparpack::writer_append(output.writer, p, data, size); }

    void value(WireType type, Frame *frame, int depth) {
        sparpack::Writer &w = output.writer;
        reserve();
        switch (type) {
        case WireType::bool_: p = Wire::write_bool(w, p, frame, random.below(2) == 1); break;
        case WireType::i8: p = Wire::write_i8(w, p, static_cast<int8_t>(random.next())); break;
        case WireType::i16: p = Wire::write_i16(w, p, static_cast<int16_t>(random.next())); break;
        case WireType::i32: p = Wire::write_i32(w, p, static_cast<int32_t>(random.next() >> 32) >> random.below(31)); break;
        case WireType::i64: p = Wire::write_i64(w, p, static_cast<int64_t>(random.next()) >> random.below(63)); break;
        case WireType::double_: p = Wire::write_double(w, p, static_cast<double>(random.next())); break;
        case WireType::string: {
            size_t size = random.below(30);
            p = Wire::write_size(w, p, size);
            bytes("thirty characters and no more!", size);
            break;
        }
        case WireType::uuid: bytes("0123456789abcdef", 16); break;
        case WireType::list:
        case WireType::set: list(random.below(depth > 1 ? 4 : 20), this->type(depth - 1), depth - 1); break;
        case WireType::map: map(random.below(3), this->type(depth - 1), this->type(depth - 1), depth - 1); break;
        case WireType::struct_: fields(depth - 1); break;
        case WireType::stop: abort();
        }
    }

    void list(size_t count, WireType element, int depth) {
        p = Wire::write_list(output.writer, p, element, count);
        for (size_t i = 0; i < count; i++) value(element, nullptr, depth);
    }

    void map(size_t count, WireType key, WireType element, int depth) {
        p = Wire::write_map(output.writer, p, key, element, count);
        for (size_t i = 0; i < count; i++) value(key, nullptr, depth), value(element, nullptr, depth);
    }

    void field(Frame &frame, int32_t id, WireType type) {
        reserve();
        p = Wire::write_field(output.writer, p, frame, id, type);
    }

    void stop() {
        reserve();
        p = Wire::write_stop(output.writer, p);
    }

    void fields(int depth) {
        Frame frame{};
        for (uint64_t n = random.below(6); n > 0; n--) {
            int32_t id =
                random.below(3) ? frame.id + static_cast<int32_t>(random.below(20)) : static_cast<int16_t>(random.next());
            WireType kind = type(depth);
            field(frame, id > INT16_MAX ? 1 : id, kind);
            value(kind, &frame, depth);
        }
        stop();
    }
};
