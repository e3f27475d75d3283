// What a wire is. The codec, and whatever else walks over a plan, knows wires only by this page: the codec says what it
// expects, and the wire answers a value or the status `mismatch`. A wire is a struct of static functions and the only
// template parameter. `check_wire` names at compile time what is missing. A wire has
//
//     traits                       what it can say: WireTraits
//     header_max, scalar_max, number_max, open_max, close_max, string_room(size), and binary_room(size) if it differs
//                                  the room that its parts take. The caller reserves it, and a debug build stops at the
//                                  first write beyond it. A name has no constant room: name_room(size) says what it takes
//     Frame                        the state of one open struct, which only the wire looks into
//     Header header(FieldFacts)    what it knows of a field's header when a link is first used with it. In wires of fixed
//                                  widths, that are its `bytes`, and rows set its `run`
//     prepare_name(field, to)      if it prepares names: writes one as it stands before a value, into name_room bytes, and
//                                  returns its size. The Header's `prepared` and `prepared_size` are set to it; 16 bytes
//                                  more may be read
//     Key                          the scalars of a map's keys: the wire itself, unless keys are written otherwise
//     Reader                       the form that reads all of its forms: the wire itself, if it has only one
//     WrittenAs                    the form whose code writes it, with its own headers: the wire itself, unless forms
//                                  differ only in what is prepared
//     positions(header)            if fields go by position: how many a struct has. The header is that behind its last field
//     Events                       its grammar (events.hpp), for bytes that no plan knows
//
// Readers take an Input and a cursor. They return the next cursor, or nullptr after a status.
//
//     open_struct(in, p, frame, is_union)     if structs have a beginning; a union may begin with a discriminator
//     next_known(in, p, frame, header)        true if the next field is the expected one, whose header it has read. The
//                                             first field is expected, and later the one behind the field that was read
//                                             last. Behind an unknown field, the caller passes the row behind the last one,
//                                             which is never met
//     next_field(in, p, frame, table, hint)   the index of the next field, or a NextField. Passes over fields that are nil
//     found(frame)                            what next_field met
//     read_bool(in, p, frame, &value)         read_i8 to read_i64, read_double: the same without a frame
//     read_text, read_binary(in, p, &bytes)   a StringBytes; a wire may tell them apart, and may need to unescape them
//     unescape(string, to)                    unescape_binary: write what a string stands for that is not raw
//     read_uuid_bytes(in, p, bytes)
//     next_is_text(in, p)                     if enums may go by name
//     read_list(in, p, type, &count)          read_map(in, p, key, value, &count). A wire may not know the types
//     next_element(in, p, index, count)       next_key, next_value: if the elements end with the container. `count` is
//                                             what read_list set, which may be checked at the end
//     begin_payload(in, p), end_payload       pass over white space, if there may be any
//
// Writers take a Writer and a cursor, and return the next cursor. Room is reserved.
//
//     open_struct(w, p, frame, count, is_union)   if structs have a beginning
//     write_known(w, p, frame, header)            a field's header
//     write_absent(w, p, frame, header)           what stands for an absent field, if fields go by position
//     close_struct(w, p, frame)
//     write_bool(w, p, frame, value)              write_i8 to write_i64, write_double
//     write_i64_text(w, p, value)                 if an i64 may go as text
//     write_text, write_binary(w, p, data, size)  write_short_text: the same if string_short bytes may be read and written
//     write_plain_text(w, p, data, size)          if strings are not raw: the same for plain ASCII, and nullptr for other
//                                                 text. plain_blocks(size) bytes may be read and written
//     write_long_text(w, p, data, size)           the same for text whose room is not reserved, if strings are not raw
//     write_uuid(w, p, bytes)
//     write_list(w, p, type, count)               write_map(w, p, key, value, count)
//     write_next(w, p, index)                     write_next_value, close_list, close_map: what stands around elements
//     escapes(data, size), quote(w, from, p, n)   turn a value that was written into text, if keys are quoted
#pragma once

#include "../bytes/reader.hpp"
#include "../bytes/utf8.hpp"
#include "../bytes/uuid.hpp"
#include "../bytes/writer.hpp"
#include "field_table.hpp"

namespace sparpack {

// How a wire tells the fields of a struct apart.
enum class FieldsBy : uint8_t { id, position, name };

// What the option `keys:` chooses, for wires that have several forms.
enum class Keys : uint8_t { none, array, names, ids };

// The form in which an object keeps unknown fields: those of Thrift in the binary protocol, because they have its types;
// those of MessagePack as a map (message_pack/entries.hpp); those of JSON as an object (json/members.hpp).
enum class Kept : uint8_t { none, fields, entries, members };

// What a wire can say. Each has one: `static constexpr WireTraits traits`.
struct WireTraits {
    FieldsBy fields = FieldsBy::id;
    bool opens_structs = false;     // a struct has a beginning
    bool counts_fields = false;     // which says how many fields follow
    bool counts_elements = true;    // a container ends after as many; otherwise next_element and next_key meet its end
    bool raw_strings = true;        // the bytes of a string stand in the payload as they are
    bool checks_text = false;       // read_text says what a text consists of (StringBytes::text)
    bool quotes_keys = false;       // a container or a struct that is the key of a map goes as text (quote)
    bool spaces = false;            // there may be white space around a payload (begin_payload, end_payload)
    Kept keeps = Kept::none;        // in which form unknown fields are kept. They can be written to wires with the same form
    bool leaves_holes = false;      // ids that no field has take room: Header::holes says how much
    bool container_keys = true;     // structs and containers can be keys of maps
    bool prepares_names = false;    // the names of fields are written ahead, as they stand before a value
    bool fixed_widths = false;      // headers of fields, and numbers of a type, all have the same width (plan/runs.hpp)
    bool text = false;              // payloads are UTF-8
    bool untyped = false;           // each value says what it is, so it can be written and read without a type
    bool enum_names = false;        // with enums: :names, enums go by the names of their values, if they have one
    bool integer_text = false;      // with i64: :string, an i64 goes as text
    bool arrays = false;            // objects may be the elements of an array
    bool compression = false;       // a payload may be compressed with LZ4 (wire/lz4_sign.hpp)
    Keys keys = Keys::none;         // the form that this is
    const char *form_of = nullptr;  // the wire that has this form, unless keys: chooses it by default
    const char *a_struct = nullptr;  // what a payload has to be, if it may be something else (Status::mismatch)
};

// Whether headers differ so much in their room that rows have to say it.
constexpr bool headers_vary(const WireTraits &traits) {
    return traits.fields == FieldsBy::name || traits.prepares_names || traits.leaves_holes;
}

// What stands next in a container of unknown size.
enum class NextElement : uint8_t { element, end, failed };

// The bytes of a string. If a wire's strings are not raw, they stand for `length` bytes, which `unescape` writes.
// Wires that check text while they look for its end say what it consists of, unescaped.
struct StringBytes {
    const uint8_t *data = nullptr;
    size_t size = 0;
    size_t length = 0;
    Text text = Text::broken;
    bool escaped = false;
};

// In wires of fixed widths: consecutive fields that a scan passes at once (plan/runs.hpp). The Header of the first one
// points to it.
struct Run;

// What is known about a field when a link is first used with a wire. A wire makes its Header from them.
struct FieldFacts {
    int32_t before;  // the id of the field before this one; 0 if it is the first
    int32_t id;
    uint32_t index;  // of the field, in ascending order of ids
    WireType type;
    const FieldName *name;  // the IDL's; nullptr behind the last field
};

constexpr size_t larger(size_t a, size_t b) { return a > b ? a : b; }
constexpr size_t whole_words(size_t size) { return (size + 7) / 8 * 8; }

// The longest string that is written into the room of a value. Longer ones reserve room of their own.
constexpr size_t string_short = 16;

// The rooms that follow from a wire's constants.
template <class Wire> struct Room {
    // Strings that may grow reserve their room themselves.
    static constexpr size_t string_max = Wire::traits.raw_strings ? Wire::string_room(string_short) : 0;
    static constexpr size_t value_max = larger(larger(Wire::scalar_max, Wire::open_max), string_max);
    // Any scalar or short string, or the beginning of a container or struct, as an element or the value of a field.
    static constexpr size_t value = whole_words(value_max);
    // The same with the header of a field, unless headers vary.
    static constexpr size_t field = whole_words(Wire::header_max + value_max);
};

// Checks that a wire, or its Key, has the functions that read and write scalars. It cannot look for read_bool, write_bool
// and close_struct, which may be templates.
template <class Scalars> constexpr bool check_scalars() {
    using S = Scalars;
    static_assert(sizeof(&S::read_i8) && sizeof(&S::read_i16) && sizeof(&S::read_i32) && sizeof(&S::read_i64) &&
                      sizeof(&S::read_double) && sizeof(&S::read_text) && sizeof(&S::read_binary) &&
                      sizeof(&S::read_uuid_bytes),
                  "scalars can be read");
    static_assert(sizeof(&S::write_i8) && sizeof(&S::write_i16) && sizeof(&S::write_i32) && sizeof(&S::write_i64) &&
                      sizeof(&S::write_double) && sizeof(&S::write_text) && sizeof(&S::write_binary) &&
                      sizeof(&S::write_uuid),
                  "scalars can be written");
    return true;
}

// Names what a wire lacks, as an error of the compiler. WIRES calls it for each.
template <class Wire> constexpr bool check_wire() {
    using W = Wire;
    constexpr WireTraits traits = W::traits;
    static_assert(sizeof(typename W::Frame) <= 64, "Frame is on the stack once for each level");
    static_assert(sizeof(typename W::Header) > 0, "Header holds what is known about a field's header");
    static_assert(sizeof(typename W::Key) > 0, "Key has the scalars of a map's keys, or is the wire itself");
    static_assert(sizeof(typename W::Reader *) > 0, "Reader reads all forms of the wire, or is the wire itself");
    static_assert(sizeof(typename W::WrittenAs *) > 0, "WrittenAs writes the form, or is the wire itself");
    static_assert(sizeof(typename W::Events *) > 0, "Events is the wire's grammar (wire/events.hpp)");
    static_assert(W::header_max > 0 && W::scalar_max > 0 && W::number_max > 0, "rooms are larger than nothing");
    static_assert(W::scalar_max >= W::number_max, "a number is a scalar");
    static_assert(W::string_room(0) >= 1 && W::string_room(1000) >= 1000, "a string needs room for itself and its size");
    static_assert(!traits.raw_strings || W::string_room(1000) <= 1000 + W::scalar_max, "raw strings do not grow");
    static_assert(!traits.raw_strings || W::scalar_max >= uuid_bytes, "a raw uuid is a scalar");
    static_assert(W::close_max >= 1 || traits.counts_fields, "a struct that is not counted has an end");
    static_assert(W::open_max >= 1, "a container has a beginning");
    static_assert(sizeof(W::header(FieldFacts{})) == sizeof(typename W::Header), "header makes a Header of a field's facts");
    static_assert(!traits.form_of || traits.keys != Keys::none, "keys: chooses the form of a wire");
    static_assert(traits.opens_structs || !traits.counts_fields, "the number of fields stands at a struct's beginning");
    static_assert(traits.opens_structs || traits.fields != FieldsBy::position, "positions need to know where they begin");
    static_assert(traits.keeps != Kept::fields || traits.fields == FieldsBy::id, "unknown fields are kept by their ids");
    static_assert(traits.keeps != Kept::fields || !traits.counts_fields,
                  "kept fields are not counted before they are written");
    static_assert(sizeof(&W::next_known) && sizeof(&W::next_field) && sizeof(&W::read_list) && sizeof(&W::read_map),
                  "fields and containers can be read");
    static_assert(sizeof(&W::write_known) && sizeof(&W::write_list) && sizeof(&W::write_map),
                  "fields and containers can be written");
    return check_scalars<W>() && check_scalars<typename W::Key>();
}

}  // namespace sparpack
