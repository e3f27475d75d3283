#include "instance.hpp"

namespace sparpack {

// An object marks its plan itself, because Marshal may have given it another class since.
void instance_mark(void *data) {
    Instance *instance = static_cast<Instance *>(data);
    if (!instance->plan) return;  // it is being made
    rb_gc_mark(instance->plan->owner);
    rb_gc_mark_movable(instance->extra.value);
    for (uint32_t i = 0, n = instance->plan->width; i < n; i++) rb_gc_mark_movable(instance->field[i]);
}

void instance_compact(void *data) {
    Instance *instance = static_cast<Instance *>(data);
    if (!instance->plan) return;
    gc_update(&instance->extra.value);
    for (uint32_t i = 0, n = instance->plan->width; i < n; i++) gc_update(&instance->field[i]);
}

namespace {

// What the fields take, in the object's slot or in a block of their own.
size_t instance_memory(const Plan *plan) {
#ifdef TYPED_DATA_EMBEDDED
    return instance_bytes(plan);
#else
    return plan->size_class < slab_classes ? slab_sizes[plan->size_class] * sizeof(VALUE) : instance_bytes(plan);
#endif
}

// Since Ruby 3.3, ObjectSpace.memsize_of adds the block of a type that may be embedded by itself.
size_t instance_size(const void *data) {
    const Plan *plan = static_cast<const Instance *>(data)->plan;
    return plan && !embeds_data ? instance_memory(plan) : 0;
}

}  // namespace

#define INSTANCE_TYPE(free, parent)                                                                            \
    {                                                                                                          \
        "sparpack/struct", {instance_mark, free, instance_size, instance_compact, {nullptr}}, parent, nullptr, \
            RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | RUBY_TYPED_FROZEN_SHAREABLE | embeddable   \
    }

#ifdef TYPED_DATA_EMBEDDED

const rb_data_type_t instance_types[] = {INSTANCE_TYPE(RUBY_DEFAULT_FREE, nullptr)};

#else

// One type for each size class, because a sweep may look only at the data: the plan may be gone.
template <uint32_t kind> static void instance_free(void *data) { slab_give(kind, data); }
static void instance_free_large(void *data) { free(data); }

// The first type is the parent of all others, for rb_check_typeddata.
const rb_data_type_t instance_types[instance_type_count] = {
    INSTANCE_TYPE(instance_free<0>, nullptr),           INSTANCE_TYPE(instance_free<1>, instance_types),
    INSTANCE_TYPE(instance_free<2>, instance_types),    INSTANCE_TYPE(instance_free<3>, instance_types),
    INSTANCE_TYPE(instance_free<4>, instance_types),    INSTANCE_TYPE(instance_free<5>, instance_types),
    INSTANCE_TYPE(instance_free<6>, instance_types),    INSTANCE_TYPE(instance_free<7>, instance_types),
    INSTANCE_TYPE(instance_free_large, instance_types), INSTANCE_TYPE(RUBY_DEFAULT_FREE, instance_types)};

#endif

uint32_t instance_size_class([[maybe_unused]] uint32_t width) {
#ifdef TYPED_DATA_EMBEDDED
    return 0;
#else
    return slab_class(offsetof(Instance, field) / sizeof(VALUE) + width);
#endif
}

int64_t instance_cost(const Plan *plan) { return data_cost(instance_memory(plan), true); }

VALUE instance_blank(const Plan *plan, VALUE klass) {
    Instance *instance;
    bool needs_barrier;
    VALUE object = instance_new(instance_slab(), plan, klass, &instance, &needs_barrier);
    for (uint32_t i = 0, n = plan->width; i < n; i++) instance->field[i] = Qnil;
    instance->extra = Extra::none();
    instance->plan = plan;
    if (needs_barrier) RB_OBJ_WRITTEN(object, Qundef, plan->owner);
    return object;
}

}  // namespace sparpack
