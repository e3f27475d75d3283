// How the Strings of a buffer are written to an io: by which of its methods, and whether several at once. Only buffer.cpp
// includes this file.
#pragma once

#include "../../glue/io.hpp"

namespace sparpack {

namespace {

// For an io that has neither method, `write` is called, so that the error names it.
ID writer_of(VALUE io) {
    bool appends = !rb_respond_to(io, rb_intern("write")) && rb_respond_to(io, rb_intern("<<"));
    return rb_intern(appends ? "<<" : "write");
}

// True if the io's `write` takes any number of Strings, as those of IO and StringIO do. An IO writes them at once. A rest
// parameter is required, because an optional second argument may be something else.
bool gathers(VALUE io, ID writer) {
    if (writer != rb_intern("write") || rb_obj_method_arity(io, writer) >= 0) return false;
    VALUE parameters = rb_funcall(rb_obj_method(io, ID2SYM(writer)), rb_intern("parameters"), 0);
    for (long i = 0; i < RARRAY_LEN(parameters); i++) {
        if (rb_ary_entry(RARRAY_AREF(parameters, i), 0) == ID2SYM(rb_intern("rest"))) return true;
    }
    return false;
}

void write_strings(VALUE io, ID writer, VALUE strings) {
    constexpr long most = 1024;  // arguments per call, because Ruby's stack is not large
    long count = RARRAY_LEN(strings);
    size_t largest = 0;  // of Strings that do not share their memory
    for (long i = 0; i < count; i++) {
        VALUE string = RARRAY_AREF(strings, i);
        size_t size = string_size(string);
        if (!RB_FL_TEST_RAW(string, RUBY_ELTS_SHARED | RUBY_FL_FREEZE) && size > largest) largest = size;
    }
    if (io_takes_bytes(io, largest)) {
        rb_obj_hide(strings);  // other threads run meanwhile
        for (long i = 0; i < count; i++) io_write(io, writer, RARRAY_AREF(strings, i), true);
        RB_GC_GUARD(strings);
        return;
    }
    bool several = count > 1 && gathers(io, writer);
    for (long i = 0; i < count; i += several ? most : 1) {
        int some = several ? static_cast<int>(count - i < most ? count - i : most) : 1;
        rb_funcallv(io, writer, some, RARRAY_CONST_PTR(strings) + i);
    }
    RB_GC_GUARD(strings);
}

}  // namespace

}  // namespace sparpack
