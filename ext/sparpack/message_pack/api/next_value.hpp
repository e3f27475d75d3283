// How an unpacker finds and reads its next value: at once if its bytes are there in one piece, otherwise after a search for
// its end. Only unpacker.cpp includes this file.
#pragma once

#include "../../wire/message_pack/end.hpp"
#include "../callbacks.hpp"
#include "buffer.hpp"
#include "compressed.hpp"

namespace sparpack {

namespace {

// What is known about the next value.
enum class Next : uint8_t {
    unknown,
    unreadable,  // reading it has failed, or is under way
    skipped,     // only its end is searched for
};

struct Unpacker {
    VALUE buffer;    // a Sparpack::MessagePack::Buffer; nil while `data` is enough
    VALUE data;      // of a recursive extension type; otherwise nil
    size_t at;       // how far `data` was read
    int64_t memory;  // bytes of the limit that the next value may take
    bool inner;      // made for the data of an extension type, whose values share `memory`
    UnpackOptions options;
    MessagePackEnd *end;  // of the next value; nullptr until it is searched for
    size_t searched;      // bytes of that value in which its end was searched for
    bool tried;           // its end was not among the bytes
    Next next;
    size_t changes;  // of the buffer, when this was found out; if it has changed since, nothing is known
};

size_t size_of_data(const Unpacker &u) { return string_size(u.data); }

SPARPACK_INLINE void forget(Unpacker &u) {
    if (SPARPACK_UNLIKELY(u.end != nullptr)) message_pack_end_begin(*u.end);
    u.searched = 0;
    u.tried = false;
    u.next = Next::unknown;
}

SPARPACK_INLINE void drop(Unpacker &u, Buffer &buffer, size_t size) {
    buffer_drop(buffer, size);
    forget(u);
}

// Reads more from the io. Returns whether bytes came. Runs Ruby code.
bool fill(VALUE buffer) { return !NIL_P(buffer_of(buffer).io) && RTEST(rb_funcall(buffer, rb_intern("fill"), 0)); }

[[noreturn]] SPARPACK_COLD void fail_end() { fault_end("end of buffer reached"); }

// Fails without waiting for the rest of a value that is too long.
[[noreturn]] SPARPACK_COLD void fail_limit(Unpacker &u, const Buffer &buffer) {
    u.next = Next::unreadable;
    Fault fault;
    fault.status = Status::payload_too_long;
    fault.limit = static_cast<long>(u.options.payload);
    fault_raise_unpack(fault, static_cast<long>(buffer.gone), static_cast<long>(buffer.gone));
}

// Returns bytes that nobody can change while Ruby code runs. Only the tail can change. Bytes in it are copied, unless they
// are long and most of the tail. In that case they share its memory, and the next feed copies the rest of the tail.
Span stable_span(const Span &span, const Buffer &buffer) {
    constexpr size_t copied_max = 64 << 10;
    if (span.owner != buffer.tail) return span;
    if (span.size <= copied_max || span.size < string_size(span.owner) / 2) {
        VALUE copy = rb_obj_hide(rb_str_new(reinterpret_cast<const char *>(span.begin), static_cast<long>(span.size)));
        return {copy, string_bytes(copy), span.size};
    }
    size_t offset = static_cast<size_t>(span.begin - string_bytes(span.owner));
    VALUE frozen = rb_str_new_frozen(span.owner);
    return {frozen, string_bytes(frozen) + offset, span.size};
}

[[noreturn]] SPARPACK_COLD void fail_used() { fault_argument("the unpacker was used while it read a value"); }

// Reads a compressed value, which the bytes of an unpacking are. Returns its end.
SPARPACK_COLD const uint8_t *read_compressed(const Unpacker &u, const Buffer &buffer, const Unpack &k, VALUE *out) {
    VALUE bytes = rb_str_new(reinterpret_cast<const char *>(k.in.begin), k.in.end - k.in.begin);
    size_t size = string_size(bytes), end = 0;
    *out = load_compressed(bytes, u.options, buffer.gone, &end);
    rb_str_resize(bytes, 0);  // nobody else has it
    return k.in.begin + (end < size ? end : size);
}

// Reads the value that the bytes begin with. Returns its size, or 0 if its end is not among them and `may_end` allows that.
size_t read_from(Unpacker &u, const Buffer &buffer, const Span &given, bool may_end, VALUE *out) {
    const Span span = SPARPACK_UNLIKELY(u.options.types != nullptr) ? stable_span(given, buffer) : given;
    VALUE stack[Pending::stack_size];
    Unpack k(span.owner, span.begin, span.size, u.options, stack);
    k.memory = u.memory;
    size_t changes = u.changes = buffer.changes, moves = buffer.moves;
    u.next = Next::unreadable;
    bool compressed =
        SPARPACK_UNLIKELY(u.options.compressed == Compressed::expected) && !u.inner && is_compressed(k, may_end);
    const uint8_t *p = compressed ? nullptr : unpack_value(k, k.in.begin, out, u.options.depth);
    unpack_end(k);
    if (!p && !u.inner && failed_compressed(k)) compressed = true;
    // All of its bytes are needed, so its end is looked for first.
    if (SPARPACK_UNLIKELY(compressed)) p = may_end ? nullptr : read_compressed(u, buffer, k, out);
    if (SPARPACK_UNLIKELY(compressed) && may_end) k.in.status = Status::truncated;
    // The copy was only for this.
    if (span.owner != given.owner && !RB_OBJ_FROZEN(span.owner) && !k.ran_ruby) rb_str_resize(span.owner, 0);
    // A key's `hash` may have read, or have fed so much that the buffer moved its bytes.
    if (SPARPACK_UNLIKELY(buffer.changes != changes || (buffer.moves != moves && span.owner == buffer.tail))) {
        forget(u);  // the value itself is fine
        fail_used();
    }
    if (SPARPACK_UNLIKELY(!p)) {
        if (k.in.status != Status::truncated || !may_end) unpack_raise(k, buffer.gone);
        u.next = Next::unknown;
        return 0;
    }
    if (SPARPACK_UNLIKELY(u.inner)) u.memory = k.memory;
    RB_GC_GUARD(k.source);
    return static_cast<size_t>(p - k.in.begin);
}

// Returns the size of the next value, or 0 if its end is not there. Looks at each byte once, however often it is called. For
// bytes that are not a value, returns as many as show that.
size_t search(Unpacker &u) {
    if (!u.end) {
        u.end = static_cast<MessagePackEnd *>(ruby_xmalloc(sizeof(MessagePackEnd)));
        message_pack_end_begin(*u.end);
    }
    for (;;) {
        Buffer &buffer = buffer_of(u.buffer);
        if (u.changes != buffer.changes) {  // bytes were taken, maybe from the buffer itself
            forget(u);
            u.changes = buffer.changes;
        }
        for (Place place = buffer_place(buffer, u.searched); u.searched < buffer.size; place = {place.chunk + 1, 0}) {
            Span span = buffer_span(buffer, place);
            Input in(span.begin, span.size);
            const uint8_t *p = span.begin;
            Pulled result = message_pack_end_find(*u.end, in, p);
            u.searched += static_cast<size_t>(p - span.begin);
            RB_GC_GUARD(span.owner);
            if (u.next != Next::skipped && u.searched + message_pack_end_missing(*u.end) > u.options.payload)
                fail_limit(u, buffer);
            if (result == Pulled::done) return u.searched;
            if (result == Pulled::bad) {
                size_t shown = u.searched + MessagePack::header_max;
                return shown < buffer.size ? shown : buffer.size;
            }
        }
        u.tried = true;
        if (u.next == Next::skipped) {  // nobody asks for these bytes again, however many there are
            buffer_drop(buffer, u.searched);
            u.searched = 0;
            u.changes = buffer.changes;
        }
        if (!fill(u.buffer)) return 0;
    }
}

// Skips a value that could not be read, because a caller who continues after an error would read it again and again. Bytes
// that are not a value end with the first wrong one. Returns false if the end is not there.
SPARPACK_COLD bool skip_unreadable(Unpacker &u) {
    if (u.changes != buffer_of(u.buffer).changes) return forget(u), true;
    if (u.next == Next::unreadable) forget(u);
    u.next = Next::skipped;
    size_t size = search(u);
    if (!size) return false;
    if (u.next != Next::skipped) return forget(u), true;  // the io took some of its bytes
    if (message_pack_end_missing(*u.end)) size = u.searched + 1;
    Buffer &buffer = buffer_of(u.buffer);
    drop(u, buffer, size < buffer.size ? size : buffer.size);
    return true;
}

bool next_by_search(Unpacker &u, VALUE *out) {
    size_t size = search(u);
    if (!size) return false;
    Buffer &buffer = buffer_of(u.buffer);
    read_from(u, buffer, buffer_join(buffer, size), false, out);
    drop(u, buffer_of(u.buffer), size);
    return true;
}

// Skips a value in the data that could not be read.
[[gnu::noinline]] void skip_unreadable_in_data(Unpacker &u) {
    Input in(string_bytes(u.data) + u.at, size_of_data(u) - u.at);
    const uint8_t *p = in.begin;
    MessagePackEnd end;
    message_pack_end_begin(end);
    bool is_bad = message_pack_end_find(end, in, p) == Pulled::bad;
    u.at += static_cast<size_t>(p - in.begin) + is_bad;  // bytes that are not a value end with the first wrong one
    u.next = Next::unknown;
}

// Reads from the data, which is complete. Extension types in it may run Ruby code, which may also read on.
[[gnu::noinline]] bool next_in_data(Unpacker &u, VALUE *out) {
    if (SPARPACK_UNLIKELY(u.next == Next::unreadable)) skip_unreadable_in_data(u);
    VALUE data = u.data;
    size_t at = u.at, size = size_of_data(u);
    if (at == size) return false;
    VALUE stack[128];  // small, so that the stack of a fiber has room for all levels
    Unpack k(data, string_bytes(data) + at, size - at, u.options, stack);
    k.memory = u.memory;
    u.next = Next::unreadable;
    const uint8_t *p = unpack_value(k, k.in.begin, out, u.options.depth);
    unpack_end(k);
    if (u.data != data || u.at != at) fail_used();
    if (!p && k.in.status != Status::truncated) unpack_raise(k, at);
    u.next = Next::unknown;
    if (!p) return false;
    u.at = at + static_cast<size_t>(p - k.in.begin);
    u.memory = k.memory;
    RB_GC_GUARD(data);
    return true;
}

// Reads a value at once if possible. Searches for its end first if that has failed, or if Ruby code of extension
// types would run twice.
SPARPACK_INLINE bool next(Unpacker &u, VALUE *out) {
    if (SPARPACK_UNLIKELY(!NIL_P(u.data))) return next_in_data(u, out);
    if (SPARPACK_UNLIKELY(u.next != Next::unknown) && !skip_unreadable(u)) return false;
    Buffer &buffer = buffer_of(u.buffer);
    if (SPARPACK_UNLIKELY(!buffer.size) && !fill(u.buffer)) return false;
    if (u.tried || u.options.types) return next_by_search(u, out);
    Span front = buffer_front(buffer);
    size_t all = front.size;
    if (SPARPACK_UNLIKELY(front.size > u.options.payload)) front.size = u.options.payload;
    size_t size = read_from(u, buffer, front, true, out);
    if (SPARPACK_LIKELY(size != 0)) {
        drop(u, buffer, size);
        return true;
    }
    if (front.size < all) fail_limit(u, buffer);
    u.tried = true;
    return next_by_search(u, out);
}

// Returns the first byte of the next value, which is enough for a head that is cut off.
uint8_t first_byte(Unpacker &u) {
    while (!buffer_of(u.buffer).size) {  // another thread may have taken what came
        if (!fill(u.buffer)) fail_end();
    }
    return *buffer_front(buffer_of(u.buffer)).begin;
}

}  // namespace

}  // namespace sparpack
