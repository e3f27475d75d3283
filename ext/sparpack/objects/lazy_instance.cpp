#include "lazy_instance.hpp"

#include "../glue/native_module.hpp"

namespace sparpack {

namespace {

// Written by lazy_init alone.
LazyCalls calls;
VALUE unshareable;  // an object that no Ractor may share

const rb_data_type_t unshareable_type = {
    "sparpack/unshareable", {nullptr, nullptr, nullptr, nullptr, {nullptr}}, nullptr, nullptr, 0};

void lazy_mark(void *data) {
    Instance *instance = static_cast<Instance *>(data);
    if (!instance->plan) return;
    instance_mark(data);
    const LazyPart *part = lazy_part(instance);
    rb_gc_mark(part->bytes);  // pinned, because a scan that allocates reads them
    rb_gc_mark_movable(part->codec);
    rb_gc_mark_movable(part->index);
    rb_gc_mark(unshareable);
}

void lazy_compact(void *data) {
    Instance *instance = static_cast<Instance *>(data);
    if (!instance->plan) return;
    instance_compact(data);
    gc_update(&lazy_part(instance)->codec);
    gc_update(&lazy_part(instance)->index);
}

size_t lazy_bytes(const Plan *plan) { return instance_bytes(plan) + sizeof(LazyPart); }

#ifdef TYPED_DATA_EMBEDDED
size_t lazy_size(const void *) { return 0; }
#else

constexpr uint32_t part_width = sizeof(LazyPart) / sizeof(VALUE);

// Which type, and with it which memory, the lazy objects of a plan have.
uint32_t lazy_kind(const Plan *plan) { return instance_size_class(plan->width + part_width); }

size_t lazy_size(const void *data) {
    const Plan *plan = static_cast<const Instance *>(data)->plan;
    if (!plan) return 0;
    uint32_t kind = lazy_kind(plan);
    return kind < slab_classes ? slab_sizes[kind] * sizeof(VALUE) : lazy_bytes(plan);
}
#endif

void lazy_become(VALUE object, const rb_data_type_t *type) {
    VALUE *place = reinterpret_cast<VALUE *>(const_cast<void *>(static_cast<const void *>(&RTYPEDDATA(object)->type)));
    constexpr VALUE flags = alignof(rb_data_type_t) - 1;  // later Rubies keep some beside the type
    *place = (*place & flags) | reinterpret_cast<VALUE>(type);
}

}  // namespace

// Our `freeze` wakes an object, so Ractors can share it. One that was frozen past it changes when it is read, so it must not
// be shared. It leads to an object that cannot be.
#define LAZY_TYPE(free)                                                                                      \
    {                                                                                                        \
        "sparpack/lazy", {lazy_mark, free, lazy_size, lazy_compact, {nullptr}}, nullptr, nullptr,            \
            RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | RUBY_TYPED_FROZEN_SHAREABLE | embeddable \
    }

#ifdef TYPED_DATA_EMBEDDED

const rb_data_type_t lazy_types[] = {LAZY_TYPE(RUBY_DEFAULT_FREE)};

VALUE lazy_build(InstanceSlab, const Plan *plan, VALUE klass, const VALUE *fields, const LazyPart &part) {
    VALUE object = rb_data_typed_object_zalloc(klass, lazy_bytes(plan), lazy_types);
    Instance *instance = instance_data(object);
    instance->extra = Extra::none();
    for (uint32_t i = 0, n = plan->width; i < n; i++) instance->field[i] = Qnil;
    instance->plan = plan;
    *lazy_part(instance) = part;
    for (uint32_t i = 0, n = plan->width; i < n; i++)
        RB_OBJ_WRITE(object, &instance->field[i], part.closed ? sleeper(0) : fields[i]);
    RB_OBJ_WRITTEN(object, Qundef, part.bytes);
    RB_OBJ_WRITTEN(object, Qundef, part.codec);
    RB_OBJ_WRITTEN(object, Qundef, part.index);
    RB_OBJ_WRITTEN(object, Qundef, plan->owner);
    return object;
}

static void become_ordinary(VALUE object) { lazy_become(object, instance_type(instance_data(object)->plan)); }

#else

template <uint32_t kind> static void lazy_free(void *data) { slab_give(kind, data); }
static void lazy_free_large(void *data) { free(data); }

const rb_data_type_t lazy_types[instance_type_count] = {
    LAZY_TYPE(lazy_free<0>),    LAZY_TYPE(lazy_free<1>),     LAZY_TYPE(lazy_free<2>), LAZY_TYPE(lazy_free<3>),
    LAZY_TYPE(lazy_free<4>),    LAZY_TYPE(lazy_free<5>),     LAZY_TYPE(lazy_free<6>), LAZY_TYPE(lazy_free<7>),
    LAZY_TYPE(lazy_free_large), LAZY_TYPE(RUBY_DEFAULT_FREE)};

VALUE lazy_build(InstanceSlab slab, const Plan *plan, VALUE klass, const VALUE *fields, const LazyPart &part) {
    const uint32_t kind = lazy_kind(plan);
    VALUE object = rb_data_typed_object_wrap(klass, nullptr, &lazy_types[kind]);
    Instance *instance = instance_memory_new(slab, kind, lazy_bytes(plan));
    instance->extra = Extra::none();
    for (uint32_t i = 0, n = plan->width; i < n; i++) instance->field[i] = part.closed ? sleeper(0) : fields[i];
    instance->plan = plan;
    *lazy_part(instance) = part;
    RTYPEDDATA_DATA(object) = instance;
    return object;
}

static void become_ordinary(VALUE object) {
    Instance *lazy = instance_data(object);
    const Plan *plan = lazy->plan;
    const InstanceSlab slab = instance_slab();
    const uint32_t kind = lazy_kind(plan);
    Instance *instance = instance_memory_new(slab, plan->size_class, instance_bytes(plan));
    memcpy(static_cast<void *>(instance), lazy, instance_bytes(plan));
    RTYPEDDATA_DATA(object) = instance;
    lazy_become(object, instance_type(plan));
    lazy_types[kind].function.dfree(lazy);
}

#endif

void lazy_init(const LazyCalls &its_calls) {
    calls = its_calls;
    // Its class only keeps it apart from objects of the program.
    VALUE klass = rb_define_class_under(native_module(), "Unshareable", rb_cObject);
    rb_undef_alloc_func(klass);
    rb_undef_method(CLASS_OF(klass), "new");
    unshareable = rb_data_typed_object_wrap(klass, nullptr, &unshareable_type);
    rb_gc_register_mark_object(unshareable);
}

// Opens a closed object. Meanwhile somebody else may have done the same.
[[gnu::noinline]] static void open_closed(VALUE object) {
    const Plan *plan = instance_data(object)->plan;
    LazyPart part = *lazy_part(object);
    VALUE fields[lazy_fields_max];
    calls.open(plan, part, fields);
    if (!is_lazy(object) || !lazy_part(object)->closed) return;
    Instance *instance = instance_data(object);
    for (uint32_t i = 0, n = plan->width; i < n; i++) RB_OBJ_WRITE(object, &instance->field[i], fields[i]);
    RB_OBJ_WRITE(object, &lazy_part(instance)->index, part.index);
    lazy_part(instance)->kept = part.kept;
    lazy_part(instance)->closed = false;
    RB_GC_GUARD(object);
}

void lazy_touch(VALUE object) {
    if (lazy_part(object)->closed) open_closed(object);
    if (is_lazy(object)) lazy_part(object)->touched = true;
}

VALUE lazy_read(VALUE object, uint32_t slot) {
    if (is_lazy(object) && lazy_part(object)->closed) open_closed(object);
    const VALUE found = instance_data(object)->field[slot];
    if (!is_sleeper(found)) {
        // It may be a default, which the caller can change in place.
        if (is_lazy(object) && !RB_SPECIAL_CONST_P(found) && !RB_OBJ_FROZEN_RAW(found)) lazy_part(object)->touched = true;
        return found;
    }
    const LazyPart part = *lazy_part(object);
    VALUE value = calls.wake(instance_data(object)->plan, slot, sleeper_offset(found), part);
    // Waking may have run Ruby code, in which another thread, or this one, has woken or set the same field, or all.
    VALUE *place = &instance_data(object)->field[slot];
    if (*place != found) return *place;
    if (is_lazy(object)) lazy_part(object)->touched = true;
    RB_OBJ_WRITE(object, place, value);
    RB_GC_GUARD(object);
    return value;
}

// Takes what sleeps, and the fields that the class does not know, from an object that is decoded.
[[gnu::noinline]] static void wake_kept(VALUE object) {
    const LazyPart part = *lazy_part(object);
    VALUE whole = calls.decode(instance_data(object)->plan, part);
    if (!is_lazy(object) || !lazy_part(object)->kept) return;  // see lazy_read
    Instance *instance = instance_data(object), *decoded = instance_data(whole);
    for (uint32_t i = 0, n = instance->plan->width; i < n; i++) {
        if (is_sleeper(instance->field[i])) RB_OBJ_WRITE(object, &instance->field[i], decoded->field[i]);
    }
    RB_OBJ_WRITE(object, &instance->extra.value, decoded->extra.value);
    lazy_part(instance)->kept = false;
    RB_GC_GUARD(whole);
    RB_GC_GUARD(object);
}

bool lazy_wake(VALUE object) {
    if (!is_lazy(object)) return false;
    if (lazy_part(object)->closed) open_closed(object);
    if (is_lazy(object) && lazy_part(object)->kept) wake_kept(object);
    for (uint32_t i = 0, n = instance_data(object)->plan->width; i < n; i++) lazy_read(object, i);
    if (is_lazy(object)) become_ordinary(object);
    RB_GC_GUARD(object);
    return true;
}

}  // namespace sparpack
