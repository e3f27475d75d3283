// A schema with every type, values of it, and how they are made from random bytes and compared. This is for fuzzers, which
// have no Ruby.
#pragma once

#include <cstring>
#include <vector>

#include "bytes/utf8.hpp"
#include "output.hpp"
#include "wire/contract.hpp"

namespace model {

using namespace sparpack;

enum class Kind : uint8_t { bool_, i8, i16, i32, i64, double_, string, binary, uuid, list, map, struct_, union_ };

struct Schema;

struct Type {
    Kind kind;
    WireType wire;
    const Type *element = nullptr;  // of a list, or the values of a map
    const Type *key = nullptr;
    const Schema *schema = nullptr;

    bool is_compound() const { return kind >= Kind::list; }
};

struct Field {
    int16_t id;
    const char *name;
    Type type;
};

// The fields of a struct or a union in ascending order of ids, and the table in which wires look them up.
struct Schema {
    static constexpr uint32_t names_room = 128;

    const Field *fields;
    uint32_t count;
    bool is_union;
    FieldKey keys[names_room / 2];
    FieldName names[names_room / 2];
    uint16_t dense[32];
    uint32_t by_name[names_room];
    FieldTable table;

    template <uint32_t n>
    Schema(const Field (&all)[n], bool is_a_union)
        : fields(all), count(n), is_union(is_a_union), dense{}, by_name{}, table{} {
        static_assert(n <= names_room / 2, "half of the table of names is empty");
        for (uint16_t &index : dense) index = FieldTable::absent;
        for (uint32_t i = 0; i < n; i++) {
            const uint8_t *name = reinterpret_cast<const uint8_t *>(all[i].name);
            uint32_t size = static_cast<uint32_t>(strlen(all[i].name));
            keys[i] = {all[i].id, all[i].type.wire};
            names[i] = {name, size, static_cast<uint16_t>(i)};
            if (all[i].id < 32) dense[all[i].id] = static_cast<uint16_t>(i);
            uint32_t at = FieldTable::hash_of(name, size) % names_room;
            while (by_name[at]) at = (at + 1) % names_room;
            by_name[at] = i + 1;
        }
        table = {keys, dense, n, 32, names_room - 1, 0, by_name, names};
    }
    Schema(const Schema &) = delete;
};

constexpr Type flag{Kind::bool_, WireType::bool_}, tiny{Kind::i8, WireType::i8}, small{Kind::i16, WireType::i16},
    medium{Kind::i32, WireType::i32}, large{Kind::i64, WireType::i64}, real{Kind::double_, WireType::double_},
    text{Kind::string, WireType::string}, blob{Kind::binary, WireType::string}, uuid{Kind::uuid, WireType::uuid};

constexpr Type list(const Type &element) { return {Kind::list, WireType::list, &element}; }
constexpr Type map(const Type &key, const Type &element) { return {Kind::map, WireType::map, &element, &key}; }
constexpr Type is_struct(const Schema &schema) { return {Kind::struct_, WireType::struct_, nullptr, nullptr, &schema}; }
constexpr Type is_union(const Schema &schema) { return {Kind::union_, WireType::struct_, nullptr, nullptr, &schema}; }

extern const Schema all, choice;

inline constexpr Type any = is_struct(all), one = is_union(choice), numbers = list(medium), larges = list(large),
                      counts = map(text, tiny);

// Names of all the lengths that a wire may compare in another way, and some that need escapes.
inline const Field all_fields[] = {
    {1, "a", flag},
    {2, "of16_with_colon_", tiny},
    {3, "say \"this\"\\", small},
    {4, "\xc3\xa4rger", medium},
    {5, "the_name_has_30_bytes_as_it_is", large},
    {6, "of_seventeen_bytes", real},
    {7, "line\nfeed", text},
    {8, "a_name_that_is_longer_than_two_of_the_widest_registers_which_are_compared", blob},
    {9, "id", uuid},
    {10, "larges", larges},
    {11, "reals", list(real)},
    {12, "texts", list(text)},
    {13, "flags", list(flag)},
    {14, "by_text", map(text, large)},
    {15, "by_number", map(small, real)},
    {16, "by_flag", map(flag, text)},
    {17, "by_real", map(real, blob)},
    {18, "by_id", map(uuid, flag)},
    {19, "by_blob", map(blob, numbers)},
    {20, "rest", any},
    {21, "many", list(any)},
    {22, "choice", one},
    {23, "choices", list(one)},
    {24, "by_large", map(large, any)},
    {25, "lists", list(larges)},
    {26, "maps", list(counts)},
    {27, "keyed", map(numbers, text)},
    {28, "keyed_by_all", map(any, flag)},
    {29, "keyed_by_choice", map(one, flag)},
    {120, "far", flag},
};
inline const Field choice_fields[] = {
    {1, "number", large}, {2, "text", text},       {3, "all", any},
    {4, "choice", one},   {5, "numbers", numbers}, {120, "far", flag},
};
inline const Schema all(all_fields, false), choice(choice_fields, true);

// A scalar is in one of the first three. A list has its elements as parts, and a map its keys and values in turn. A struct
// has a part for each field. So has a union, of which one is set.
struct Value {
    bool set = false;
    int64_t number = 0;
    double real = 0;
    Bytes bytes;
    std::vector<Value> parts;
};

inline bool same(double a, double b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }

inline bool same(const Value &a, const Value &b) {
    if (a.set != b.set || a.number != b.number || !same(a.real, b.real) || a.bytes != b.bytes) return false;
    if (a.parts.size() != b.parts.size()) return false;
    for (size_t i = 0; i < a.parts.size(); i++) {
        if (!same(a.parts[i], b.parts[i])) return false;
    }
    return true;
}

// Whether a value has a struct or a container as a key, which not all wires can write.
inline bool has_compound_keys(const Type &type, const Value &value) {
    if (type.kind == Kind::map && type.key->is_compound() && !value.parts.empty()) return true;
    for (size_t i = 0; i < value.parts.size(); i++) {
        const Value &part = value.parts[i];
        const Type &of = type.schema                            ? type.schema->fields[i].type
                         : type.kind == Kind::map && i % 2 == 0 ? *type.key
                                                                : *type.element;
        if ((part.set || !type.schema) && has_compound_keys(of, part)) return true;
    }
    return false;
}

// Random bytes, and zeros behind their end.
struct Source {
    const uint8_t *p, *end;

    bool empty() const { return p == end; }
    uint8_t next() { return p < end ? *p++ : uint8_t{0}; }
    int64_t number(int size) {
        uint64_t bits = 0;
        for (int i = 0; i < size; i++) bits = bits << 8 | next();
        int shift = 64 - 8 * size;
        return static_cast<int64_t>(bits << shift) >> shift;
    }
};

inline void make_text(Source &source, Bytes &bytes) {
    static const char *const pieces[] = {
        "a", "\"", "\\", "\n", "\x01", "\x7f", "\xc3\xbc", "\xe2\x82\xac", "\xf0\x9f\x9a\xb2", "/", "", "\xef\xbf\xbf"};
    for (int size = source.next() % 24; size > 0; size--) {
        uint8_t byte = source.next();
        if (byte < 0x60) {
            const char *piece = pieces[byte % (sizeof pieces / sizeof *pieces)];
            bytes.insert(bytes.end(), piece, piece + strlen(piece));
        } else {
            bytes.push_back(byte & 0x7f);
        }
    }
}

inline double make_real(Source &source) {
    static const double edges[] = {
        0.0, -0.0, 1.5, 1e300, 5e-324, 0.1, -1e22, __builtin_inf(), -__builtin_inf(), __builtin_nan("")};
    uint8_t choice = source.next();
    if (choice < 64) return edges[choice % (sizeof edges / sizeof *edges)];
    if (choice < 128) return static_cast<double>(source.number(4));
    int64_t bits = source.number(8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

inline Value make(Source &source, const Type &type, int depth) {
    Value value;
    value.set = true;
    switch (type.kind) {
    case Kind::bool_: value.number = source.next() & 1; break;
    case Kind::i8: value.number = source.number(1); break;
    case Kind::i16: value.number = source.number(2); break;
    case Kind::i32: value.number = source.number(1 + source.next() % 4); break;
    case Kind::i64: value.number = source.number(1 + source.next() % 8); break;
    case Kind::double_: value.real = make_real(source); break;
    case Kind::string: make_text(source, value.bytes); break;
    case Kind::binary:
        for (int size = source.next() % 24; size > 0; size--) value.bytes.push_back(source.next());
        break;
    case Kind::uuid:
        for (size_t i = 0; i < uuid_bytes; i++) value.bytes.push_back(source.next());
        break;
    case Kind::list:
        for (int count = depth > 0 ? source.next() % 20 : 0; count > 0 && !source.empty(); count--)
            value.parts.push_back(make(source, *type.element, depth - 1));
        break;
    case Kind::map:
        for (int count = depth > 0 ? source.next() % 5 : 0; count > 0 && !source.empty(); count--) {
            value.parts.push_back(make(source, *type.key, depth - 1));
            value.parts.push_back(make(source, *type.element, depth - 1));
        }
        break;
    case Kind::struct_:
        value.parts.resize(type.schema->count);
        for (int count = source.next() % 8; count > 0 && !source.empty(); count--) {
            uint32_t i = source.next() % type.schema->count;
            const Type &part = type.schema->fields[i].type;
            if (depth > 0 || !part.is_compound()) value.parts[i] = make(source, part, depth - 1);
        }
        break;
    case Kind::union_: {
        value.parts.resize(type.schema->count);
        uint32_t i = source.next() % type.schema->count;
        const Type &part = type.schema->fields[i].type;
        if (depth <= 0 && part.is_compound()) i = 0;
        value.parts[i] = make(source, type.schema->fields[i].type, depth - 1);
        break;
    }
    }
    return value;
}

}  // namespace model
