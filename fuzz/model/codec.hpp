// Reads and writes the values of the model in any wire, by its contract (wire/contract.hpp). This is what codec/decode.cpp
// and codec/encode.cpp do for objects.
#pragma once

#include <memory>

#include "value.hpp"
#include "wire/sinks.hpp"
#include "wire/thrift/events.hpp"
#include "wire/walk.hpp"
#include "wire/wires.hpp"

namespace model {

inline void must(bool x) {
    if (!x) __builtin_trap();
}

// The headers of a schema's fields in a wire.
template <class Wire> struct Rows {
    std::vector<typename Wire::Header> headers;
    std::vector<uint8_t> names;

    explicit Rows(const Schema &schema) {
        size_t room = 16;
        if constexpr (Wire::traits.prepares_names) {
            for (uint32_t i = 0; i < schema.count; i++) room += Wire::name_room(schema.names[i].size);
        }
        names.resize(room);
        FieldFacts facts{0, 0, 0, WireType::stop, nullptr};
        uint8_t *to = names.data();
        for (uint32_t i = 0; i < schema.count; i++) {
            facts = {facts.id, schema.fields[i].id, i, schema.fields[i].type.wire, &schema.names[i]};
            headers.push_back(Wire::header(facts));
            if constexpr (Wire::traits.prepares_names) {
                headers[i].prepared = to;
                headers[i].prepared_size = static_cast<uint32_t>(Wire::prepare_name(facts, to));
                to += headers[i].prepared_size;
            }
        }
        headers.push_back(Wire::header({facts.id, 0, schema.count, WireType::stop, nullptr}));
    }

    static const Rows &of(const Schema &schema) {
        static const Rows of_all(all), of_choice(choice);
        return &schema == &all ? of_all : of_choice;
    }
};

template <class Wire> struct Decode {
    using Frame = typename Wire::Frame;

    Input &in;
    size_t parts = 0;              // how many were made
    size_t bytes = 0;              // how many strings have
    bool unknown_variant = false;  // a union holds a field that it does not know, so it cannot be written

    const uint8_t *fail(Status status, const uint8_t *p) { return input_fail(in, status, p); }

    // Reads a string into memory of exactly its length.
    template <class Scalars> const uint8_t *read_string(const uint8_t *p, bool is_text, Bytes &to) {
        const uint8_t *start = p;
        StringBytes string;
        if (!(p = is_text ? Scalars::read_text(in, p, &string) : Scalars::read_binary(in, p, &string))) return nullptr;
        must(string.data >= in.begin && string.data + string.size <= p && string.length <= string.size);
        to.reserve(1);
        to.resize(string.length);
        to.shrink_to_fit();
        bytes += string.length;
        if constexpr (Wire::traits.raw_strings) {
            must(string.length == string.size);
            if (string.size) memcpy(to.data(), string.data, string.size);
        } else {
            is_text ? Wire::unescape(string, to.data()) : Wire::unescape_binary(string, to.data());
        }
        if (!is_text) return p;
        Text found = utf8_check(to.data(), to.size());
        if (Wire::traits.checks_text) must((string.text == Text::broken) == (found == Text::broken));
        return found == Text::broken ? fail(Status::invalid_utf8, start) : p;
    }

    template <class Scalars = Wire>
    const uint8_t *value(const uint8_t *p, const Type &type, const Frame *frame, Value &to, int depth) {
        to.set = true;
        must(++parts <= 2 + 2 * input_left(in, in.begin));
        switch (type.kind) {
        case Kind::bool_: {
            bool is = false;
            p = Scalars::read_bool(in, p, frame, &is);
            to.number = is;
            return p;
        }
        case Kind::i8:
            p = Scalars::read_i8(in, p, &to.number);
            return must(!p || to.number == static_cast<int8_t>(to.number)), p;
        case Kind::i16:
            p = Scalars::read_i16(in, p, &to.number);
            return must(!p || to.number == static_cast<int16_t>(to.number)), p;
        case Kind::i32:
            p = Scalars::read_i32(in, p, &to.number);
            return must(!p || to.number == static_cast<int32_t>(to.number)), p;
        case Kind::i64: return Scalars::read_i64(in, p, &to.number);
        case Kind::double_: return Scalars::read_double(in, p, &to.real);
        case Kind::string: return read_string<Scalars>(p, true, to.bytes);
        case Kind::binary: return read_string<Scalars>(p, false, to.bytes);
        case Kind::uuid: to.bytes.resize(uuid_bytes); return Scalars::read_uuid_bytes(in, p, to.bytes.data());
        case Kind::list: return list(p, type, to, depth - 1);
        case Kind::map: return map(p, type, to, depth - 1);
        case Kind::struct_:
        case Kind::union_: return fields(p, *type.schema, to, depth - 1);
        }
        __builtin_unreachable();
    }

    const uint8_t *list(const uint8_t *p, const Type &type, Value &to, int depth) {
        if (depth < 0) return fail(Status::too_deep, p);
        size_t count = 0;
        if (!(p = Wire::read_list(in, p, type.element->wire, &count))) return nullptr;
        if constexpr (Wire::traits.counts_elements) must(count <= input_left(in, p));
        for (size_t i = 0;; i++) {
            if constexpr (Wire::traits.counts_elements) {
                if (i == count) return p;
            } else {
                NextElement next = Wire::next_element(in, p, i, count);
                if (next != NextElement::element) return next == NextElement::end ? p : nullptr;
            }
            to.parts.emplace_back();
            if (!(p = value(p, *type.element, nullptr, to.parts.back(), depth))) return nullptr;
        }
    }

    const uint8_t *map(const uint8_t *p, const Type &type, Value &to, int depth) {
        if (depth < 0) return fail(Status::too_deep, p);
        size_t count = 0;
        if (!(p = Wire::read_map(in, p, type.key->wire, type.element->wire, &count))) return nullptr;
        if constexpr (Wire::traits.counts_elements) must(count <= input_left(in, p));
        for (size_t i = 0;; i++) {
            if constexpr (Wire::traits.counts_elements) {
                if (i == count) return p;
            } else {
                NextElement next = Wire::next_key(in, p, i, count);
                if (next != NextElement::element) return next == NextElement::end ? p : nullptr;
            }
            to.parts.resize(to.parts.size() + 2);
            if (!(p = key(p, *type.key, to.parts[2 * i], depth))) return nullptr;
            if constexpr (!Wire::traits.counts_elements) {
                if (!(p = Wire::next_value(in, p))) return nullptr;
            }
            if (!(p = value(p, *type.element, nullptr, to.parts[2 * i + 1], depth))) return nullptr;
        }
    }

    const uint8_t *key(const uint8_t *p, const Type &type, Value &to, int depth) {
        if constexpr (Wire::traits.quotes_keys) {
            if (type.is_compound()) return quoted_key(p, type, to, depth);
        }
        return value<typename Wire::Key>(p, type, nullptr, to, depth);
    }

    const uint8_t *quoted_key(const uint8_t *p, const Type &type, Value &to, int depth) {
        const uint8_t *start = p;
        Bytes text;
        if (!(p = read_string<Wire>(p, true, text))) return nullptr;
        if (text.empty()) text.reserve(1);  // so that there is an address, as in a String
        Input inner(text.data(), text.size());
        Decode decode{inner};
        const uint8_t *q = decode.value(Wire::end_payload(inner, inner.begin), type, nullptr, to, depth);
        if (q && Wire::end_payload(inner, q) != inner.end) q = input_fail(inner, Status::trailing_bytes, q);
        unknown_variant |= decode.unknown_variant;
        if (q) return p;
        return fail(inner.status == Status::truncated ? Status::json_key : inner.status, start);
    }

    const uint8_t *skip(const uint8_t *p, const Frame &frame, int depth) {
        using Events = typename Wire::Events;
        Skip sink;
        Skip::Level none;
        return walk_value<Events>(in, p, Events::field_value(frame), sink, none, depth);
    }

    const uint8_t *fields(const uint8_t *p, const Schema &schema, Value &to, int depth) {
        if (depth < 0) return fail(Status::too_deep, p);
        const std::vector<typename Wire::Header> &headers = Rows<Wire>::of(schema).headers;
        const uint8_t *start = p;
        Frame frame{};
        to.parts.resize(schema.count);
        if constexpr (Wire::traits.opens_structs) {
            if (!(p = Wire::open_struct(in, p, frame, schema.is_union))) return nullptr;
        }
        size_t some = 0;
        for (uint32_t expected = 0;;) {
            int index = static_cast<int>(expected);
            if (schema.is_union || !Wire::next_known(in, p, frame, headers[expected]))
                index = Wire::next_field(in, p, frame, schema.table, schema.is_union ? 0 : expected);
            if (index == next_end) break;
            if (index == next_failed) return nullptr;
            if (schema.is_union && ++some > 1) return fail(Status::union_multiple_fields, p);
            if (index == next_unknown) {
                unknown_variant |= schema.is_union;
                if (!(p = skip(p, frame, depth))) return nullptr;
            } else if (index == next_mismatch) {
                return fail(Status::mismatch, p);
            } else {
                must(index >= 0 && static_cast<uint32_t>(index) < schema.count);
                expected = static_cast<uint32_t>(index) + 1;
                Value part;
                if (!(p = value(p, schema.fields[index].type, &frame, part, depth))) return nullptr;
                to.parts[static_cast<size_t>(index)] = part;  // the last of a duplicate wins
            }
        }
        return schema.is_union && !some ? fail(Status::union_empty, start) : p;
    }
};

// What reading bytes as a struct came to. `end` is the place of the fault unless the status is ok.
struct Outcome {
    Status status;
    size_t end;
    Value value;
    bool writable;
};

// Reads from memory of exactly this size, so that a sanitizer notices reads beyond it.
template <class Wire> Outcome decode(const uint8_t *bytes, size_t size, int depth) {
    using Reader = typename Wire::Reader;
    std::unique_ptr<uint8_t[]> copy(new uint8_t[size]);
    if (size) memcpy(copy.get(), bytes, size);
    Input in(copy.get(), size);
    Decode<Reader> decode{in};
    Outcome outcome{Status::ok, 0, {}, false};
    outcome.value.set = true;
    const uint8_t *p = in.begin;
    if constexpr (Reader::traits.spaces) p = Reader::begin_payload(in, p);
    p = decode.fields(p, all, outcome.value, depth - 1);
    must(decode.parts <= size && decode.bytes <= size);
    must(p ? in.status == Status::ok && p > in.begin && p <= in.end
           : in.status != Status::ok && in.at >= in.begin && in.at <= in.end);
    outcome.status = in.status;
    outcome.writable = p && !decode.unknown_variant;
    outcome.end = static_cast<size_t>((p ? p : in.at) - in.begin);
    return outcome;
}

template <class Wire> struct Encode {
    using Frame = typename Wire::Frame;

    GrowingOutput &output;
    bool integer_text;  // whether an i64 goes as text, if the wire can do that

    uint8_t *reserve(uint8_t *p, size_t size) { return writer_reserve(output.writer, p, size); }

    template <class Scalars = Wire> uint8_t *value(uint8_t *p, const Type &type, const Value &from, Frame *frame) {
        Writer &w = output.writer;
        size_t size = from.bytes.size();
        switch (type.kind) {
        case Kind::bool_: return Scalars::write_bool(w, p, frame, from.number != 0);
        case Kind::i8: return Scalars::write_i8(w, p, from.number);
        case Kind::i16: return Scalars::write_i16(w, p, from.number);
        case Kind::i32: return Scalars::write_i32(w, p, from.number);
        case Kind::i64:
            if constexpr (Wire::traits.integer_text && std::is_same<Scalars, Wire>::value) {
                if (integer_text) return Scalars::write_i64_text(w, p, from.number);
            }
            return Scalars::write_i64(w, p, from.number);
        case Kind::double_: return Scalars::write_double(w, p, from.real);
        case Kind::string:
            if constexpr (!Wire::traits.raw_strings) {
                if (size > string_short) return Scalars::write_long_text(w, p, from.bytes.data(), size);
            }
            return Scalars::write_text(w, reserve(p, Scalars::string_room(size)), from.bytes.data(), size);
        case Kind::binary: {
            size_t room = Scalars::string_room(size);
            if constexpr (!Wire::traits.raw_strings) room = Scalars::binary_room(size);
            return Scalars::write_binary(w, reserve(p, room), from.bytes.data(), size);
        }
        case Kind::uuid: return Scalars::write_uuid(w, p, from.bytes.data());
        case Kind::list: return list(p, type, from);
        case Kind::map: return map(p, type, from);
        case Kind::struct_:
        case Kind::union_: return fields(p, *type.schema, from);
        }
        __builtin_unreachable();
    }

    uint8_t *list(uint8_t *p, const Type &type, const Value &from) {
        p = Wire::write_list(output.writer, p, type.element->wire, from.parts.size());
        for (size_t i = 0; i < from.parts.size(); i++) {
            p = reserve(p, Room<Wire>::value + Wire::close_max);
            if constexpr (!Wire::traits.counts_elements) p = Wire::write_next(output.writer, p, i);
            p = value(reserve(p, Room<Wire>::value), *type.element, from.parts[i], nullptr);
        }
        if constexpr (!Wire::traits.counts_elements) p = Wire::close_list(output.writer, reserve(p, Wire::close_max));
        return p;
    }

    uint8_t *map(uint8_t *p, const Type &type, const Value &from) {
        p = Wire::write_map(output.writer, p, type.key->wire, type.element->wire, from.parts.size() / 2);
        for (size_t i = 0; i < from.parts.size(); i += 2) {
            if constexpr (!Wire::traits.counts_elements) p = Wire::write_next(output.writer, reserve(p, 1), i);
            p = key(reserve(p, Room<Wire>::value), *type.key, from.parts[i]);
            if constexpr (!Wire::traits.counts_elements) p = Wire::write_next_value(output.writer, reserve(p, 1));
            p = value(reserve(p, Room<Wire>::value), *type.element, from.parts[i + 1], nullptr);
        }
        if constexpr (!Wire::traits.counts_elements) p = Wire::close_map(output.writer, reserve(p, Wire::close_max));
        return p;
    }

    uint8_t *key(uint8_t *p, const Type &type, const Value &from) {
        if constexpr (Wire::traits.quotes_keys) {
            if (type.is_compound()) {
                size_t before = static_cast<size_t>(p - output.writer.begin);
                p = value(p, type, from, nullptr);
                uint8_t *begin = output.writer.begin + before;
                size_t escapes = Wire::escapes(begin, static_cast<size_t>(p - begin));
                p = reserve(p, escapes + 2);
                return Wire::quote(output.writer, output.writer.begin + before, p, escapes);
            }
        }
        return value<typename Wire::Key>(p, type, from, nullptr);
    }

    size_t header_room([[maybe_unused]] const typename Wire::Header &header) {
        if constexpr (Wire::traits.leaves_holes) return Wire::header_max + header.holes;
        if constexpr (Wire::traits.prepares_names) return header.prepared_size + 16;
        return Wire::header_max;
    }

    uint8_t *fields(uint8_t *p, const Schema &schema, const Value &from) {
        const std::vector<typename Wire::Header> &headers = Rows<Wire>::of(schema).headers;
        Writer &w = output.writer;
        Frame frame{};
        size_t count = 0;
        for (const Value &part : from.parts) count += part.set;
        if constexpr (Wire::traits.fields == FieldsBy::position) count = Wire::positions(headers[schema.count]);
        p = reserve(p, Wire::open_max);
        if constexpr (Wire::traits.opens_structs) p = Wire::open_struct(w, p, frame, count, schema.is_union);
        for (uint32_t i = 0; i < schema.count; i++) {
            p = reserve(p, header_room(headers[i]) + Room<Wire>::value);
            if (from.parts[i].set) {
                p = Wire::write_known(w, p, frame, headers[i]);
                p = value(p, schema.fields[i].type, from.parts[i], &frame);
            } else if constexpr (Wire::traits.fields == FieldsBy::position) {
                if (!schema.is_union) p = Wire::write_absent(w, p, frame, headers[i]);
            }
        }
        return Wire::close_struct(w, reserve(p, Wire::close_max), frame);
    }
};

template <class Wire> Bytes encode(const Value &value, bool integer_text = false) {
    GrowingOutput output;
    Encode<Wire> encode{output, integer_text};
    return output.finish(encode.fields(output.writer.begin, all, value));
}

}  // namespace model
