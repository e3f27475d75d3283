#include "output.hpp"

#include "fault.hpp"
#include "pages.hpp"

namespace sparpack {

namespace {

// The size of this thread's last output that did not fit on the stack. The next one may be like it.
thread_local size_t expected;

// malloc uses memory again up to the largest size that was freed before. It maps larger memory anew, with a page fault for
// each 4 KB. A buffer that shrinks before it is freed never raises that size, so it pays to copy it and to free it unshrunk.
constexpr size_t copied_from = 64 << 10, copied_to = 4 << 20;

// The most that is taken on a guess.
constexpr size_t expected_max = 4 << 20;

// Larger memory is new to the process, with a page fault for each page of it. So its pages are made present, but only some
// at a time, because a buffer that has doubled may stay half empty, and because these are then still in the processor's
// cache.
constexpr size_t populated_from = 4 << 20, window_size = 2 << 20;
static_assert(window_size % page_max == 0);

// Makes a String to write to, which is hidden from transcoders.
VALUE open(size_t capacity) {
    VALUE string = rb_obj_hide(rb_str_buf_new(static_cast<long>(capacity)));
    RB_ENCODING_SET_INLINED(string, output_open);
    return string;
}

// The String no longer belongs to the output.
VALUE close(VALUE string) {
    RB_ENCODING_SET_INLINED(string, binary_index);
    return string;
}

VALUE hand_over(VALUE string) { return rb_obj_reveal(close(string), rb_cString); }

size_t first_capacity(const Output &output, size_t used, size_t need) {
    size_t capacity = Output::stack_size * 2;
    while (capacity - used < need) capacity *= 2;
    size_t likely = output.in_parts || !technique::expected_size ? 0 : expected + expected / 64 + 64;
    return likely > capacity && likely <= expected_max ? likely : capacity;
}

template <size_t size> uint8_t *round_down(uint8_t *p) { return p - reinterpret_cast<uintptr_t>(p) % size; }

// Lets an output write up to the end of the next window, or of a String that is small. There is room for `need` bytes.
uint8_t *open_window(Output &output, uint8_t *p, size_t need) {
    Writer &w = output.writer;
    w.end = output.end;
    if (static_cast<size_t>(w.end - w.begin) <= populated_from) return p;
    if (static_cast<size_t>(w.end - p) - need > window_size) w.end = round_down<window_size>(p + need + window_size);
    uint8_t *from = round_down<page_max>(p);
    if (from < w.begin) from += page_max;
    pages_populate(from, round_down<page_max>(w.end));
    return p;
}

}  // namespace

void output_refuse(const OutputLimit &limit) {
    Fault fault;
    fault.status = Status::output_too_long;
    fault.limit = static_cast<long>(limit.most);
    const long place = static_cast<long>(limit.place);
    fault_raise_decode(fault, limit.klass, limit.wire, place, place,
                       rb_utf8_str_new_cstr(" (Limits#memory of the codec that reads also limits what a converter writes)"));
}

SPARPACK_COLD uint8_t *output_grow(Writer &w, uint8_t *p, size_t need) {
    Output &output = reinterpret_cast<Output &>(w);
    size_t used = static_cast<size_t>(p - w.begin), capacity = static_cast<size_t>(output.end - w.begin);
    if (capacity - used >= need) return open_window(output, p, need);
    output.epoch++;
    if (output.watch) output.watch(output, used);
    if (!output.string) {
        capacity = first_capacity(output, used, need);
        output.string = open(capacity);
        memcpy(RSTRING_PTR(output.string), w.begin, used);
    } else {
        while (capacity - used < need) capacity *= 2;
        rb_str_set_len(output.string, static_cast<long>(used));
        rb_str_modify_expand(output.string, static_cast<long>(capacity - used));
    }
    w.begin = reinterpret_cast<uint8_t *>(RSTRING_PTR(output.string));
    output.end = w.begin + capacity;
    return open_window(output, w.begin + used, need);
}

#ifdef SPARPACK_ABLATION
SPARPACK_COLD void output_begin(Output &output) {
    output.string = open(Output::stack_size);
    output.writer.begin = reinterpret_cast<uint8_t *>(RSTRING_PTR(output.string));
    output.end = output.writer.end = output.writer.begin + Output::stack_size;
}
#endif

// Returns the String that was written to, even where its memory would otherwise be used again.
static VALUE output_cut(const Output &output, size_t size) {
    rb_str_set_len(output.string, static_cast<long>(size));
    return hand_over(rb_str_resize(output.string, static_cast<long>(size)));
}

VALUE output_finish(Output &output, const uint8_t *p) {
    size_t size = static_cast<size_t>(p - output.writer.begin),
           capacity = static_cast<size_t>(output.end - output.writer.begin);
    const char *begin = reinterpret_cast<const char *>(output.writer.begin);
    if (!technique::memory_reuse) return output_cut(output, size);
    // The String does not know how much was written to it. If it shrank to an embedded one, it would lose that.
    if (!output.string || size <= Output::stack_size) return rb_str_new(begin, static_cast<long>(size));
    expected = size;
    if (capacity - size <= size / 16) {  // about as large as was expected
        rb_str_set_len(output.string, static_cast<long>(size));
        return hand_over(output.string);
    }
    if (size < copied_from || size > copied_to) return hand_over(rb_str_resize(output.string, static_cast<long>(size)));
    VALUE string = rb_str_new(begin, static_cast<long>(size));
    rb_str_resize(close(output.string), 0);
    return string;
}

VALUE output_append(Output &output, const uint8_t *p, VALUE string) {
    rb_str_cat(string, reinterpret_cast<const char *>(output.writer.begin), p - output.writer.begin);
    RB_GC_GUARD(output.string);
    return string;
}

}  // namespace sparpack
