// IO#read writes to the String that it is given without holding the GVL. Ruby locks the String until it is done: others may
// still read it, but not change it. Our readers look at many bytes twice and rely on finding the same, so they read a copy
// of a locked String. No String becomes locked while a reader holds the GVL.
//
// A copy that somebody else made of a locked String may share its memory, and has no such flag.
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
    VALUE copy = rb_enc_str_new(RSTRING_PTR(string), RSTRING_LEN(string), rb_enc_get(string));
    RB_GC_GUARD(string);
    return copy;
}

// Returns the String itself, or a copy if it is locked.
inline VALUE unlocked(VALUE string) {
    return __builtin_expect(!RB_FL_TEST_RAW(string, locked_flag), 1) ? string : unlocked_copy(string);
}

// Returns a frozen String with the same bytes, which nobody can change. It shares the memory of the String unless that is
// locked.
inline VALUE unlocked_frozen(VALUE string) { return rb_str_new_frozen(unlocked(string)); }

}  // namespace sparpack
