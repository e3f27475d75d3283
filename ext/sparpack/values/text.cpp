#include "text.hpp"

namespace sparpack {

namespace {

// A transcoder that has to be loaded may run Ruby code, which may change the String while Ruby reads it. So it reads a copy.
VALUE transcode(VALUE string) {
    VALUE copy = rb_str_new_frozen(string);
    VALUE utf8 = rb_str_encode(copy, rb_enc_from_encoding(rb_utf8_encoding()), 0, Qnil);
    RB_GC_GUARD(copy);
    return utf8;
}

VALUE transcode_failed(VALUE, VALUE) { return Qfalse; }

Text check(VALUE string) { return utf8_check(string_bytes(string), string_size(string)); }

// A copy of bytes. Ruby's tables look at a key twice and must find the same, but another thread may change the source. It is
// on the stack unless it is long, because Ruby may have the String already.
struct Copied {
    uint8_t small[1024];
    VALUE large = Qnil;
    const uint8_t *data = small;
    long size;

    Copied(const uint8_t *bytes, size_t count) : size(static_cast<long>(count)) {
        if (SPARPACK_LIKELY(count <= sizeof small)) {
            memcpy(small, bytes, count);
        } else {
            large = rb_str_new(reinterpret_cast<const char *>(bytes), size);
            data = string_bytes(large);
        }
    }
    Copied(const Copied &) = delete;
    Copied &operator=(const Copied &) = delete;

    const char *chars() const { return reinterpret_cast<const char *>(data); }
};

}  // namespace

VALUE text_interned(const uint8_t *data, size_t size, rb_encoding *encoding) {
    Copied copied(data, size);
    if (SPARPACK_LIKELY(NIL_P(copied.large))) return rb_enc_interned_str(copied.chars(), copied.size, encoding);
    rb_enc_associate(copied.large, encoding);
    freeze_raw(copied.large);  // or Ruby would copy it once more
    return rb_str_to_interned_str(copied.large);
}

VALUE text_symbol(const uint8_t *name, size_t size) {
    Copied copied(name, size);
    if (SPARPACK_UNLIKELY(utf8_check(copied.data, size) == Text::broken)) return Qnil;
    VALUE symbol = rb_check_symbol_cstr(copied.chars(), copied.size, rb_utf8_encoding());
    RB_GC_GUARD(copied.large);
    return symbol;
}

SPARPACK_COLD VALUE text_utf8(VALUE string, bool keep) {
    string = unlocked(string);
    int encoding = rb_enc_get_index(string);
    if (encoding == utf8_index) {
        if (RB_ENC_CODERANGE(string) == RUBY_ENC_CODERANGE_UNKNOWN) {
            Text text = check(string);
            // Ruby notes the same, even on a frozen String. A broken one is left to Ruby.
            if (text != Text::broken) {
                RB_ENC_CODERANGE_SET(string, text == Text::ascii ? RUBY_ENC_CODERANGE_7BIT : RUBY_ENC_CODERANGE_VALID);
                return string;
            }
        } else if (RB_ENC_CODERANGE(string) != RUBY_ENC_CODERANGE_BROKEN) {
            return string;
        }
        return keep ? string : Qfalse;
    }
    if (encoding == binary_index) return keep || check(string) != Text::broken ? string : Qfalse;
    if (rb_enc_asciicompat(rb_enc_from_index(encoding)) && rb_enc_str_coderange(string) == RUBY_ENC_CODERANGE_7BIT)
        return string;
    if (encoding == us_ascii_index) return keep ? string : Qfalse;
    VALUE utf8 = rb_rescue2(reinterpret_cast<VALUE (*)(VALUE)>(transcode), string,
                            reinterpret_cast<VALUE (*)(VALUE, VALUE)>(transcode_failed), Qnil, rb_eEncodingError,
                            static_cast<VALUE>(0));
    // A transcoder that fails without raising returns the String unchanged.
    if (!utf8 || rb_enc_get_index(utf8) != utf8_index) return Qfalse;
    return keep || check(utf8) != Text::broken ? utf8 : Qfalse;
}

bool text_is_plain(VALUE string) {
    return rb_enc_get_index(string) == utf8_index ||
           (rb_enc_asciicompat(rb_enc_get(string)) && rb_enc_str_coderange(string) == ENC_CODERANGE_7BIT);
}

VALUE text_of_symbol(VALUE symbol) {
    VALUE text = rb_str_dup(rb_sym2str(symbol));
    if (rb_enc_get_index(text) == us_ascii_index) rb_enc_associate_index(text, utf8_index);
    return text;
}

void text_init() {
    unlocked_init();
    if (rb_ascii8bit_encindex() != binary_index || rb_utf8_encindex() != utf8_index ||
        rb_usascii_encindex() != us_ascii_index)
        rb_bug("sparpack: this Ruby numbers its encodings differently");
}

}  // namespace sparpack
