#include "unpacker.hpp"

#include "next_value.hpp"

namespace sparpack {

namespace {

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
    if (SPARPACK_UNLIKELY(u.next != Next::unknown) && u.changes == buffer_of(u.buffer).changes) {
        if (!skip_unreadable(u)) fail_end();
        return Qnil;
    }
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

// Skips the next value. Returns its size, or 0 at the end of the input.
size_t pass(VALUE self) {
    Unpacker &u = unpacker_of(self);
    if (!buffer_of(u.buffer).size && !fill(u.buffer)) return 0;
    const size_t before = buffer_of(u.buffer).gone;
    unpacker_skip(self);
    return buffer_of(u.buffer).gone - before;
}

// pass_each: yields where each value begins and ends.
VALUE unpacker_pass_each(VALUE self) {
    while (const size_t size = pass(self)) {
        const size_t end = buffer_of(unpacker_of(self).buffer).gone;
        rb_yield_values(2, SIZET2NUM(end - size), SIZET2NUM(end));
    }
    return self;
}

// pass_all: how many values there are.
VALUE unpacker_pass_all(VALUE self) {
    size_t count = 0;
    while (pass(self)) count++;
    return SIZET2NUM(count);
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
    define_private_methods(klass, {{"setup", unpacker_setup},
                                   {"use", unpacker_use},
                                   {"types", unpacker_types},
                                   {"pass_each", unpacker_pass_each},
                                   {"pass_all", unpacker_pass_all}});
    define_methods(klass, {{"read", unpacker_read},
                           {"full_unpack", unpacker_full_unpack},
                           {"each", unpacker_each},
                           {"feed", unpacker_feed},
                           {"feed_each", unpacker_feed_each},
                           {"skip", unpacker_skip},
                           {"skip_nil", unpacker_skip_nil},
                           {"read_array_header", unpacker_read_array_header},
                           {"read_map_header", unpacker_read_map_header},
                           {"reset", unpacker_reset},
                           {"buffer", unpacker_buffer},
                           {"symbolize_keys?", unpacker_symbolizes},
                           {"freeze?", unpacker_freezes},
                           {"allow_unknown_ext?", unpacker_allows}});
    rb_define_alias(klass, "unpack", "read");
    rb_define_alias(klass, "feed_reference", "feed");
}

}  // namespace sparpack
