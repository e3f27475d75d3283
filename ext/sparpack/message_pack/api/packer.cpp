#include "packer.hpp"

#include "../../glue/io.hpp"
#include "../../values/text.hpp"
#include "../builtin.hpp"
#include "buffer.hpp"
#include "message_pack.hpp"

namespace sparpack {

namespace {

VALUE packer_class;  // written by packer_init alone

void packer_mark(void *data) {
    Packer *packer = static_cast<Packer *>(data);
    rb_gc_mark(packer->fiber);
    rb_gc_mark(packer->buffer);
    rb_gc_mark(packer->types);
}

size_t packer_size(const void *) { return sizeof(Packer); }

// Deliberately not WB_PROTECTED: it holds few objects, and lives as long as they do.
const rb_data_type_t packer_type = {"sparpack/packer",
                                    {packer_mark, RUBY_DEFAULT_FREE, packer_size, nullptr, {nullptr}},
                                    nullptr,
                                    nullptr,
                                    RUBY_TYPED_FREE_IMMEDIATELY};

VALUE packer_alloc(VALUE klass) {
    Packer *packer;
    VALUE object = TypedData_Make_Struct(klass, Packer, &packer_type, packer);
    packer->fiber = packer->buffer = packer->types = Qnil;
    packer->options = PackOptions();
    return object;
}

// --- Ruby code in the middle of a value --------------------------------------------------------------------------------

// While Ruby code runs, the packer points to the current packing. Afterwards, however it ends, it points to the one before.
struct Attached {
    Packer &packer;
    Pack &now;
    Pack *before;
    VALUE fiber;
    Reentry reentry;  // of the packing, as it was before
    int held;
    size_t end;  // where the packing continues
    VALUE arguments[3];
};

VALUE attached_detach(VALUE argument) {
    Attached &attached = *reinterpret_cast<Attached *>(argument);
    if (attached.packer.active == &attached.now) {  // otherwise another fiber has reset it
        attached.packer.active = attached.before;
        attached.packer.fiber = attached.fiber;
    }
    attached.now.reentry = attached.reentry;
    attached.now.held = attached.held;
    return Qnil;
}

VALUE attached_call(VALUE argument) {
    Attached &attached = *reinterpret_cast<Attached *>(argument);
    VALUE result = extensions_call("write", 3, attached.arguments);
    if (attached.now.reentry.sends != attached.now.sends) packer_fail_sent(attached.packer);
    attached.end = attached.now.reentry.cursor;
    return result;
}

// Calls the proc with the value and the packer, with which it writes the type's data, from p on. Without a proc, calls the
// value's to_msgpack. Returns where to continue. However this ends, `held` is again what it was before the data.
uint8_t *call_attached(Pack &k, const uint8_t *p, VALUE value, VALUE proc, int depth, int held) {
    Packer &packer = packer_of(k.packer);
    // The packings of one fiber end in the reverse order of their beginnings. Those of several fibers may not, and would
    // leave a packing behind that has ended.
    VALUE fiber = rb_fiber_current();
    if (packer.active && packer.fiber != fiber) packer_fail_fiber();
    Attached attached = {packer, k, packer.active, packer.fiber, k.reentry, held, 0, {value, k.packer, proc}};
    packer.active = &k;
    packer.fiber = fiber;
    pack_set_cursor(k, p);
    k.reentry.held = k.held;
    k.reentry.depth = depth;
    k.reentry.ext = NIL_P(proc) ? Reentry::no_ext : k.reentry.cursor;
    VALUE data = reinterpret_cast<VALUE>(&attached);
    call_ruby(k, [&] { return rb_ensure(attached_call, data, attached_detach, data); });
    return pack_at(k, attached.end);
}

// A member of an object may be the first that needs a packer, before anybody has named Sparpack::MessagePack.
SPARPACK_COLD void load_message_pack(Pack &k) {
    call_ruby(k, [] { return rb_path2class("Sparpack::MessagePack"); });
    if (!packer_class) fault_type("Sparpack::MessagePack is not loaded yet: require \"sparpack/message_pack\" first");
}

VALUE packer_for(Pack &k) {
    if (SPARPACK_UNLIKELY(!packer_class)) load_message_pack(k);
    VALUE object = packer_alloc(packer_class);
    Packer &packer = packer_of(object);
    packer.types = k.types_object;
    packer.options = k.options;
    return object;
}

// --- the packer itself -------------------------------------------------------------------------------------------------

void give_buffer(Packer &packer, VALUE self, VALUE buffer) {
    packer.buffer = buffer;
    buffer_of(buffer).packer = self;
    buffer_of(buffer).divert = packer_write_raw;
}

VALUE packer_setup(VALUE self, VALUE buffer, VALUE types, VALUE options) {
    Packer &packer = packer_of(self);
    if (packer.bytes) fault_argument("the packer is already initialized");
    types_of(types);
    buffer_of(buffer);
    PackOptions chosen = pack_options(options);
    give_buffer(packer, self, buffer);
    packer.bytes = &buffer_of(buffer);
    packer.types = types;
    packer.options = chosen;
    return self;
}

VALUE packer_use(VALUE self, VALUE types) {
    types_of(types);
    packer_of(self).types = types;
    return self;
}

VALUE packer_buffer(VALUE self) {
    Packer &packer = packer_of(self);
    if (NIL_P(packer.buffer)) give_buffer(packer, self, buffer_new());
    return packer.buffer;
}

VALUE packer_types(VALUE self) { return packer_of(self).types; }
VALUE packer_compatible(VALUE self) { return packer_of(self).options.compatible ? Qtrue : Qfalse; }

// Returns where the data of the extension type begins that Ruby code is writing, in the output of the current packing.
const uint8_t *ext_data_of(const Packer &packer) {
    const Pack *k = packer_active_here(packer);
    return k && k->reentry.ext != Reentry::no_ext ? k->output.writer.begin + k->reentry.ext : nullptr;
}

// What Ruby code sees of the value that is being packed: the data of its extension type, or otherwise all that no io has
// yet.
struct Seen {
    const uint8_t *begin;
    size_t size;
};

Seen seen_of(const Packer &packer) {
    const Pack *k = packer_active_here(packer);
    if (!k || k->reentry.sends != k->sends) return {nullptr, 0};
    output_check(*k);
    size_t begin = k->reentry.ext == Reentry::no_ext ? 0 : k->reentry.ext;
    return {k->output.writer.begin + begin, k->reentry.cursor - begin};
}

VALUE packer_reset(VALUE self) {
    Packer &packer = packer_of(self);
    const uint8_t *data = ext_data_of(packer);
    if (data) return pack_set_cursor(*packer.active, data), Qnil;
    buffer_clear(packer_buffer_in(packer));
    packer.sent = Sent::nothing;
    if (packer.active && packer.fiber != rb_fiber_current()) {  // it stopped in the middle of a value, maybe for ever
        packer.active = nullptr;
        packer.fiber = Qnil;
    }
    return Qnil;
}

VALUE packer_bytes(VALUE self) {
    const Packer &packer = packer_of(self);
    bool before = !ext_data_of(packer) && packer.bytes;
    VALUE string = before ? rb_funcall(packer.buffer, rb_intern("to_s"), 0) : rb_str_new(nullptr, 0);
    Seen seen = seen_of(packer);
    return seen.size ? rb_str_cat(string, reinterpret_cast<const char *>(seen.begin), static_cast<long>(seen.size)) : string;
}

VALUE packer_byte_count(VALUE self) {
    const Packer &packer = packer_of(self);
    size_t size = seen_of(packer).size;
    if (ext_data_of(packer)) return SIZET2NUM(size);
    if (!packer.bytes && packer_active_here(packer)) return SIZET2NUM(size);
    return SIZET2NUM(packer_buffer_in(packer).size + size);
}

// After a failed write, the io may hold part of a value.
Buffer &buffer_to_send(const Packer &packer) {
    if (packer.sent == Sent::sending || (packer.sent == Sent::some && !packer.active)) packer_fail_sent(packer);
    return packer_buffer_in(packer);
}

VALUE packer_full_pack(VALUE self) {
    const Packer &packer = packer_of(self);
    Buffer &buffer = buffer_to_send(packer);
    if (NIL_P(buffer.io)) return buffer_take_all(buffer);
    buffer_write_to(packer.buffer, buffer.io, Qnil);
    return Qnil;
}

VALUE packer_flush(VALUE self) {
    const Packer &packer = packer_of(self);
    if (!packer.bytes && packer_active_here(packer)) return self;  // there is no io to write it to
    const Buffer &buffer = buffer_to_send(packer);
    if (!NIL_P(buffer.io)) buffer_write_to(packer.buffer, buffer.io, Qnil);
    return self;
}

}  // namespace

Packer &packer_of(VALUE object) { return *static_cast<Packer *>(rb_check_typeddata(object, &packer_type)); }

Pack *packer_active_here(const Packer &packer) {
    return packer.active && packer.fiber == rb_fiber_current() ? packer.active : nullptr;
}

Buffer &packer_buffer_in(const Packer &packer) {
    if (!packer.bytes) fault_argument("this packer was made for one value and has no buffer");
    return *packer.bytes;
}

SPARPACK_COLD void packer_fail_sent(const Packer &packer) {
    if (packer.sent == Sent::sending) fault_io("the packer is writing to its io, or a write failed: reset the packer");
    fault_io("the io has part of a value that could not be packed: reset the packer, and tell the reader");
}

SPARPACK_COLD void packer_fail_fiber() { fault_argument("this packer is in the middle of a value in another fiber"); }

// Writes an extension type with the proc that is registered for it, which gets only the value.
static uint8_t *write_by_proc(Pack &k, uint8_t *p, VALUE value, const TypeEntry &entry) {
    int8_t type = entry.type;
    VALUE data = pack_call(k, p, [&] {
        VALUE returned = rb_proc_call_with_block(entry.proc, 1, &value, Qnil);
        return StringValue(returned);
    });
    return pack_ext(k, p, type, data);
}

// True if something responds to to_msgpack. Otherwise it is not called, and the caller gets an error with the value's path.
static bool packs_itself(VALUE value) {
    return rb_obj_respond_to(value, rb_intern("to_msgpack"), 1) ||
           !rb_method_basic_definition_p(CLASS_OF(value), rb_intern("method_missing"));
}

SPARPACK_COLD uint8_t *packer_call(Pack &k, uint8_t *p, VALUE value, const TypeEntry *entry, int depth) {
    if (entry && entry->builtin != Builtin::none) return builtin_write(k, p, value, *entry, depth);
    if (entry && !entry->recursive) return write_by_proc(k, p, value, *entry);
    if (!entry && rb_obj_class(value) == message_pack_extension_class()) return packer_write_struct(k, p, value);
    if (depth == 0) return pack_fail(k, Status::too_deep, Qundef);
    int held = k.held;
    if (!entry) {
        bool packs = pack_call(k, p, [&] { return packs_itself(value); });
        if (!packs) return pack_fail(k, Status::value_mismatch, value);
    }
    if (!k.packer) k.packer = packer_for(k);
    if (!entry) return call_attached(k, p, value, Qnil, depth, held);
    size_t start = 0;
    int8_t type = entry->type;
    p = pack_ext_begin(k, p, &start);
    p = call_attached(k, p, value, entry->proc, depth - 1, held);
    k.held++;
    return pack_ext_end(k, p, start, type);
}

SPARPACK_COLD uint8_t *packer_send(Pack &k, uint8_t *p, VALUE string) {
    Packer &packer = *k.sink;
    VALUE object = packer.buffer;
    Buffer &buffer = buffer_of(object);
    VALUE strings = rb_obj_hide(rb_ary_new());
    VALUE piece = rb_str_new(reinterpret_cast<const char *>(k.output.writer.begin), p - k.output.writer.begin);
    if (RSTRING_LEN(piece)) rb_ary_push(strings, piece);
    if (!NIL_P(string)) rb_ary_push(strings, buffer_binary(string));
    packer.sent = Sent::sending;
    call_ruby(k, [&] { return buffer_write_to(object, buffer.io, strings), strings; });
    io_written(buffer.io, piece);
    packer.sent = Sent::some;
    k.sends++;
    return k.output.writer.begin;
}

SPARPACK_COLD uint8_t *packer_grow(Writer &w, uint8_t *p, size_t need) {
    Pack &k = reinterpret_cast<Pack &>(w);
    size_t used = static_cast<size_t>(p - w.begin);
    if (k.held || used < k.sink->bytes->io_size) return output_grow(w, p, need);
    p = packer_send(k, p, Qnil);
    return static_cast<size_t>(w.end - p) < need ? output_grow(w, p, need) : p;
}

// Called once, when Sparpack::MessagePack is loaded, because Ruby defines its classes.
void packer_init(VALUE klass) {
    if (packer_class) return;
    packer_class = klass;
    rb_gc_register_mark_object(klass);
    rb_define_alloc_func(klass, packer_alloc);
    writers_init(klass);
    define_methods(klass, {{"buffer", packer_buffer},
                           {"compatibility_mode?", packer_compatible},
                           {"reset", packer_reset},
                           {"to_s", packer_bytes},
                           {"size", packer_byte_count},
                           {"flush", packer_flush},
                           {"full_pack", packer_full_pack}});
    define_private_methods(klass, {{"setup", packer_setup}, {"use", packer_use}, {"types", packer_types}});
    rb_define_alias(klass, "clear", "reset");
    rb_define_alias(klass, "to_str", "to_s");
}

}  // namespace sparpack
