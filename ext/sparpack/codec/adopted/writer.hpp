// Writes objects of adopted classes, which have another storage than our own (objects/storage.hpp). Their values are
// collected into pending memory first, and then written as those of any other struct. Only value_writer.hpp includes this
// file.
#pragma once

#include "../../glue/pending.hpp"
#include "../encoder.hpp"
#include "called.hpp"

namespace sparpack {

namespace {

template <class Wire> uint8_t *write_lazy(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth);

template <class Wire>
uint8_t *write_runs(Encoder &e, uint8_t *p, const Link *link, const VALUE *values, int depth, VALUE owner);
template <class Wire>
uint8_t *write_field(Encoder &e, uint8_t *p, const Link *link, const Row<Wire> &field, VALUE value,
                     typename Wire::Frame &frame, int depth);
template <class Wire>
SPARPACK_COLD uint8_t *write_with_unknown(Encoder &e, uint8_t *p, const Link *link, VALUE object, const VALUE *values,
                                          Extra extra, int depth);
template <class Wire>
uint8_t *write_variant(Encoder &e, uint8_t *p, const Link *link, VALUE object, uint32_t slot, VALUE value, Extra extra,
                       int depth);

// Calls a function again, with pending memory. The part of it on the stack belongs to the outermost call, so that levels
// within take no stack for it. The garbage collector frees the rest, because a continuation may return into a reader.
template <class... Arguments>
[[gnu::noinline]] uint8_t *with_pending(uint8_t *(*function)(Encoder &, uint8_t *, Arguments...), Encoder &e, uint8_t *p,
                                        Arguments... arguments) {
    VALUE stack[Pending::stack_size];
    Pending pending(stack, Pending::stack_size);
    e.pending = &pending;
    e.memory = e.options.memory < 0 ? unlimited : e.options.memory;
    p = function(e, p, arguments...);
    RB_GC_GUARD(pending.spill);
    e.pending = nullptr;
    return p;
}

// Writes a struct without fields.
template <class Wire> SPARPACK_COLD uint8_t *write_nothing(Encoder &e, uint8_t *p) {
    typename Wire::Frame frame{};
    p = writer_reserve(e.output.writer, p, Wire::open_max + Wire::close_max);
    if constexpr (Wire::traits.opens_structs) p = Wire::open_struct(e.output.writer, p, frame, 0, true);
    return Wire::close_struct(e.output.writer, p, frame);
}

// Reads values of an object, by readers of the class if the plan says so.
template <class Read> SPARPACK_INLINE auto call_readers(Encoder &e, const Plan *plan, Read read) {
    return storage_is_mapped(plan) ? call_ruby(e, read) : read();
}

// Writes an object after its `validate` was called. The methods of a value may change what follows, so each value is read
// when it is written.
template <class Wire>
SPARPACK_COLD uint8_t *write_called(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    const Plan *plan = link->plan;
    if (e.target && e.target->string) {  // a method sees there what Apache's gem would have written by now
        output_append(e.output, p, e.target->string);
        p = e.output.writer.begin;
    }
    if (!call_ruby(e, [&] { return call_validate(link, object); })) return refuse_changed(e);
    if (link->is_union) {
        VALUE value = call_readers(e, plan, [&] { return storage_variant_value(plan, object); });
        return write_variant<Wire>(e, p, link, object, storage_variant(plan, object), value, Extra::none(), depth);
    }
    const Row<Wire> *rows = rows_to_write<Wire>(link, e.form);
    typename Wire::Frame frame{};
    for (uint32_t i = 0; i < link->count; i++) {
        VALUE value = call_readers(e, plan, [&] { return storage_read(plan, object, rows[i].slot); });
        if (value == Qundef || NIL_P(value)) continue;
        if (!(p = write_field<Wire>(e, p, link, rows[i], value, frame, depth))) return nullptr;
        keep_alive(value);
    }
    keep_alive(object);
    return Wire::close_struct(e.output.writer, writer_reserve(e.output.writer, p, Wire::close_max), frame);
}

template <class Wire>
SPARPACK_INLINE uint8_t *write_viewed(Encoder &e, uint8_t *p, const Link *link, VALUE object, VALUE *scratch, int depth) {
    const Plan *plan = link->plan;
    if constexpr (std::is_base_of_v<Thrift<Wire>, Wire>) {
        if (SPARPACK_UNLIKELY(plan->calls)) return write_called<Wire>(e, p, link, object, depth);
    }
    if (link->is_union) {
        VALUE value = call_readers(e, plan, [&] { return storage_variant_value(plan, object); });
        if (SPARPACK_UNLIKELY(NIL_P(value)) && storage_may_be_empty(plan)) return write_nothing<Wire>(e, p);
        return write_variant<Wire>(e, p, link, object, storage_variant(plan, object), value, storage_extra(plan, object),
                                   depth);
    }
    View view = call_readers(e, plan, [&] { return storage_view(plan, object, scratch); });
    if constexpr (Wire::traits.keeps != Kept::none) {
        if (!view.extra.empty()) return write_with_unknown<Wire>(e, p, link, object, view.values, view.extra, depth);
    }
    return write_runs<Wire>(e, p, link, view.values, depth, object);
}

// Writes objects whose values were read together.
template <class Wire>
SPARPACK_INLINE uint8_t *write_batch(Encoder &e, uint8_t *p, const Link *link, const VALUE *values, size_t count, int depth,
                                     size_t *written) {
    for (*written = 0; *written < count; ++*written, values += link->plan->count) {
        if (!(p = write_runs<Wire>(e, p, link, values, depth, Qnil))) break;
    }
    return p;
}

// Returns nullptr after refusing objects whose values have no room.
SPARPACK_INLINE VALUE *scratch_take(Encoder &e, const Plan *plan, size_t objects = 1) {
    VALUE *scratch = pending_take(*e.pending, objects * storage_scratch(plan), e.memory);
    if (!scratch) refuse_limit(e, Status::too_much_memory, e.options.memory);
    return scratch;
}

// The form in which a mapping of MessagePack has its objects: a map if its members have names, otherwise an array. What is
// in them has that form, too.
template <class Wire, class Write> SPARPACK_INLINE uint8_t *in_form_of(Encoder &e, const Plan *plan, Write write) {
    if constexpr (Wire::traits.keys == Keys::none) {
        return write(static_cast<Wire *>(nullptr));
    } else {
        if (!storage_is_mapped(plan)) return write(static_cast<Wire *>(nullptr));
        if (!plan->by_name) return write(static_cast<MessagePackArray *>(nullptr));
        const WireId form = e.form;
        e.form = WireId::message_pack_names;
        uint8_t *p = write(static_cast<MessagePackNames *>(nullptr));
        e.form = form;
        return p;
    }
}

// Writes an object that is known to fit.
template <class Wire>
[[gnu::noinline]] uint8_t *write_adopted(Encoder &e, uint8_t *p, const Link *link, VALUE object, int depth) {
    if (SPARPACK_UNLIKELY(!e.pending)) return with_pending(write_adopted<Wire>, e, p, link, object, depth);
    if (SPARPACK_UNLIKELY(depth < e.options.depth_watched) && too_deep(e, depth)) return nullptr;
    e.output.epoch++;  // pending memory and a view may allocate
    PendingMark mark = pending_mark(*e.pending);
    VALUE *scratch = scratch_take(e, link->plan);
    if (!scratch) return nullptr;
    p = in_form_of<Wire>(e, link->plan, [&](auto *form) {
        return write_viewed<std::remove_pointer_t<decltype(form)>>(e, p, link, object, scratch, depth);
    });
    pending_release(*e.pending, mark);
    return p;
}

// Writes a value that is not an object of our own, or refuses it.
template <class Wire>
SPARPACK_INLINE uint8_t *write_other(Encoder &e, uint8_t *p, const Type &type, VALUE value, int depth) {
    if (storage_is_lazy(value, type.link->plan)) return write_lazy<Wire>(e, p, type.link, value, depth);
    if (!storage_fits_adopted(value, type.link->plan)) return refuse(e, Status::value_mismatch, type, value);
    if (Wire::traits.text && e.rendering && storage_is_mapped(type.link->plan)) return refuse_rendering(e);
    return write_adopted<Wire>(e, p, type.link, value, depth);
}

// Writes the structs of a list from the first one that is not an object of our own, or refuses that. All have one scratch.
template <class Wire>
[[gnu::noinline]] uint8_t *write_others(Encoder &e, uint8_t *p, const Type *type, VALUE array, long first, int depth) {
    if (SPARPACK_UNLIKELY(!e.pending)) return with_pending(write_others<Wire>, e, p, type, array, first, depth);
    const Plan *plan = type->link->plan;
    PendingMark mark = pending_mark(*e.pending);
    size_t batch = storage_batch(plan);
    size_t rest = static_cast<size_t>(RARRAY_LEN(array) - first);
    VALUE *scratch = scratch_take(e, plan, batch ? (rest < batch ? rest : batch) : 1);
    if (!scratch) return nullptr;
    for (long i = first, count = RARRAY_LEN(array); i < count; i++) {
        if (size_changed(e, array, count)) return refuse_changed(e);
        size_t read = 0;
        if (batch) read = call_readers(e, plan, [&] { return storage_view_batch(plan, array, i, scratch); });
        if (read) {
            size_t written = 0;
            p = in_form_of<Wire>(e, plan, [&](auto *form) {
                return write_batch<std::remove_pointer_t<decltype(form)>>(e, p, type->link, scratch, read, depth, &written);
            });
            if (SPARPACK_UNLIKELY(!p)) return fault_at_index(e.fault, static_cast<size_t>(i) + written), nullptr;
            i += static_cast<long>(read) - 1;
            continue;
        }
        VALUE object = RARRAY_AREF(array, i);
        p = SPARPACK_LIKELY(storage_fits_adopted(object, plan))
                ? in_form_of<Wire>(e, plan,
                                   [&](auto *form) {
                                       return write_viewed<std::remove_pointer_t<decltype(form)>>(e, p, type->link, object,
                                                                                                  scratch, depth);
                                   })
                : refuse(e, Status::value_mismatch, *type, object);
        if (SPARPACK_UNLIKELY(!p)) return fault_at_index(e.fault, static_cast<size_t>(i)), nullptr;
    }
    pending_release(*e.pending, mark);
    keep_alive(array);
    return p;
}

}  // namespace

}  // namespace sparpack
