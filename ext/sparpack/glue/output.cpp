#include "output.hpp"

namespace sparpack {

namespace {

SPARPACK_COLD uint8_t *output_grow(Writer &w, uint8_t *p, size_t need) {
    Output &output = reinterpret_cast<Output &>(w);
    output.disturbances++;
    size_t used = static_cast<size_t>(p - w.begin);
    size_t capacity = static_cast<size_t>(w.end - w.begin) * 2;
    while (capacity - used < need) capacity *= 2;
    if (!output.string) {
        output.string = rb_str_buf_new(static_cast<long>(capacity));
        memcpy(RSTRING_PTR(output.string), w.begin, used);
    } else {
        rb_str_set_len(output.string, static_cast<long>(used));
        rb_str_modify_expand(output.string, static_cast<long>(capacity - used));
    }
    w.begin = reinterpret_cast<uint8_t *>(RSTRING_PTR(output.string));
    w.end = w.begin + capacity;
    return w.begin + used;
}

}  // namespace

Output::Output() : string(Qfalse), disturbances(0) {
    writer.begin = stack;
    writer.end = stack + stack_size;
    writer.grow = output_grow;
#ifdef SPARPACK_DEBUG
    writer.reserved = stack;
#endif
}

VALUE output_finish(Output &output, const uint8_t *p) {
    long size = static_cast<long>(p - output.writer.begin);
    if (!output.string) return rb_str_new(reinterpret_cast<const char *>(output.writer.begin), size);
    return rb_str_resize(output.string, size);
}

}  // namespace sparpack
