// The steps of each wire (steps.hpp). Only scan.cpp includes this file.
#pragma once

#include "scan_values.hpp"
#include "steps.hpp"

namespace sparpack {

namespace {

template <class Wire> struct Stepping {
    using Frame = typename Wire::Frame;
    using Events = typename Wire::Events;
    static_assert(sizeof(Frame) <= sizeof(AnyFrame) && std::is_trivially_copyable_v<Frame>);

    static constexpr bool is_compact = std::is_same_v<Wire, Compact>;
    static constexpr bool is_json = std::is_same_v<Wire, Json>;
    static constexpr bool is_thrift_json = std::is_same_v<Wire, ThriftJson>;
    static constexpr bool has_nil = is_json || std::is_base_of_v<MessagePackReader, Wire>;
    static constexpr bool counts = Wire::traits.counts_elements;

    static Frame &frame_of(AnyFrame &frame) { return *reinterpret_cast<Frame *>(frame.bytes); }
    static const Frame &frame_of(const AnyFrame &frame) { return *reinterpret_cast<const Frame *>(frame.bytes); }

    static const uint8_t *begin([[maybe_unused]] const Input &in, const uint8_t *p) {
        if constexpr (Wire::traits.spaces) return Wire::begin_payload(in, p);
        return p;
    }

    static const uint8_t *name([[maybe_unused]] const Input &in, const uint8_t *before,
                               [[maybe_unused]] const AnyFrame &frame, [[maybe_unused]] bool first) {
        if constexpr (is_json) return frame_of(frame).name - 1;
        if constexpr (is_thrift_json) {
            if (first) return JsonScan::skip_space(in, before);
            for (int i = 0; i < 2; i++) {  // the brace behind the value, and a comma
                before = JsonScan::skip_space(in, before);
                before += before < in.end;
            }
            return JsonScan::skip_space(in, before);
        }
        return before;
    }

    static const uint8_t *open([[maybe_unused]] Scan &s, const uint8_t *p, AnyFrame &frame, [[maybe_unused]] bool is_union) {
        Frame &opened = frame_of(frame);
        opened = Frame();
        if constexpr (has_nil) opened.stops_at_nil = true;
        if constexpr (Wire::traits.opens_structs) p = Wire::open_struct(s.in, p, opened, is_union);
        return p;
    }

    static int next(Scan &s, const uint8_t *&p, AnyFrame &frame, const Link *link, uint32_t expected) {
        return Wire::next_field(s.in, p, frame_of(frame), link->table, expected);
    }

    static int32_t id([[maybe_unused]] const AnyFrame &frame) {
        if constexpr (is_compact) return frame_of(frame).id;
        return 0;
    }

    static int flag([[maybe_unused]] const AnyFrame &frame) {
        if constexpr (is_compact) return frame_of(frame).flag;
        return -1;
    }

    static bool is_array([[maybe_unused]] const AnyFrame &frame) {
        if constexpr (std::is_base_of_v<MessagePackReader, Wire>) return frame_of(frame).next != MessagePackReader::keyed;
        return false;
    }

    static size_t count([[maybe_unused]] const AnyFrame &frame) {
        if constexpr (std::is_base_of_v<MessagePackReader, Wire>) return frame_of(frame).left;
        return 0;
    }

    static int mismatch(const AnyFrame &frame) { return Wire::found(frame_of(frame)).index; }

    static const uint8_t *pass_nil([[maybe_unused]] const Input &in, const uint8_t *p) {
        if constexpr (is_json) return input_left(in, p) >= 4 && memcmp(p, "null", 4) == 0 ? p + 4 : p;
        if constexpr (has_nil) return p < in.end && *p == MessagePack::nil_byte ? p + 1 : p;
        return p;
    }

    static const uint8_t *pass_field(Scan &s, const uint8_t *p, const Type &type, const AnyFrame &frame, int depth) {
        return scan_one<Wire>(s, p, type, &frame_of(frame), depth, false);
    }

    static const uint8_t *skip_field(Scan &s, const uint8_t *p, const AnyFrame &frame, int depth) {
        return skip_value<Wire>(s, p, Events::field_value(frame_of(frame)), depth);
    }

    static const uint8_t *pass_element(Scan &s, const uint8_t *p, const Type &type, int depth) {
        return scan_one<Wire>(s, p, type, nullptr, depth, false);
    }

    static const uint8_t *skip_element(Scan &s, const uint8_t *p, [[maybe_unused]] const Type &type, int depth) {
        if constexpr (std::is_same_v<Events, ThriftEvents<Wire>>) {
            return skip_value<Wire>(s, p, Events::whole(type.wire), depth);
        } else {
            Frame frame{};
            if constexpr (is_thrift_json) frame.type = type.wire;
            return skip_value<Wire>(s, p, Events::field_value(frame), depth);
        }
    }

    static const uint8_t *pass_key(Scan &s, const uint8_t *p, const Type &type, int depth) {
        if (kind_is_compound(type.kind)) return nullptr;
        return scan_key<Wire>(s, p, type, depth);
    }

    static const uint8_t *skip_key(Scan &s, const uint8_t *p, const Type &type, int depth) {
        if constexpr (is_json || is_thrift_json) {
            StringBytes string;
            return JsonScan::string<is_thrift_json>(s.in, JsonScan::skip_space(s.in, p), &string);
        } else {
            return skip_element(s, p, type, depth);
        }
    }

    static const uint8_t *pass_structs(Scan &s, const uint8_t *p, const Link *link, size_t count, int depth) {
        return scan_structs<Wire>(s, p, link, count, depth);
    }

    static const uint8_t *list(Scan &s, const uint8_t *p, const Type &type, size_t *count) {
        return Wire::read_list(s.in, p, type.element->wire, count);
    }

    static const uint8_t *map(Scan &s, const uint8_t *p, const Type &type, size_t *count) {
        return Wire::read_map(s.in, p, type.key->wire, type.element->wire, count);
    }

    static NextElement next_element([[maybe_unused]] Scan &s, [[maybe_unused]] const uint8_t *&p, size_t index,
                                    size_t count) {
        if constexpr (counts)
            return index < count ? NextElement::element : NextElement::end;
        else
            return Wire::next_element(s.in, p, index, count);
    }

    static NextElement next_key([[maybe_unused]] Scan &s, [[maybe_unused]] const uint8_t *&p, size_t index, size_t count) {
        if constexpr (counts)
            return index < count ? NextElement::element : NextElement::end;
        else
            return Wire::next_key(s.in, p, index, count);
    }

    static const uint8_t *next_value([[maybe_unused]] Scan &s, const uint8_t *p) {
        if constexpr (counts)
            return p;
        else
            return Wire::next_value(s.in, p);
    }

    static void read_key(Scan &s, const uint8_t *p, const Type &type, FoundKey *key) {
        using Key = typename Wire::Key;
        const uint8_t *end = nullptr;
        switch (type.kind) {
        case Kind::bool_: {
            bool value = false;
            end = Key::read_bool(s.in, p, nullptr, &value);
            key->number = value;
            break;
        }
        case Kind::i8: end = Key::read_i8(s.in, p, &key->number); break;
        case Kind::i16: end = Key::read_i16(s.in, p, &key->number); break;
        case Kind::enum_:
        case Kind::i32: end = Key::read_i32(s.in, p, &key->number); break;
        case Kind::i64: end = Key::read_i64(s.in, p, &key->number); break;
        case Kind::string:
        case Kind::binary: {
            StringBytes string;
            end = type.kind == Kind::string ? Key::read_text(s.in, p, &string) : Key::read_binary(s.in, p, &string);
            if (end && !Wire::traits.raw_strings && (string.escaped || type.kind == Kind::binary)) end = nullptr;
            key->data = string.data;
            key->size = string.size;
            break;
        }
        default: break;
        }
        key->known = end != nullptr;
    }

    static constexpr StepsOf all = {Wire::traits, begin,        name,         open,     next,       id,
                                    flag,         is_array,     count,        mismatch, pass_nil,   pass_field,
                                    skip_field,   pass_element, skip_element, pass_key, skip_key,   pass_structs,
                                    list,         map,          next_element, next_key, next_value, read_key};
};

}  // namespace

}  // namespace sparpack
