#include "text.hpp"

namespace sparpack {

TextEncodings text_encodings;  // written by text_init alone

namespace {

VALUE transcode(VALUE string) { return rb_str_encode(string, rb_enc_from_encoding(rb_utf8_encoding()), 0, Qnil); }

VALUE transcode_failed(VALUE, VALUE) { return Qfalse; }

Text check(VALUE string) {
    return utf8_check(reinterpret_cast<const uint8_t *>(RSTRING_PTR(string)), static_cast<size_t>(RSTRING_LEN(string)));
}

}  // namespace

SPARPACK_COLD VALUE text_utf8(VALUE string, bool keep) {
    int encoding = rb_enc_get_index(string);
    if (encoding == text_encodings.utf8) {
        if (RB_ENC_CODERANGE(string) == RUBY_ENC_CODERANGE_UNKNOWN) {
            Text text = check(string);
            // What Ruby itself would note, and like Ruby even on a frozen String; a broken one is left to Ruby.
            if (text != Text::broken) {
                RB_ENC_CODERANGE_SET(string,
                                     text == Text::ascii ? RUBY_ENC_CODERANGE_7BIT : RUBY_ENC_CODERANGE_VALID);
                return string;
            }
        } else if (RB_ENC_CODERANGE(string) != RUBY_ENC_CODERANGE_BROKEN) {
            return string;
        }
        return keep ? string : Qfalse;
    }
    if (encoding == text_encodings.binary) return keep || check(string) != Text::broken ? string : Qfalse;
    if (rb_enc_asciicompat(rb_enc_from_index(encoding)) && rb_enc_str_coderange(string) == RUBY_ENC_CODERANGE_7BIT)
        return string;
    if (encoding == text_encodings.us_ascii) return keep ? string : Qfalse;
    VALUE utf8 = rb_rescue2(reinterpret_cast<VALUE (*)(VALUE)>(transcode), string,
                            reinterpret_cast<VALUE (*)(VALUE, VALUE)>(transcode_failed), Qnil, rb_eEncodingError,
                            static_cast<VALUE>(0));
    // A transcoder that fails without raising hands the String back as it was.
    if (!utf8 || rb_enc_get_index(utf8) != text_encodings.utf8) return Qfalse;
    return keep || check(utf8) != Text::broken ? utf8 : Qfalse;
}

void text_init() {
    text_encodings = {rb_utf8_encindex(), rb_usascii_encindex(), rb_ascii8bit_encindex()};
}

}  // namespace sparpack
