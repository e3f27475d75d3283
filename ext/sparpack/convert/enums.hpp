// The names of enums. A thread that does not have Ruby's lock finds them in tables, and others ask Ruby.
#pragma once

#include "../plan/plan.hpp"
#include "../values/text.hpp"

namespace sparpack {

struct EnumName {
    int64_t number;
    const uint8_t *bytes;  // nullptr if the number has no name
    size_t size;
};

struct Enums;

// Makes the tables of all enums that a link reaches.
const Enums *enums_make(const Link *link);

void enums_free(const Enums *enums);
size_t enums_size(const Enums *enums);

// The same in the tables.
EnumName enums_name(const Enums &enums, const Type &type, int64_t number);
bool enums_number(const Enums &enums, const Type &type, const uint8_t *name, size_t size, int64_t *number);

// Finds the name that is written for a number. Asking a Hash for an Integer or a Symbol runs no Ruby code.
inline EnumName enum_name_of(const Enums *enums, const Type &type, int64_t number) {
    if (SPARPACK_UNLIKELY(enums != nullptr)) return enums_name(*enums, type, number);
    VALUE name = enum_name(type.names, LONG2FIX(static_cast<long>(number)));
    return NIL_P(name) ? EnumName{number, nullptr, 0} : EnumName{number, string_bytes(name), string_size(name)};
}

// Finds the number of a name. Returns false if there is none, or none of an i32.
inline bool enum_number_of(const Enums *enums, const Type &type, const uint8_t *name, size_t size, int64_t *number) {
    if (SPARPACK_UNLIKELY(enums != nullptr)) return enums_number(*enums, type, name, size, number);
    VALUE symbol = text_symbol(name, size);
    VALUE found = SYMBOL_P(symbol) ? rb_hash_lookup2(type.numbers, symbol, Qundef) : Qundef;
    if (!RB_FIXNUM_P(found)) return false;
    *number = RB_FIX2LONG(found);
    return *number == static_cast<int32_t>(*number);
}

}  // namespace sparpack
