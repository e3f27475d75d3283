// Readers and writers. A C method has no closure, so each of the first slots has functions of its own. For slots beyond them
// Ruby defines accessors that call [] and []=. Accessors are methods of modules, which can be bound to any object, so they
// check everything.
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "storage.hpp"

#include <utility>

namespace sparpack {

namespace {

constexpr uint32_t accessor_count = 256;

[[noreturn]] SPARPACK_COLD void wrong_receiver(VALUE self) {
    fault_type("%" PRIsVALUE " does not have this field", rb_obj_class(self));
}

[[gnu::noinline]] VALUE read_lazy(VALUE self, uint32_t slot) {
    if (!is_lazy(self) || slot >= storage_plan(self)->count) wrong_receiver(self);
    return lazy_read(self, slot);
}

// The functions of a slot only add its number: each is a jump.
[[gnu::noinline]] VALUE read_slot(VALUE self, uint32_t slot) {
    if (SPARPACK_UNLIKELY(!is_instance(self))) return read_lazy(self, slot);
    const Plan *plan = storage_plan(self);
    if (SPARPACK_LIKELY(slot < plan->width && plan->shape != Shape::union_)) return storage_view(self)[slot];
    if (slot >= plan->count) wrong_receiver(self);
    return storage_read(self, slot);
}

[[gnu::noinline]] VALUE write_slot(VALUE self, VALUE value, uint32_t slot) {
    if (SPARPACK_UNLIKELY(!is_instance(self))) {
        if (!is_lazy(self)) wrong_receiver(self);
        lazy_touch(self);
    }
    if (SPARPACK_UNLIKELY(slot >= storage_plan(self)->count)) wrong_receiver(self);
    storage_assign(self, slot, value);
    return value;
}

template <uint32_t slot> VALUE read(VALUE self) { return read_slot(self, slot); }
template <uint32_t slot> VALUE write(VALUE self, VALUE value) { return write_slot(self, value, slot); }

template <uint32_t... slots>
void define(VALUE module, uint32_t slot, ID reader, ID writer, std::integer_sequence<uint32_t, slots...>) {
    static constexpr VALUE (*readers[])(VALUE) = {read<slots>...};
    static constexpr VALUE (*writers[])(VALUE, VALUE) = {write<slots>...};
    rb_define_method_id(module, reader, method(readers[slot]), 0);
    rb_define_method_id(module, writer, method(writers[slot]), 1);
}

// Sparpack::Native.define_accessors(module, slot, :reader, :writer=): false if the slot is beyond those with functions.
VALUE native_define_accessors(VALUE, VALUE module, VALUE slot, VALUE reader, VALUE writer) {
    if (!RB_TYPE_P(module, T_MODULE) || !SYMBOL_P(reader) || !SYMBOL_P(writer) || !RB_FIXNUM_P(slot) || FIX2LONG(slot) < 0)
        fault_type("expected a Module, a slot and two Symbols");
    unsigned long index = FIX2ULONG(slot);
    if (index >= accessor_count) return Qfalse;
    define(module, static_cast<uint32_t>(index), rb_sym2id(reader), rb_sym2id(writer),
           std::make_integer_sequence<uint32_t, accessor_count>());
    return Qtrue;
}

}  // namespace

void accessors_init() {
    VALUE native = native_module();
    define_singleton_methods(native, {{"define_accessors", native_define_accessors}});
}

}  // namespace sparpack
