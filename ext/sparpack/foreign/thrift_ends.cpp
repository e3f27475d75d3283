// Protocols and transports of Apache's gem. All that they know is in their instance variables, which are read here as the
// gem's methods would leave them.
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../values/costs.hpp"
#include "../values/text.hpp"
#include "thrift.hpp"

namespace sparpack {

namespace {

// The classes, by the names that Ruby gives them. One that is not known, or no longer, is 0, which no object has as its
// class. They are written in the main Ractor, and read by all.
enum Known : uint32_t {
    compact,
    binary,
    binary_accelerated,
    multiplexed,
    header_protocol,
    memory_buffer,
    framed,
    buffered,
    http_client,
    header_transport,
    string_io,
    known_count
};
constexpr const char *known_names[known_count] = {"CompactProtocol",     "BinaryProtocol",    "BinaryProtocolAccelerated",
                                                  "MultiplexedProtocol", "HeaderProtocol",    "MemoryBufferTransport",
                                                  "FramedTransport",     "BufferedTransport", "HTTPClientTransport",
                                                  "HeaderTransport",     "StringIO"};
VALUE known[known_count];
bool binary_uuids[known_count];  // whether such a protocol reads a uuid as ASCII-8BIT

ID id_trans, id_protocol, id_transport, id_max_string_size, id_bool_value, id_boolean_field, id_buf, id_index, id_rbuf,
    id_wbuf, id_inbuf, id_outbuf, id_read_buffer, id_write_buffer, id_reads, id_writes, id_read, id_write, id_read_frame,
    id_string, id_pos, id_set_pos, id_closed_read;

SPARPACK_INLINE bool is(VALUE klass, Known which) { return klass == __atomic_load_n(&known[which], __ATOMIC_RELAXED); }

// A transport that has read this many bytes of its buffer drops them.
constexpr long garbage_size = 4096;

// The size of a frame has four bytes.
constexpr long frame_max = 0xffffffff;

bool is_buffer(VALUE value) { return RB_TYPE_P(value, T_STRING) && rb_enc_get_index(value) == binary_index; }

// Sparpack::Native.thrift_know(name, class, binary_uuids): a protocol or transport that native code stands in for from now
// on; no longer if the class is nil. `binary_uuids` says that the protocol reads a uuid as ASCII-8BIT.
VALUE native_thrift_know(VALUE, VALUE name, VALUE klass, VALUE binary) {
    Check_Type(name, T_STRING);
    if (!NIL_P(klass)) {
        Check_Type(klass, T_CLASS);
        rb_gc_register_mark_object(klass);
    }
    for (uint32_t i = 0; i < known_count; i++) {
        if (strcmp(StringValueCStr(name), known_names[i]) != 0) continue;
        __atomic_store_n(&binary_uuids[i], RTEST(binary), __ATOMIC_RELAXED);
        __atomic_store_n(&known[i], NIL_P(klass) ? 0 : klass, __ATOMIC_RELAXED);
        return Qtrue;
    }
    return Qfalse;
}

}  // namespace

// Finds the protocol that has the transport. Others only pass their calls on to it.
static SPARPACK_INLINE VALUE innermost(VALUE protocol) {
    if (SPARPACK_UNLIKELY(RB_SPECIAL_CONST_P(protocol))) return 0;
    VALUE klass = RBASIC_CLASS(protocol);
    if (SPARPACK_LIKELY(!is(klass, multiplexed) && !is(klass, header_protocol))) return protocol;
    protocol = rb_attr_get(protocol, id_protocol);
    return RB_SPECIAL_CONST_P(protocol) ? 0 : protocol;
}

static SPARPACK_INLINE bool kind_of(VALUE transport, ThriftTransport *kind) {
    if (SPARPACK_UNLIKELY(RB_SPECIAL_CONST_P(transport))) return false;
    VALUE klass = RBASIC_CLASS(transport);
    if (SPARPACK_LIKELY(is(klass, memory_buffer))) return *kind = ThriftTransport::memory, true;
    if (is(klass, framed)) return *kind = ThriftTransport::framed, true;
    if (is(klass, buffered)) return *kind = ThriftTransport::buffered, true;
    if (is(klass, http_client)) return *kind = ThriftTransport::http, true;
    if (is(klass, header_transport)) return *kind = ThriftTransport::header, true;
    return false;
}

bool thrift_binary_uuids(VALUE klass) {
    for (uint32_t i = 0; i < known_count; i++) {
        if (is(klass, static_cast<Known>(i))) return __atomic_load_n(&binary_uuids[i], __ATOMIC_RELAXED);
    }
    return false;
}

// A compact protocol has kept the header of a boolean field, or its value, until the other one comes: `pending` is not nil.
static SPARPACK_INLINE bool end_of(VALUE protocol, ID pending, ThriftEnd *end) {
    if (SPARPACK_UNLIKELY(RB_OBJ_FROZEN_RAW(protocol))) return false;
    VALUE klass = RBASIC_CLASS(protocol);
    if (is(klass, compact)) {
        if (SPARPACK_UNLIKELY(!NIL_P(rb_attr_get(protocol, pending)))) return false;
        end->wire = WireId::compact;
    } else if (is(klass, binary) || is(klass, binary_accelerated)) {
        end->wire = WireId::binary;
    } else {
        return false;
    }
    end->binary_uuids = thrift_binary_uuids(klass);
    end->transport = rb_attr_get(protocol, id_trans);
    return kind_of(end->transport, &end->kind);
}

// A protocol that was allocated without `initialize` has no buffer.
static bool is_initialized(VALUE protocol) { return RB_TYPE_P(rb_attr_get(protocol, id_rbuf), T_STRING); }

bool thrift_source_of(VALUE protocol, ThriftEnd *end) {
    protocol = innermost(protocol);
    if (SPARPACK_UNLIKELY(!protocol) || !end_of(protocol, id_bool_value, end)) return false;
    VALUE limit = rb_attr_get(protocol, id_max_string_size);
    if (SPARPACK_UNLIKELY(NIL_P(limit))) return end->string = unlimited, is_initialized(protocol);
    if (SPARPACK_UNLIKELY(!RB_FIXNUM_P(limit))) return false;
    end->string = RB_FIX2LONG(limit);
    return true;
}

bool thrift_target_of(VALUE protocol, ThriftEnd *end) {
    protocol = innermost(protocol);
    return SPARPACK_LIKELY(protocol) && end_of(protocol, id_boolean_field, end);
}

// --- reading -----------------------------------------------------------------------------------------------------------

static bool in_variables(ThriftInput *input, ID bytes, VALUE transport) {
    VALUE index = rb_attr_get(transport, id_index);
    input->holder = transport;
    input->bytes = rb_attr_get(transport, bytes);
    if (SPARPACK_UNLIKELY(!is_buffer(input->bytes) || !RB_FIXNUM_P(index) || RB_OBJ_FROZEN_RAW(transport))) return false;
    long offset = RB_FIX2LONG(index);
    if (SPARPACK_UNLIKELY(offset < 0 || offset > RSTRING_LEN(input->bytes))) return false;
    input->offset = static_cast<size_t>(offset);
    return true;
}

static bool in_string_io(ThriftInput *input, ID variable, VALUE transport) {
    input->holder = rb_attr_get(transport, variable);
    if (RB_SPECIAL_CONST_P(input->holder) || !is(RBASIC_CLASS(input->holder), string_io)) return false;
    if (RTEST(rb_funcallv(input->holder, id_closed_read, 0, nullptr)) || RB_OBJ_FROZEN_RAW(input->holder)) return false;
    input->bytes = rb_funcallv(input->holder, id_string, 0, nullptr);
    VALUE position = rb_funcallv(input->holder, id_pos, 0, nullptr);
    if (!is_buffer(input->bytes) || !RB_FIXNUM_P(position)) return false;
    long offset = RB_FIX2LONG(position);
    if (offset < 0 || offset > RSTRING_LEN(input->bytes)) return false;
    input->offset = static_cast<size_t>(offset);
    return true;
}

bool thrift_wants_frame(const ThriftEnd &end) {
    if (end.kind != ThriftTransport::framed || !RTEST(rb_attr_get(end.transport, id_reads))) return false;
    VALUE bytes = rb_attr_get(end.transport, id_rbuf), index = rb_attr_get(end.transport, id_index);
    return is_buffer(bytes) && RB_FIXNUM_P(index) && RB_FIX2LONG(index) >= RSTRING_LEN(bytes);
}

// Before 0.25, the gem takes nil for the first byte of an empty frame, and raises. It does so again if the index is in front
// of the bytes.
void thrift_read_frame(const ThriftEnd &end) {
    rb_funcallv(end.transport, id_read_frame, 0, nullptr);
    VALUE bytes = rb_attr_get(end.transport, id_rbuf);
    if (is_buffer(bytes) && RSTRING_LEN(bytes) == 0) rb_ivar_set(end.transport, id_index, INT2FIX(-1));
}

bool thrift_input(const ThriftEnd &end, ThriftInput *input) {
    switch (end.kind) {
    case ThriftTransport::memory: return in_variables(input, id_buf, end.transport);
    case ThriftTransport::framed:
        return RTEST(rb_attr_get(end.transport, id_reads)) && in_variables(input, id_rbuf, end.transport);
    case ThriftTransport::buffered: return in_variables(input, id_rbuf, end.transport);
    case ThriftTransport::http: return in_string_io(input, id_inbuf, end.transport);
    case ThriftTransport::header: return in_string_io(input, id_read_buffer, end.transport);
    }
    __builtin_unreachable();
}

// How many bytes the gem asks for at once. For a longer string it asks for more.
constexpr long refill_size = 4096;

static VALUE read_from(VALUE transport) {
    VALUE size = LONG2FIX(refill_size);
    return rb_funcallv(transport, id_read, 1, &size);
}

// An error that is no exception is a `throw`, or the end of a thread.
static bool is_exception(VALUE error) {
    if (RB_SPECIAL_CONST_P(error) || RB_BUILTIN_TYPE(error) == RUBY_T_IMEMO) return false;
    return RTEST(rb_obj_is_kind_of(error, rb_eException));
}

// Returns whether a String still has the same bytes from an offset on.
static bool goes_on_with(VALUE string, long offset, VALUE rest) {
    return RSTRING_LEN(string) - offset == RSTRING_LEN(rest) &&
           memcmp(RSTRING_PTR(string) + offset, RSTRING_PTR(rest), string_size(rest)) == 0;
}

// Puts bytes that are left into a buffered transport.
static void set_buffer(const ThriftEnd &end, VALUE bytes) {
    rb_ivar_set(end.transport, id_rbuf, bytes);
    rb_ivar_set(end.transport, id_index, INT2FIX(0));
}

// The transport below may give the same String each time, with other bytes. So what is left is taken before it is asked.
bool thrift_more(const ThriftEnd &end, ThriftInput *input, ThriftRefusal *refusal) {
    if (end.kind != ThriftTransport::buffered) return false;
    int state = 0;
    long size = RSTRING_LEN(input->bytes), offset = static_cast<long>(input->offset);
    VALUE rest = rb_str_subseq(input->bytes, offset, size - offset);
    VALUE more = rb_protect(read_from, rb_attr_get(end.transport, id_transport), &state);
    VALUE error = state == 0 ? Qnil : rb_errinfo();
    if (SPARPACK_UNLIKELY(state != 0 && !is_exception(error))) rb_jump_tag(state);
    if (SPARPACK_UNLIKELY(state != 0 || !is_buffer(more) || RSTRING_LEN(more) == 0)) {
        if (state != 0) rb_set_errinfo(Qnil);
        *refusal = {true, error, state == 0 ? more : Qnil};
        if (SPARPACK_UNLIKELY(!goes_on_with(input->bytes, offset, rest))) set_buffer(end, rest);
        return false;
    }
    if (RSTRING_LEN(rest) > 0) more = rb_str_append(rest, more);
    set_buffer(end, more);
    input->bytes = more;
    input->offset = 0;
    return true;
}

static bool begins_with(VALUE string, VALUE start) {
    return RSTRING_LEN(string) >= RSTRING_LEN(start) &&
           memcmp(RSTRING_PTR(string), RSTRING_PTR(start), string_size(start)) == 0;
}

bool thrift_input_same(const ThriftEnd &end, const ThriftInput &input, VALUE bytes) {
    ThriftInput now;
    return thrift_input(end, &now) && now.bytes == input.bytes && now.offset == input.offset &&
           begins_with(now.bytes, bytes);
}

void thrift_restore(const ThriftEnd &end, const ThriftInput &input, VALUE copy) {
    if (RB_OBJ_FROZEN_RAW(end.transport) || RB_OBJ_FROZEN_RAW(input.holder)) return;
    VALUE bytes = begins_with(input.bytes, copy) ? input.bytes : rb_str_dup(copy);
    VALUE offset = LONG2NUM(static_cast<long>(input.offset));
    switch (end.kind) {
    case ThriftTransport::memory: rb_ivar_set(end.transport, id_buf, bytes); break;
    case ThriftTransport::framed:
    case ThriftTransport::buffered: rb_ivar_set(end.transport, id_rbuf, bytes); break;
    case ThriftTransport::http:
    case ThriftTransport::header: rb_funcallv(input.holder, id_set_pos, 1, &offset); return;
    }
    rb_ivar_set(end.transport, id_index, offset);
}

void thrift_read_up_to(const ThriftEnd &end, const ThriftInput &input, size_t next) {
    long index = static_cast<long>(next);
    VALUE number = LONG2NUM(index);
    switch (end.kind) {
    case ThriftTransport::memory:
        if (index >= garbage_size) {
            rb_ivar_set(end.transport, id_buf, rb_str_subseq(input.bytes, index, RSTRING_LEN(input.bytes) - index));
            number = INT2FIX(0);
        }
        rb_ivar_set(end.transport, id_index, number);
        return;
    case ThriftTransport::framed:
    case ThriftTransport::buffered: rb_ivar_set(end.transport, id_index, number); return;
    case ThriftTransport::http:
    case ThriftTransport::header: rb_funcallv(input.holder, id_set_pos, 1, &number); return;
    }
}

// --- writing -----------------------------------------------------------------------------------------------------------

static VALUE string_of(VALUE transport, ID variable) {
    VALUE bytes = rb_attr_get(transport, variable);
    return SPARPACK_LIKELY(is_buffer(bytes) && !RB_OBJ_FROZEN_RAW(bytes)) ? bytes : 0;
}

VALUE thrift_output(const ThriftEnd &end) {
    switch (end.kind) {
    case ThriftTransport::memory: return string_of(end.transport, id_buf);
    case ThriftTransport::framed:
        return RTEST(rb_attr_get(end.transport, id_writes)) ? string_of(end.transport, id_wbuf) : 0;
    case ThriftTransport::buffered: return string_of(end.transport, id_wbuf);
    case ThriftTransport::http: return string_of(end.transport, id_outbuf);
    case ThriftTransport::header: {
        VALUE io = rb_attr_get(end.transport, id_write_buffer);
        return !RB_SPECIAL_CONST_P(io) && is(RBASIC_CLASS(io), string_io) ? io : 0;
    }
    }
    __builtin_unreachable();
}

void thrift_write_to(VALUE io, VALUE bytes) { rb_funcallv(io, id_write, 1, &bytes); }

static VALUE string_of_io(VALUE target) {
    return RB_TYPE_P(target, T_STRING) ? target : rb_funcallv(target, id_string, 0, nullptr);
}

size_t thrift_written(VALUE target) {
    VALUE string = string_of_io(target);
    return RB_TYPE_P(string, T_STRING) ? string_size(string) : 0;
}

void thrift_unwrite(VALUE target, size_t size) {
    VALUE string = string_of_io(target);
    long length = static_cast<long>(size);
    if (!RB_TYPE_P(string, T_STRING) || RB_OBJ_FROZEN_RAW(string) || RSTRING_LEN(string) <= length) return;
    rb_str_modify(string);
    rb_str_set_len(string, length);
    VALUE place = LONG2NUM(length);
    if (string != target) rb_funcallv(target, id_set_pos, 1, &place);
}

VALUE thrift_flush(VALUE transport) {
    if (!is(RBASIC_CLASS(transport), framed) || RB_OBJ_FROZEN_RAW(transport)) return 0;
    if (!RTEST(rb_attr_get(transport, id_writes))) return 0;
    VALUE below = rb_attr_get(transport, id_transport), bytes = rb_attr_get(transport, id_wbuf);
    if (RB_SPECIAL_CONST_P(below) || !is(RBASIC_CLASS(below), memory_buffer) || !is_buffer(bytes)) return 0;
    VALUE target = string_of(below, id_buf);
    long size = RSTRING_LEN(bytes);
    if (!target || target == bytes || size > frame_max) return 0;
    const unsigned char head[] = {static_cast<unsigned char>(size >> 24), static_cast<unsigned char>(size >> 16),
                                  static_cast<unsigned char>(size >> 8), static_cast<unsigned char>(size)};
    rb_str_cat(target, reinterpret_cast<const char *>(head), sizeof head);
    rb_str_append(target, bytes);
    return rb_ivar_set(transport, id_wbuf, rb_str_new(nullptr, 0));
}

void thrift_ends_init() {
    id_trans = rb_intern("@trans");
    id_max_string_size = rb_intern("@max_string_size");
    id_bool_value = rb_intern("@bool_value");
    id_boolean_field = rb_intern("@boolean_field");
    id_buf = rb_intern("@buf");
    id_index = rb_intern("@index");
    id_protocol = rb_intern("@protocol");
    id_transport = rb_intern("@transport");
    id_rbuf = rb_intern("@rbuf");
    id_wbuf = rb_intern("@wbuf");
    id_inbuf = rb_intern("@inbuf");
    id_outbuf = rb_intern("@outbuf");
    id_read_buffer = rb_intern("@read_buffer");
    id_write_buffer = rb_intern("@write_buffer");
    id_reads = rb_intern("@read");
    id_writes = rb_intern("@write");
    id_read = rb_intern("read");
    id_write = rb_intern("write");
    id_read_frame = rb_intern("read_frame");
    id_string = rb_intern("string");
    id_pos = rb_intern("pos");
    id_set_pos = rb_intern("pos=");
    id_closed_read = rb_intern("closed_read?");
    define_singleton_methods(native_module(), {{"thrift_know", native_thrift_know}});
}

}  // namespace sparpack
