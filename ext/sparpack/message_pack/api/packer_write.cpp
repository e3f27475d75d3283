// The methods of Sparpack::MessagePack::Packer that write values, headers and numbers. Each writes a piece of the current
// packing or, between values, a packing of its own.
#include "buffer.hpp"
#include "packer.hpp"

namespace sparpack {

namespace {

// Ends a packing of its own: what it made goes to the buffer, or has gone to the io in parts.
void piece_done(Packer &packer, Pack &k, uint8_t *p) {
    Buffer &buffer = packer_buffer_in(packer);
    if (output_is_long(k.output, p) && p != k.output.writer.begin) {
        VALUE string = output_finish(k.output, p);
        rb_obj_hide(string);
        buffer_push(buffer, string);
    } else {
        buffer_append(buffer, k.output.writer.begin, static_cast<size_t>(p - k.output.writer.begin));
    }
    packer.sent = Sent::nothing;
    if (SPARPACK_UNLIKELY(k.sink != nullptr) && buffer.size >= buffer.io_size)
        buffer_write_to(packer.buffer, buffer.io, Qnil);
}

// Writes a piece into the current packing. Nothing large is in this frame, because there may be many of them.
template <class Write> [[gnu::noinline]] VALUE piece_inside(VALUE self, const Packer &packer, Write write) {
    Pack &k = *packer.active;
    if (packer.fiber != rb_fiber_current()) packer_fail_fiber();
    if (SPARPACK_UNLIKELY(k.reentry.sends != k.sends)) packer_fail_sent(packer);
    k.held = k.reentry.held;
    ruby_ran(k);
    uint8_t *p = writer_reserve(k.output.writer, pack_at(k, k.reentry.cursor), MessagePack::header_max);
    p = write(k, p);
    if (SPARPACK_UNLIKELY(!p)) {
        Fault fault = k.fault;  // the caller may rescue it and continue
        k.fault = Fault();
        fault_raise_pack(fault);
    }
    pack_set_cursor(k, p);
    return self;
}

// Writes a piece between values, as a packing of its own.
template <class Write> [[gnu::noinline]] VALUE piece_outside(VALUE self, Packer &packer, Write write) {
    if (SPARPACK_UNLIKELY(packer.sent == Sent::some)) packer_fail_sent(packer);
    const Buffer &buffer = packer_buffer_in(packer);
    Pack k(packer.types, packer.options);
    k.packer = self;
    if (SPARPACK_UNLIKELY(!NIL_P(buffer.io))) {
        k.sink = &packer;
        if (technique::shared_strings) k.reference_from = buffer.write_from;
        k.output.writer.grow = packer_grow;
        k.output.in_parts = true;
    }
    uint8_t *p = write(k, writer_reserve(k.output.writer, k.output.writer.begin, MessagePack::header_max));
    if (SPARPACK_UNLIKELY(!p)) pack_raise(k, packer.options.depth);
    piece_done(packer, k, p);
    RB_GC_GUARD(self);
    return self;
}

template <class Write> SPARPACK_INLINE VALUE piece(VALUE self, Write write) {
    Packer &packer = packer_of(self);
    if (SPARPACK_UNLIKELY(packer.sent == Sent::sending)) packer_fail_sent(packer);
    return packer.active ? piece_inside(self, packer, write) : piece_outside(self, packer, write);
}

// Writes a header or a number, which needs no packing of its own.
template <class Write> SPARPACK_INLINE VALUE scalar(VALUE self, Write write) {
    const Packer &packer = packer_of(self);
    if (SPARPACK_UNLIKELY(packer.active || packer.sent != Sent::nothing || !packer.bytes || !NIL_P(packer.bytes->io)))
        return piece(self, [=](Pack &k, uint8_t *p) { return write(k.output.writer, p); });
    uint8_t bytes[2 * MessagePack::header_max];  // as much as the compiler believes copy_bytes to touch
    Writer writer = {};
    writer.end = (writer.begin = bytes) + sizeof bytes;
    const uint8_t *p = write(writer, writer_reserve(writer, bytes, sizeof bytes));
    buffer_append(*packer.bytes, bytes, static_cast<size_t>(p - bytes));
    return self;
}

VALUE packer_write(VALUE self, VALUE value) {
    if (RB_FIXNUM_P(value)) {
        return scalar(self, [=](Writer &w, uint8_t *p) { return MessagePack::write_integer(w, p, RB_FIX2LONG(value)); });
    }
    return piece(self, [=](Pack &k, uint8_t *p) { return pack_value(k, p, value, k.reentry.depth); });
}

[[noreturn]] SPARPACK_COLD void fail_type(VALUE value, const char *expected) {
    if (RB_SPECIAL_CONST_P(value) && !RB_STATIC_SYM_P(value) && !RB_FIXNUM_P(value) && !RB_FLONUM_P(value))
        fault_type("wrong argument type %" PRIsVALUE " (expected %s)", rb_inspect(value), expected);  // nil, true, false
    fault_type("wrong argument type %" PRIsVALUE " (expected %s)", rb_obj_class(value), expected);
}

VALUE write_byte(VALUE self, uint8_t byte) {
    return scalar(self, [=](Writer &w, uint8_t *p) { return MessagePack::write_byte(w, p, byte); });
}

VALUE packer_write_nil(VALUE self) { return write_byte(self, MessagePack::nil_byte); }
VALUE packer_write_true(VALUE self) { return write_byte(self, MessagePack::true_byte); }
VALUE packer_write_false(VALUE self) { return write_byte(self, MessagePack::false_byte); }

VALUE packer_write_array(VALUE self, VALUE array) {
    if (!RB_TYPE_P(array, T_ARRAY)) fail_type(array, "Array");
    return piece(self, [=](Pack &k, uint8_t *p) { return pack_array(k, p, array, k.reentry.depth); });
}

VALUE packer_write_hash(VALUE self, VALUE hash) {
    if (!RB_TYPE_P(hash, T_HASH)) fail_type(hash, "Hash");
    return piece(self, [=](Pack &k, uint8_t *p) { return pack_hash(k, p, hash, k.reentry.depth); });
}

VALUE packer_write_symbol(VALUE self, VALUE symbol) {
    if (!RB_SYMBOL_P(symbol)) fail_type(symbol, "Symbol");
    return packer_write(self, symbol);
}

VALUE packer_write_string(VALUE self, VALUE string) {
    if (!RB_TYPE_P(string, T_STRING)) fail_type(string, "String");
    return piece(self, [=](Pack &k, uint8_t *p) { return pack_string(k, p, string); });
}

VALUE packer_write_int(VALUE self, VALUE integer) {
    if (!RB_INTEGER_TYPE_P(integer)) fail_type(integer, "Integer");
    return packer_write(self, integer);
}

VALUE packer_write_bin(VALUE self, VALUE string) {
    if (!RB_TYPE_P(string, T_STRING)) fail_type(string, "String");
    return piece(self, [=](Pack &k, uint8_t *p) { return pack_bytes(k, p, string, true); });
}

VALUE packer_write_float(VALUE self, VALUE number) {
    double real = NUM2DBL(number);
    return scalar(self, [=](Writer &w, uint8_t *p) { return MessagePack::write_double(w, p, real); });
}

VALUE packer_write_float32(VALUE self, VALUE number) {
    if (!RTEST(rb_obj_is_kind_of(number, rb_cNumeric))) fault_argument("Expected numeric");
    float single = static_cast<float>(NUM2DBL(number));
    return scalar(self, [=](Writer &w, uint8_t *p) { return MessagePack::write_float(w, p, single); });
}

size_t count_of(VALUE count) {
    // NUM2UINT would take a negative number from to_int, and write it as a large one.
    if (!RB_SPECIAL_CONST_P(count) && !RB_FLOAT_TYPE_P(count)) count = rb_to_int(count);
    bool small = RB_FIXNUM_P(count) || RB_FLOAT_TYPE_P(count);
    if (small && NUM2LL(count) < 0) fault_range("a size must be from 0 to 4294967295, got %lld", NUM2LL(count));
    return static_cast<size_t>(NUM2UINT(count));
}

VALUE packer_write_array_header(VALUE self, VALUE count) {
    size_t size = count_of(count);
    return scalar(self, [=](Writer &w, uint8_t *p) { return MessagePack::write_array(w, p, size); });
}

VALUE packer_write_map_header(VALUE self, VALUE count) {
    size_t size = count_of(count);
    return scalar(self, [=](Writer &w, uint8_t *p) { return MessagePack::write_map(w, p, size); });
}

VALUE packer_write_bin_header(VALUE self, VALUE count) {
    size_t size = count_of(count);
    return piece(self, [=](Pack &k, uint8_t *p) {
        return k.options.compatible ? MessagePack::write_raw(k.output.writer, p, size)
                                    : MessagePack::write_bin(k.output.writer, p, size);
    });
}

VALUE packer_write_ext(VALUE self, VALUE number, VALUE data) {
    int type = NUM2INT(number);
    if (type < INT8_MIN || type > INT8_MAX) fault_range("integer %d too big to convert to `signed char'", type);
    StringValue(data);
    return piece(self, [=](Pack &k, uint8_t *p) { return pack_ext(k, p, static_cast<int8_t>(type), data); });
}

VALUE packer_write_extension(VALUE self, VALUE value) {
    if (!RB_TYPE_P(value, T_STRUCT)) fail_type(value, "Struct");
    if (RSTRUCT_LEN(value) < 2) fault_argument("an extension value needs a type and a payload");
    return piece(self, [=](Pack &k, uint8_t *p) { return packer_write_struct(k, p, value); });
}

}  // namespace

bool packer_write_raw(VALUE self, VALUE string) {
    const Packer &packer = packer_of(self);
    if (!packer_active_here(packer)) return false;
    if (packer.sent == Sent::sending) packer_fail_sent(packer);
    piece_inside(self, packer, [=](Pack &k, uint8_t *p) { return pack_raw(k, p, string); });
    return true;
}

// Writes an ExtensionValue, or another Struct of a type's number and data.
uint8_t *packer_write_struct(Pack &k, uint8_t *p, VALUE value) {
    VALUE number = RSTRUCT_GET(value, 0), data = RSTRUCT_GET(value, 1);
    if (RB_TYPE_P(number, T_BIGNUM)) NUM2LONG(number);  // which usually raises
    if (!RB_FIXNUM_P(number) || FIX2LONG(number) < INT8_MIN || FIX2LONG(number) > INT8_MAX)
        fault_range("integer %" PRIsVALUE " too big to convert to `signed char'", fault_quote(number));
    data = pack_call(k, p, [&] { return StringValue(data); });
    return pack_ext(k, p, static_cast<int8_t>(FIX2INT(number)), data);
}

void writers_init(VALUE klass) {
    define_methods(klass, {{"write", packer_write},
                           {"write_nil", packer_write_nil},
                           {"write_true", packer_write_true},
                           {"write_false", packer_write_false},
                           {"write_float", packer_write_float},
                           {"write_float32", packer_write_float32},
                           {"write_string", packer_write_string},
                           {"write_bin", packer_write_bin},
                           {"write_array", packer_write_array},
                           {"write_hash", packer_write_hash},
                           {"write_symbol", packer_write_symbol},
                           {"write_int", packer_write_int},
                           {"write_ext", packer_write_ext},
                           {"write_extension", packer_write_extension},
                           {"write_array_header", packer_write_array_header},
                           {"write_map_header", packer_write_map_header},
                           {"write_bin_header", packer_write_bin_header}});
    rb_define_alias(klass, "pack", "write");
}

}  // namespace sparpack
