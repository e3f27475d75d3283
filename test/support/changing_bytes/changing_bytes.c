// Changes the bytes of a String from another thread, without the GVL, as IO#read does to memory that a copy may share. It does
// so all the time, anywhere in the String, and soon puts back what was there.
#include <pthread.h>
#include <ruby.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

enum { longest = 16 };

static unsigned char *bytes, *originals;
static size_t size;
static uint64_t state;
static atomic_bool wanted, going;
static pthread_t thread;

// Bytes that mean something on one of the wires.
static const unsigned char telling[] = "\"\\u0dD8:,[]{}=\x00\xff\x7f\x80\x01\xc0\xc1\xdf\xd9\xc9\xc6\x0b\x0c\x08\x0f nz1-.e/AF+";

static uint64_t next(void) { // xorshift
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static void wait_for(uint64_t most) {
    for (volatile uint64_t i = next() % most; i > 0; i--) {}
}

static void restore(size_t from, size_t count) {
    volatile unsigned char *to = bytes;
    for (size_t i = from; i < from + count && i < size; i++) to[i] = originals[i];
}

static void change(size_t at) {
    volatile unsigned char *to = bytes;
    switch (next() % 4) {
    case 0: to[at] = telling[next() % (sizeof telling - 1)]; break;
    case 1: to[at] = (unsigned char)next(); break;
    case 2: to[at] ^= (unsigned char)(1u << next() % 8); break;
    default: // other bytes of the same payload
        for (size_t from = next() % size, i = 0; i < longest && at + i < size && from + i < size; i++)
            to[at + i] = originals[from + i];
    }
}

static void *go_on(void *nothing) {
    for (;;) {
        if (!wanted) {
            if (going) restore(0, size);
            going = false;
            sched_yield();
            continue;
        }
        going = true;
        size_t at = next() % size;
        change(at);
        wait_for(300);
        restore(at, longest);
        wait_for(600);
    }
    return nothing;
}

static VALUE end_changes(VALUE self) {
    wanted = false;
    while (going) sched_yield();
    return Qnil;
}

// ChangingBytes.start(string, seed): until `end`, the bytes of the String change, which must stay where they are.
static VALUE start_changes(VALUE self, VALUE string, VALUE seed) {
    end_changes(self);
    if (RSTRING_LEN(string) == 0) return Qnil;
    size = (size_t)RSTRING_LEN(string);
    bytes = (unsigned char *)RSTRING_PTR(string);
    originals = ruby_xrealloc(originals, size);
    memcpy(originals, bytes, size);
    state = NUM2ULL(seed) | 1;
    wanted = true;
    if (!thread && pthread_create(&thread, NULL, go_on, NULL) != 0) rb_raise(rb_eRuntimeError, "no thread");
    while (!going) sched_yield(); // otherwise `end` could not see that it is about to go on
    return Qnil;
}

void Init_changing_bytes(void) {
    VALUE module = rb_define_module("ChangingBytes");
    rb_define_singleton_method(module, "start", start_changes, 2);
    rb_define_singleton_method(module, "end", end_changes, 0);
}
