#include "packer.hpp"

#include "../glue/text.hpp"

namespace sparpack {

namespace {

VALUE packer_class, extensions;  // written by packer_init alone

struct Packer {
    Pack *active;  // the packing that is under way; nullptr between values
    VALUE fiber;   // whose stack that lies on: as long as it is marked, the stack is there
    VALUE buffer;  // a Sparpack::MessagePack::Buffer
    VALUE types;
    bool compatible;
};

void packer_mark(void *data) {
    Packer *packer = static_cast<Packer *>(data);
    rb_gc_mark(packer->fiber);
    rb_gc_mark(packer->buffer);
    rb_gc_mark(packer->types);
}

size_t packer_size(const void *) { return sizeof(Packer); }

// Deliberately not WB_PROTECTED: it holds two objects, and lives as long as they do.
const rb_data_type_t packer_type = {"sparpack/packer",
                                    {packer_mark, RUBY_DEFAULT_FREE, packer_size, nullptr, {nullptr}},
                                    nullptr,
                                    nullptr,
                                    RUBY_TYPED_FREE_IMMEDIATELY};

VALUE packer_alloc(VALUE klass) {
    Packer *packer;
    VALUE object = TypedData_Make_Struct(klass, Packer, &packer_type, packer);
    packer->fiber = packer->buffer = packer->types = Qnil;
    return object;
}

Packer &packer_of(VALUE object) { return *static_cast<Packer *>(rb_check_typeddata(object, &packer_type)); }

// While Ruby code runs, the packer leads to the packing; afterwards, however it ends, to the one before.
struct Attached {
    Packer &packer;
    Pack *before;
    VALUE fiber;
    VALUE (*run)(VALUE);
    VALUE argument;
};

VALUE attached_detach(VALUE argument) {
    Attached &attached = *reinterpret_cast<Attached *>(argument);
    attached.packer.active = attached.before;
    attached.packer.fiber = attached.fiber;
    return Qnil;
}

VALUE attached_call(VALUE argument) {
    Attached &attached = *reinterpret_cast<Attached *>(argument);
    return attached.run(attached.argument);
}

VALUE with_active(Packer &packer, Pack &now, VALUE (*run)(VALUE), VALUE argument) {
    // Packings of one fiber end in the opposite order of their beginnings; those of several may not, and would leave a
    // packing behind that has ended.
    VALUE fiber = rb_fiber_current();
    if (packer.active && packer.fiber != fiber) fault_argument("this packer is in the middle of a value, in another fiber");
    Attached attached = {packer, packer.active, packer.fiber, run, argument};
    packer.active = &now;
    packer.fiber = fiber;
    VALUE data = reinterpret_cast<VALUE>(&attached);
    return rb_ensure(attached_call, data, attached_detach, data);
}

struct Call {
    VALUE packer, value, types;
};

VALUE call_extensions(VALUE argument) {
    Call &call = *reinterpret_cast<Call *>(argument);
    VALUE arguments[] = {call.packer, call.value, call.types ? call.types : Qnil};
    return rb_funcallv(extensions, rb_intern("write"), 3, arguments);
}

// Writes a piece: into the packing that is under way, or, between values, by one of its own into the buffer.
template <class Write> VALUE piece(VALUE self, Write write) {
    Packer &packer = packer_of(self);
    if (Pack *k = packer.active) {
        if (packer.fiber != rb_fiber_current()) fault_argument("this packer is in the middle of a value, in another fiber");
        uint8_t *p = writer_reserve(k->output.writer, k->cursor, MessagePack::header_max);
        p = write(*k, p);
        if (SPARPACK_UNLIKELY(!p)) fault_raise_pack(k->fault);
        k->cursor = p;
        return self;
    }
    Pack k;
    k.packer = self;
    k.types = NIL_P(packer.types) ? Qfalse : packer.types;
    k.compatible = packer.compatible;
    k.depth = Pack::depth_max;
    uint8_t *p = write(k, writer_reserve(k.output.writer, k.output.writer.begin, MessagePack::header_max));
    if (SPARPACK_UNLIKELY(!p)) fault_raise_pack(k.fault);
    rb_funcall(packer.buffer, rb_intern("<<"), 1, output_finish(k.output, p));
    return self;
}

VALUE packer_write(VALUE self, VALUE value) {
    return piece(self, [=](Pack &k, uint8_t *p) { return pack_value(k, p, value, k.depth); });
}

VALUE packer_write_bytes(VALUE self, VALUE string) {
    if (!RB_TYPE_P(string, T_STRING)) fault_type("expected a String, got %" PRIsVALUE, rb_obj_class(string));
    return piece(self, [=](Pack &k, uint8_t *p) {
        return writer_append(k.output.writer, p, RSTRING_PTR(string), static_cast<size_t>(RSTRING_LEN(string)));
    });
}

size_t size_of(VALUE count) {
    long long size = NUM2LL(count);
    if (size < 0 || size > UINT32_MAX) fault_argument("a size is from 0 to 4294967295, not %lld", size);
    return static_cast<size_t>(size);
}

VALUE packer_write_array_header(VALUE self, VALUE count) {
    size_t size = size_of(count);
    return piece(self, [=](Pack &k, uint8_t *p) { return MessagePack::write_array(k.output.writer, p, size); });
}

VALUE packer_write_map_header(VALUE self, VALUE count) {
    size_t size = size_of(count);
    return piece(self, [=](Pack &k, uint8_t *p) { return MessagePack::write_map(k.output.writer, p, size); });
}

VALUE packer_write_bin_header(VALUE self, VALUE count) {
    size_t size = size_of(count);
    return piece(self, [=](Pack &k, uint8_t *p) {
        return k.compatible ? MessagePack::write_raw(k.output.writer, p, size)
                            : MessagePack::write_bin(k.output.writer, p, size);
    });
}

VALUE packer_write_str_header(VALUE self, VALUE count) {
    size_t size = size_of(count);
    return piece(self, [=](Pack &k, uint8_t *p) { return MessagePack::write_str(k.output.writer, p, size); });
}

VALUE packer_write_ext_header(VALUE self, VALUE number, VALUE count) {
    int type = NUM2INT(number);
    size_t size = size_of(count);
    if (type < INT8_MIN || type > INT8_MAX) fault_argument("an extension type is from -128 to 127, not %d", type);
    return piece(self, [=](Pack &k, uint8_t *p) {
        return MessagePack::write_ext(k.output.writer, p, static_cast<int8_t>(type), size);
    });
}

VALUE packer_write_single(VALUE self, VALUE number) {
    float single = static_cast<float>(NUM2DBL(number));
    return piece(self, [=](Pack &k, uint8_t *p) { return MessagePack::write_float(k.output.writer, p, single); });
}

VALUE yield_packer(VALUE packer) { return rb_yield(packer); }

// What a block writes, as a String of its own.
VALUE packer_capture(VALUE self) {
    Packer &packer = packer_of(self);
    Pack k;
    k.packer = self;
    k.types = NIL_P(packer.types) ? Qfalse : packer.types;
    k.compatible = packer.compatible;
    k.depth = packer.active && packer.fiber == rb_fiber_current() ? packer.active->depth - 1 : Pack::depth_max;
    if (k.depth < 0) {
        k.fault.status = Status::too_deep;
        fault_raise_pack(k.fault);
    }
    k.cursor = k.output.writer.begin;
    with_active(packer, k, yield_packer, self);
    return output_finish(k.output, k.cursor);
}

VALUE packer_setup(VALUE self, VALUE buffer, VALUE types, VALUE compatible) {
    Packer &packer = packer_of(self);
    packer.buffer = buffer;
    packer.types = types;
    packer.compatible = RTEST(compatible);
    return self;
}

VALUE packer_buffer(VALUE self) { return packer_of(self).buffer; }
VALUE packer_types(VALUE self) { return packer_of(self).types; }
VALUE packer_compatible(VALUE self) { return packer_of(self).compatible ? Qtrue : Qfalse; }

}  // namespace

VALUE packer_new(VALUE types, bool compatible) {
    VALUE packer = packer_alloc(packer_class);
    packer_setup(packer, Qnil, types ? types : Qnil, compatible ? Qtrue : Qfalse);
    return packer;
}

SPARPACK_COLD uint8_t *packer_call(Pack &k, uint8_t *p, VALUE value, int depth) {
    if (!k.packer) k.packer = packer_new(k.types, k.compatible);
    int before = k.depth;
    k.cursor = p;
    k.depth = depth;
    Call call = {k.packer, value, k.types};
    with_active(packer_of(k.packer), k, call_extensions, reinterpret_cast<VALUE>(&call));
    k.depth = before;
    k.output.disturbances++;
    return k.cursor;
}

// Called when Sparpack::MessagePack is loaded: its classes are Ruby's. Once.
static VALUE native_packer_init(VALUE) {
    if (packer_class) return Qnil;
    VALUE klass = rb_path2class("Sparpack::MessagePack::Packer");
    extensions = rb_path2class("Sparpack::MessagePack::Extensions");
    if (packer_class) return Qnil;  // that has loaded it
    packer_class = klass;
    rb_gc_register_mark_object(klass);
    rb_gc_register_mark_object(extensions);
    rb_define_alloc_func(klass, packer_alloc);
    rb_define_method(klass, "write", method(packer_write), 1);
    rb_define_method(klass, "write_array_header", method(packer_write_array_header), 1);
    rb_define_method(klass, "write_map_header", method(packer_write_map_header), 1);
    rb_define_method(klass, "write_bin_header", method(packer_write_bin_header), 1);
    rb_define_method(klass, "buffer", method(packer_buffer), 0);
    rb_define_method(klass, "compatibility_mode?", method(packer_compatible), 0);
    rb_define_private_method(klass, "setup", method(packer_setup), 3);
    rb_define_private_method(klass, "types", method(packer_types), 0);
    rb_define_private_method(klass, "capture", method(packer_capture), 0);
    rb_define_private_method(klass, "write_bytes", method(packer_write_bytes), 1);
    rb_define_private_method(klass, "write_str_header", method(packer_write_str_header), 1);
    rb_define_private_method(klass, "write_ext_header", method(packer_write_ext_header), 2);
    rb_define_private_method(klass, "write_single", method(packer_write_single), 1);
    return Qnil;
}

void packer_init(VALUE sparpack) {
    VALUE native = rb_const_get(sparpack, rb_intern("Native"));
    rb_define_singleton_method(native, "packer_init", method(native_packer_init), 0);
}

}  // namespace sparpack
