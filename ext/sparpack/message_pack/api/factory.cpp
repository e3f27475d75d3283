// The native part of Sparpack::MessagePack::Factory: which types it has registered, and packing and unpacking with them.
#include "../types.hpp"
#include "message_pack.hpp"

namespace sparpack {

namespace {

struct Factory {
    VALUE types;  // a Sparpack::MessagePack::Types; Qnil before initialize
    VALUE used;   // the same, or Qnil while nothing is registered, which saves the lookups
};

void factory_mark(void *data) {
    const Factory *factory = static_cast<const Factory *>(data);
    rb_gc_mark(factory->types);
    rb_gc_mark(factory->used);
}

// Includes its types, which copies of it share.
size_t factory_size(const void *data) { return sizeof(Factory) + types_memory(static_cast<const Factory *>(data)->types); }

// Deliberately not WB_PROTECTED: there are few of them. Ractors may share frozen ones, as they may share their types.
const rb_data_type_t factory_type = {"sparpack/factory",
                                     {factory_mark, RUBY_DEFAULT_FREE, factory_size, nullptr, {nullptr}},
                                     nullptr,
                                     nullptr,
                                     RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE};

VALUE factory_alloc(VALUE klass) {
    Factory *factory;
    VALUE object = TypedData_Make_Struct(klass, Factory, &factory_type, factory);
    factory->types = factory->used = Qnil;
    return object;
}

Factory &factory_of(VALUE object) { return *static_cast<Factory *>(rb_check_typeddata(object, &factory_type)); }

VALUE factory_types(VALUE self) { return factory_of(self).types; }
VALUE factory_used(VALUE self) { return factory_of(self).used; }

VALUE factory_hold(VALUE self, VALUE types) {
    rb_check_frozen(self);
    const Types *found = types_of(types);
    factory_of(self) = {types, found && (found->entry_count || found->reader_count) ? types : Qnil};
    return self;
}

VALUE factory_dump(VALUE self, VALUE value, VALUE row) { return message_pack_dump(value, factory_of(self).used, row); }
VALUE factory_load(VALUE self, VALUE bytes, VALUE row) { return message_pack_load(bytes, factory_of(self).used, row); }

}  // namespace

void factory_init(VALUE klass) {
    rb_define_alloc_func(klass, factory_alloc);
    define_methods(klass, {{"types", factory_types}, {"dump_by", factory_dump}, {"load_by", factory_load}});
    define_private_methods(klass, {{"used_types", factory_used}, {"hold", factory_hold}});
}

}  // namespace sparpack
