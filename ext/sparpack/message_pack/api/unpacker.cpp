#include "unpacker.hpp"

#include "../../wire/message_pack/end.hpp"
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

VALUE unpacker_class;  // written by unpacker_init alone

void unpacker_mark(void *data) {
    Unpacker *unpacker = static_cast<Unpacker *>(data);
    rb_gc_mark(unpacker->buffer);
    rb_gc_mark(unpacker->data);
    rb_gc_mark(unpacker->options.types_object);
}

void unpacker_free(void *data) {
    ruby_xfree(static_cast<Unpacker *>(data)->end);
    ruby_xfree(data);
}

size_t unpacker_size(const void *data) {
    return sizeof(Unpacker) + (static_cast<const Unpacker *>(data)->end ? sizeof(MessagePackEnd) : 0);
}

// Deliberately not WB_PROTECTED: it holds few objects, and lives as long as they do.
const rb_data_type_t unpacker_type = {"sparpack/unpacker",
                                      {unpacker_mark, unpacker_free, unpacker_size, nullptr, {nullptr}},
                                      nullptr,
                                      nullptr,
                                      RUBY_TYPED_FREE_IMMEDIATELY};

VALUE unpacker_alloc(VALUE klass) {
    Unpacker *unpacker;
    VALUE object = TypedData_Make_Struct(klass, Unpacker, &unpacker_type, unpacker);
    unpacker->buffer = unpacker->data = Qnil;
    unpacker->options = UnpackOptions();
    unpacker->memory = unpacker->options.memory;
    return object;
}

Unpacker &unpacker_raw(VALUE object) { return *static_cast<Unpacker *>(rb_check_typeddata(object, &unpacker_type)); }

size_t size_of_data(const Unpacker &u) { return static_cast<size_t>(RSTRING_LEN(u.data)); }

// Anything but reading needs a buffer.
SPARPACK_COLD void make_buffer(Unpacker &u) {
    if (NIL_P(u.data)) fault_argument("this unpacker has no buffer: its initialize was not called");
    if (!charge(u.memory, buffer_cost(size_of_data(u)) + data_cost(sizeof(MessagePackEnd)))) {
        Fault fault;
        fault.status = Status::too_much_memory;
        fault.limit = static_cast<long>(u.options.memory);
        fault_raise_unpack(fault, static_cast<long>(u.at), static_cast<long>(u.at));
    }
    VALUE buffer = buffer_new();
    buffer_feed(buffer_of(buffer), u.data);
    buffer_drop(buffer_of(buffer), u.at);
    u.changes = buffer_of(buffer).changes;
    u.buffer = buffer;
    u.data = Qnil;
}

Unpacker &unpacker_of(VALUE object) {
    Unpacker &u = unpacker_raw(object);
    if (SPARPACK_UNLIKELY(NIL_P(u.buffer))) make_buffer(u);
    return u;
}

// The data of an extension type can be read without a buffer.
Unpacker &unpacker_ready(VALUE object) {
    Unpacker &u = unpacker_raw(object);
    if (SPARPACK_UNLIKELY(NIL_P(u.buffer) && NIL_P(u.data))) make_buffer(u);
    return u;
}

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
[[noreturn]] SPARPACK_COLD void fail_limit(const Unpacker &u, const Buffer &buffer) {
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
    if (span.size <= copied_max || span.size < static_cast<size_t>(RSTRING_LEN(span.owner)) / 2) {
        VALUE copy = rb_obj_hide(rb_str_new(reinterpret_cast<const char *>(span.begin), static_cast<long>(span.size)));
        return {copy, reinterpret_cast<const uint8_t *>(RSTRING_PTR(copy)), span.size};
    }
    size_t offset = static_cast<size_t>(span.begin - reinterpret_cast<const uint8_t *>(RSTRING_PTR(span.owner)));
    VALUE frozen = rb_str_new_frozen(span.owner);
    return {frozen, reinterpret_cast<const uint8_t *>(RSTRING_PTR(frozen)) + offset, span.size};
}

[[noreturn]] SPARPACK_COLD void fail_used() { fault_argument("the unpacker was used while it read a value"); }

// Reads a compressed value, which the bytes of an unpacking are. Returns its end.
SPARPACK_COLD const uint8_t *read_compressed(const Unpacker &u, const Buffer &buffer, const Unpack &k, VALUE *out) {
    VALUE bytes = rb_str_new(reinterpret_cast<const char *>(k.in.begin), k.in.end - k.in.begin);
    size_t size = static_cast<size_t>(RSTRING_LEN(bytes)), end = 0;
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
    bool compressed = SPARPACK_UNLIKELY(u.options.compressed == Compressed::expected) && !u.inner && is_compressed(k);
    const uint8_t *p = compressed ? nullptr : unpack_value(k, k.in.begin, out, u.options.depth);
    unpack_end(k);
    if (!p && k.in.status == Status::unknown_ext && !u.inner && is_compressed(k)) compressed = true;
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
            if (u.searched + message_pack_end_missing(*u.end) > u.options.payload) fail_limit(u, buffer);
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
    Input in(reinterpret_cast<const uint8_t *>(RSTRING_PTR(u.data)) + u.at, size_of_data(u) - u.at);
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
    Unpack k(data, reinterpret_cast<const uint8_t *>(RSTRING_PTR(data)) + at, size - at, u.options, stack);
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

VALUE read_header(VALUE self, const char *expected, MessagePack::Head head) {
    Unpacker &u = unpacker_of(self);
    uint8_t byte = first_byte(u);
    if (MessagePack::head_of(byte) != head) fault_raise_header(expected, byte);
    for (;;) {
        Buffer &buffer = buffer_of(u.buffer);
        Span span = buffer_join(buffer, buffer.size < MessagePack::header_max ? buffer.size : MessagePack::header_max);
        Input in(span.begin, span.size);
        MessagePack::Item item{};
        const uint8_t *p = MessagePack::read_head(in, span.begin, item);
        if (p) {
            drop(u, buffer, static_cast<size_t>(p - span.begin));
            RB_GC_GUARD(span.owner);
            return ULL2NUM(item.number);
        }
        if (!fill(u.buffer)) fail_end();
    }
}

// --- what Ruby calls ---------------------------------------------------------------------------------------------------

VALUE unpacker_setup(VALUE self, VALUE buffer, VALUE types, VALUE options) {
    Unpacker &u = unpacker_raw(self);
    if (!NIL_P(u.buffer) || !NIL_P(u.data)) fault_argument("the unpacker is already initialized");
    buffer_of(buffer);
    u.options = unpack_options(options, types);
    u.memory = u.options.memory;
    u.buffer = buffer;
    forget(u);
    return self;
}

VALUE unpacker_use(VALUE self, VALUE types) {
    Unpacker &u = unpacker_of(self);
    u.options.types = types_of(types);
    u.options.types_object = types;
    return self;
}

VALUE unpacker_read(VALUE self) {
    VALUE value = Qnil;
    if (!next(unpacker_ready(self), &value)) fail_end();
    RB_GC_GUARD(self);
    return value;
}

VALUE unpacker_full_unpack(VALUE self) {
    VALUE value = unpacker_read(self);
    size_t left = buffer_of(unpacker_of(self).buffer).size;
    if (left) fault_message_pack("MalformedFormatError", "%zu extra bytes after the deserialized object", left);
    return value;
}

VALUE unpacker_each(VALUE self) {
    RETURN_ENUMERATOR(self, 0, nullptr);
    VALUE value = Qnil;
    while (next(unpacker_ready(self), &value)) rb_yield(value);
    return Qnil;
}

VALUE unpacker_feed(VALUE self, VALUE bytes) {
    StringValue(bytes);
    buffer_feed(buffer_of(unpacker_of(self).buffer), bytes);
    return self;
}

VALUE unpacker_feed_each(VALUE self, VALUE bytes) {
    RETURN_ENUMERATOR(self, 1, &bytes);
    return unpacker_each(unpacker_feed(self, bytes));
}

VALUE unpacker_skip(VALUE self) {
    Unpacker &u = unpacker_of(self);
    if (u.next == Next::unreadable) forget(u);
    size_t size = search(u);
    if (!size) fail_end();
    Buffer &buffer = buffer_of(u.buffer);
    if (message_pack_end_missing(*u.end)) {  // not a value: reading it says why
        VALUE value = Qnil;
        read_from(u, buffer, buffer_join(buffer, size), false, &value);
    }
    drop(u, buffer, size);
    return Qnil;
}

VALUE unpacker_skip_nil(VALUE self) {
    Unpacker &u = unpacker_of(self);
    if (first_byte(u) != MessagePack::nil_byte) return Qfalse;
    drop(u, buffer_of(u.buffer), 1);
    return Qtrue;
}

VALUE unpacker_read_array_header(VALUE self) { return read_header(self, "an Array", MessagePack::Head::array); }

VALUE unpacker_read_map_header(VALUE self) { return read_header(self, "a Hash", MessagePack::Head::map); }

VALUE unpacker_reset(VALUE self) {
    Unpacker &u = unpacker_of(self);
    buffer_clear(buffer_of(u.buffer));
    forget(u);
    return Qnil;
}

VALUE unpacker_buffer(VALUE self) { return unpacker_of(self).buffer; }
VALUE unpacker_types(VALUE self) { return unpacker_raw(self).options.types_object; }
VALUE unpacker_symbolizes(VALUE self) { return unpacker_raw(self).options.symbolize_keys ? Qtrue : Qfalse; }
VALUE unpacker_freezes(VALUE self) { return unpacker_raw(self).options.freeze ? Qtrue : Qfalse; }
VALUE unpacker_allows(VALUE self) { return unpacker_raw(self).options.allow_unknown_ext ? Qtrue : Qfalse; }

size_t limit_of(VALUE row, long index) {
    VALUE limit = rb_ary_entry(row, index);
    return NIL_P(limit) ? SIZE_MAX : NUM2SIZET(limit);
}

int64_t memory_of(VALUE row, long index) {
    size_t limit = limit_of(row, index);
    return limit < static_cast<size_t>(unlimited) ? static_cast<int64_t>(limit) : unlimited;
}

}  // namespace

UnpackOptions unpack_options(VALUE row, VALUE types) {
    Check_Type(row, T_ARRAY);
    if (RARRAY_LEN(row) != 9) fault_argument("expected options of 9 parts, got %ld", RARRAY_LEN(row));
    UnpackOptions options;
    int bits = NUM2INT(rb_ary_entry(row, 0));
    options.symbolize_keys = bits & 1;
    options.freeze = bits & 2;
    options.allow_unknown_ext = bits & 4;
    options.strict_utf8 = bits & 8;
    options.payload = limit_of(row, 1);
    options.string = limit_of(row, 2);
    options.ext = limit_of(row, 3);
    options.container = limit_of(row, 4);
    options.memory = memory_of(row, 5);
    options.limited = (options.string & options.ext & options.container) != SIZE_MAX || options.memory != unlimited;
    options.depth = NUM2INT(rb_ary_entry(row, 6));
    if (options.depth < 0 || options.depth > untyped_depth_max)
        fault_argument("depth must be from 0 to %d, got %d", untyped_depth_max, options.depth);
    options.decompressed = memory_of(row, 7);
    options.compressed = static_cast<Compressed>(NUM2INT(rb_ary_entry(row, 8)));
    options.types = types_of(types);
    options.types_object = types;
    return options;
}

int64_t unpacker_cost() { return data_cost(sizeof(Unpacker)); }

VALUE unpacker_call(const UnpackOptions &options, VALUE proc, VALUE data, int depth, int64_t *memory) {
    VALUE object = unpacker_alloc(unpacker_class);
    Unpacker &u = unpacker_raw(object);
    u.data = rb_str_freeze(data);
    u.options = options;
    u.options.depth = depth;
    u.inner = true;
    u.memory = *memory;
    VALUE arguments[] = {proc, object};
    VALUE value = extensions_call("read", 2, arguments);
    *memory = u.memory;
    RB_GC_GUARD(object);
    return value;
}

void unpacker_init(VALUE klass) {
    if (unpacker_class) return;
    unpacker_class = klass;
    rb_gc_register_mark_object(klass);
    rb_define_alloc_func(klass, unpacker_alloc);
    rb_define_private_method(klass, "setup", method(unpacker_setup), 3);
    rb_define_private_method(klass, "use", method(unpacker_use), 1);
    rb_define_private_method(klass, "types", method(unpacker_types), 0);
    rb_define_method(klass, "read", method(unpacker_read), 0);
    rb_define_method(klass, "full_unpack", method(unpacker_full_unpack), 0);
    rb_define_method(klass, "each", method(unpacker_each), 0);
    rb_define_method(klass, "feed", method(unpacker_feed), 1);
    rb_define_method(klass, "feed_each", method(unpacker_feed_each), 1);
    rb_define_method(klass, "skip", method(unpacker_skip), 0);
    rb_define_method(klass, "skip_nil", method(unpacker_skip_nil), 0);
    rb_define_method(klass, "read_array_header", method(unpacker_read_array_header), 0);
    rb_define_method(klass, "read_map_header", method(unpacker_read_map_header), 0);
    rb_define_method(klass, "reset", method(unpacker_reset), 0);
    rb_define_method(klass, "buffer", method(unpacker_buffer), 0);
    rb_define_method(klass, "symbolize_keys?", method(unpacker_symbolizes), 0);
    rb_define_method(klass, "freeze?", method(unpacker_freezes), 0);
    rb_define_method(klass, "allow_unknown_ext?", method(unpacker_allows), 0);
    rb_define_alias(klass, "unpack", "read");
    rb_define_alias(klass, "feed_reference", "feed");
}

}  // namespace sparpack
