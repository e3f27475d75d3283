// JSON (RFC 8259) as a wire of structs: objects whose members are fields, by name. White space is looked for only where a
// byte is not what it is without any.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "scalars.hpp"

namespace sparpack {

struct Json : JsonScalars {
    static constexpr WireTraits traits = [] {
        WireTraits json{};
        json.fields = FieldsBy::name;
        json.opens_structs = true;
        json.keeps = Kept::members;
        json.counts_elements = false;
        json.raw_strings = false;
        json.checks_text = true;
        json.quotes_keys = true;
        json.spaces = true;
        json.prepares_names = true;
        json.text = true;
        json.enum_names = true;
        json.integer_text = true;
        json.a_struct = "an object";
        json.arrays = true;
        return json;
    }();

    // `lead` is what stands before the next name: the brace that opens the struct, or a comma. That byte was not read or
    // written yet.
    struct Frame {
        uint8_t lead = '{';
        bool is_union = false;
        bool stops_at_nil = false;      // next_field does not pass over a field that is null
        const uint8_t *name = nullptr;  // as it stands in the text
        size_t name_size = 0;
    };

    // `prepared` is ,"name": and nullptr behind the last field.
    struct Header {
        const uint8_t *prepared;
        uint32_t prepared_size;
        size_t room_before;  // of the names of all fields before this one
    };

    using Reader = Json;
    using WrittenAs = Json;
    struct Key;
    struct Events;

    static constexpr size_t header_max = 16;  // without the name
    static constexpr size_t open_max = 1;
    static constexpr size_t close_max = 2;
    static constexpr size_t name_room(size_t size) { return whole_words(4 + 6 * size) + 16; }

    static Header header(const FieldFacts &) { return {}; }

    static size_t prepare_name(const FieldFacts &field, uint8_t *to) {
        const FieldName &name = *field.name;
        Writer w{};
        w.begin = to;
        w.end = to + name_room(name.size);
        uint8_t *p = writer_reserve(w, to, name_room(name.size));
        *p++ = ',';
        p = JsonScan::write_string(w, p, name.data, name.size);
        *p++ = ':';
        return static_cast<size_t>(p - to);
    }

    static FoundField found(const Frame &frame) {
        FoundField field;
        field.name = frame.name;
        field.name_size = frame.name_size;
        return field;
    }

    // --- reading -------------------------------------------------------------------------------------------------------

    static constexpr char mark[] = "\xef\xbb\xbf";

    // Passes over what may stand before a payload: white space and a byte order mark.
    static const uint8_t *begin_payload(const Input &in, const uint8_t *p) {
        p = JsonScan::skip_space(in, p);
        bool marked = input_left(in, p) >= 3 && memcmp(p, mark, 3) == 0;
        return marked ? JsonScan::skip_space(in, p + 3) : p;
    }

    static const uint8_t *end_payload(const Input &in, const uint8_t *p) { return JsonScan::skip_space(in, p); }

    // The brace is left to what reads the first name.
    static SPARPACK_INLINE const uint8_t *open_struct(Input &in, const uint8_t *p, Frame &frame, bool is_union) {
        frame.is_union = is_union;
        return SPARPACK_LIKELY(p < in.end && *p == '{') ? p : fail_struct(in, p);
    }

    // A value that may be null is left to next_field, and so is white space.
    static SPARPACK_INLINE bool next_known(const Input &in, const uint8_t *&p, Frame &frame, const Header &header) {
        const size_t size = header.prepared_size;
        if (SPARPACK_UNLIKELY(input_left(in, p) <= larger(size, 16) || *p != frame.lead ||
                              !name_equal(p, header.prepared, size)))
            return false;
        uint8_t next = p[size];
        if (SPARPACK_UNLIKELY(next <= ' ' || next == 'n')) return false;
        frame.lead = ',';
        p += size;
        return true;
    }

    // Returns the index of the next field. Passes over those that are null. Statuses: truncated, json_separator, json_name,
    // json_colon, and those of a string.
    static SPARPACK_INLINE int next_field(Input &in, const uint8_t *&p, Frame &frame, const FieldTable &table,
                                          uint32_t hint) {
        if (SPARPACK_LIKELY(p < in.end && *p == '}' && frame.lead == ',')) return p++, next_end;
        return search_field(in, p, frame, table, hint);
    }

    static SPARPACK_INLINE NextElement next_element(Input &in, const uint8_t *&p, size_t index, size_t) {
        if (SPARPACK_LIKELY(index > 0 && input_left(in, p) >= 2)) {
            if (*p == ',' && p[1] > ' ') return p++, NextElement::element;
            if (*p == ']') return p++, NextElement::end;
        }
        return next_of(in, p, index, ']');
    }

    static SPARPACK_INLINE NextElement next_key(Input &in, const uint8_t *&p, size_t index, size_t) {
        NextElement next = next_of(in, p, index, '}');
        bool no_key = next == NextElement::element && *p != '"';
        return no_key ? (JsonScan::fail_at(in, p, Status::json_name), NextElement::failed) : next;
    }

    static SPARPACK_INLINE const uint8_t *next_value(Input &in, const uint8_t *p) {
        if (SPARPACK_LIKELY(input_left(in, p) >= 2 && *p == ':' && p[1] > ' ')) return p + 1;
        p = JsonScan::skip_space(in, p);
        if (p == in.end || *p != ':') return JsonScan::fail_at(in, p, Status::json_colon);
        return JsonScan::skip_space(in, p + 1);
    }

    static SPARPACK_INLINE const uint8_t *read_list(Input &in, const uint8_t *p, WireType, size_t *) {
        return SPARPACK_LIKELY(p < in.end && *p == '[') ? p + 1 : JsonScan::fail_value(in, p);
    }
    static SPARPACK_INLINE const uint8_t *read_map(Input &in, const uint8_t *p, WireType, WireType, size_t *) {
        return SPARPACK_LIKELY(p < in.end && *p == '{') ? p + 1 : JsonScan::fail_value(in, p);
    }

    static SPARPACK_INLINE const uint8_t *read_bool(Input &in, const uint8_t *p, const Frame *, bool *value) {
        if (p < in.end && *p == 't') return *value = true, JsonScan::literal(in, p, "true");
        if (p < in.end && *p == 'f') return *value = false, JsonScan::literal(in, p, "false");
        return JsonScan::fail_value(in, p);
    }

    static SPARPACK_INLINE const uint8_t *read_i8(Input &in, const uint8_t *p, int64_t *value) {
        return JsonScan::integer<8>(in, p, value);
    }
    static SPARPACK_INLINE const uint8_t *read_i16(Input &in, const uint8_t *p, int64_t *value) {
        return JsonScan::integer<16>(in, p, value);
    }
    static SPARPACK_INLINE const uint8_t *read_i32(Input &in, const uint8_t *p, int64_t *value) {
        return JsonScan::integer<32>(in, p, value);
    }

    static SPARPACK_INLINE const uint8_t *read_i64(Input &in, const uint8_t *p, int64_t *value) {
        if (SPARPACK_UNLIKELY(p < in.end && *p == '"')) return quoted_integer<64>(in, p, value);
        return JsonScan::integer<64>(in, p, value);
    }

    static SPARPACK_INLINE const uint8_t *read_double(Input &in, const uint8_t *p, double *value) {
        if (SPARPACK_UNLIKELY(p < in.end && *p == '"')) return read_not_finite(in, p, value);
        return JsonScan::real(in, p, value);
    }

    // Statuses: those of a string, bad_uuid.
    static const uint8_t *read_uuid_bytes(Input &in, const uint8_t *p, uint8_t *bytes) {
        const uint8_t *start = p, *begin, *end;
        uint8_t room[uuid_text];
        if (!(p = JsonScan::quoted(in, p, room, &begin, &end))) return nullptr;
        bool is_uuid = end && uuid_parse(reinterpret_cast<const char *>(begin), static_cast<size_t>(end - begin), bytes);
        return is_uuid ? p : input_fail(in, Status::bad_uuid, start);
    }

    static bool next_is_text(const Input &in, const uint8_t *p) { return p < in.end && *p == '"'; }

    static SPARPACK_INLINE const uint8_t *read_text(Input &in, const uint8_t *p, StringBytes *string) {
        return JsonScan::string(in, p, string);
    }
    static const uint8_t *read_binary(Input &in, const uint8_t *p, StringBytes *string) {
        return JsonScan::base64(in, p, string);
    }

    // Returns the index of the field with this name, or -1. `hint` is the index that is expected.
    static SPARPACK_INLINE int find(const FieldTable &table, const StringBytes &name, uint32_t hint) {
        return name.escaped ? find_escaped(table, name, hint) : table.find_name(name.data, name.size, hint);
    }

    // --- writing -------------------------------------------------------------------------------------------------------

    static SPARPACK_INLINE uint8_t *open_struct(Writer &, uint8_t *p, Frame &, size_t, bool) { return p; }

    static SPARPACK_INLINE uint8_t *write_known(Writer &w, uint8_t *p, Frame &frame, const Header &header) {
        const size_t size = header.prepared_size;
        writer_check(w, p, whole_pairs(size));
        const uint8_t *name = header.prepared;
        memcpy(p, name, 16);
        for (size_t at = 16; SPARPACK_UNLIKELY(at < size); at += 16) memcpy(p + at, name + at, 16);
        *p = frame.lead;
        frame.lead = ',';
        return p + size;
    }

    static SPARPACK_INLINE uint8_t *close_struct(Writer &w, uint8_t *p, Frame &frame) {
        if (SPARPACK_UNLIKELY(frame.lead == '{')) p = put(w, p, '{');
        return put(w, p, '}');
    }

    static uint8_t *write_list(Writer &w, uint8_t *p, WireType, size_t) { return put(w, p, '['); }
    static uint8_t *write_map(Writer &w, uint8_t *p, WireType, WireType, size_t) { return put(w, p, '{'); }
    static SPARPACK_INLINE uint8_t *write_next(Writer &w, uint8_t *p, size_t index) {
        return index > 0 ? put(w, p, ',') : p;
    }
    static uint8_t *write_next_value(Writer &w, uint8_t *p) { return put(w, p, ':'); }
    static uint8_t *close_list(Writer &w, uint8_t *p) { return put(w, p, ']'); }
    static uint8_t *close_map(Writer &w, uint8_t *p) { return put(w, p, '}'); }

    static SPARPACK_INLINE uint8_t *write_bool(Writer &w, uint8_t *p, Frame *, bool value) {
        writer_check(w, p, 5);
        memcpy(p, value ? "true" : "false", value ? 4 : 5);
        return p + (value ? 4 : 5);
    }

    // Counts the bytes of a text that a string escapes.
    static size_t escapes(const uint8_t *data, size_t size) {
        size_t count = 0;
        for (size_t i = 0; i < size; i++) count += data[i] == '"' || data[i] == '\\';
        return count;
    }

    // Turns the JSON text before p into a string, in place. `from` is where it begins, and there is room for `count` escapes
    // and two quotes.
    static uint8_t *quote(Writer &w, uint8_t *from, uint8_t *p, size_t count) {
        writer_check(w, p, count + 2);
        uint8_t *end = p + count + 2, *to = end;
        *--to = '"';
        while (p > from) {
            *--to = *--p;
            if (*p == '"' || *p == '\\') *--to = '\\';
        }
        *from = '"';
        return end;
    }

private:
    // A byte order mark that is cut may be the beginning of a payload, unless one stands there already.
    SPARPACK_COLD static const uint8_t *fail_struct(Input &in, const uint8_t *p) {
        const uint8_t *before = p;
        while (before > in.begin && JsonScan::is_space(before[-1])) before--;
        bool marked = before - in.begin >= 3 && memcmp(before - 3, mark, 3) == 0;
        size_t left = input_left(in, p);
        bool cut = !marked && left < 3 && memcmp(p, mark, left) == 0;
        return cut ? input_fail(in, Status::truncated, in.end) : JsonScan::fail_value(in, p);
    }

    static constexpr size_t whole_pairs(size_t size) { return (size + 15) / 16 * 16; }

    // Compares a prepared name, without the comma, with at least 16 bytes. Behind the last field, the size is 0.
    static SPARPACK_INLINE bool name_equal(const uint8_t *p, const uint8_t *name, size_t size) {
        if (SPARPACK_UNLIKELY(size == 0)) return false;
#ifdef __SSE2__
        uint32_t same = equal_bytes(p, name) | 1u;
        if (size < 16) return ((same | 0xffffu << size) & 0xffff) == 0xffff;
        if (same != 0xffff) return false;
        if (size <= 32) return equal_bytes(p + size - 16, name + size - 16) == 0xffff;
        return memcmp(p + 16, name + 16, size - 16) == 0;
#else
        return memcmp(p + 1, name + 1, size - 1) == 0;
#endif
    }

#ifdef __SSE2__
    // Which of 16 bytes are equal, as 16 bits.
    static SPARPACK_INLINE uint32_t equal_bytes(const uint8_t *a, const uint8_t *b) {
        __m128i left = _mm_loadu_si128(reinterpret_cast<const __m128i *>(a));
        __m128i right = _mm_loadu_si128(reinterpret_cast<const __m128i *>(b));
        return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(left, right)));
    }
#endif

    [[gnu::noinline]] static int search_field(Input &in, const uint8_t *&cursor, Frame &frame, const FieldTable &table,
                                              uint32_t hint) {
        const uint8_t *p = cursor;
        for (;;) {
            p = JsonScan::skip_space(in, p);
            if (frame.lead == '{') {
                if (p == in.end || *p != '{') return JsonScan::fail_at(in, p, Status::bad_json), next_failed;
                p = JsonScan::skip_space(in, p + 1);
                if (p < in.end && *p == '}') return frame.lead = ',', cursor = p + 1, next_end;
            } else {
                if (p < in.end && *p == '}') return cursor = p + 1, next_end;
                if (p == in.end || *p != ',') return JsonScan::fail_at(in, p, Status::json_separator), next_failed;
                p = JsonScan::skip_space(in, p + 1);
            }
            frame.lead = ',';
            if (p == in.end || *p != '"') return JsonScan::fail_at(in, p, Status::json_name), next_failed;
            StringBytes name;
            if (!(p = JsonScan::string(in, p, &name))) return next_failed;
            if (name.text == Text::broken) return input_fail(in, Status::invalid_utf8, name.data - 1), next_failed;
            frame.name = name.data;
            frame.name_size = name.size;
            if (!(p = next_value(in, p))) return next_failed;
            int index = find(table, name, hint);
            bool null = p < in.end && *p == 'n';
            if (null && (index >= 0 || frame.is_union) && SPARPACK_LIKELY(!frame.stops_at_nil)) {
                if (!(p = JsonScan::literal(in, p, "null"))) return next_failed;
                continue;
            }
            cursor = p;
            return index < 0 ? static_cast<int>(next_unknown) : index;
        }
    }

    // A name with escapes. No field has a name that is too long for the room.
    SPARPACK_COLD static int find_escaped(const FieldTable &table, const StringBytes &name, uint32_t hint) {
        uint8_t room[1024];
        if (name.length <= sizeof room) {
            JsonScan::unescape(name, room);
            return table.find_name(room, name.length, hint);
        }
        return table.find_name_if(name.length, [&](const uint8_t *known) {  // there is no room for it, so compare with each
            return JsonText::means(name.data, name.size, known, name.length);
        });
    }

    [[gnu::noinline]] static NextElement next_of(Input &in, const uint8_t *&p, size_t index, uint8_t close) {
        p = JsonScan::skip_space(in, p);
        if (p < in.end && *p == close) return p++, NextElement::end;
        if (index > 0) {
            if (p == in.end || *p != ',') return JsonScan::fail_at(in, p, Status::json_separator), NextElement::failed;
            p = JsonScan::skip_space(in, p + 1);
        }
        if (p == in.end) return input_fail(in, Status::truncated, p), NextElement::failed;
        return NextElement::element;
    }

    // An integer in quotes. Statuses: those of a string, mismatch, integer_too_large.
    template <int bits> [[gnu::noinline]] static const uint8_t *quoted_integer(Input &in, const uint8_t *p, int64_t *value) {
        const uint8_t *start = p, *begin, *end;
        uint8_t room[24];
        if (!(p = JsonScan::quoted(in, p, room, &begin, &end))) return nullptr;
        if (!end) return input_mismatch(in, start, "a string");
        Input text(begin, static_cast<size_t>(end - begin));
        if (JsonScan::integer<bits, true>(text, begin, value) == end) return p;
        if (text.status == Status::integer_too_large) return input_fail(in, text.status, start);
        return input_mismatch(in, start, "a string");
    }

    // A double in quotes that is not finite. Statuses: those of a string, mismatch.
    [[gnu::noinline]] static const uint8_t *read_not_finite(Input &in, const uint8_t *p, double *value) {
        const uint8_t *start = p, *begin, *end;
        uint8_t room[24];
        if (!(p = JsonScan::quoted(in, p, room, &begin, &end))) return nullptr;
        return not_finite_of(begin, end, value) ? p : input_mismatch(in, start, "a string");
    }

    static bool not_finite_of(const uint8_t *begin, const uint8_t *end, double *value) {
        size_t size = end ? static_cast<size_t>(end - begin) : 0;
        auto is = [=](const char *text, size_t length) { return size == length && memcmp(begin, text, length) == 0; };
        if (is("NaN", 3)) return *value = __builtin_nan(""), true;
        if (is("Infinity", 8)) return *value = __builtin_inf(), true;
        if (is("-Infinity", 9)) return *value = -__builtin_inf(), true;
        return false;
    }
};

}  // namespace sparpack

#include "key.hpp"
#include "payload_events.hpp"
