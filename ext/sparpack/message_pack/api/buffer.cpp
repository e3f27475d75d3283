#include "buffer.hpp"

#include "../../glue/fault.hpp"
#include "../../glue/io.hpp"
#include "../../values/costs.hpp"
#include "io_strings.hpp"

namespace sparpack {

namespace {

// An empty buffer keeps memory of its own up to this size.
constexpr size_t kept_max = 128 << 10;
constexpr size_t first_size = 1024;  // of the buffer's own memory

VALUE buffer_class;  // written by buffer_init alone

void buffer_mark(void *data) {
    Buffer *buffer = static_cast<Buffer *>(data);
    rb_gc_mark(buffer->io);
    if (buffer->packer) rb_gc_mark(buffer->packer);
    if (buffer->chunks) rb_gc_mark(buffer->chunks);
    if (buffer->tail) rb_gc_mark(buffer->tail);
}

// Counts the bytes that stay in memory. Those of a chunk are freed together.
size_t buffer_memory(const void *data) {
    const Buffer *buffer = static_cast<const Buffer *>(data);
    return sizeof(Buffer) + buffer->offset + buffer->size;
}

// Deliberately not WB_PROTECTED: the objects that it holds change with every piece.
const rb_data_type_t buffer_type = {"sparpack/buffer",
                                    {buffer_mark, RUBY_DEFAULT_FREE, buffer_memory, nullptr, {nullptr}},
                                    nullptr,
                                    nullptr,
                                    RUBY_TYPED_FREE_IMMEDIATELY};

VALUE buffer_alloc(VALUE klass) {
    Buffer *buffer;
    VALUE object = TypedData_Make_Struct(klass, Buffer, &buffer_type, buffer);
    buffer->io = Qnil;
    buffer->io_size = 32 << 10;
    buffer->read_from = 256;
    buffer->write_from = 512 << 10;
    return object;
}

// Sets the tail's length to what was written to it.
void set_tail_size(Buffer &buffer) {
    if (!buffer.added) return;
    rb_str_set_len(buffer.tail, RSTRING_LEN(buffer.tail) + static_cast<long>(buffer.added));
    buffer.added = 0;
}

size_t chunk_count(const Buffer &buffer) {
    return buffer.chunks ? static_cast<size_t>(RARRAY_LEN(buffer.chunks)) : size_t{0};
}

VALUE chunk_at(const Buffer &buffer, size_t index) { return RARRAY_AREF(buffer.chunks, static_cast<long>(index)); }

void add_chunk(Buffer &buffer, VALUE string) {
    if (!buffer.chunks) buffer.chunks = rb_obj_hide(rb_ary_new());
    rb_ary_push(buffer.chunks, string);
    buffer.size += string_size(string);
}

// An empty buffer drops its chunks, but keeps memory of its own.
void release_if_empty(Buffer &buffer) {
    if (buffer.size) return;
    buffer.offset = buffer.added = 0;
    // A String that shares its memory cannot be kept.
    bool keep = technique::memory_reuse && buffer.tail && buffer.capacity <= kept_max &&
                !RB_FL_TEST_RAW(buffer.tail, RUBY_ELTS_SHARED);
    if (!keep) buffer.tail = Qfalse;
    if (!buffer.chunks) return;
    if (keep) {
        if (RSTRING_LEN(buffer.tail)) rb_str_set_len(buffer.tail, 0);
        if (chunk_count(buffer) == 1) return;
    }
    rb_ary_clear(buffer.chunks);
    if (keep) rb_ary_push(buffer.chunks, buffer.tail);
}

// Moves the bytes of a long tail to its front, over those that are gone, to make room for others.
void compact(Buffer &buffer) {
    if (buffer.offset < 4096 || buffer.offset < string_size(buffer.tail) / 2 || chunk_at(buffer, 0) != buffer.tail) return;
    rb_str_modify(buffer.tail);
    buffer.capacity = 0;
    buffer.moves++;
    size_t left = string_size(buffer.tail) - buffer.offset;
    memmove(RSTRING_PTR(buffer.tail), RSTRING_PTR(buffer.tail) + buffer.offset, left);
    rb_str_set_len(buffer.tail, static_cast<long>(left));
    buffer.offset = 0;
}

VALUE copy(const uint8_t *begin, size_t size) {
    return rb_str_new(reinterpret_cast<const char *>(begin), static_cast<long>(size));
}

// Returns all that is left in one String.
VALUE string_of(Buffer &buffer) {
    Span front = buffer_front(buffer);
    if (front.size == buffer.size) return copy(front.begin, front.size);
    VALUE string = rb_str_buf_new(static_cast<long>(buffer.size));
    for (size_t i = 0; i < chunk_count(buffer); i++) {
        size_t gone = i ? 0 : buffer.offset;
        VALUE chunk = chunk_at(buffer, i);
        rb_str_cat(string, RSTRING_PTR(chunk) + gone, static_cast<long>(string_size(chunk) - gone));
    }
    return string;
}

// Returns all that is left as visible Strings. If `shared` is true, an io may get Strings that share the memory of chunks to
// which the buffer appends no more. Changing those Strings does not change the chunks.
VALUE strings_of(Buffer &buffer, bool shared) {
    set_tail_size(buffer);
    VALUE strings = rb_obj_hide(rb_ary_new());  // hidden, so that an io cannot find and change it
    for (size_t i = 0; i < chunk_count(buffer); i++) {
        VALUE chunk = chunk_at(buffer, i);
        size_t gone = i ? 0 : buffer.offset;
        if (string_size(chunk) == gone) continue;
        bool as_is = shared && chunk != buffer.tail && !gone;
        rb_ary_push(strings, as_is ? buffer_binary(chunk) : copy(string_bytes(chunk) + gone, string_size(chunk) - gone));
    }
    return strings;
}

// --- what Ruby calls ---------------------------------------------------------------------------------------------------

VALUE buffer_setup(VALUE self, VALUE io, VALUE io_size, VALUE read_from, VALUE write_from) {
    Buffer &buffer = buffer_of(self);
    size_t sizes[] = {NUM2SIZET(io_size), NUM2SIZET(read_from), NUM2SIZET(write_from)};
    buffer.writer = NIL_P(io) ? 0 : writer_of(io);
    buffer.io = io;
    buffer.io_size = sizes[0];
    buffer.read_from = sizes[1];
    buffer.write_from = sizes[2];
    return self;
}

VALUE buffer_io(VALUE self) { return buffer_of(self).io; }
VALUE buffer_io_size(VALUE self) { return SIZET2NUM(buffer_of(self).io_size); }
VALUE buffer_size(VALUE self) { return SIZET2NUM(buffer_of(self).size); }
VALUE buffer_is_empty(VALUE self) { return buffer_of(self).size ? Qfalse : Qtrue; }

void append(VALUE self, VALUE string) {
    Buffer &buffer = buffer_of(self);
    if (!buffer.divert || !buffer.divert(buffer.packer, string)) buffer_feed(buffer, string);
}

VALUE buffer_append_string(VALUE self, VALUE string) {
    append(self, StringValue(string));
    return self;
}

VALUE buffer_write(VALUE self, VALUE string) {
    size_t size = string_size(StringValue(string));
    append(self, string);
    return SIZET2NUM(size);
}

VALUE buffer_clear_all(VALUE self) {
    buffer_clear(buffer_of(self));
    return Qnil;
}

VALUE buffer_to_s(VALUE self) { return string_of(buffer_of(self)); }

VALUE buffer_to_a(VALUE self) {
    VALUE strings = strings_of(buffer_of(self), false);
    if (!RARRAY_LEN(strings)) rb_ary_push(strings, rb_str_new(nullptr, 0));
    return rb_obj_reveal(strings, rb_cArray);
}

// Takes the first `count` bytes, or all if there are fewer.
VALUE buffer_take(VALUE self, VALUE count) {
    Buffer &buffer = buffer_of(self);
    size_t size = NUM2SIZET(count);
    if (size >= buffer.size) return buffer_take_all(buffer);
    Span span = buffer_join(buffer, size);
    VALUE string = copy(span.begin, size);
    RB_GC_GUARD(span.owner);
    buffer_drop(buffer, size);
    return string;
}

VALUE buffer_advance(VALUE self, VALUE count) {
    Buffer &buffer = buffer_of(self);
    size_t size = NUM2SIZET(count);
    buffer_drop(buffer, size < buffer.size ? size : buffer.size);
    return self;
}

VALUE buffer_io_write(VALUE self, VALUE io) {
    size_t size = buffer_of(self).size;
    buffer_write_to(self, io, Qnil);
    return SIZET2NUM(size);
}

VALUE buffer_flush(VALUE self) {
    VALUE io = buffer_of(self).io;
    if (!NIL_P(io)) buffer_write_to(self, io, Qnil);
    return self;
}

}  // namespace

Buffer &buffer_of(VALUE object) { return *static_cast<Buffer *>(rb_check_typeddata(object, &buffer_type)); }

VALUE buffer_new() { return buffer_alloc(buffer_class); }

int64_t buffer_cost(size_t size) {
    return data_cost(sizeof(Buffer) + size) + array_cost(1) + string_cost(size < first_size ? first_size : size);
}

SPARPACK_COLD void buffer_append_slowly(Buffer &buffer, const void *bytes, size_t size) {
    set_tail_size(buffer);
    if (!buffer.tail) {
        VALUE tail = rb_obj_hide(rb_str_buf_new(static_cast<long>(size < first_size ? first_size : size)));
        add_chunk(buffer, tail);
        buffer.tail = tail;
    } else if (buffer.offset) {
        compact(buffer);
    }
    rb_str_cat(buffer.tail, static_cast<const char *>(bytes), static_cast<long>(size));
    buffer.capacity = rb_str_capacity(buffer.tail);
    buffer.size += size;
}

void buffer_feed(Buffer &buffer, VALUE string) {
    size_t size = string_size(string);
    size_t kept_from = buffer.size ? buffer.write_from : buffer.read_from < 4096 ? 4096 : buffer.read_from;
    if (size < kept_from || !technique::shared_strings) {
        buffer_append(buffer, RSTRING_PTR(string), size);
        RB_GC_GUARD(string);
    } else {
        buffer_push(buffer, unlocked_frozen(string));
    }
}

void buffer_push(Buffer &buffer, VALUE string) {
    set_tail_size(buffer);
    if (!buffer.size && buffer.chunks) {
        rb_ary_clear(buffer.chunks);
        buffer.offset = 0;
    }
    buffer.tail = Qfalse;
    add_chunk(buffer, string);
}

Span buffer_front(Buffer &buffer) {
    set_tail_size(buffer);
    if (!buffer.size) return {Qnil, nullptr, 0};
    VALUE chunk = chunk_at(buffer, 0);
    return {chunk, string_bytes(chunk) + buffer.offset, string_size(chunk) - buffer.offset};
}

Place buffer_place(const Buffer &buffer, size_t at) {
    if (!at) return {0, buffer.offset};
    size_t chunk = chunk_count(buffer), behind = buffer.size - at, size = 0;  // bytes from `at` on; those of the chunk
    while (chunk--) {
        size = string_size(chunk_at(buffer, chunk)) + (chunk + 1 == chunk_count(buffer) ? buffer.added : 0);
        if (behind <= size) break;
        behind -= size;
    }
    return {chunk, size - behind};
}

Span buffer_span(Buffer &buffer, const Place &place) {
    set_tail_size(buffer);
    VALUE chunk = chunk_at(buffer, place.chunk);
    return {chunk, string_bytes(chunk) + place.offset, string_size(chunk) - place.offset};
}

Span buffer_join(Buffer &buffer, size_t size) {
    Span front = buffer_front(buffer);
    if (front.size >= size) return {front.owner, front.begin, size};
    VALUE string = rb_obj_hide(rb_str_buf_new(static_cast<long>(size)));
    for (size_t i = 0, gone = buffer.offset; string_size(string) < size; i++, gone = 0) {
        VALUE chunk = chunk_at(buffer, i);
        size_t left = size - string_size(string), here = string_size(chunk) - gone;
        rb_str_cat(string, RSTRING_PTR(chunk) + gone, static_cast<long>(here < left ? here : left));
    }
    return {string, string_bytes(string), size};
}

void buffer_drop(Buffer &buffer, size_t size) {
    buffer.changes++;
    buffer.gone += size;
    buffer.size -= size;
    if (!buffer.size) return release_if_empty(buffer);
    set_tail_size(buffer);
    buffer.offset += size;
    while (buffer.offset >= string_size(chunk_at(buffer, 0))) {
        buffer.offset -= string_size(chunk_at(buffer, 0));
        rb_ary_shift(buffer.chunks);
    }
}

void buffer_clear(Buffer &buffer) {
    buffer.changes++;
    buffer.gone = buffer.size = 0;
    release_if_empty(buffer);
}

VALUE buffer_take_all(Buffer &buffer) {
    VALUE chunk = buffer.size ? chunk_at(buffer, 0) : Qnil;
    bool pushed = buffer.size && chunk_count(buffer) == 1 && !buffer.offset && !buffer.tail && !RBASIC_CLASS(chunk);
    // A String that was pushed is handed out as it is.
    VALUE string = pushed ? rb_obj_reveal(chunk, rb_cString) : string_of(buffer);
    buffer_drop(buffer, buffer.size);
    return string;
}

VALUE buffer_binary(VALUE string) {
    bool binary = ENCODING_GET(string) == rb_ascii8bit_encindex();
    if (binary && RB_OBJ_FROZEN(string) && RBASIC_CLASS(string) == rb_cString) return string;
    VALUE bytes = rb_str_subseq(string, 0, RSTRING_LEN(string));
    rb_enc_associate_index(bytes, rb_ascii8bit_encindex());
    return bytes;
}

void buffer_write_to(VALUE object, VALUE io, VALUE strings) {
    Buffer &buffer = buffer_of(object);
    ID writer = io == buffer.io && !NIL_P(io) ? buffer.writer : writer_of(io);  // may run Ruby code
    size_t size = buffer.size, changes = buffer.changes;
    if (NIL_P(strings) && size && chunk_count(buffer) == 1 && buffer.tail) {
        VALUE string = copy(string_bytes(buffer.tail) + buffer.offset, size);
        io_write(io, writer, string, io_takes_bytes(io, size));
        io_written(io, string);
    } else {
        VALUE all = strings_of(buffer, true);
        if (!NIL_P(strings)) rb_ary_cat(all, RARRAY_CONST_PTR(strings), RARRAY_LEN(strings));
        write_strings(io, writer, all);
    }
    if (buffer.changes == changes) buffer_drop(buffer, size);
    RB_GC_GUARD(object);
}

void buffer_init(VALUE klass) {
    if (buffer_class) return;
    buffer_class = klass;
    rb_gc_register_mark_object(klass);
    rb_define_alloc_func(klass, buffer_alloc);
    define_private_methods(klass, {{"setup", buffer_setup},
                                   {"io_buffer_size", buffer_io_size},
                                   {"take", buffer_take},
                                   {"advance", buffer_advance},
                                   {"pour", buffer_io_write}});
    define_methods(klass, {{"io", buffer_io},
                           {"size", buffer_size},
                           {"empty?", buffer_is_empty},
                           {"<<", buffer_append_string},
                           {"write", buffer_write},
                           {"clear", buffer_clear_all},
                           {"to_s", buffer_to_s},
                           {"to_a", buffer_to_a},
                           {"flush", buffer_flush}});
    rb_define_alias(klass, "to_str", "to_s");
}

}  // namespace sparpack
