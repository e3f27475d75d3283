// What a wire is. The codec, and whatever else walks over a plan, knows wires only by this page: the codec says what it
// expects, and the wire answers a value or the status `mismatch`. A wire is a struct of static functions and the only
// template parameter. `check_wire` names at compile time what is missing.
//
// Room is reserved by the caller, from the constants below. A debug build stops at the first write beyond it.
#pragma once

#include "../bytes/reader.hpp"
#include "../bytes/uuid.hpp"
#include "../bytes/writer.hpp"
#include "fields.hpp"

namespace sparpack {

// How a wire tells the fields of a struct apart.
enum class FieldsBy : uint8_t { id, position, name };

// What a wire can say. Each has one: `static constexpr WireTraits traits`.
struct WireTraits {
    FieldsBy fields = FieldsBy::id;
    bool opens_structs = false;    // a struct has a beginning: open_struct and write_struct are called
    bool counts_fields = false;    // which says how many fields follow
    bool counts_elements = true;   // a container begins with its size; otherwise next_element and next_key meet its end
    bool raw_strings = true;       // the bytes of a string stand in the payload as they are
    bool carries_unknown = false;  // unknown fields have the types of Thrift, so they can be kept and written to such a wire
    bool enum_names = false;       // enums go by the names of their values, if they have one
};

// What stands next in a container of unknown size.
enum class NextElement : uint8_t { element, end, failed };

// The bytes of a string. If a wire's strings are not raw, they stand for `length` bytes, which `unescape` writes.
struct StringBytes {
    const uint8_t *data = nullptr;
    size_t size = 0;
    size_t length = 0;
};

// What is known about a field when a link is first used with a wire. A wire makes its Head from it.
struct FieldFacts {
    int32_t before;  // the id of the field before this one; 0 if it is the first
    int32_t id;
    uint32_t index;  // of the field, in ascending order of ids
    WireType type;
    const FieldName *name;  // the IDL's; nullptr for the head behind the last field
};

constexpr size_t larger(size_t a, size_t b) { return a > b ? a : b; }
constexpr size_t whole_words(size_t size) { return (size + 7) / 8 * 8; }

// The longest string that is written into the room of a value. Longer ones reserve room of their own.
constexpr size_t string_short = 16;

// The rooms that follow from a wire's constants.
template <class Wire> struct Room {
    // Any scalar or short string, or the beginning of a container or struct, as an element or the value of a field.
    static constexpr size_t value =
        whole_words(larger(larger(Wire::scalar_max, Wire::open_max), Wire::string_room(string_short)));
    // The same with the header of a field, unless that is a name, which has no constant room.
    static constexpr size_t field = whole_words(Wire::header_max + value);
};

// Names what a wire lacks, as an error of the compiler. WIRES calls it for each.
template <class Wire> constexpr bool check_wire() {
    using W = Wire;
    constexpr WireTraits traits = W::traits;
    static_assert(sizeof(typename W::Frame) <= 64, "Frame is on the stack once for each level");
    static_assert(sizeof(typename W::Head) > 0, "Head holds what is known about a field's header");
    static_assert(sizeof(typename W::Key) > 0, "Key has the scalars of a map's keys, or is the wire itself");
    static_assert(sizeof(typename W::Events *) > 0, "Events is the wire's grammar (wire/events.hpp)");
    static_assert(W::header_max > 0 && W::scalar_max > 0 && W::number_max > 0, "rooms are larger than nothing");
    static_assert(W::scalar_max >= W::number_max, "a number is a scalar");
    static_assert(W::string_room(0) >= 1 && W::string_room(1000) >= 1000, "a string needs room for itself and its size");
    static_assert(!traits.raw_strings || W::string_room(1000) <= 1000 + W::scalar_max, "raw strings do not grow");
    static_assert(!traits.raw_strings || W::scalar_max >= uuid_bytes, "a raw uuid is a scalar");
    static_assert(W::close_max >= 1 || traits.counts_fields, "a struct that is not counted has an end");
    static_assert(W::open_max >= 1, "a container has a beginning");
    static_assert(sizeof(W::head(FieldFacts{})) == sizeof(typename W::Head), "head makes a Head of a field's facts");
    static_assert(traits.opens_structs || !traits.counts_fields, "the number of fields stands at a struct's beginning");
    static_assert(traits.opens_structs || traits.fields != FieldsBy::position, "positions need to know where they begin");
    static_assert(!traits.carries_unknown || traits.fields == FieldsBy::id, "unknown fields are kept by their ids");
    static_assert(!traits.carries_unknown || !traits.opens_structs, "Copy and Kept write structs without a beginning");
    return true;
}

}  // namespace sparpack
