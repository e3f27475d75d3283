// Strings that another thread writes to without the GVL, as IO#read does with the String that it is given. Ruby locks them
// meanwhile: nobody else may change them, but everybody may read them. A reader of ours looks at many bytes twice, so it
// reads a copy. Nobody locks a String while we keep the GVL.
#pragma once

#include <ruby.h>
#include <ruby/encoding.h>

namespace sparpack {

// Ruby's headers do not name the flag. Written by unlocked_init alone.
inline VALUE locked_flag;

inline void unlocked_init() {
    VALUE string = rb_str_buf_new(0);
    const VALUE before = RBASIC(string)->flags;
    rb_str_locktmp(string);
    locked_flag = RBASIC(string)->flags ^ before;
    rb_str_unlocktmp(string);
}

[[gnu::cold, gnu::noinline]] inline VALUE unlocked_copy(VALUE string) {
    return rb_enc_str_new(RSTRING_PTR(string), RSTRING_LEN(string), rb_enc_get(string));
}

// Returns a String to read: the String itself unless it is locked.
inline VALUE unlocked(VALUE string) {
    return __builtin_expect(!RB_FL_TEST_RAW(string, locked_flag), 1) ? string : unlocked_copy(string);
}

// Returns a frozen String with the same bytes, which nobody can change. It shares the memory of the String unless that is
// locked.
inline VALUE unlocked_frozen(VALUE string) { return rb_str_new_frozen(unlocked(string)); }

}  // namespace sparpack
