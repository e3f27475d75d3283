// The bytes that a packer has written and nobody has taken yet, or that an unpacker was fed and has not read.
// Small pieces are copied one after another into a String of the buffer's own, whose memory is used again. Large ones are
// kept as they are, in a frozen String that shares their memory.
#pragma once

#include "../../bytes/writer.hpp"
#include "../../values/ruby.hpp"

namespace sparpack {

struct Buffer {
    VALUE io;                      // Qnil if there is none
    ID writer;                     // the io's method that writes
    VALUE chunks;                  // a hidden Array of Strings, oldest first; Qfalse before the first
    VALUE tail;                    // the last chunk if it is the buffer's own; otherwise Qfalse
    size_t added;                  // bytes that were written to the tail but are not in its length yet
    size_t capacity;               // of the tail, as far as it is known; its memory may be shared nevertheless
    size_t offset;                 // bytes of the first chunk that were taken
    size_t size;                   // bytes that are left
    size_t gone;                   // bytes that were taken since the buffer was made or cleared
    size_t changes;                // how often bytes were taken
    size_t moves;                  // how often the tail's bytes were moved to its front
    VALUE packer;                  // the packer that owns the buffer, if one does
    bool (*divert)(VALUE, VALUE);  // takes a String if the packer is in the middle of a value; nullptr without a packer
    size_t io_size;                // bytes per read from an io, and the size from which on they are written to it
    size_t read_from, write_from;  // from this size on a String is kept as it is: alone, or behind others
};

Buffer &buffer_of(VALUE object);
VALUE buffer_new();
int64_t buffer_cost(size_t size);  // of a buffer that was fed so many bytes

void buffer_append_slowly(Buffer &buffer, const void *bytes, size_t size);
void buffer_feed(Buffer &buffer, VALUE string);  // does not see later changes of the String
void buffer_push(Buffer &buffer, VALUE string);  // a hidden String that nobody else has

// Adjacent bytes.
struct Span {
    VALUE owner;  // a String that nobody but the buffer changes
    const uint8_t *begin;
    size_t size;
};

// Returns what is left of the first chunk; nothing if the buffer is empty.
Span buffer_front(Buffer &buffer);

// Where a byte lies: its chunk, and its offset there.
struct Place {
    size_t chunk, offset;
};

// Returns where the byte `at` lies, counted from the first that is left. Searches from the end, where the newest bytes are.
Place buffer_place(const Buffer &buffer, size_t at);

// Returns the bytes of a chunk from a place on.
Span buffer_span(Buffer &buffer, const Place &place);

// Returns the first `size` bytes in one piece: in place if they are adjacent, otherwise in a hidden String of their own.
Span buffer_join(Buffer &buffer, size_t size);

void buffer_drop(Buffer &buffer, size_t size);
void buffer_clear(Buffer &buffer);

// Returns all that is left as a String for the caller. The buffer is empty then.
VALUE buffer_take_all(Buffer &buffer);

// Writes all that is left to an io, and behind it the Strings of an Array (or nil), in one call if the io takes several.
// What was left stays if it could not be written. Runs Ruby code.
void buffer_write_to(VALUE object, VALUE io, VALUE strings);

// Returns a String's bytes as an io takes them: the String itself if it is frozen, otherwise one that shares its memory.
VALUE buffer_binary(VALUE string);

// Appends bytes. The tail's length is set only when somebody looks, because setting it takes longer than the copy.
SPARPACK_INLINE void buffer_append(Buffer &buffer, const void *bytes, size_t size) {
    VALUE tail = buffer.tail;
    if (SPARPACK_LIKELY(tail && !buffer.offset && !RB_FL_TEST_RAW(tail, RUBY_ELTS_SHARED))) {
        size_t used = string_size(tail) + buffer.added;
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
