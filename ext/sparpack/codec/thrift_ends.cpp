// Protocols and transports of Apache's gem. All that they know is in their instance variables, which are read here as the
// gem's methods would leave them.
#include "../glue/costs.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../glue/text.hpp"
#include "foreign_thrift.hpp"

namespace sparpack {

namespace {

// The classes, by the names that Ruby gives them. One that is not known, or no longer, is 0, which no object has as its
// class. They are written in the main Ractor, and read by all.
enum Known : uint32_t { compact, binary, binary_accelerated, memory_buffer, known_count };
constexpr const char *known_names[known_count] = {"CompactProtocol", "BinaryProtocol", "BinaryProtocolAccelerated",
                                                  "MemoryBufferTransport"};
VALUE known[known_count];

ID id_trans, id_max_string_size, id_bool_value, id_boolean_field, id_buf, id_index;

SPARPACK_INLINE bool is(VALUE klass, Known which) { return klass == __atomic_load_n(&known[which], __ATOMIC_RELAXED); }

// A transport that has read this many bytes of its buffer drops them.
constexpr long garbage_size = 4096;

bool is_buffer(VALUE value) { return RB_TYPE_P(value, T_STRING) && rb_enc_get_index(value) == binary_index; }

// Sparpack::Native.thrift_know(name, class): a protocol or transport that native code stands in for from now on; no longer
// if the class is nil
VALUE native_thrift_know(VALUE, VALUE name, VALUE klass) {
    Check_Type(name, T_STRING);
    if (!NIL_P(klass)) {
        Check_Type(klass, T_CLASS);
        rb_gc_register_mark_object(klass);
    }
    for (uint32_t i = 0; i < known_count; i++) {
        if (strcmp(StringValueCStr(name), known_names[i]) != 0) continue;
        __atomic_store_n(&known[i], NIL_P(klass) ? 0 : klass, __ATOMIC_RELAXED);
        return Qtrue;
    }
    return Qfalse;
}

}  // namespace

bool thrift_end_of(VALUE protocol, ThriftEnd *end) {
    if (SPARPACK_UNLIKELY(RB_SPECIAL_CONST_P(protocol))) return false;
    VALUE klass = RBASIC_CLASS(protocol);
    if (is(klass, compact)) {
        // Between the header of a boolean field and its value, these are not nil.
        if (!NIL_P(rb_attr_get(protocol, id_bool_value)) || !NIL_P(rb_attr_get(protocol, id_boolean_field))) return false;
        end->wire = WireId::compact;
    } else if (is(klass, binary) || is(klass, binary_accelerated)) {
        end->wire = WireId::binary;
    } else {
        return false;
    }
    VALUE limit = rb_attr_get(protocol, id_max_string_size);
    if (SPARPACK_UNLIKELY(!NIL_P(limit) && !RB_FIXNUM_P(limit))) return false;
    end->string = NIL_P(limit) ? unlimited : RB_FIX2LONG(limit);
    end->transport = rb_attr_get(protocol, id_trans);
    if (SPARPACK_UNLIKELY(RB_SPECIAL_CONST_P(end->transport))) return false;
    if (!is(RBASIC_CLASS(end->transport), memory_buffer)) return false;
    end->kind = ThriftTransport::memory;
    return true;
}

bool thrift_input(const ThriftEnd &end, ThriftInput *input) {
    VALUE index = rb_attr_get(end.transport, id_index);
    input->bytes = rb_attr_get(end.transport, id_buf);
    if (SPARPACK_UNLIKELY(!is_buffer(input->bytes) || !RB_FIXNUM_P(index) || RB_OBJ_FROZEN_RAW(end.transport))) return false;
    long offset = RB_FIX2LONG(index);
    if (SPARPACK_UNLIKELY(offset < 0 || offset > RSTRING_LEN(input->bytes))) return false;
    input->offset = static_cast<size_t>(offset);
    return true;
}

void thrift_read_up_to(const ThriftEnd &end, const ThriftInput &input, size_t next) {
    long index = static_cast<long>(next);
    if (index >= garbage_size) {
        rb_ivar_set(end.transport, id_buf, rb_str_subseq(input.bytes, index, RSTRING_LEN(input.bytes) - index));
        index = 0;
    }
    rb_ivar_set(end.transport, id_index, LONG2FIX(index));
}

VALUE thrift_output(const ThriftEnd &end) {
    VALUE bytes = rb_attr_get(end.transport, id_buf);
    return SPARPACK_LIKELY(is_buffer(bytes) && !RB_OBJ_FROZEN_RAW(bytes)) ? bytes : 0;
}

void thrift_ends_init() {
    id_trans = rb_intern("@trans");
    id_max_string_size = rb_intern("@max_string_size");
    id_bool_value = rb_intern("@bool_value");
    id_boolean_field = rb_intern("@boolean_field");
    id_buf = rb_intern("@buf");
    id_index = rb_intern("@index");
    rb_define_singleton_method(native_module(), "thrift_know", method(native_thrift_know), 2);
}

}  // namespace sparpack
