#include "output.hpp"

namespace sparpack {

SPARPACK_COLD uint8_t *output_grow(Writer &w, uint8_t *p, size_t need) {
    Output &output = reinterpret_cast<Output &>(w);
    output.disturbances++;
    size_t used = static_cast<size_t>(p - w.begin);
    size_t capacity = static_cast<size_t>(w.end - w.begin) * 2;
    while (capacity - used < need) capacity *= 2;
    if (!output.string) {
        output.string = rb_obj_hide(rb_str_buf_new(static_cast<long>(capacity)));  // no transcoding finds it
        memcpy(RSTRING_PTR(output.string), w.begin, used);
    } else {
        rb_str_set_len(output.string, static_cast<long>(used));
        rb_str_modify_expand(output.string, static_cast<long>(capacity - used));
    }
    w.begin = reinterpret_cast<uint8_t *>(RSTRING_PTR(output.string));
    w.end = w.begin + capacity;
    return w.begin + used;
}

// malloc keeps for itself what is not larger than what was freed before, and maps the rest anew, with a page fault for each
// 4 KB. A buffer that shrinks before it is freed is always of the rest: it pays to copy it and to free it as it is.
constexpr long copied_from = 64 << 10, copied_to = 4 << 20;

VALUE output_finish(Output &output, const uint8_t *p) {
    long size = static_cast<long>(p - output.writer.begin);
    const char *begin = reinterpret_cast<const char *>(output.writer.begin);
    if (!output.string) return rb_str_new(begin, size);
    if (size < copied_from || size > copied_to) return rb_obj_reveal(rb_str_resize(output.string, size), rb_cString);
    VALUE string = rb_str_new(begin, size);
    rb_str_resize(output.string, 0);
    return string;
}

}  // namespace sparpack
