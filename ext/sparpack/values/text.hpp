// Ruby Strings as the wires see them.
#pragma once

#include <ruby/version.h>
#include "../bytes/utf8.hpp"

#include "ruby.hpp"

namespace sparpack {

// The indexes of Ruby's built-in encodings are the same in every version (encindex.h). text_init checks that.
constexpr int binary_index = 0, utf8_index = 1, us_ascii_index = 2;

void text_init();

// Sets a String's encoding and code range from the result of a check, so that Ruby need not scan it.
SPARPACK_INLINE void text_mark(VALUE string, Text text) {
    RB_ENCODING_SET_INLINED(string, utf8_index);
    RB_ENC_CODERANGE_SET(string, text == Text::ascii  ? RUBY_ENC_CODERANGE_7BIT
                                 : text == Text::utf8 ? RUBY_ENC_CODERANGE_VALID
                                                      : RUBY_ENC_CODERANGE_BROKEN);
}

// Makes a String from bytes that were checked.
SPARPACK_INLINE VALUE text_new(const uint8_t *data, size_t size, Text text) {
    VALUE string = rb_str_new(reinterpret_cast<const char *>(data), static_cast<long>(size));
    text_mark(string, text);
    return string;
}

// Returns the one frozen String of these bytes, from Ruby's own table.
VALUE text_interned(const uint8_t *data, size_t size, rb_encoding *encoding);

// Returns the Symbol of this name, or nil if there is none, or if the name is not UTF-8.
VALUE text_symbol(const uint8_t *name, size_t size);

// Returns the UTF-8 of a String: the String itself, a transcoded copy, or Qfalse if there is none. Transcoding may run Ruby
// code, so whatever was read from other objects must be read again. The String itself never changes.
VALUE text_utf8(VALUE string, bool keep);

// True for a String that is tagged as UTF-8, and for one with nothing but ASCII characters.
bool text_is_plain(VALUE string);

// Returns the name of a Symbol as a String that nobody else has, in UTF-8 unless the Symbol is in another encoding.
VALUE text_of_symbol(VALUE symbol);

// The slot of an embedded String has at least this much room, so this many bytes may be read, whatever its size. Slots have
// 40 bytes or more up to Ruby 3.4, and the size takes some of them from Ruby 3.2 on. Of later versions nothing is known.
#ifdef RSTRING_EMBED_LEN_SHIFT
constexpr size_t text_embedded_min = sizeof(VALUE) == 8 ? 24 : 0;
#else
constexpr size_t text_embedded_min = sizeof(VALUE) == 8 && RUBY_API_VERSION_MAJOR < 4 ? 16 : 0;
#endif

// True for an embedded String that is known to be ASCII.
SPARPACK_INLINE bool text_is_embedded(VALUE object) {
    constexpr VALUE mask = RUBY_T_MASK | RUBY_ENCODING_MASK | RUBY_ENC_CODERANGE_MASK | RSTRING_NOEMBED;
    constexpr VALUE ascii = RUBY_T_STRING | static_cast<VALUE>(utf8_index) << RUBY_ENCODING_SHIFT | RUBY_ENC_CODERANGE_7BIT;
    return !RB_SPECIAL_CONST_P(object) && (RBASIC(object)->flags & mask) == ascii;
}

SPARPACK_INLINE const char *text_embedded_data(VALUE string) { return RSTRING(string)->as.embed.ary; }

SPARPACK_INLINE size_t text_embedded_size(VALUE string) {
#ifdef RSTRING_EMBED_LEN_SHIFT  // before Ruby 3.2 the size is in the flags
    return (RBASIC(string)->flags & RSTRING_EMBED_LEN_MASK) >> RSTRING_EMBED_LEN_SHIFT;
#else
    return string_size(string);
#endif
}

// True for a String that is known to be UTF-8. Type, encoding and code range are bits of the same word.
SPARPACK_INLINE bool text_is_utf8(VALUE object) {
    constexpr VALUE mask = RUBY_T_MASK | RUBY_ENCODING_MASK | RUBY_ENC_CODERANGE_MASK;
    constexpr VALUE utf8 = RUBY_T_STRING | static_cast<VALUE>(utf8_index) << RUBY_ENCODING_SHIFT;
    if (RB_SPECIAL_CONST_P(object)) return false;
    VALUE bits = RBASIC(object)->flags & mask;
    return SPARPACK_LIKELY(bits == (utf8 | RUBY_ENC_CODERANGE_7BIT)) || bits == (utf8 | RUBY_ENC_CODERANGE_VALID);
}

}  // namespace sparpack
