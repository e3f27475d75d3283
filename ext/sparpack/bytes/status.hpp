// Everything that can be wrong with bytes, or with a value that is being encoded, in one list. A status is only a number.
// glue/fault.cpp turns it into an exception, and nothing else does.
#pragma once

#include "base.hpp"

namespace sparpack {

// X(name, error class under DecodeError or EncodeError, what was expected, what was found).
// Where a text is nullptr, the fault supplies it: the type that was expected, or the type or class that was found.
#define SPARPACK_STATUSES(X)                                                                                    \
    X(ok, "Error", nullptr, nullptr)                                                                            \
    X(truncated, "Truncated", "more bytes", "the end of the input")                                             \
    X(varint_too_long, "Malformed", nullptr, "a varint that is too long or too large")                          \
    X(integer_too_large, "OutOfRange", nullptr, "an integer out of its range")                                  \
    X(bad_format, "Malformed", "a format byte", "0xc1, which no value begins with")                             \
    X(unknown_ext, "Malformed", "a known extension type", "an unknown one")                                     \
    X(bad_timestamp, "Malformed", "a timestamp of 4, 8 or 12 bytes", "another size")                            \
    X(bad_symbol, "Malformed", "UTF-8 for a Symbol", "other bytes")                                             \
    X(bad_ext_data, "Malformed", "the payload of the extension type", "other bytes")                            \
    X(ext_too_long, "LimitExceeded", nullptr, "a longer payload")                                               \
    X(payload_too_long, "LimitExceeded", nullptr, "a longer message")                                           \
    X(bad_lz4_header, "Malformed", "the header of LZ4 blocks", "other bytes")                                   \
    X(bad_lz4_block, "Malformed", "an LZ4 block of the size that its header says", "other bytes")               \
    X(decompressed_too_long, "LimitExceeded", nullptr, "a payload that is longer when it is decompressed")      \
    X(lz4_missing, "Error", "a payload that is not compressed", "one that is compressed with LZ4")              \
    X(lz4_too_long, "LimitExceeded", nullptr, "a longer payload")                                               \
    X(bad_wire_type, "Malformed", "one of Thrift's types", "a code that means none of them")                    \
    X(bad_field_id, "Malformed", "a field id from -32768 to 32767", "an id out of range")                       \
    X(bad_field_name, "Malformed", "a field id from -32768 to 32767", "another name")                           \
    X(bad_field_key, "Malformed", "the name or the id of a field", "another key")                               \
    X(bad_json, "Malformed", "JSON", "other text")                                                              \
    X(json_separator, "Malformed", "a comma or the end of the object or array", "other text")                   \
    X(json_name, "Malformed", "the name of a member in quotes", "other text")                                   \
    X(json_colon, "Malformed", "a colon", "other text")                                                         \
    X(json_control, "Malformed", "an escape sequence", "a control character in a string")                       \
    X(json_escape, "Malformed", "an escape sequence of JSON", "another one")                                    \
    X(json_surrogate, "Malformed", "a surrogate pair", "half of one")                                           \
    X(json_number, "Malformed", "a number of JSON", "other text")                                               \
    X(json_key, "Malformed", "a key that is JSON", "other text")                                                \
    X(real_too_large, "OutOfRange", "a double", "a number beyond its range")                                    \
    X(bad_base64, "Malformed", "base64", "another string")                                                      \
    X(bad_text, "Malformed", nullptr, "other text")                                                             \
    X(bad_count, "Malformed", "as many elements as the container says", "another number")                       \
    X(key_not_scalar, "Malformed", "a scalar as a key", "a struct or a container")                              \
    X(bad_bool, "Malformed", "bool", "a byte that is neither true nor false")                                   \
    X(negative_size, "Malformed", "a size", "a negative size")                                                  \
    X(trailing_bytes, "Malformed", "the end of the input", "trailing bytes")                                    \
    X(union_empty, "Malformed", "one field in a union", "none")                                                 \
    X(union_multiple_fields, "Malformed", "one field in a union", "two")                                        \
    X(bad_union, "Malformed", "an array of two for a union", "an array of another size")                        \
    X(bad_uuid, "Malformed", "a uuid such as 00112233-4455-6677-8899-aabbccddeeff", "another string")           \
    X(invalid_utf8, "Malformed", "UTF-8", "bytes that are not UTF-8")                                           \
    X(mismatch, "TypeMismatch", nullptr, nullptr)                                                               \
    X(missing_field, "MissingField", "a required field", "none")                                                \
    X(unknown_field, "Malformed", "a known field", nullptr)                                                     \
    X(unknown_enum, "TypeMismatch", nullptr, nullptr)                                                           \
    X(too_deep, "LimitExceeded", nullptr, "more levels")                                                        \
    X(string_too_long, "LimitExceeded", nullptr, "a longer string")                                             \
    X(container_too_large, "LimitExceeded", nullptr, "more elements")                                           \
    X(too_much_memory, "LimitExceeded", nullptr, "objects that take more")                                      \
    X(too_many_nan_keys, "LimitExceeded", nullptr, "more")                                                      \
    X(output_too_long, "LimitExceeded", nullptr, "output that is longer")                                       \
    X(value_mismatch, "TypeMismatch", nullptr, nullptr)                                                         \
    X(value_out_of_range, "OutOfRange", nullptr, nullptr)                                                       \
    X(value_not_utf8, "InvalidString", "text that is valid UTF-8", nullptr)                                     \
    X(value_not_uuid, "InvalidString", "a uuid such as 00112233-4455-6677-8899-aabbccddeeff", "another string") \
    X(value_not_key, "TypeMismatch", "a scalar as a key", "a struct or a container")                            \
    X(value_changed, "Error", "a value that stays as it is", "one that changed while it was encoded")           \
    X(part_absent, "Error", "a value to change", "none")                                                        \
    X(union_unset, "MissingField", "one field in a union", "none")                                              \
    X(union_unknown, "MissingField", "one field in a union", "an unknown field that was not kept")

enum class Status : uint8_t {
#define X(name, error, expected, found) name,
    SPARPACK_STATUSES(X)
#undef X
};

// Whether text is not JSON. The place is outside of strings, but for a control character and an escape sequence.
constexpr bool status_is_syntax(Status status) { return status >= Status::bad_json && status <= Status::json_key; }

}  // namespace sparpack
