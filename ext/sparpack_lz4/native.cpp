// Sparpack::Native::LZ4: compressing and decompressing payloads, as Ruby sees it. It raises nothing of its own: a fault is
// returned as its status, and the core makes the exception.
#include <ruby.h>
#include <ruby/thread.h>

#include "../sparpack/values/unlocked.hpp"
#include "../sparpack/wire/message_pack/heads.cpp"  // this library is linked without the core
#include "blocks.hpp"

namespace sparpack::lz4 {

namespace {

// Payloads of this size are compressed and decompressed without the GVL. For smaller ones, other threads would have to wait
// less than it takes to get the GVL back.
constexpr size_t release_from = 256 << 10;

const uint8_t *bytes_of(VALUE string) { return reinterpret_cast<const uint8_t *>(RSTRING_PTR(string)); }
uint8_t *room_of(VALUE string) { return reinterpret_cast<uint8_t *>(RSTRING_PTR(string)); }
size_t size_of(VALUE string) { return static_cast<size_t>(RSTRING_LEN(string)); }

// A String of any bytes, which other threads cannot find while it is filled.
VALUE hidden_string(size_t size) { return rb_obj_hide(rb_str_new(nullptr, static_cast<long>(size))); }

// Work that may stop between two blocks, so that the thread can look at its interrupts, and goes on afterwards. It owns
// nothing: an interrupt may raise.
template <class Step> struct Work {
    Step step;  // returns whether it is done
    bool volatile stop;
    bool done;

    static void *run(void *data) {
        Work *work = static_cast<Work *>(data);
        work->done = work->step(work->stop);
        return nullptr;
    }

    static void interrupt(void *data) { static_cast<Work *>(data)->stop = true; }
};

template <class Step> void work(Step step, bool release) {
    Work<Step> all{step, false, false};
    if (!release) {
        Work<Step>::run(&all);
        return;
    }
    while (!all.done) {
        all.stop = false;
        rb_thread_call_without_gvl(Work<Step>::run, &all, Work<Step>::interrupt, &all);
    }
}

// LZ4.compress(bytes, array): the payload as ext 99, or as a block array. nil if it is too large for ext 99.
VALUE library_compress(VALUE, VALUE bytes, VALUE array) {
    Check_Type(bytes, T_STRING);
    size_t size = size_of(bytes);
    if (!RTEST(array) && size > static_cast<size_t>(lz4_block_max)) return Qnil;
    bool release = size >= release_from;
    VALUE source = release ? unlocked_frozen(bytes) : unlocked(bytes);
    size_t room = RTEST(array) ? room_of_array(size) : room_of_block(size);
    VALUE target = hidden_string(room);
    uint8_t *to = room_of(target), *end = to;
    const uint8_t *from = bytes_of(source);
    if (RTEST(array)) {
        Compression c{from, from + size, write_array_header(size, to, room)};
        work([&c](const bool volatile &stop) { return compress_some(c, stop), c.from == c.end; }, release);
        end = c.to;
    } else {
        work([&](const bool volatile &) { return end = write_block(from, size, to, room), true; }, release);
    }
    RB_GC_GUARD(source);
    rb_str_resize(target, end - to);
    return rb_obj_reveal(target, rb_cString);
}

VALUE fault(const Input &in) {
    return rb_assoc_new(INT2FIX(static_cast<int>(in.status)), SIZET2NUM(static_cast<size_t>(in.at - in.begin)));
}

// The payload and where its blocks end, or a status and the place of the fault.
VALUE decompress(VALUE bytes, size_t start, uint64_t most) {
    VALUE source = bytes = unlocked(bytes);
    Input in(bytes_of(source), size_of(source));
    if (start >= size_of(bytes)) return input_fail(in, Status::truncated, in.end), fault(in);
    Blocks blocks;
    if (!read_header(in, in.begin + start, most, blocks)) return fault(in);
    bool release = blocks.size >= release_from;
    if (release) {
        source = rb_str_new_frozen(bytes);
        in = Input(bytes_of(source), size_of(source));
        if (!read_header(in, in.begin + start, most, blocks)) return fault(in);
    }
    VALUE target = hidden_string(static_cast<size_t>(blocks.size));
    uint8_t *to = room_of(target);
    size_t end = static_cast<size_t>(blocks.end - in.begin);
    auto step = [&](const bool volatile &stop) {
        to = decompress_some(in, blocks, to, stop);
        return !to || !blocks.count;
    };
    work(step, release);
    RB_GC_GUARD(source);
    if (!to) return fault(in);
    return rb_assoc_new(rb_obj_reveal(target, rb_cString), SIZET2NUM(end));
}

// LZ4.decompress(bytes, offset, limit): [the payload, where its blocks end], or [a status, the place of the fault]. The
// core has seen that the bytes begin as such a payload.
VALUE library_decompress(VALUE, VALUE bytes, VALUE offset, VALUE limit) {
    Check_Type(bytes, T_STRING);
    size_t start = NUM2SIZET(offset);
    return decompress(bytes, start, NUM2ULL(limit));
}

// LZ4.inflate(bytes, limit): the same of any bytes, which must end with the payload.
VALUE library_inflate(VALUE, VALUE bytes, VALUE limit) {
    Check_Type(bytes, T_STRING);
    uint64_t most = NUM2ULL(limit);
    bytes = unlocked(bytes);
    Input in(bytes_of(bytes), size_of(bytes));
    if (in.begin == in.end) return input_fail(in, Status::truncated, in.begin), fault(in);
    if (!lz4_begins(in.begin, in.end)) return input_fail(in, Status::bad_lz4_header, in.begin), fault(in);
    VALUE result = decompress(bytes, 0, most);
    VALUE end = rb_ary_entry(result, 1);
    in = Input(bytes_of(bytes), size_of(bytes));
    if (!RB_TYPE_P(rb_ary_entry(result, 0), T_STRING) || NUM2SIZET(end) == size_of(bytes)) return result;
    return input_fail(in, Status::trailing_bytes, in.begin + NUM2SIZET(end)), fault(in);
}

}  // namespace

void init() {
    unlocked_init();
    rb_ext_ractor_safe(true);
    VALUE native = rb_define_module_under(rb_define_module("Sparpack"), "Native");
    VALUE library = rb_define_module_under(native, "LZ4");
    rb_define_const(library, "VERSION", rb_obj_freeze(rb_utf8_str_new_cstr(SPARPACK_VERSION)));
    rb_define_const(library, "LZ4_VERSION", rb_obj_freeze(rb_utf8_str_new_cstr(LZ4_versionString())));
    rb_define_singleton_method(library, "compress", reinterpret_cast<VALUE (*)(ANYARGS)>(library_compress), 2);
    rb_define_singleton_method(library, "decompress", reinterpret_cast<VALUE (*)(ANYARGS)>(library_decompress), 3);
    rb_define_singleton_method(library, "inflate", reinterpret_cast<VALUE (*)(ANYARGS)>(library_inflate), 2);
}

}  // namespace sparpack::lz4

extern "C" [[gnu::visibility("default")]] void Init_native() { sparpack::lz4::init(); }
