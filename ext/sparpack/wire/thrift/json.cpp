// What Thrift's JSON protocol has between scalars, such as headers of fields, and scalars that are written in unusual ways.
#include "json.hpp"

namespace sparpack {

const uint8_t *ThriftJsonText::expect_late(Input &in, const uint8_t *p, uint8_t byte, Status status) {
    p = JsonScan::skip_space(in, p);
    return p < in.end && *p == byte ? p + 1 : JsonScan::fail_at(in, p, status);
}

const uint8_t *ThriftJsonText::read_odd_type(Input &in, const uint8_t *p, WireType *type) {
    constexpr ptrdiff_t longest = 2 + 3 * 6;  // three characters as escapes
    const uint8_t *begin, *end;
    uint8_t room[3];
    *type = WireType::stop;
    const uint8_t *start = p = JsonScan::skip_space(in, p);
    if (p == in.end || *p != '"') return JsonScan::fail_at(in, p, Status::bad_json);
    // No more is looked at, so that a name is refused for the same reason however much of it is there.
    const uint8_t *input_end = in.end;
    bool all_there = input_end - start >= longest;
    if (all_there) in.end = start + longest;
    p = JsonScan::quoted(in, p, room, &begin, &end);
    in.end = input_end;
    if (!p) return all_there && in.status == Status::truncated ? input_fail(in, Status::bad_wire_type, start) : nullptr;
    size_t size = end ? static_cast<size_t>(end - begin) : 0;
    if (size == 2) *type = type_of(letters(begin[0], begin[1]));
    if (size == 3) *type = type_of(letters(begin[0], begin[1], begin[2]));
    return p;
}

const uint8_t *ThriftJsonText::number_fail(Input &in, const uint8_t *p, bool quoted, bool integer) {
    event::Decimal number;
    const uint8_t *q = p;
    if (q == in.end) return input_fail(in, Status::truncated, q);
    JsonText::Token token = JsonText::read_number(q, in.end, false, number);
    if (token == JsonText::Token::cut) return input_cut(in, in.end, 0);  // it may end here
    bool whole = token == JsonText::Token::ok && quoted == (*q == '"');
    if (!whole || (integer && !number.integer)) return input_fail(in, Status::bad_text, p);
    return input_fail(in, integer ? Status::integer_too_large : Status::real_too_large, p);
}

int ThriftJson::next_field(Input &in, const uint8_t *&p, Frame &frame, const FieldTable &table, uint32_t hint) {
    if (frame.some && SPARPACK_UNLIKELY(!(p = expect(in, p, '}')))) return next_failed;
    p = JsonScan::skip_space(in, p);
    if (SPARPACK_UNLIKELY(p == in.end)) return input_fail(in, Status::truncated, p), next_failed;
    if (*p == '}') return p++, next_end;
    if (frame.some && SPARPACK_UNLIKELY(!(p = expect(in, p, ',')))) return next_failed;
    const uint8_t *start = JsonScan::skip_space(in, p);
    int64_t id = 0;
    if (SPARPACK_UNLIKELY(!(p = read_id(in, start, &id)))) return next_failed;
    if (SPARPACK_UNLIKELY(!(p = expect(in, p, ':')) || !(p = expect(in, p, '{')))) return next_failed;
    const uint8_t *name = JsonScan::skip_space(in, p);
    if (SPARPACK_UNLIKELY(!(p = read_type(in, name, &frame.type)))) return next_failed;
    if (SPARPACK_UNLIKELY(frame.type == WireType::stop)) return input_fail(in, Status::bad_wire_type, name), next_failed;
    if (SPARPACK_UNLIKELY(!(p = expect(in, p, ':')))) return next_failed;
    frame.some = true;
    frame.id = static_cast<int32_t>(id);
    int index = table.find(frame.id, hint);
    if (SPARPACK_UNLIKELY(index < 0)) return next_unknown;
    frame.index = index;
    return SPARPACK_LIKELY(table.keys[index].type == frame.type) ? index : next_mismatch;
}

// Refuses a name at the first byte that cannot belong to an id, so the reason is the same however many bytes have come.
const uint8_t *ThriftJson::id_fail(Input &in, const uint8_t *p) {
    constexpr int digits_max = 5;
    const uint8_t *digits = p + (p < in.end && *p == '-'), *q = digits;
    while (q < in.end && q - digits < digits_max && is_digit(*q)) q++;
    if (q == in.end) return input_fail(in, Status::truncated, q);
    bool is_number = q > digits && *digits != '0' && (*q == '"' || is_digit(*q));
    return input_fail(in, is_number ? Status::bad_field_id : Status::bad_field_name, p - 1);
}

const uint8_t *ThriftJson::read_count(Input &in, const uint8_t *p, size_t *count) {
    int64_t number = 0;
    if (SPARPACK_UNLIKELY(!(p = expect(in, p, ',')))) return nullptr;
    const uint8_t *start = p = JsonScan::skip_space(in, p);
    if (SPARPACK_UNLIKELY(!(p = read_i64(in, p, &number)))) {
        // So many digits are too large a number, wherever they end.
        bool too_long = input_left(in, start) > 2 * integer_text_max;
        if (in.status != Status::truncated || too_long) input_fail(in, Status::bad_count, start);
        return nullptr;
    }
    if (SPARPACK_UNLIKELY(number < 0)) return input_fail(in, Status::negative_size, start);
    *count = static_cast<size_t>(number);
    return p;
}

const uint8_t *ThriftJson::open_list(Input &in, const uint8_t *p, WireType *type, size_t *count) {
    if (SPARPACK_UNLIKELY(!(p = expect(in, p, '[')))) return nullptr;
    const uint8_t *name = JsonScan::skip_space(in, p);
    if (SPARPACK_UNLIKELY(!(p = read_type(in, name, type)) || !(p = read_count(in, p, count)))) return nullptr;
    if (SPARPACK_UNLIKELY(*type == WireType::stop && *count != 0)) return input_fail(in, Status::bad_wire_type, name);
    return p;
}

const uint8_t *ThriftJson::open_map(Input &in, const uint8_t *p, WireType *key, WireType *value, size_t *count) {
    if (SPARPACK_UNLIKELY(!(p = expect(in, p, '[')))) return nullptr;
    const uint8_t *name = JsonScan::skip_space(in, p);
    if (SPARPACK_UNLIKELY(!(p = read_type(in, name, key)) || !(p = expect(in, p, ',')))) return nullptr;
    if (SPARPACK_UNLIKELY(!(p = read_type(in, p, value)) || !(p = read_count(in, p, count)))) return nullptr;
    if (SPARPACK_UNLIKELY(!(p = expect(in, p, ',')) || !(p = expect(in, p, '{')))) return nullptr;
    if (*count == 0) return p;
    if (SPARPACK_UNLIKELY(*key == WireType::stop || *value == WireType::stop))
        return input_fail(in, Status::bad_wire_type, name);
    return SPARPACK_LIKELY(!is_container(*key)) ? p : input_fail(in, Status::key_not_scalar, name);
}

NextElement ThriftJson::no_element(Input &in, const uint8_t *p, uint8_t end) {
    const uint8_t *q = JsonScan::skip_space(in, p);
    Status status = q == in.end ? Status::truncated : *q == end ? Status::bad_count : Status::bad_json;
    return input_fail(in, status, q), NextElement::failed;
}

const uint8_t *ThriftJson::read_odd_double(Input &in, const uint8_t *p, double *value) {
    p = JsonScan::skip_space(in, p);
    if (p < in.end && *p == '"') return read_quoted_double(in, p + 1, value);
    const uint8_t *end = double_read(p, in.end, value);
    if (end && end < in.end && !JsonText::is_word(*end) && is_finite(*value)) return end;
    return number_fail(in, p, false, false);
}

const uint8_t *ThriftJson::read_quoted_double(Input &in, const uint8_t *p, double *value) {
    const uint8_t *end = double_read(p, in.end, value);
    if (end && end < in.end && *end == '"' && is_finite(*value)) return end + 1;
    StringBytes text;
    if (!(end = JsonScan::string(in, p - 1, &text))) return nullptr;
    size_t minus = *p == '-';
    if (text.size == 3 && memcmp(p, "NaN", 3) == 0) return *value = __builtin_nan(""), end;
    if (text.size == 8 + minus && memcmp(p + minus, "Infinity", 8) == 0)
        return *value = minus ? -__builtin_inf() : __builtin_inf(), end;
    return number_fail(in, p, true, false);
}

const uint8_t *ThriftJson::read_uuid_bytes(Input &in, const uint8_t *p, uint8_t *bytes) {
    const uint8_t *begin, *end, *start;
    uint8_t room[uuid_text];
    if (SPARPACK_UNLIKELY(!(start = p = expect(in, p, '"', Status::bad_text)))) return nullptr;
    if (SPARPACK_UNLIKELY(!(p = JsonScan::quoted(in, p - 1, room, &begin, &end)))) return nullptr;
    bool is_uuid = end && uuid_parse(reinterpret_cast<const char *>(begin), static_cast<size_t>(end - begin), bytes);
    return SPARPACK_LIKELY(is_uuid) ? p : input_fail(in, Status::bad_uuid, start);
}

ThriftJson::Header ThriftJson::header_of(int32_t id, WireType type) {
    Header header = {{0}, 0, type, id};
    Writer w{};
    w.end = header.bytes + sizeof header.bytes;
    uint8_t *p = writer_reserve(w, header.bytes, sizeof header.bytes);
    memcpy(p, "},\"", 3);
    p = integer_write(w, p + 3, id);
    memcpy(p, "\":{", 3);
    p = put_type(w, p + 3, type);
    p[-1] = ':';
    header.size = static_cast<uint8_t>(p - header.bytes);
    memset(p, 0, sizeof header.bytes - header.size);
    return header;
}

template <int bits> const uint8_t *ThriftJson::read_odd_integer(Input &in, const uint8_t *p, int64_t *value) {
    p = JsonScan::skip_space(in, p);
    bool quoted = p < in.end && *p == '"';
    const uint8_t *start = p + quoted, *end = integer_read<bits>(start, in.end, value);
    if (end && end < in.end && (quoted ? *end == '"' : !JsonText::is_word(*end))) return end + quoted;
    return number_fail(in, start, quoted, true);
}

template const uint8_t *ThriftJson::read_odd_integer<8>(Input &, const uint8_t *, int64_t *);
template const uint8_t *ThriftJson::read_odd_integer<16>(Input &, const uint8_t *, int64_t *);
template const uint8_t *ThriftJson::read_odd_integer<32>(Input &, const uint8_t *, int64_t *);
template const uint8_t *ThriftJson::read_odd_integer<64>(Input &, const uint8_t *, int64_t *);

template <int bits> const uint8_t *ThriftJson::Key::read_integer(Input &in, const uint8_t *p, int64_t *value) {
    if (SPARPACK_UNLIKELY(!(p = expect(in, p, '"')))) return nullptr;
    const uint8_t *end = integer_read<bits>(p, in.end, value);
    if (SPARPACK_LIKELY(end && end < in.end && *end == '"')) return end + 1;
    return number_fail(in, p, true, true);
}

template const uint8_t *ThriftJson::Key::read_integer<8>(Input &, const uint8_t *, int64_t *);
template const uint8_t *ThriftJson::Key::read_integer<16>(Input &, const uint8_t *, int64_t *);
template const uint8_t *ThriftJson::Key::read_integer<32>(Input &, const uint8_t *, int64_t *);
template const uint8_t *ThriftJson::Key::read_integer<64>(Input &, const uint8_t *, int64_t *);

}  // namespace sparpack
