// A wire for the tests: text, in which fields go by name and nothing is counted. Scalars that are keys of maps look
// different, strings grow six-fold, enums go by name, and a field may be nil.
//
//   struct, union  {name:value,name:value}
//   list, set      [value,value]
//   map            <@key:value,@key:value>; only scalars get the @
//   text           "…"; other bytes than printable ASCII, and " and \, as \u00xx
//   binary, uuid   'hex', #hex
//   double         d and the 16 digits of its bits
//   bool, nil      t, f, ~
#pragma once

#include "wire/contract.hpp"
#include "wire/events.hpp"

namespace sparpack {

struct Sexp {
    static constexpr WireTraits traits = [] {
        WireTraits sexp{};
        sexp.fields = FieldsBy::name;
        sexp.opens_structs = true;
        sexp.counts_elements = false;
        sexp.raw_strings = false;
        sexp.prepares_names = true;
        sexp.text = true;
        sexp.enum_names = true;
        sexp.integer_text = true;
        return sexp;
    }();

    struct Frame {
        bool some = false;  // there was a field before
        const uint8_t *name = nullptr;
        size_t name_size = 0;
    };

    struct Header {
        const uint8_t *prepared;  // the name and the colon; nullptr behind the last field
        uint32_t prepared_size;
        size_t room_before;  // of the names of all fields before this one
    };

    struct Key;
    struct Events;
    using Reader = Sexp;
    using WrittenAs = Sexp;

    static constexpr size_t header_max = 2;  // without the name
    static constexpr size_t number_max = 21;
    static constexpr size_t scalar_max = 2 + 2 * uuid_bytes;
    static constexpr size_t open_max = 1;
    static constexpr size_t close_max = 1;
    static constexpr size_t string_room(size_t size) { return 3 + 6 * size; }
    static constexpr size_t binary_room(size_t size) { return 3 + 2 * size; }
    static constexpr size_t name_room(size_t size) { return size + 2; }

    static Header header(const FieldFacts &) { return {nullptr, 0, 0}; }

    static size_t prepare_name(const FieldFacts &field, uint8_t *to) {
        const FieldName &name = *field.name;
        memcpy(to, name.data, name.size);
        to[name.size] = ':';
        return name.size + 1;
    }

    static FoundField found(const Frame &frame) {
        FoundField field;
        field.name = frame.name;
        field.name_size = frame.name_size;
        return field;
    }

    // --- reading -------------------------------------------------------------------------------------------------

    static const char *name_of(uint8_t byte) {
        switch (byte) {
        case '{': return "struct";
        case '[': return "list";
        case '<': return "map";
        case '"': return "text";
        case '\'': return "binary";
        case '#': return "uuid";
        case 'd': return "double";
        case 't':
        case 'f': return "bool";
        case '~': return "nil";
        default: return (byte >= '0' && byte <= '9') || byte == '-' ? "an integer" : nullptr;
        }
    }

    // Statuses: truncated, bad_wire_type.
    static const uint8_t *expect(Input &in, const uint8_t *p, uint8_t byte) {
        if (p == in.end) return input_fail(in, Status::truncated, p);
        return *p == byte ? p + 1 : input_fail(in, Status::bad_wire_type, p);
    }

    // The same for the first byte of a value. Statuses: truncated, bad_wire_type, mismatch.
    static const uint8_t *expect_value(Input &in, const uint8_t *p, uint8_t byte) {
        if (p == in.end) return input_fail(in, Status::truncated, p);
        if (*p == byte) return p + 1;
        return name_of(*p) ? input_mismatch(in, p, name_of(*p)) : input_fail(in, Status::bad_wire_type, p);
    }

    static const uint8_t *open_struct(Input &in, const uint8_t *p, Frame &, bool) { return expect_value(in, p, '{'); }

    static bool next_known(const Input &in, const uint8_t *&p, Frame &frame, const Header &header) {
        if (!header.prepared) return false;
        const uint8_t *q = p;
        size_t size = header.prepared_size;
        if (input_left(in, q) < size + 2 || (frame.some && *q++ != ',')) return false;
        if (memcmp(q, header.prepared, size) != 0 || q[size] == '~') return false;
        frame = {true, q, size - 1};
        p = q + size;
        return true;
    }

    static int next_field(Input &in, const uint8_t *&p, Frame &frame, const FieldTable &table, uint32_t hint) {
        for (;;) {
            if (p == in.end) return input_fail(in, Status::truncated, p), next_failed;
            if (*p == '}') return p++, next_end;
            if (frame.some && !(p = expect(in, p, ','))) return next_failed;
            const uint8_t *name = p;
            while (p < in.end && *p != ':') p++;
            if (in.end - p < 2) return input_fail(in, Status::truncated, in.end), next_failed;
            frame = {true, name, static_cast<size_t>(p++ - name)};
            if (*p != '~') break;
            p++;
        }
        int index = table.find_name(frame.name, frame.name_size, hint);
        return index < 0 ? next_unknown : index;
    }

    static NextElement next_of(Input &in, const uint8_t *&p, size_t index, uint8_t close) {
        if (p == in.end) return input_fail(in, Status::truncated, p), NextElement::failed;
        if (*p == close) return p++, NextElement::end;
        if (index > 0 && !(p = expect(in, p, ','))) return NextElement::failed;
        return NextElement::element;
    }
    static NextElement next_element(Input &in, const uint8_t *&p, size_t index, size_t) {
        return next_of(in, p, index, ']');
    }
    static NextElement next_key(Input &in, const uint8_t *&p, size_t index, size_t) { return next_of(in, p, index, '>'); }
    static const uint8_t *next_value(Input &in, const uint8_t *p) { return expect(in, p, ':'); }

    static const uint8_t *read_list(Input &in, const uint8_t *p, WireType, size_t *) { return expect_value(in, p, '['); }
    static const uint8_t *read_map(Input &in, const uint8_t *p, WireType, WireType, size_t *) {
        return expect_value(in, p, '<');
    }

    static const uint8_t *read_bool(Input &in, const uint8_t *p, const Frame *, bool *value) {
        if (p < in.end && *p == 'f') return *value = false, p + 1;
        *value = true;
        return expect_value(in, p, 't');
    }

    // Statuses: truncated, bad_wire_type, mismatch, integer_too_large.
    static const uint8_t *read_number(Input &in, const uint8_t *p, int bits, int64_t *value) {
        if (p == in.end) return input_fail(in, Status::truncated, p);
        const uint8_t *start = p;
        bool negative = *p == '-';
        p += negative;
        uint64_t number = 0, limit = uint64_t{1} << (bits - 1);
        const uint8_t *first = p;
        for (; p < in.end && *p >= '0' && *p <= '9'; p++) {
            uint64_t digit = *p - uint8_t{'0'};
            if (number > (UINT64_MAX - digit) / 10) return input_fail(in, Status::integer_too_large, start);
            number = number * 10 + digit;
        }
        if (p == in.end) return input_fail(in, Status::truncated, p);
        if (p == first) return name_of(*start) ? input_mismatch(in, start, name_of(*start)) : expect(in, start, '0');
        if (number > limit - !negative) return input_fail(in, Status::integer_too_large, start);
        *value = static_cast<int64_t>(negative ? 0 - number : number);
        return p;
    }
    static const uint8_t *read_i8(Input &in, const uint8_t *p, int64_t *value) { return read_number(in, p, 8, value); }
    static const uint8_t *read_i16(Input &in, const uint8_t *p, int64_t *value) { return read_number(in, p, 16, value); }
    static const uint8_t *read_i32(Input &in, const uint8_t *p, int64_t *value) { return read_number(in, p, 32, value); }
    static const uint8_t *read_i64(Input &in, const uint8_t *p, int64_t *value) {
        if (p == in.end || *p != '"') return read_number(in, p, 64, value);
        return (p = read_number(in, p + 1, 64, value)) ? expect(in, p, '"') : nullptr;
    }

    static int digit_of(uint8_t byte) {
        return byte >= '0' && byte <= '9' ? byte - '0' : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : -1;
    }

    static const uint8_t *read_hex(Input &in, const uint8_t *p, uint8_t *bytes, size_t size) {
        if (!input_need(in, p, 2 * size)) return nullptr;
        for (size_t i = 0; i < size; i++, p += 2) {
            if (digit_of(p[0]) < 0 || digit_of(p[1]) < 0) return input_fail(in, Status::bad_wire_type, p);
            bytes[i] = static_cast<uint8_t>(digit_of(p[0]) << 4 | digit_of(p[1]));
        }
        return p;
    }

    static const uint8_t *read_double(Input &in, const uint8_t *p, double *value) {
        uint8_t bytes[8];
        if (!(p = expect_value(in, p, 'd')) || !(p = read_hex(in, p, bytes, sizeof bytes))) return nullptr;
        uint64_t bits = big_endian(load<uint64_t>(bytes));
        memcpy(value, &bits, sizeof bits);
        return p;
    }

    static const uint8_t *read_uuid_bytes(Input &in, const uint8_t *p, uint8_t *bytes) {
        return (p = expect_value(in, p, '#')) ? read_hex(in, p, bytes, uuid_bytes) : nullptr;
    }

    static bool next_is_text(const Input &in, const uint8_t *p) { return p < in.end && *p == '"'; }

    static const uint8_t *read_text(Input &in, const uint8_t *p, StringBytes *string) {
        if (!(p = expect_value(in, p, '"'))) return nullptr;
        const uint8_t *data = p;
        size_t length = 0;
        for (; p < in.end && *p != '"'; length++) {
            if (*p++ != '\\') continue;
            uint8_t byte;
            if (in.end - p < 5) return input_fail(in, Status::truncated, in.end);
            if (!read_hex(in, p + 3, &byte, 1)) return nullptr;
            p += 5;
        }
        if (p == in.end) return input_fail(in, Status::truncated, p);
        *string = {data, static_cast<size_t>(p - data), length};
        return p + 1;
    }

    static const uint8_t *read_binary(Input &in, const uint8_t *p, StringBytes *string) {
        if (!(p = expect_value(in, p, '\''))) return nullptr;
        const uint8_t *data = p;
        while (p < in.end && digit_of(*p) >= 0) p++;
        if (p == in.end) return input_fail(in, Status::truncated, p);
        if (*p != '\'' || (p - data) % 2) return input_fail(in, Status::bad_wire_type, p);
        size_t size = static_cast<size_t>(p - data);
        *string = {data, size, size / 2};
        return p + 1;
    }

    static void unescape(const StringBytes &string, uint8_t *to) {
        for (const uint8_t *p = string.data, *end = p + string.size; p < end;) {
            if (*p != '\\') {
                *to++ = *p++;
                continue;
            }
            *to++ = static_cast<uint8_t>(digit_of(p[4]) << 4 | digit_of(p[5]));
            p += 6;
        }
    }

    static void unescape_binary(const StringBytes &string, uint8_t *to) {
        for (size_t i = 0; i < string.size; i += 2)
            *to++ = static_cast<uint8_t>(digit_of(string.data[i]) << 4 | digit_of(string.data[i + 1]));
    }

    // --- writing -------------------------------------------------------------------------------------------------

    static uint8_t *put(Writer &w, uint8_t *p, char byte) { return writer_put(w, p, static_cast<uint8_t>(byte)); }

    static uint8_t *put_bytes(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        writer_check(w, p, size);
        if (size) memcpy(p, data, size);
        return p + size;
    }

    static uint8_t *put_hex(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        for (size_t i = 0; i < size; i++) {
            p = put(w, p, "0123456789abcdef"[data[i] >> 4]);
            p = put(w, p, "0123456789abcdef"[data[i] & 15]);
        }
        return p;
    }

    static uint8_t *open_struct(Writer &w, uint8_t *p, Frame &, size_t, bool) { return put(w, p, '{'); }

    static uint8_t *write_known(Writer &w, uint8_t *p, Frame &frame, const Header &header) {
        if (frame.some) p = put(w, p, ',');
        frame.some = true;
        return put_bytes(w, p, header.prepared, header.prepared_size);
    }

    static uint8_t *close_struct(Writer &w, uint8_t *p, Frame &) { return put(w, p, '}'); }

    static uint8_t *write_list(Writer &w, uint8_t *p, WireType, size_t) { return put(w, p, '['); }
    static uint8_t *write_map(Writer &w, uint8_t *p, WireType, WireType, size_t) { return put(w, p, '<'); }
    static uint8_t *write_next(Writer &w, uint8_t *p, size_t index) { return index > 0 ? put(w, p, ',') : p; }
    static uint8_t *write_next_value(Writer &w, uint8_t *p) { return put(w, p, ':'); }
    static uint8_t *close_list(Writer &w, uint8_t *p) { return put(w, p, ']'); }
    static uint8_t *close_map(Writer &w, uint8_t *p) { return put(w, p, '>'); }

    static uint8_t *write_bool(Writer &w, uint8_t *p, Frame *, bool value) { return put(w, p, value ? 't' : 'f'); }

    static uint8_t *write_i64(Writer &w, uint8_t *p, int64_t value) {
        uint64_t number = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
        uint8_t digits[20], *first = digits + sizeof digits;
        do *--first = static_cast<uint8_t>('0' + number % 10);
        while (number /= 10);
        if (value < 0) p = put(w, p, '-');
        return put_bytes(w, p, first, static_cast<size_t>(digits + sizeof digits - first));
    }
    static uint8_t *write_i8(Writer &w, uint8_t *p, int64_t value) { return write_i64(w, p, value); }
    static uint8_t *write_i16(Writer &w, uint8_t *p, int64_t value) { return write_i64(w, p, value); }
    static uint8_t *write_i32(Writer &w, uint8_t *p, int64_t value) { return write_i64(w, p, value); }

    static uint8_t *write_i64_text(Writer &w, uint8_t *p, int64_t value) {
        return put(w, write_i64(w, put(w, p, '"'), value), '"');
    }

    static uint8_t *write_double(Writer &w, uint8_t *p, double value) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        bits = big_endian(bits);
        uint8_t bytes[sizeof bits];
        memcpy(bytes, &bits, sizeof bits);
        return put_hex(w, put(w, p, 'd'), bytes, sizeof bytes);
    }

    static uint8_t *write_uuid(Writer &w, uint8_t *p, const uint8_t *bytes) {
        return put_hex(w, put(w, p, '#'), bytes, uuid_bytes);
    }

    static uint8_t *write_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        p = put(w, p, '"');
        for (size_t i = 0; i < size; i++) {
            bool plain = data[i] >= 0x20 && data[i] < 0x7f && data[i] != '"' && data[i] != '\\';
            p = plain ? writer_put(w, p, data[i])
                      : put_hex(w, put_bytes(w, p, reinterpret_cast<const uint8_t *>("\\u00"), 4), data + i, 1);
        }
        return put(w, p, '"');
    }

    static uint8_t *write_plain_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        for (size_t i = 0; i < size; i++) {
            if (data[i] >= 0x80) return nullptr;
        }
        return write_text(w, p, data, size);
    }

    static uint8_t *write_long_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return write_text(w, writer_reserve(w, p, string_room(size)), data, size);
    }

    static uint8_t *write_binary(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return put(w, put_hex(w, put(w, p, '\''), data, size), '\'');
    }
};

// A scalar that is the key of a map has an @ before it.
struct Sexp::Key {
    template <class Read, class... Value>
    static const uint8_t *read(Read function, Input &in, const uint8_t *p, Value... value) {
        return (p = expect_value(in, p, '@')) ? function(in, p, value...) : nullptr;
    }
    static const uint8_t *read_bool(Input &in, const uint8_t *p, const Frame *, bool *value) {
        return (p = expect_value(in, p, '@')) ? Sexp::read_bool(in, p, nullptr, value) : nullptr;
    }
    static const uint8_t *read_i8(Input &in, const uint8_t *p, int64_t *value) { return read(Sexp::read_i8, in, p, value); }
    static const uint8_t *read_i16(Input &in, const uint8_t *p, int64_t *value) {
        return read(Sexp::read_i16, in, p, value);
    }
    static const uint8_t *read_i32(Input &in, const uint8_t *p, int64_t *value) {
        return read(Sexp::read_i32, in, p, value);
    }
    static const uint8_t *read_i64(Input &in, const uint8_t *p, int64_t *value) {
        return read(Sexp::read_i64, in, p, value);
    }
    static const uint8_t *read_double(Input &in, const uint8_t *p, double *value) {
        return read(Sexp::read_double, in, p, value);
    }
    static const uint8_t *read_text(Input &in, const uint8_t *p, StringBytes *string) {
        return read(Sexp::read_text, in, p, string);
    }
    static const uint8_t *read_binary(Input &in, const uint8_t *p, StringBytes *string) {
        return read(Sexp::read_binary, in, p, string);
    }
    static const uint8_t *read_uuid_bytes(Input &in, const uint8_t *p, uint8_t *bytes) {
        return read(Sexp::read_uuid_bytes, in, p, bytes);
    }
    static bool next_is_text(const Input &in, const uint8_t *p) { return in.end - p > 1 && p[1] == '"'; }
    static void unescape(const StringBytes &string, uint8_t *to) { Sexp::unescape(string, to); }
    static void unescape_binary(const StringBytes &string, uint8_t *to) { Sexp::unescape_binary(string, to); }

    static constexpr size_t string_room(size_t size) { return Sexp::string_room(size); }
    static constexpr size_t binary_room(size_t size) { return Sexp::binary_room(size); }

    static uint8_t *write_bool(Writer &w, uint8_t *p, Frame *, bool value) {
        return Sexp::write_bool(w, put(w, p, '@'), nullptr, value);
    }
    static uint8_t *write_i8(Writer &w, uint8_t *p, int64_t value) { return write_i64(w, p, value); }
    static uint8_t *write_i16(Writer &w, uint8_t *p, int64_t value) { return write_i64(w, p, value); }
    static uint8_t *write_i32(Writer &w, uint8_t *p, int64_t value) { return write_i64(w, p, value); }
    static uint8_t *write_i64(Writer &w, uint8_t *p, int64_t value) { return Sexp::write_i64(w, put(w, p, '@'), value); }
    static uint8_t *write_double(Writer &w, uint8_t *p, double value) {
        return Sexp::write_double(w, put(w, p, '@'), value);
    }
    static uint8_t *write_uuid(Writer &w, uint8_t *p, const uint8_t *bytes) {
        return Sexp::write_uuid(w, put(w, p, '@'), bytes);
    }
    static uint8_t *write_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return Sexp::write_text(w, put(w, p, '@'), data, size);
    }
    static uint8_t *write_plain_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return Sexp::write_plain_text(w, put(w, p, '@'), data, size);
    }
    static uint8_t *write_long_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return write_text(w, writer_reserve(w, p, string_room(size)), data, size);
    }
    static uint8_t *write_binary(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return Sexp::write_binary(w, put(w, p, '@'), data, size);
    }
};

// The grammar.
struct Sexp::Events {
    struct Level {
        Frame frame;    // of a struct
        size_t index;   // of the element or pair that comes next
        uint8_t kind;   // the byte that opened it; 0 for the level outside of all others
        bool at_value;  // a field's name or a key was read, and its value comes next
    };

    static Level whole() { return {Frame(), 0, 0, false}; }
    static Level field_value(const Frame &frame) { return {frame, 0, 0, true}; }
    static bool is_done(const Level &level) { return level.kind == 0 && level.index > 0; }
    static size_t least(const Level &, bool) { return 0; }
    static bool is_still_cut(const uint8_t *, size_t &, const uint8_t *) { return false; }

    template <class Emit> static Step next(Level &level, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        if (level.kind == '{' && !level.at_value) return header(level, in, p, emit);
        event::Place place = level.kind == '{' || (level.kind == 0 && level.at_value) ? event::Place::field
                             : level.kind == 0                                        ? event::Place::whole
                             : level.kind == '['                                      ? event::Place::element
                             : level.at_value                                         ? event::Place::value
                                                                                      : event::Place::key;
        const uint8_t *q = p;
        if (place == event::Place::element || place == event::Place::key) {
            NextElement found = next_of(in, q, level.index, level.kind == '[' ? ']' : '>');
            if (found == NextElement::failed) return Step::failed;
            if (found == NextElement::end) {
                Step step = emit.close({{p, q}, container(level.kind)});
                if (step != Step::failed) p = q;
                return step;
            }
        }
        if (place == event::Place::value && !(q = next_value(in, q))) return Step::failed;
        Step step = value(place, inner, in, q, emit);
        if (step == Step::failed) return step;
        p = q;
        level.at_value = place == event::Place::key;
        level.index += place != event::Place::key && place != event::Place::field;
        if (level.kind == 0) level.index = 1;
        return step;
    }

private:
    static event::Container container(uint8_t byte) {
        return byte == '{' ? event::Container::struct_ : byte == '[' ? event::Container::list : event::Container::map;
    }

    template <class Emit> static Step header(Level &level, Input &in, const uint8_t *&p, const Emit &emit) {
        const Frame before = level.frame;
        const uint8_t *q = p;
        int next = next_field(in, q, level.frame, no_fields, 0);
        Step step = next == next_end       ? emit.close({{p, q}, event::Container::struct_})
                    : next == next_unknown ? emit.field({{p, q}, 0, WireType::stop})
                                           : Step::failed;
        level.at_value = next == next_unknown && step != Step::failed;
        if (step == Step::failed) return level.frame = before, step;
        return p = q, step;
    }

    template <class Emit>
    static Step value(event::Place place, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        const uint8_t *start = p;
        if (p < in.end && *p == '@') p++;
        if (p == in.end) return input_fail(in, Status::truncated, p), Step::failed;
        event::Scalar scalar{{start, start}, event::Type::integer, place, WireType::stop, false, {}};
        int64_t number = 0;
        uint8_t bytes[uuid_bytes];
        StringBytes string;
        switch (*p) {
        case '{':
        case '[':
        case '<':
            if (!inner) return input_fail(in, Status::too_deep, p), Step::failed;
            *inner = {Frame(), 0, *p++, false};
            return emit.open(
                {{start, p}, container(inner->kind), place, event::Open::unknown, WireType::stop, WireType::stop});
        case '"':
        case '\'':
            scalar.type = *p == '"' ? event::Type::text : event::Type::bytes;
            p = *p == '"' ? read_text(in, p, &string) : read_binary(in, p, &string);
            scalar.text = {string.data, string.size, string.length, string.size != string.length, false, 0};
            break;
        case '#':
            scalar.type = event::Type::uuid;
            scalar.text = {p + 1, 2 * uuid_bytes, uuid_bytes, true, false, 0};
            p = read_uuid_bytes(in, p, bytes);
            break;
        case 'd':
            scalar.type = event::Type::real;
            p = read_double(in, p, &scalar.real);
            break;
        case 't':
        case 'f':
            scalar.type = event::Type::boolean;
            scalar.boolean = *p++ == 't';
            break;
        case '~':
            scalar.type = event::Type::nil;
            p++;
            break;
        default:
            p = read_i64(in, p, &number);
            scalar.integer = static_cast<uint64_t>(number);
            scalar.negative = number < 0;
        }
        scalar.end = p;
        return p ? emit.scalar(scalar) : Step::failed;
    }
};

}  // namespace sparpack
