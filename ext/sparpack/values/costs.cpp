#include "costs.hpp"

namespace sparpack {

ObjectSizes object_sizes;

namespace {

constexpr size_t sizes_usual = 5;  // each twice as large as the one before

// Writes Ruby's slot sizes to `sizes`, in ascending order. Returns how many there are.
size_t sizes_of(size_t *sizes, size_t most) {
    VALUE gc = rb_path2class("GC"), heaps = Qnil;
    if (rb_respond_to(gc, rb_intern("stat_heap"))) heaps = rb_funcall(gc, rb_intern("stat_heap"), 0);
    size_t count = 0;
    while (RB_TYPE_P(heaps, T_HASH) && count < most) {
        VALUE heap = rb_hash_aref(heaps, SIZET2NUM(count));
        VALUE size = RB_TYPE_P(heap, T_HASH) ? rb_hash_aref(heap, ID2SYM(rb_intern("slot_size"))) : Qnil;
        if (!RB_FIXNUM_P(size) || FIX2LONG(size) <= (count ? static_cast<long>(sizes[count - 1]) : 0)) break;
        sizes[count++] = static_cast<size_t>(FIX2LONG(size));
    }
    if (count) return count;
    for (; count < sizes_usual; count++) sizes[count] = object_size << count;  // another collector may not report them
    return count;
}

}  // namespace

void costs_init() {
    if (!objects_vary) return;
    constexpr size_t most = 64, bytes_max = ObjectSizes::words_max * word_size;
    size_t sizes[most] = {}, count = sizes_of(sizes, most), place = 0;
    for (size_t i = 0; i < count && sizes[i] <= bytes_max; i++) object_sizes.largest = sizes[i];
    for (size_t words = 0; words <= ObjectSizes::words_max; words++) {
        while (place + 1 < count && sizes[place] < words * word_size) place++;
        object_sizes.of[words] = static_cast<uint16_t>(sizes[place]);
    }
}

}  // namespace sparpack
