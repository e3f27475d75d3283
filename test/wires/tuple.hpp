// A wire for the tests: fields go by position, and everything is counted. Each value says its type, also within containers.
// Headers are large, a number takes 21 bytes, text is apart from binary, and a union begins with which field it holds.
//
//   struct   type, count (4 bytes), for each position a header (40 bytes) and a value or the byte `absent`
//   union    type, position (4 bytes), value
//   list     type, count (4 bytes), values; a map has pairs
//   string   type, size (4 bytes), bytes
//   integer  type, 21 characters: a sign and 20 digits
//   others   type, big-endian bytes
#pragma once

#include "wire/contract.hpp"
#include "wire/events.hpp"

namespace sparpack {

struct Tuple {
    static constexpr WireTraits traits = [] {
        WireTraits tuple{};
        tuple.fields = FieldsBy::position;
        tuple.opens_structs = true;
        tuple.counts_fields = true;
        return tuple;
    }();

    enum Tag : uint8_t {
        absent = 0,
        tag_bool = 1,
        tag_i8,
        tag_i16,
        tag_i32,
        tag_i64,
        tag_double,
        tag_text,
        tag_binary,
        tag_uuid,
        tag_list,
        tag_map,
        tag_struct,
        tag_union
    };

    struct Frame {
        uint32_t next = 0;   // the position whose header comes next
        uint32_t count = 0;  // of positions
        uint32_t met = 0;    // the position that next_field met last
        bool is_union = false;
    };

    struct Header {
        uint32_t position;
        bool end;  // behind the last field
    };

    using Key = Tuple;
    using Reader = Tuple;
    using WrittenAs = Tuple;
    struct Events;

    static constexpr size_t header_size = 40;
    static constexpr size_t digits = 21;

    static constexpr size_t header_max = header_size;
    static constexpr size_t scalar_max = 1 + digits;
    static constexpr size_t number_max = 1 + digits;
    static constexpr size_t open_max = 5;
    static constexpr size_t close_max = 0;
    static constexpr size_t string_room(size_t size) { return 5 + size; }

    static Header header(const FieldFacts &field) { return {field.index, field.name == nullptr}; }
    static size_t positions(const Header &end) { return end.position; }

    static FoundField found(const Frame &frame) {
        FoundField field;
        field.id = static_cast<int32_t>(frame.met);
        return field;
    }

    // --- reading -------------------------------------------------------------------------------------------------

    static const char *name_of(uint8_t tag) {
        static constexpr const char *names[] = {"nothing", "bool",   "i8",   "i16",  "i32", "i64",    "double",
                                                "text",    "binary", "uuid", "list", "map", "struct", "union"};
        return tag <= tag_union ? names[tag] : nullptr;
    }

    // Statuses: truncated, bad_wire_type, mismatch.
    static const uint8_t *expect(Input &in, const uint8_t *p, Tag tag, size_t size) {
        if (p == in.end) return input_fail(in, Status::truncated, p);
        if (!name_of(*p)) return input_fail(in, Status::bad_wire_type, p);
        if (*p != tag) return input_mismatch(in, p, name_of(*p));
        return input_need(in, p + 1, size);
    }

    static const uint8_t *read_u32(Input &in, const uint8_t *p, uint32_t *number) {
        if (!input_need(in, p, sizeof *number)) return nullptr;
        *number = big_endian(load<uint32_t>(p));
        return p + sizeof *number;
    }

    static const uint8_t *open_struct(Input &in, const uint8_t *p, Frame &frame, bool is_union) {
        const uint8_t *start = p;
        if (!(p = expect(in, p, is_union ? tag_union : tag_struct, 0))) return nullptr;
        frame.is_union = is_union;
        frame.count = 1;
        if (is_union) return p;
        if (!(p = read_u32(in, p, &frame.count))) return nullptr;
        bool fits = input_left(in, p) / (header_size + 1) >= frame.count;
        return fits ? p : input_fail(in, Status::truncated, start);
    }

    static bool next_known(const Input &in, const uint8_t *&p, Frame &frame, const Header &header) {
        if (header.end || frame.is_union || frame.next != header.position || frame.next == frame.count) return false;
        if (input_left(in, p) <= header_size || p[header_size] == absent) return false;
        if (big_endian(load<uint32_t>(p)) != header.position) return false;
        frame.met = frame.next++;
        p += header_size;
        return true;
    }

    static int next_field(Input &in, const uint8_t *&p, Frame &frame, const FieldTable &table, uint32_t) {
        while (frame.next < frame.count) {
            if (!input_need(in, p, frame.is_union ? 4 : header_size + 1)) return next_failed;
            frame.met = big_endian(load<uint32_t>(p));
            if (!frame.is_union && frame.met != frame.next) return input_fail(in, Status::bad_field_id, p), next_failed;
            frame.next++;
            p += frame.is_union ? 4 : header_size;
            if (!frame.is_union && *p == absent) {
                p++;
                continue;
            }
            return frame.met < table.count ? static_cast<int>(frame.met) : next_unknown;
        }
        return next_end;
    }

    static const uint8_t *read_bool(Input &in, const uint8_t *p, const Frame *, bool *value) {
        if (!(p = expect(in, p, tag_bool, 1))) return nullptr;
        *value = *p != 0;
        return p + 1;
    }

    // Statuses: those of expect, integer_too_large.
    static const uint8_t *read_number(Input &in, const uint8_t *p, Tag tag, int bits, int64_t *value) {
        const uint8_t *start = p;
        if (!(p = expect(in, p, tag, digits))) return nullptr;
        bool negative = *p == '-';
        uint64_t number = 0;
        for (size_t i = 1; i < digits; i++) {
            if (p[i] < '0' || p[i] > '9') return input_fail(in, Status::integer_too_large, start);
            number = number * 10 + (p[i] - uint8_t{'0'});
        }
        uint64_t limit = uint64_t{1} << (bits - 1);
        if (number > limit - !negative) return input_fail(in, Status::integer_too_large, start);
        *value = static_cast<int64_t>(negative ? 0 - number : number);
        return p + digits;
    }

    static const uint8_t *read_i8(Input &in, const uint8_t *p, int64_t *value) {
        return read_number(in, p, tag_i8, 8, value);
    }
    static const uint8_t *read_i16(Input &in, const uint8_t *p, int64_t *value) {
        return read_number(in, p, tag_i16, 16, value);
    }
    static const uint8_t *read_i32(Input &in, const uint8_t *p, int64_t *value) {
        return read_number(in, p, tag_i32, 32, value);
    }
    static const uint8_t *read_i64(Input &in, const uint8_t *p, int64_t *value) {
        return read_number(in, p, tag_i64, 64, value);
    }

    static const uint8_t *read_double(Input &in, const uint8_t *p, double *value) {
        if (!(p = expect(in, p, tag_double, 8))) return nullptr;
        uint64_t bits = big_endian(load<uint64_t>(p));
        memcpy(value, &bits, sizeof bits);
        return p + 8;
    }

    static const uint8_t *read_string(Input &in, const uint8_t *p, Tag tag, StringBytes *string) {
        uint32_t size = 0;
        if (!(p = expect(in, p, tag, 4)) || !(p = read_u32(in, p, &size)) || !input_need(in, p, size)) return nullptr;
        *string = {p, size, size};
        return p + size;
    }
    static const uint8_t *read_text(Input &in, const uint8_t *p, StringBytes *string) {
        return read_string(in, p, tag_text, string);
    }
    static const uint8_t *read_binary(Input &in, const uint8_t *p, StringBytes *string) {
        return read_string(in, p, tag_binary, string);
    }

    static const uint8_t *read_uuid_bytes(Input &in, const uint8_t *p, uint8_t *bytes) {
        if (!(p = expect(in, p, tag_uuid, uuid_bytes))) return nullptr;
        memcpy(bytes, p, uuid_bytes);
        return p + uuid_bytes;
    }

    static const uint8_t *read_count(Input &in, const uint8_t *p, Tag tag, size_t *count, size_t smallest) {
        uint32_t number = 0;
        if (!(p = expect(in, p, tag, 4)) || !(p = read_u32(in, p, &number))) return nullptr;
        if (input_left(in, p) / smallest < number) return input_fail(in, Status::truncated, p);
        *count = number;
        return p;
    }
    static const uint8_t *read_list(Input &in, const uint8_t *p, WireType, size_t *count) {
        return read_count(in, p, tag_list, count, 2);
    }
    static const uint8_t *read_map(Input &in, const uint8_t *p, WireType, WireType, size_t *count) {
        return read_count(in, p, tag_map, count, 4);
    }

    // --- writing -------------------------------------------------------------------------------------------------

    static uint8_t *put_tag(Writer &w, uint8_t *p, Tag tag) { return writer_put(w, p, static_cast<uint8_t>(tag)); }
    static uint8_t *put_u32(Writer &w, uint8_t *p, size_t number) {
        return writer_put(w, p, big_endian(static_cast<uint32_t>(number)));
    }

    static uint8_t *open_struct(Writer &w, uint8_t *p, Frame &frame, size_t count, bool is_union) {
        frame.is_union = is_union;
        p = put_tag(w, p, is_union ? tag_union : tag_struct);
        return is_union ? p : put_u32(w, p, count);
    }

    static uint8_t *put_header(Writer &w, uint8_t *p, Frame &frame) {
        p = put_u32(w, p, frame.next++);
        for (size_t i = 4; i < header_size; i++) p = writer_put(w, p, uint8_t{0x5a});
        return p;
    }

    static uint8_t *write_absent(Writer &w, uint8_t *p, Frame &frame, const Header &) {
        return put_tag(w, put_header(w, p, frame), absent);
    }

    static uint8_t *write_known(Writer &w, uint8_t *p, Frame &frame, const Header &header) {
        return frame.is_union ? put_u32(w, p, header.position) : put_header(w, p, frame);
    }

    static uint8_t *close_struct(Writer &, uint8_t *p, Frame &) { return p; }

    static uint8_t *write_bool(Writer &w, uint8_t *p, Frame *, bool value) {
        return writer_put(w, put_tag(w, p, tag_bool), static_cast<uint8_t>(value));
    }

    static uint8_t *put_number(Writer &w, uint8_t *p, Tag tag, int64_t value) {
        p = put_tag(w, p, tag);
        uint64_t number = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
        writer_check(w, p, digits);
        for (size_t i = digits; i-- > 1; number /= 10) p[i] = static_cast<uint8_t>('0' + number % 10);
        *p = value < 0 ? '-' : '+';
        return p + digits;
    }
    static uint8_t *write_i8(Writer &w, uint8_t *p, int64_t value) { return put_number(w, p, tag_i8, value); }
    static uint8_t *write_i16(Writer &w, uint8_t *p, int64_t value) { return put_number(w, p, tag_i16, value); }
    static uint8_t *write_i32(Writer &w, uint8_t *p, int64_t value) { return put_number(w, p, tag_i32, value); }
    static uint8_t *write_i64(Writer &w, uint8_t *p, int64_t value) { return put_number(w, p, tag_i64, value); }

    static uint8_t *write_double(Writer &w, uint8_t *p, double value) {
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        return writer_put(w, put_tag(w, p, tag_double), big_endian(bits));
    }

    static uint8_t *put_string(Writer &w, uint8_t *p, Tag tag, const uint8_t *data, size_t size) {
        p = put_u32(w, put_tag(w, p, tag), size);
        writer_check(w, p, size);
        copy_bytes(p, data, size);
        return p + size;
    }
    static uint8_t *write_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return put_string(w, p, tag_text, data, size);
    }
    static uint8_t *write_short_text(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return write_text(w, p, data, size);
    }
    static uint8_t *write_binary(Writer &w, uint8_t *p, const uint8_t *data, size_t size) {
        return put_string(w, p, tag_binary, data, size);
    }

    static uint8_t *write_uuid(Writer &w, uint8_t *p, const uint8_t *bytes) {
        p = put_tag(w, p, tag_uuid);
        writer_check(w, p, uuid_bytes);
        memcpy(p, bytes, uuid_bytes);
        return p + uuid_bytes;
    }

    static uint8_t *write_list(Writer &w, uint8_t *p, WireType, size_t count) {
        return put_u32(w, put_tag(w, p, tag_list), count);
    }
    static uint8_t *write_map(Writer &w, uint8_t *p, WireType, WireType, size_t count) {
        return put_u32(w, put_tag(w, p, tag_map), count);
    }
};

// The grammar. Each value says what it is, so nothing else needs to be known.
struct Tuple::Events {
    struct Level {
        Frame frame;    // of a struct or a union
        uint64_t left;  // elements, or keys and values, still to come
        Tag kind;       // absent for the level outside of all others
        bool at_value;  // a field's header was read, and its value comes next
    };

    static Level whole() { return {Frame(), 1, absent, false}; }
    static Level field_value(const Frame &frame) { return {frame, 1, absent, true}; }
    static bool is_done(const Level &level) { return level.kind == absent && level.left == 0; }
    static size_t least(const Level &level, bool reading) {
        return level.kind == tag_list || level.kind == tag_map ? static_cast<size_t>(level.left) - reading : 0;
    }
    static bool is_still_cut(const uint8_t *, size_t &, const uint8_t *) { return false; }

    template <class Emit> static Step next(Level &level, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        bool is_struct = level.kind == tag_struct || level.kind == tag_union;
        if (is_struct && !level.at_value) return header(level, in, p, emit);
        if (!is_struct && level.kind != absent && level.left == 0) return emit.close({{p, p}, container(level.kind)});
        event::Place place = level.at_value           ? event::Place::field
                             : level.kind == absent   ? event::Place::whole
                             : level.kind == tag_list ? event::Place::element
                             : level.left % 2         ? event::Place::value
                                                      : event::Place::key;
        const uint8_t *q = p;
        Step step = value(place, inner, in, q, emit);
        if (step == Step::failed) return step;
        p = q;
        level.at_value = false;
        level.left -= !is_struct;
        return step;
    }

private:
    static event::Container container(Tag tag) {
        return tag == tag_list ? event::Container::list : tag == tag_map ? event::Container::map : event::Container::struct_;
    }

    template <class Emit> static Step header(Level &level, Input &in, const uint8_t *&p, const Emit &emit) {
        const Frame before = level.frame;
        const uint8_t *q = p;
        int next = next_field(in, q, level.frame, no_fields, 0);
        Step step = next == next_end       ? emit.close({{p, q}, event::Container::struct_})
                    : next == next_unknown ? emit.field({{p, q}, found(level.frame).id, WireType::stop})
                                           : Step::failed;
        level.at_value = next == next_unknown && step != Step::failed;
        if (step == Step::failed) return level.frame = before, step;
        return p = q, step;
    }

    template <class Emit>
    static Step value(event::Place place, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        if (p == in.end) return input_fail(in, Status::truncated, p), Step::failed;
        const uint8_t *start = p;
        Tag tag = static_cast<Tag>(*p);
        event::Scalar scalar{{start, start}, event::Type::integer, place, WireType::stop, false, {}};
        int64_t number = 0;
        StringBytes string;
        switch (tag) {
        case tag_list:
        case tag_map:
        case tag_struct:
        case tag_union: return open(tag, place, inner, in, p, emit);
        case tag_bool:
            scalar.type = event::Type::boolean;
            p = read_bool(in, p, nullptr, &scalar.boolean);
            break;
        case tag_i8:
        case tag_i16:
        case tag_i32:
        case tag_i64:
            p = read_number(in, p, tag, 64, &number);
            scalar.integer = static_cast<uint64_t>(number);
            scalar.negative = number < 0;
            break;
        case tag_double:
            scalar.type = event::Type::real;
            p = read_double(in, p, &scalar.real);
            break;
        case tag_text:
        case tag_binary:
            scalar.type = tag == tag_text ? event::Type::text : event::Type::bytes;
            p = read_string(in, p, tag, &string);
            scalar.text = {string.data, string.size, string.length, false, false, 0};
            break;
        case tag_uuid:
            scalar.type = event::Type::uuid;
            p = expect(in, p, tag, uuid_bytes);
            scalar.text = {p, uuid_bytes, uuid_bytes, false, false, 0};
            p = p ? p + uuid_bytes : nullptr;
            break;
        case absent:
        default: return input_fail(in, Status::bad_wire_type, start), Step::failed;
        }
        scalar.end = p;
        return p ? emit.scalar(scalar) : Step::failed;
    }

    template <class Emit>
    static Step open(Tag tag, event::Place place, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        if (!inner) return input_fail(in, Status::too_deep, p), Step::failed;
        const uint8_t *start = p;
        Frame frame;
        size_t count = 0;
        if (container(tag) == event::Container::struct_) {
            p = open_struct(in, p, frame, tag == tag_union);
            count = frame.count;
        } else {
            p = read_count(in, p, tag, &count, tag == tag_map ? 4 : 2);
        }
        if (!p) return Step::failed;
        *inner = {frame, tag == tag_map ? uint64_t{2} * count : count, tag, false};
        return emit.open({{start, p}, container(tag), place, count, WireType::stop, WireType::stop});
    }
};

}  // namespace sparpack
