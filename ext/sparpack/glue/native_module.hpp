// Sparpack::Native, the module whose Ruby methods the native core calls (lib/sparpack/native/calls.rb), and in which it
// defines methods for Ruby.
#pragma once

#include "../values/ruby.hpp"

namespace sparpack {

void native_init(VALUE sparpack);

VALUE native_module();

// Calls a Ruby method of the module.
template <class... Values> inline VALUE native_call(const char *name, Values... values) {
    return rb_funcall(native_module(), rb_intern(name), sizeof...(values), values...);
}

// Calls a Ruby method of the module in place of a method that was given keywords. Raises ArgumentError if it was given
// anything else.
VALUE native_call_with_keywords(const char *name, int argc, const VALUE *argv, VALUE self);

}  // namespace sparpack
