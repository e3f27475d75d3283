// Bytes on their way: what a packer has written and nobody took yet, or what an unpacker was fed and has not read. Small
// pieces are copied one behind the other into a String of the buffer's own, whose memory is used again; large ones are kept
// as they are, by a frozen String that shares their memory.
#pragma once

#include "../bytes/writer.hpp"
#include "../glue/ruby.hpp"

namespace sparpack {

struct Buffer {
    VALUE io;                      // Qnil without one
    ID writer;                     // the method of the io's that writes
    VALUE chunks;                  // a hidden Array of Strings, oldest first; Qfalse before the first
    VALUE tail;                    // the last of them, while it is the buffer's own; Qfalse if it is not
    size_t added;                  // bytes at the tail that its length does not know yet
    size_t capacity;               // of the tail, as far as it is known; its memory may be shared all the same
    size_t offset;                 // bytes of the first chunk that are gone
    size_t size;                   // bytes that are left
    size_t gone;                   // bytes that were taken since the buffer was made or cleared
    size_t changes;                // how often bytes were taken
    size_t moves;                  // how often the tail's bytes were moved to its front
    VALUE packer;                  // whose buffer it is, if it is a packer's
    bool (*divert)(VALUE, VALUE);  // takes a String if that packer is in the middle of a value; nullptr without a packer
    size_t io_size;                // bytes that are read from an io at a time, and after which bytes are written to it
    size_t read_from, write_from;  // from so many bytes on a String is kept as it is: alone, behind others
};

Buffer &buffer_of(VALUE object);
VALUE buffer_new();
int64_t buffer_cost(size_t size);  // of one that was fed so many bytes

void buffer_append_slowly(Buffer &buffer, const void *bytes, size_t size);
void buffer_feed(Buffer &buffer, VALUE string);  // later changes of the String are not seen
void buffer_push(Buffer &buffer, VALUE string);  // hidden, and nobody else's

// Where bytes lie one behind the other.
struct Span {
    VALUE owner;  // a String that nobody but the buffer changes
    const uint8_t *begin;
    size_t size;
};

// What is left of the first chunk; nothing if the buffer is empty.
Span buffer_front(Buffer &buffer);

// Where a byte lies: in which chunk, and how many bytes behind its begin.
struct Place {
    size_t chunk, offset;
};

// Where the byte `at` lies, counted from the first that is left: that itself, or one that is looked for from the end, where
// the last bytes came.
Place buffer_place(const Buffer &buffer, size_t at);

// What lies in a chunk from there on.
Span buffer_span(Buffer &buffer, const Place &place);

// The first `size` bytes side by side: where they lie, if they lie so, else in a hidden String of their own.
Span buffer_join(Buffer &buffer, size_t size);

void buffer_drop(Buffer &buffer, size_t size);
void buffer_clear(Buffer &buffer);

// All that is left, as a String of the caller's; the buffer is empty then.
VALUE buffer_take_all(Buffer &buffer);

// Writes all that is left to an io, and the Strings of an Array (or nil) behind it, in one call where the io has one for
// several. What was left stays if it could not be written. Runs Ruby code.
void buffer_write_to(VALUE object, VALUE io, VALUE strings);

// A String's bytes as an io takes them: the String itself if it is frozen, else one that shares its memory.
VALUE buffer_binary(VALUE string);

// Copies bytes behind the others. The String is told when somebody looks: telling it takes longer than the copy.
SPARPACK_INLINE void buffer_append(Buffer &buffer, const void *bytes, size_t size) {
    VALUE tail = buffer.tail;
    if (SPARPACK_LIKELY(tail && !buffer.offset && !RB_FL_TEST_RAW(tail, RUBY_ELTS_SHARED))) {
        size_t used = static_cast<size_t>(RSTRING_LEN(tail)) + buffer.added;
        if (SPARPACK_LIKELY(used + size <= buffer.capacity)) {
            copy_bytes(reinterpret_cast<uint8_t *>(RSTRING_PTR(tail)) + used, bytes, size);
            buffer.added += size;
            buffer.size += size;
            return;
        }
    }
    buffer_append_slowly(buffer, bytes, size);
}

}  // namespace sparpack
