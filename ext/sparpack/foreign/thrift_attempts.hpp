// Attempts to read, write and construct an object in place of Apache's gem. They return false for what the gem's own code
// has to do. Only thrift.cpp includes this file.
#pragma once

#include "../glue/native_module.hpp"
#include "protected.hpp"
#include "thrift.hpp"

namespace sparpack {

namespace {

// Structs and containers count together, so an object with more levels is left to the gem, whose limit is for structs.
constexpr int depth_apache = 64;

constexpr Options apache = [] {
    Options options;
    options.memory = unlimited;
    options.depth = depth_apache;
    options.validate = Check::strict;  // only a field whose values a generated `validate` checks is an enum
    options.utf8_keep = true;
    options.exact_sets = true;
    options.exact_enums = true;
    options.plain_text = true;
    options.plain_keys = true;
    options.typed_empty = true;
    options.trailing = true;
    options.attempt = true;
    return options;
}();

// How often a buffered transport reads more for one struct. Each time, the struct is read from its start, so a long one is
// left to the gem.
constexpr int refills_max = 8;

// The module Thrift, and how its version differs from others. Written by thrift_gem alone, before the methods exist.
VALUE gem;
bool has_depths;

ID id_type_checking, id_refused;  // written by foreign_thrift_init alone

// Returns nullptr if the gem's own code has to run for objects of the class. Plans are made in the main Ractor.
SPARPACK_COLD const Plan *prepare(VALUE klass) {
    if (RB_FL_TEST_RAW(klass, RUBY_FL_SINGLETON) || RTEST(rb_attr_get(klass, id_refused))) return nullptr;
    return RTEST(native_call("thrift_prepare", klass)) ? plan_sealed(klass) : nullptr;
}

// Returns whether native code may stand in for the gem with objects of a class whose plan this is.
SPARPACK_INLINE bool is_usable(const Plan *plan, VALUE klass) {
    if (SPARPACK_UNLIKELY(plan->manner != Manner::thrift || plan->klass != klass)) return false;
    if (SPARPACK_UNLIKELY(__atomic_load_n(&plan->dropped, __ATOMIC_ACQUIRE))) return false;
    return SPARPACK_LIKELY(!plan->main_only) || RTEST(native_call("main_ractor?"));
}

SPARPACK_INLINE const Link *link_of(VALUE object) {
    if (SPARPACK_UNLIKELY(RB_SPECIAL_CONST_P(object))) return nullptr;
    VALUE klass = RBASIC_CLASS(object);
    const Plan *plan = plan_sealed(klass);
    if (SPARPACK_UNLIKELY(!plan) && !(plan = prepare(klass))) return nullptr;
    return is_usable(plan, klass) ? plan_link(plan) : nullptr;
}

// The arguments of `read` and `write` are a protocol, and in newer gems how many levels of structs there may be.
SPARPACK_INLINE bool take_depth(int argc, const VALUE *argv, Options *options) {
    if (SPARPACK_UNLIKELY(argc != 1)) {
        if (argc != 2 || !has_depths || !RB_FIXNUM_P(argv[1])) return false;
        if (RB_FIX2LONG(argv[1]) <= 0 || RB_FIX2LONG(argv[1]) > INT_MAX) return false;
        if (RB_FIX2LONG(argv[1]) < options->depth) options->depth = static_cast<int>(RB_FIX2LONG(argv[1]));
    }
    return true;
}

// Older gems keep what an object had in a field that is not read, and `validate` looks at that, too: whether an enum has the
// value, and whether a required field has any. A decode takes the default for that.
SPARPACK_COLD bool may_be_invalid(const Link *link, VALUE object) {
    const Plan *plan = link->plan;
    for (const Field *field = link->fields, *end = field + link->count; field < end; field++) {
        const Slot &slot = plan->slots[field->slot];
        bool is_enum = !NIL_P(slot.numbers), is_required = field->required && !NIL_P(slot.default_value);
        if (!is_enum && !is_required) continue;
        bool is_nil = NIL_P(rb_attr_get(object, plan->ivars[field->slot]));
        if (is_nil ? is_required : is_enum) return true;
    }
    return false;
}

// In newer gems, an object without variables gets no defaults when it is read.
SPARPACK_INLINE bool can_fill(const Link *link, VALUE object) {
    if (SPARPACK_UNLIKELY(RB_OBJ_FROZEN_RAW(object))) return false;
    if (SPARPACK_UNLIKELY(!link->plan->resets)) return link->is_union || !may_be_invalid(link, object);
    return SPARPACK_LIKELY(!link->plan->has_defaults) || rb_ivar_count(object) > 0;
}

// Reads an object that begins at the input's offset, and fills it only after all that can fail. A key's `hash` may change
// the transport. Then the gem would have gone on with something else. Returns false if the gem's own code has to run.
SPARPACK_COLD bool read_watched(const Link *link, VALUE self, const ThriftEnd &end, const ThriftInput &input,
                                const Options &options, size_t *next) {
    VALUE source = unlocked_frozen(input.bytes);
    VALUE other = storage_blank(link->plan, link->plan->klass);
    if (decode(link, other, source, end.wire, options, input.offset, next) == Qundef) return false;
    if (RB_OBJ_FROZEN_RAW(self) || !thrift_input_same(end, input, source)) return false;
    storage_fill_from(link->plan, self, other);
    return true;
}

SPARPACK_INLINE bool read_from(const Link *link, VALUE self, const ThriftEnd &end, const ThriftInput &input,
                               const Options &options, size_t *next) {
    if (SPARPACK_UNLIKELY(link->runs_ruby)) return read_watched(link, self, end, input, options, next);
    return decode(link, self, unlocked(input.bytes), end.wire, options, input.offset, next) != Qundef;
}

// Reads an object whose methods have to be called. They must not be called again when more bytes are there, so an object
// that nobody sees is read first.
SPARPACK_COLD bool read_calling(const Link *link, VALUE self, const ThriftEnd &end, ThriftInput input,
                                const Options &options, ThriftRefusal *refusal, VALUE *error) {
    size_t next = 0;
    for (int refills = 0; end.kind == ThriftTransport::buffered; refills++) {
        if (decodes_unseen(link, input.bytes, end.wire, options, input.offset, &next)) break;
        if (next != decode_truncated || refills == refills_max || !thrift_more(end, &input, refusal)) return false;
    }
    VALUE bytes = unlocked_frozen(input.bytes), before = storage_save(self);
    VALUE result = protected_decode(link, self, bytes, end.wire, options, input.offset, &next, error);
    if (SPARPACK_UNLIKELY(!thrift_input_same(end, input, bytes))) {
        thrift_restore(end, input, bytes);
        if (result != Qundef) storage_restore(self, before);
        return false;
    }
    if (result != Qundef) thrift_read_up_to(end, input, next);
    return result != Qundef;
}

// Returns whether it has read. If the transport below a buffer gave no bytes, the gem's own code has to meet that `refusal`,
// too, after the bytes before it. The same holds for an `error` of a method of the user's.
bool try_read(int argc, const VALUE *argv, VALUE self, VALUE *transport, ThriftRefusal *refusal, VALUE *error) {
    const Link *link = link_of(self);
    ThriftEnd end;
    Options options = apache;
    if (!link || !take_depth(argc, argv, &options) || !thrift_source_of(argv[0], &end)) return false;
    if (!can_fill(link, self)) return false;
    options.string = end.string;
    options.binary_uuids = end.binary_uuids;
    options.grows = end.kind == ThriftTransport::buffered;
    ThriftInput input;
    if (SPARPACK_UNLIKELY(thrift_wants_frame(end))) {
        storage_reset(link->plan, self);  // as the gem does before it reads
        thrift_read_frame(end);
    }
    if (!thrift_input(end, &input)) return false;
    *transport = end.transport;
    if (SPARPACK_UNLIKELY(link->plan->calls)) return read_calling(link, self, end, input, options, refusal, error);
    for (int refills = 0;; refills++) {
        size_t next = 0;
        if (SPARPACK_LIKELY(read_from(link, self, end, input, options, &next)))
            return thrift_read_up_to(end, input, next), true;
        if (next != decode_truncated || refills == refills_max || !thrift_more(end, &input, refusal)) return false;
    }
}

// Writes an object whose methods have to be called. One of them may change the transport.
SPARPACK_COLD bool write_calling(const Link *link, VALUE self, const ThriftEnd &end, VALUE target, const Options &options,
                                 VALUE *error) {
    size_t size = thrift_written(target);
    bool direct = RB_TYPE_P(target, T_STRING);
    VALUE bytes = protected_encode(link, self, end.wire, options, direct ? target : 0, error);
    if (bytes == Qundef || thrift_output(end) != target || (!direct && thrift_written(target) != size))
        return thrift_unwrite(target, size), false;
    if (!direct) thrift_write_to(target, bytes);
    return true;
}

bool try_write(int argc, const VALUE *argv, VALUE self, VALUE *error) {
    const Link *link = link_of(self);
    ThriftEnd end;
    Options options = apache;
    if (!link || !take_depth(argc, argv, &options) || !thrift_target_of(argv[0], &end)) return false;
    VALUE target = thrift_output(end);
    if (SPARPACK_UNLIKELY(!target)) return false;
    if (SPARPACK_UNLIKELY(link->plan->calls)) return write_calling(link, self, end, target, options, error);
    if (SPARPACK_LIKELY(RB_TYPE_P(target, T_STRING))) {
        OutputTarget direct = {target};
        return encode(link, self, end.wire, options, &direct) != Qundef;
    }
    VALUE bytes = encode(link, self, end.wire, options);
    if (bytes == Qundef) return false;
    thrift_write_to(target, bytes);
    return true;
}

// Returns whether it has set the variables of a new object. It makes no plan, for most objects are never written.
SPARPACK_INLINE bool try_construct(int argc, const VALUE *argv, VALUE self) {
    const Plan *plan = plan_sealed(RBASIC_CLASS(self));
    if (SPARPACK_UNLIKELY(!plan || !is_usable(plan, RBASIC_CLASS(self)))) return false;
    if (argc == 0) return storage_construct(plan, self, Qnil);
    if (argc != 1 || RB_SPECIAL_CONST_P(argv[0]) || RBASIC_CLASS(argv[0]) != rb_cHash) return false;
    return !RTEST(rb_attr_get(gem, id_type_checking)) && storage_construct(plan, self, argv[0]);
}

}  // namespace

}  // namespace sparpack
