// Scalars in Hashes, converted to the form in which they are decoded, and keys of maps that JSON turned into text. Only
// from_hash.cpp includes this file.
#pragma once

#include "../bytes/uuid.hpp"
#include "../plan/plan.hpp"
#include "../values/numbers.hpp"
#include "../values/text.hpp"

namespace sparpack {

namespace {

// Valid or not.
SPARPACK_INLINE bool is_utf8(VALUE string) { return RB_ENCODING_GET_INLINED(string) == utf8_index; }

bool convert_text(VALUE *value) {
    if (SYMBOL_P(*value)) return is_utf8(*value = text_of_symbol(*value));
    if (!RB_TYPE_P(*value, T_STRING) || SPARPACK_LIKELY(is_utf8(*value))) return true;
    if (RBASIC_CLASS(*value) != rb_cString) return false;
    int encoding = rb_enc_get_index(*value);
    if (encoding != binary_index && !rb_enc_str_asciionly_p(*value)) {
        VALUE text = encoding == us_ascii_index ? Qfalse : text_utf8(*value, false);
        if (text) *value = text;
        return true;
    }
    VALUE text = rb_str_dup(*value);
    rb_enc_associate_index(text, utf8_index);
    if (rb_enc_str_coderange(text) != RUBY_ENC_CODERANGE_BROKEN) *value = text;
    return true;
}

bool convert_uuid(VALUE *value) {
    if (!RB_TYPE_P(*value, T_STRING)) return true;
    uint8_t bytes[uuid_bytes];
    const char *text = RSTRING_PTR(*value);
    size_t size = string_size(*value);
    if (!uuid_parse(text, size, bytes)) return true;
    if (!rb_enc_str_asciionly_p(*value)) return false;  // it only looks like one
    if (!uuid_is_canonical(text, size)) *value = rb_funcall(*value, rb_intern("downcase"), 0);
    return true;
}

bool convert_enum(const Type &type, VALUE *value) {
    if (!SYMBOL_P(*value) && !RB_TYPE_P(*value, T_STRING)) return true;
    *value = enum_number(type.numbers, *value);
    return *value != Qundef;
}

void convert_real(VALUE *value) {
    double real = 0;
    if (RB_INTEGER_TYPE_P(*value) && real_integer(*value, &real) == Conversion::ok) *value = DBL2NUM(real);
}

void convert_binary(VALUE *value) {
    if (RB_TYPE_P(*value, T_STRING) && rb_enc_get_index(*value) != binary_index)
        *value = rb_funcall(*value, rb_intern("b"), 0);
}

// Reads text as JSON writes an Integer that has at most as many digits as an i64. Otherwise returns Qundef.
VALUE integer_of_text(VALUE text) {
    constexpr size_t digits_max = 19;
    const char *digits = RSTRING_PTR(text);
    size_t size = string_size(text);
    if (size == 1 && *digits == '0') return INT2FIX(0);
    bool negative = size > 0 && *digits == '-';
    digits += negative;
    size -= negative;
    if (size == 0 || size > digits_max || *digits == '0') return Qundef;
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned digit = static_cast<unsigned>(digits[i]) - '0';
        if (digit > 9) return Qundef;
        number = 10 * number + digit;
    }
    if (number > INT64_MAX) return negative ? rb_funcall(ULL2NUM(number), rb_intern("-@"), 0) : ULL2NUM(number);
    return LL2NUM(negative ? -static_cast<int64_t>(number) : static_cast<int64_t>(number));
}

bool text_is(VALUE text, const char *word) {
    return string_size(text) == strlen(word) && memcmp(RSTRING_PTR(text), word, strlen(word)) == 0;
}

// Reads a key that JSON turned into text (lib/sparpack/objects/key_text.rb). What stands for no value of the type stays
// text.
bool read_key_text(const Type &type, VALUE *key) {
    if (!SYMBOL_P(*key) && !RB_TYPE_P(*key, T_STRING)) return true;
    VALUE text = SYMBOL_P(*key) ? rb_sym2str(*key) : *key, number = Qundef;
    switch (type.kind) {
    case Kind::string:
    case Kind::binary:
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::struct_:
    case Kind::union_:
    case Kind::any: return true;
    case Kind::double_: return false;
    case Kind::uuid:
        if (!SYMBOL_P(*key)) return true;
        *key = text;
        return string_size(text) <= uuid_text && rb_enc_str_asciionly_p(text);
    case Kind::bool_:
        if (text_is(text, "true")) *key = Qtrue;
        if (text_is(text, "false")) *key = Qfalse;
        return true;
    case Kind::enum_:
        number = enum_number(type.numbers, *key);
        if (number == Qundef && rb_enc_str_asciionly_p(text)) number = integer_of_text(text);
        if (number != Qundef) *key = number;
        return true;
    case Kind::i8:
    case Kind::i16:
    case Kind::i32:
    case Kind::i64:
        if (rb_enc_str_asciionly_p(text)) number = integer_of_text(text);
        if (number != Qundef) *key = number;
        return true;
    }
    __builtin_unreachable();
}

}  // namespace

}  // namespace sparpack
