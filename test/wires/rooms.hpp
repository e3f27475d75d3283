// Writes the largest of everything into exactly the room that a wire claims. A debug build stops if that is too small.
#pragma once

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "wire/wires.hpp"

namespace sparpack {

// Memory that ends where the reservation does, so that a sanitizer sees what a release build would overwrite.
struct Claimed {
    Writer w{};
    uint8_t *p;

    explicit Claimed(size_t size) {
        w.begin = static_cast<uint8_t *>(malloc(size ? size : 1));
        w.end = w.begin + size;
        p = writer_reserve(w, w.begin, size);
    }
    ~Claimed() { free(w.begin); }
};

template <class Scalars, class Wire> void write_scalars() {
    for (int64_t number : {INT64_MIN, INT64_MAX, int64_t{0}}) {
        Claimed claimed(Wire::number_max);
        Scalars::write_i64(claimed.w, claimed.p, number);
    }
    for (int64_t number : {int64_t{INT32_MIN}, int64_t{INT32_MAX}}) {
        Claimed claimed(Wire::number_max);
        Scalars::write_i32(claimed.w, claimed.p, number);
    }
    for (double number : {-2.2250738585072014e-308, 1e308}) {
        Claimed claimed(Wire::number_max);
        Scalars::write_double(claimed.w, claimed.p, number);
    }
    Claimed claimed(Wire::scalar_max);
    const uint8_t bytes[uuid_bytes] = {0xff};
    Scalars::write_uuid(claimed.w, claimed.p, bytes);
    Claimed flag(Wire::scalar_max);
    Scalars::write_bool(flag.w, flag.p, nullptr, true);
}

template <class Scalars> void write_strings() {
    uint8_t bytes[20000];
    memset(bytes, 0x01, sizeof bytes);  // a text wire escapes these
    for (size_t size : {size_t{0}, size_t{1}, string_short, size_t{127}, size_t{128}, size_t{16383}, sizeof bytes}) {
        Claimed text(Scalars::string_room(size)), binary(Scalars::string_room(size));
        Scalars::write_text(text.w, text.p, bytes, size);
        Scalars::write_binary(binary.w, binary.p, bytes, size);
    }
}

template <class Wire> size_t header_room([[maybe_unused]] const typename Wire::Header &header) {
    if constexpr (Wire::traits.leaves_holes)
        return Wire::header_max + header.holes;
    else if constexpr (Wire::traits.prepares_names)
        return header.prepared_size + 16;
    else
        return Wire::header_max;
}

// What rows.cpp makes for a field.
template <class Wire> typename Wire::Header header_of(const FieldFacts &field, [[maybe_unused]] uint8_t *room) {
    typename Wire::Header header = Wire::header(field);
    if constexpr (Wire::traits.prepares_names) {
        header.prepared = room;
        header.prepared_size = static_cast<uint32_t>(Wire::prepare_name(field, room));
    }
    return header;
}

// The headers of fields that are far from the one before.
template <class Wire> void write_headers() {
    const uint8_t text[] = "a name";
    const FieldName name = {text, sizeof text - 1, 0};
    for (int32_t id : {1, 16, 300, 32767, -1, -32768}) {
        uint8_t prepared[1000] = {};
        typename Wire::Frame frame{};
        typename Wire::Header flag = header_of<Wire>({0, id, 0, WireType::bool_, &name}, prepared);
        Claimed claimed(header_room<Wire>(flag) + 1);  // a bool of Compact is written with its header
        uint8_t *p = Wire::write_known(claimed.w, claimed.p, frame, flag);
        if (Wire::traits.fields == FieldsBy::id) Wire::write_bool(claimed.w, p, &frame, true);
        typename Wire::Frame other{};
        typename Wire::Header number = header_of<Wire>({0, id, 0, WireType::i64, &name}, prepared);
        Claimed exact(header_room<Wire>(number));
        Wire::write_known(exact.w, exact.p, other, number);
    }
}

template <class Wire> void write_containers() {
    for (size_t count : {size_t{0}, size_t{15}, size_t{INT32_MAX}}) {
        Claimed list(Wire::open_max), map(Wire::open_max);
        Wire::write_list(list.w, list.p, WireType::i64, count);
        Wire::write_map(map.w, map.p, WireType::i64, WireType::string, count);
    }
    typename Wire::Frame frame{};
    if constexpr (Wire::traits.opens_structs) {
        Claimed open(Wire::open_max);
        Wire::open_struct(open.w, open.p, frame, 65536, false);
    }
    Claimed close(Wire::close_max);
    Wire::close_struct(close.w, close.p, frame);
}

template <class Wire> void write_everything() {
    write_scalars<Wire, Wire>();
    write_scalars<typename Wire::Key, Wire>();
    write_strings<Wire>();
    write_strings<typename Wire::Key>();
    write_headers<Wire>();
    write_containers<Wire>();
}

}  // namespace sparpack
