// Ruby Strings as the wires see them.
#pragma once

#include "../bytes/utf8.hpp"
#include "ruby.hpp"

namespace sparpack {

// The indexes of Ruby's built-in encodings, the same in every version (encindex.h); text_init makes sure.
constexpr int binary_index = 0, utf8_index = 1, us_ascii_index = 2;

void text_init();

// A String from bytes that were checked: what `text` says becomes its code range, so that Ruby need not scan it.
SPARPACK_INLINE VALUE text_new(const uint8_t *data, size_t size, Text text) {
    VALUE string = rb_str_new(reinterpret_cast<const char *>(data), static_cast<long>(size));
    RB_ENCODING_SET_INLINED(string, utf8_index);
    RB_ENC_CODERANGE_SET(string, text == Text::ascii  ? RUBY_ENC_CODERANGE_7BIT
                                 : text == Text::utf8 ? RUBY_ENC_CODERANGE_VALID
                                                      : RUBY_ENC_CODERANGE_BROKEN);
    return string;
}

// The UTF-8 that a String stands for: itself, or a transcoded copy. Qfalse where there is none. A transcoding may run
// Ruby code: whatever was read from other objects before must be read again. The String itself never changes.
VALUE text_utf8(VALUE string, bool keep);

// A String that is known to be UTF-8: type, encoding and code range are bits of the same word.
SPARPACK_INLINE bool text_is_utf8(VALUE object) {
    constexpr VALUE mask = RUBY_T_MASK | RUBY_ENCODING_MASK | RUBY_ENC_CODERANGE_MASK;
    constexpr VALUE utf8 = RUBY_T_STRING | static_cast<VALUE>(utf8_index) << RUBY_ENCODING_SHIFT;
    if (RB_SPECIAL_CONST_P(object)) return false;
    VALUE bits = RBASIC(object)->flags & mask;
    return SPARPACK_LIKELY(bits == (utf8 | RUBY_ENC_CODERANGE_7BIT)) || bits == (utf8 | RUBY_ENC_CODERANGE_VALID);
}

}  // namespace sparpack
