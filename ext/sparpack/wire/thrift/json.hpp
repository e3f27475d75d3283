// Thrift's JSON protocol, as TJSONProtocol of Apache's libraries writes it:
//
//   struct, union  {"1":{"i32":5},"2":{"str":"x"}}
//   list, set      ["i32",2,5,6]
//   map            ["str","i32",1,{"x":5}]
//   numbers        their digits, in quotes as keys of maps; a bool is 1 or 0; "NaN", "Infinity" and "-Infinity" are quoted
//   binary, uuid   base64, and the usual text
//
// A field's value ends with a brace of its own. The header of the field behind it, or the end of the struct, has this brace.
// White space may stand between all of these (RFC 8259). Strings may hold control characters as they are, although JSON
// forbids it, because Apache's Python library writes them.
#pragma once

#include "json_text.hpp"

namespace sparpack {

struct ThriftJson : ThriftJsonText {
    static constexpr WireTraits traits = [] {
        WireTraits json{};
        json.opens_structs = true;
        json.counts_elements = false;  // it says how many there are, but they end with a bracket
        json.raw_strings = false;
        json.keeps = Kept::fields;
        json.checks_text = true;
        json.spaces = true;
        json.container_keys = false;
        json.text = true;
        return json;
    }();

    struct Frame {
        int32_t id = 0;
        int index = 0;
        WireType type = WireType::stop;
        bool some = false;  // there was a field before
    };

    // A field's header as it stands behind another field. The first field's begins two bytes later.
    struct Header {
        uint8_t bytes[26];  // such as },"12":{"i32": and, behind it, something that may be copied
        uint8_t size;
        WireType type;
        int32_t id;
    };
    static constexpr size_t between = 2;  // the brace and the comma

    struct Key;
    using Reader = ThriftJson;
    using WrittenAs = ThriftJson;
    struct Events;

    static constexpr size_t header_max = 24;  // 18, but whole words are written
    static constexpr size_t open_max = 40;    // ["i32","i32",2147483647,{ and what the writer of a number may touch
    static constexpr size_t close_max = 2;

    static FoundField found(const Frame &frame) { return {frame.id, frame.index, frame.type}; }

    // --- reading: structs ------------------------------------------------------------------------------------------------

    static SPARPACK_INLINE const uint8_t *open_struct(Input &in, const uint8_t *p, Frame &, bool) {
        return expect(in, p, '{');
    }

    // If the next field is the expected one, reads its header and returns true.
    static SPARPACK_INLINE bool next_known(const Input &in, const uint8_t *&p, Frame &frame, const Header &header) {
        size_t skip = frame.some ? 0 : between, size = header.size - skip;  // from 11 to 18
        if (SPARPACK_UNLIKELY(input_left(in, p) < size)) return false;
        const uint8_t *bytes = header.bytes + skip;
        if (SPARPACK_UNLIKELY(load<uint64_t>(p) != load<uint64_t>(bytes))) return false;
        if (SPARPACK_UNLIKELY(load<uint64_t>(p + size - 8) != load<uint64_t>(bytes + size - 8))) return false;
        if (SPARPACK_UNLIKELY(size > 16 && load<uint16_t>(p + 8) != load<uint16_t>(bytes + 8))) return false;
        if (SPARPACK_UNLIKELY(header.type == WireType::stop)) return false;  // behind the last field: there is no header
        frame.id = header.id;
        frame.type = header.type;
        frame.some = true;
        p += size;
        return true;
    }

    // Reads the end of the field before and a field's header. Returns an index into the table, or a NextField.
    // Statuses: truncated, bad_json, bad_wire_type, and those of an id.
    static int next_field(Input &in, const uint8_t *&p, Frame &frame, const FieldTable &table, uint32_t hint);

    // Statuses: truncated, bad_json, bad_field_id, bad_field_name.
    static SPARPACK_INLINE const uint8_t *read_id(Input &in, const uint8_t *p, int64_t *id) {
        if (SPARPACK_UNLIKELY(!(p = expect(in, p, '"')))) return nullptr;
        const uint8_t *end = integer_read<16>(p, in.end, id);
        return SPARPACK_LIKELY(end && end < in.end && *end == '"') ? end + 1 : id_fail(in, p);
    }

    SPARPACK_COLD static const uint8_t *id_fail(Input &in, const uint8_t *p);

    // --- reading: containers ---------------------------------------------------------------------------------------------

    // Statuses: truncated, bad_json, bad_count.
    static const uint8_t *read_count(Input &in, const uint8_t *p, size_t *count);

    // Opens a list or a set. Ignores the element type of an empty one. Statuses: truncated, bad_json, bad_count,
    // negative_size, bad_wire_type.
    static const uint8_t *open_list(Input &in, const uint8_t *p, WireType *type, size_t *count);

    // The same for a map. Statuses: also key_not_scalar.
    static const uint8_t *open_map(Input &in, const uint8_t *p, WireType *key, WireType *value, size_t *count);

    // Statuses: those of open_list, mismatch.
    static const uint8_t *read_list(Input &in, const uint8_t *p, WireType element, size_t *count) {
        WireType type = WireType::stop;
        const uint8_t *start = p;
        if (SPARPACK_UNLIKELY(!(p = open_list(in, p, &type, count)))) return nullptr;
        if (SPARPACK_UNLIKELY(*count != 0 && type != element))
            return input_mismatch(in, start, wire_type_name(type), Part::element);
        return p;
    }

    static const uint8_t *read_map(Input &in, const uint8_t *p, WireType key, WireType value, size_t *count) {
        WireType key_type = WireType::stop, value_type = WireType::stop;
        const uint8_t *start = p;
        if (SPARPACK_UNLIKELY(!(p = open_map(in, p, &key_type, &value_type, count)))) return nullptr;
        if (SPARPACK_UNLIKELY(*count != 0 && key_type != key))
            return input_mismatch(in, start, wire_type_name(key_type), Part::key);
        if (SPARPACK_UNLIKELY(*count != 0 && value_type != value))
            return input_mismatch(in, start, wire_type_name(value_type), Part::element);
        return p;
    }

    // Statuses: truncated, bad_json, bad_count.
    static SPARPACK_INLINE NextElement next_element(Input &in, const uint8_t *&p, size_t index, size_t count) {
        if (SPARPACK_UNLIKELY(index == count)) return close(in, p, ']');
        return comma(in, p, ']');
    }

    static SPARPACK_INLINE NextElement next_key(Input &in, const uint8_t *&p, size_t index, size_t count) {
        if (SPARPACK_UNLIKELY(index == count)) {
            if (close(in, p, '}') == NextElement::failed) return NextElement::failed;
            return (p = expect(in, p, ']')) ? NextElement::end : NextElement::failed;
        }
        if (index > 0) return comma(in, p, '}');
        const uint8_t *q = JsonScan::skip_space(in, p);
        if (SPARPACK_LIKELY(q < in.end && *q == '"')) return NextElement::element;
        return no_element(in, p, '}');
    }

    static SPARPACK_INLINE const uint8_t *next_value(Input &in, const uint8_t *p) { return expect(in, p, ':'); }

    static SPARPACK_INLINE NextElement comma(Input &in, const uint8_t *&p, uint8_t end) {
        if (SPARPACK_UNLIKELY(p == in.end || *p != ',')) {
            const uint8_t *q = JsonScan::skip_space(in, p);
            if (q == in.end || *q != ',') return no_element(in, p, end);
            p = q;
        }
        return p++, NextElement::element;
    }

    // An element was announced, but there is none.
    SPARPACK_COLD static NextElement no_element(Input &in, const uint8_t *p, uint8_t end);

    static NextElement close(Input &in, const uint8_t *&p, uint8_t end) {
        const uint8_t *q = JsonScan::skip_space(in, p);
        if (SPARPACK_LIKELY(q < in.end && *q == end)) return p = q + 1, NextElement::end;
        bool cut = q == in.end, more = !cut && (*q == ',' || *q == '"');
        input_fail(in, cut ? Status::truncated : more ? Status::bad_count : Status::bad_json, q);
        return NextElement::failed;
    }

    // --- reading: scalars ------------------------------------------------------------------------------------------------

    // Reads an integer. Some writers put it in quotes. Statuses: truncated, bad_text, integer_too_large.
    template <int bits> static SPARPACK_INLINE const uint8_t *read_integer(Input &in, const uint8_t *p, int64_t *value) {
        const uint8_t *end = integer_read<bits>(p, in.end, value);
        if (SPARPACK_LIKELY(end && end < in.end && !JsonText::is_word(*end))) return end;
        return read_odd_integer<bits>(in, p, value);
    }

    template <int bits> SPARPACK_COLD static const uint8_t *read_odd_integer(Input &in, const uint8_t *p, int64_t *value);

    static SPARPACK_INLINE const uint8_t *read_i8(Input &in, const uint8_t *p, int64_t *value) {
        return read_integer<8>(in, p, value);
    }
    static SPARPACK_INLINE const uint8_t *read_i16(Input &in, const uint8_t *p, int64_t *value) {
        return read_integer<16>(in, p, value);
    }
    static SPARPACK_INLINE const uint8_t *read_i32(Input &in, const uint8_t *p, int64_t *value) {
        return read_integer<32>(in, p, value);
    }
    static SPARPACK_INLINE const uint8_t *read_i64(Input &in, const uint8_t *p, int64_t *value) {
        return read_integer<64>(in, p, value);
    }

    // Any number but zero is true.
    static SPARPACK_INLINE const uint8_t *read_bool(Input &in, const uint8_t *p, const Frame *, bool *value) {
        int64_t number = 0;
        if (SPARPACK_UNLIKELY(!(p = read_i64(in, p, &number)))) return nullptr;
        *value = number != 0;
        return p;
    }

    // Some writers put it in quotes. Statuses: truncated, bad_text, real_too_large.
    static SPARPACK_INLINE const uint8_t *read_double(Input &in, const uint8_t *p, double *value) {
        const uint8_t *end = double_read(p, in.end, value);
        if (SPARPACK_LIKELY(end && end < in.end && !JsonText::is_word(*end) && is_finite(*value))) return end;
        return read_odd_double(in, p, value);
    }

    SPARPACK_COLD static const uint8_t *read_odd_double(Input &in, const uint8_t *p, double *value);

    // Reads from behind the opening quote to behind the closing one.
    static const uint8_t *read_quoted_double(Input &in, const uint8_t *p, double *value);

    // Statuses: truncated, bad_text, and those of a string.
    static SPARPACK_INLINE const uint8_t *read_text(Input &in, const uint8_t *p, StringBytes *string) {
        if (SPARPACK_UNLIKELY(!(p = expect(in, p, '"', Status::bad_text)))) return nullptr;
        return JsonScan::string<true>(in, p - 1, string);
    }

    // Statuses: also bad_base64.
    static const uint8_t *read_binary(Input &in, const uint8_t *p, StringBytes *string) {
        return (p = expect(in, p, '"', Status::bad_text)) ? JsonScan::base64(in, p - 1, string) : nullptr;
    }

    // Statuses: truncated, bad_text, bad_uuid, and those of a string.
    static const uint8_t *read_uuid_bytes(Input &in, const uint8_t *p, uint8_t *bytes);

    // A payload may have white space around it.
    static const uint8_t *begin_payload(const Input &in, const uint8_t *p) { return JsonScan::skip_space(in, p); }
    static const uint8_t *end_payload(const Input &in, const uint8_t *p) { return JsonScan::skip_space(in, p); }

    // --- writing ---------------------------------------------------------------------------------------------------------

    static Header header(const FieldFacts &field) {
        return field.name ? header_of(field.id, field.type) : Header{{0}, 16, WireType::stop, 0};
    }

    static Header header_of(int32_t id, WireType type);

    static SPARPACK_INLINE uint8_t *open_struct(Writer &w, uint8_t *p, Frame &, size_t, bool) { return put(w, p, '{'); }

    static SPARPACK_INLINE uint8_t *write_known(Writer &w, uint8_t *p, Frame &frame, const Header &header) {
        size_t skip = frame.some ? 0 : between;
        frame.some = true;
        writer_check(w, p, header_max);
        memcpy(p, header.bytes + skip, header_max);
        return p + header.size - skip;
    }

    static uint8_t *write_field(Writer &w, uint8_t *p, Frame &frame, int32_t id, WireType type) {
        return write_known(w, p, frame, header_of(id, type));
    }

    static SPARPACK_INLINE uint8_t *close_struct(Writer &w, uint8_t *p, const Frame &frame) {
        writer_check(w, p, close_max);
        memcpy(p, "}}", 2);
        return p + 1 + frame.some;
    }

    // The comma behind the number belongs to the first element.
    static uint8_t *write_list(Writer &w, uint8_t *p, WireType type, size_t count) {
        p = put_type(w, put(w, p, '['), type);
        p = unsigned_write(w, p, count);
        *p = ',';
        return p + (count > 0);
    }

    static uint8_t *write_map(Writer &w, uint8_t *p, WireType key, WireType value, size_t count) {
        p = put_type(w, put_type(w, put(w, p, '['), key), value);
        p = unsigned_write(w, p, count);
        return put(w, put(w, p, ','), '{');
    }

    static SPARPACK_INLINE uint8_t *write_next(Writer &w, uint8_t *p, size_t index) {
        writer_check(w, p, 1);
        *p = ',';
        return p + (index > 0);
    }
    static SPARPACK_INLINE uint8_t *write_next_value(Writer &w, uint8_t *p) { return put(w, p, ':'); }
    static SPARPACK_INLINE uint8_t *close_list(Writer &w, uint8_t *p) { return put(w, p, ']'); }
    static SPARPACK_INLINE uint8_t *close_map(Writer &w, uint8_t *p) { return put(w, put(w, p, '}'), ']'); }

    static SPARPACK_INLINE uint8_t *write_bool(Writer &w, uint8_t *p, Frame *, bool value) {
        return put(w, p, value ? '1' : '0');
    }
};

}  // namespace sparpack

#include "json_events.hpp"
#include "json_key.hpp"
