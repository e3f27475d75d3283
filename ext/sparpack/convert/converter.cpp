// Sparpack::Converter: payloads of one wire to those of another.
#include "converter.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../values/text.hpp"
#include "../wire/lz4_sign.hpp"
#include "cells.hpp"

namespace sparpack {

namespace {

CodecFactsOf facts_of_codec;  // written by converter_init alone

// The codecs keep the link.
void converter_mark(void *data) {
    Converter *converter = static_cast<Converter *>(data);
    rb_gc_mark_movable(converter->from);
    rb_gc_mark_movable(converter->to);
    rb_gc_mark_movable(converter->klass);
}
void converter_compact(void *data) {
    Converter *converter = static_cast<Converter *>(data);
    gc_update(&converter->from);
    gc_update(&converter->to);
    gc_update(&converter->klass);
}
void converter_free(void *data) {
    Converter *converter = static_cast<Converter *>(data);
    enums_free(converter->enums);
    xfree(converter);
}
size_t converter_size(const void *data) {
    return sizeof(Converter) + enums_size(__atomic_load_n(&static_cast<const Converter *>(data)->enums, __ATOMIC_ACQUIRE));
}

const rb_data_type_t converter_type = {"sparpack/converter",
                                       {converter_mark, converter_free, converter_size, converter_compact, {nullptr}},
                                       nullptr,
                                       nullptr,
                                       RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED | RUBY_TYPED_FROZEN_SHAREABLE};

VALUE converter_allocate(VALUE klass) {
    VALUE object = rb_data_typed_object_zalloc(klass, sizeof(Converter), &converter_type);
    Converter *converter = data_of<Converter>(object);
    converter->from = converter->to = converter->klass = Qnil;
    return object;
}

constexpr CellsReader read_from[] = {
#define X(name, grammar) cells_read_payload<grammar::Reader>,
    SPARPACK_WIRES(X)
#undef X
};

constexpr CellsWriter write_to[] = {
#define X(name, grammar) cells_write_payload<grammar::WrittenAs>,
    SPARPACK_WIRES(X)
#undef X
};

Unclaimed unclaimed_of(const CodecFacts &from, const CodecFacts &to) {
    switch (from.options->unknown) {
    case Unknown::skip: break;
    case Unknown::reject: return Unclaimed::refuse;
    case Unknown::keep: {
        Kept kept = traits_of(from.wire).keeps;
        if (kept == Kept::none || kept != traits_of(to.wire).keeps) break;  // an encode drops them
        return kept == Kept::fields ? Unclaimed::copy : Unclaimed::refuse;
    }
    }
    return Unclaimed::skip;
}

int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }

TransitRules rules_of(const CodecFacts &from, const CodecFacts &to) {
    const Options &reads = *from.options, &writes = *to.options;
    TransitRules rules{};
    rules.string = lesser(INT32_MAX, lesser(reads.string, writes.string));
    rules.container = lesser(INT32_MAX, lesser(reads.container, writes.container));
    rules.depth = static_cast<int>(lesser(reads.depth, writes.depth));
    rules.stack_checked = rules.depth > depth_usual;
    rules.depth_watched = rules.stack_checked ? depth_max : 0;
    rules.strict_enums = reads.validate >= Check::strict || writes.validate >= Check::strict;
    rules.enum_names = writes.enum_names;
    rules.integer_text = writes.integer_text;
    rules.unclaimed = unclaimed_of(from, to);
    rules.to = to.wire;
    rules.keeps = reads.unknown == Unknown::keep && traits_of(from.wire).keeps != Kept::none;
    return rules;
}

// Sparpack::Native.converter_setup(converter, from, to): both are codecs of one class.
VALUE native_converter_setup(VALUE, VALUE self, VALUE from, VALUE to) {
    Converter *converter = static_cast<Converter *>(rb_check_typeddata(self, &converter_type));
    rb_check_frozen(self);
    const CodecFacts reads = facts_of_codec(from), writes = facts_of_codec(to);
    if (reads.link != writes.link) fault_argument("the codecs have different classes");
    if (converter->read) fault_type("the converter is already set up");
    converter->link = reads.link;
    converter->rules = rules_of(reads, writes);
    converter->options = *reads.options;
    converter->text = traits_of(writes.wire).text;
    converter->compressed = traits_of(reads.wire).compression;
    converter->passes = writes.options->compression == Compression::none;
    RB_OBJ_WRITE(self, &converter->from, from);
    RB_OBJ_WRITE(self, &converter->to, to);
    RB_OBJ_WRITE(self, &converter->klass, reads.klass);
    converter->wire = wire_name(reads.wire);
    converter->read = of_wire(read_from, reads.wire);
    converter->write = of_wire(write_to, writes.wire);
    converter->fused = fused_pair(reads.wire, writes.wire);
    converter->reads = reads.wire;
    return self;
}

// Of a Ruby thread: the garbage collector owns the memory, because what follows may longjmp.
void enlarge_string(Transit &, Block &block, size_t size) {
    if (block.string) {
        rb_str_resize(block.string, static_cast<long>(size));
    } else {
        block.string = rb_obj_hide(rb_str_new(nullptr, static_cast<long>(size)));
    }
    block.bytes = reinterpret_cast<uint8_t *>(RSTRING_PTR(block.string));
    block.size = size;
}

// Bytes of the input, and where in them a payload begins.
struct Part {
    VALUE source;
    size_t base;    // where the source is in the input
    size_t offset;  // of the payload in the source
    bool is_whole;  // the payload is all that is left of the source
    size_t known;   // its size; 0 if it is not known
};

// A transit whose output is limited as the memory of objects is, by the size of the payload. Until that is known, it counts
// as 0.
struct Passage : Transit {
    const Converter *converter;
    const Part &part;

    Passage(const uint8_t *bytes, size_t size, const Converter *c, const Part &p, int64_t limit)
        : Transit(bytes, size, c->rules, limit, enlarge_string), converter(c), part(p) {
        output.watch = watch;
    }

    [[noreturn]] SPARPACK_COLD void refuse(int64_t most) const {
        output_refuse({most, converter->klass, converter->wire, part.base + part.offset});
    }

    static SPARPACK_COLD void watch(const Output &output, size_t used) {
        constexpr int64_t heads_most = 8 << 10;  // containers may have longer heads while they are written
        const Passage &t = static_cast<const Passage &>(reinterpret_cast<const Transit &>(output));
        const int64_t most = options_memory(t.converter->options, t.part.known);
        if (static_cast<int64_t>(used) - heads_most > most) t.refuse(most);
    }
};

SPARPACK_INLINE Places pass_payload(const Converter *converter, Transit &t, const uint8_t *start) {
    if (converter->fused) {
        const int64_t memory = t.memory;
        const Places end = converter->fused(t, converter->link, start);
        if (SPARPACK_LIKELY(end.in != nullptr) || !t.is_unusual) return end;
        t.memory = memory;
        t.scratch_used = t.cells_used = 0;
        t.in.status = Status::ok;
    }
    const uint8_t *end = converter->read(t, converter->link, start);
    if (SPARPACK_UNLIKELY(!end)) return {nullptr, nullptr};
    uint8_t *out = converter->write(t, converter->link);
    return {out ? end : nullptr, out};
}

// Returns the bytes of a payload, or Qundef if it must be decoded and encoded. `next` is set to where the payload ends.
// Raises DecodeError::LimitExceeded. No Ruby code runs, so nobody changes the source.
VALUE pass(const Converter *converter, const Part &part, size_t *next) {
    VALUE source = unlocked(part.source);
    const size_t offset = part.offset;
    if (SPARPACK_UNLIKELY(!converter->passes)) return Qundef;
    const uint8_t *bytes = string_bytes(source);
    size_t size = string_size(source);
    if (converter->compressed && SPARPACK_UNLIKELY(lz4_sign(bytes + offset, bytes + size))) return Qundef;
    const int64_t limit = options_memory(converter->options, size - offset);
    Passage t(bytes, size, converter, part, limit);
    const Places end = pass_payload(converter, t, t.in.begin + offset);
    VALUE result = Qundef;
    if (SPARPACK_LIKELY(end.in != nullptr)) {
        size_t used = static_cast<size_t>(end.in - t.in.begin) - offset;
        const int64_t most = options_memory(converter->options, used);
        bool fits = part.is_whole ? end.in == t.in.end : limit - t.memory <= most;
        if (SPARPACK_LIKELY(fits)) {
            if (SPARPACK_UNLIKELY(static_cast<int64_t>(t.offset(end.out)) > most)) t.refuse(most);
            result = output_finish(t.output, end.out);
            if (converter->text) RB_ENCODING_SET_INLINED(result, utf8_index);
            *next = offset + used;
        }
    }
    if (t.cells_block.string) rb_str_resize(t.cells_block.string, 0);  // returns the memory at once
    RB_GC_GUARD(t.scratch.string);
    RB_GC_GUARD(source);
    return result;
}

void check_source(VALUE bytes) {
    if (SPARPACK_UNLIKELY(!RB_TYPE_P(bytes, T_STRING)))
        fault_type("bytes to convert must be a String, got %" PRIsVALUE, rb_obj_class(bytes));
}

// The bytes are one payload.
VALUE pass_whole(const Converter *converter, VALUE bytes, size_t base) {
    size_t next = 0;
    return pass(converter, {bytes, base, 0, true, string_size(bytes)}, &next);
}

VALUE converter_convert(VALUE self, VALUE bytes) {
    const Converter *converter = converter_get(self);
    check_source(bytes);
    VALUE result = pass_whole(converter, bytes, 0);
    return SPARPACK_LIKELY(result != Qundef) ? result
                                             : native_call("convert_objects", converter->from, converter->to, bytes);
}

// Sparpack::Native.convert_payload(converter, bytes, base): its bytes in the other wire, or nil if it must be decoded.
// `base` is its place in the input.
VALUE native_convert_payload(VALUE, VALUE self, VALUE bytes, VALUE base) {
    const Converter *converter = converter_get(self);
    const size_t before = NUM2SIZET(base);
    check_source(bytes);
    VALUE result = pass_whole(converter, bytes, before);
    return result == Qundef ? Qnil : result;
}

// Sparpack::Native.convert_prefix(converter, bytes, offset, base, known): [bytes in the other wire, where the payload ends],
// or nil. `known` is the size of the payload, or nil. Without it, the error of a long output may be wrong about a long
// payload.
VALUE native_convert_prefix(VALUE, VALUE self, VALUE bytes, VALUE offset, VALUE base, VALUE known) {
    const Converter *converter = converter_get(self);
    size_t start = NUM2SIZET(offset), before = NUM2SIZET(base), size = NIL_P(known) ? 0 : NUM2SIZET(known), next = 0;
    check_source(bytes);
    if (start > string_size(bytes)) fault_argument("the offset is past the end of the bytes");
    VALUE result = pass(converter, {bytes, before, start, false, size}, &next);
    return result == Qundef ? Qnil : rb_assoc_new(result, SIZET2NUM(next));
}

VALUE converter_from(VALUE self) { return converter_get(self)->from; }
VALUE converter_to(VALUE self) { return converter_get(self)->to; }

}  // namespace

const Converter *converter_get(VALUE self) {
    const Converter *converter = static_cast<Converter *>(rb_check_typeddata(self, &converter_type));
    if (SPARPACK_UNLIKELY(!converter->read)) fault_type("uninitialized converter");
    return converter;
}

// If several threads make them at once, the first one wins.
const Enums *converter_enums(const Converter *converter) {
    const Enums **place = const_cast<const Enums **>(&converter->enums), *none = nullptr;
    if (const Enums *made = __atomic_load_n(place, __ATOMIC_ACQUIRE)) return made;
    rows_make_all(converter->link, wire_reader(converter->reads));
    rows_make_all(converter->link, converter->rules.to);
    const Enums *made = enums_make(converter->link);
    if (__atomic_compare_exchange_n(place, &none, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return made;
    enums_free(made);
    return none;
}

Places converter_pass(const Converter *converter, Transit &t, const uint8_t *start) {
    return pass_payload(converter, t, start);
}

void cells_grow(Transit &t, size_t count) {
    const size_t room = t.cells_room + t.cells_room / 2 + count;
    const bool moves = t.cells == reinterpret_cast<Cell *>(t.cells_stack);
    t.enlarge(t, t.cells_block, room * sizeof(Cell));
    t.cells = reinterpret_cast<Cell *>(t.cells_block.bytes);
    if (moves) memcpy(static_cast<void *>(t.cells), t.cells_stack, t.cells_used * sizeof(Cell));
    t.cells_room = room;
}

void converter_init(VALUE sparpack, CodecFactsOf facts, PayloadEndOf payload_end) {
    facts_of_codec = facts;
    many_init(payload_end);
    VALUE converter = rb_const_get(sparpack, rb_intern("Converter"));
    rb_define_alloc_func(converter, converter_allocate);
    rb_undef_method(converter, "initialize_copy");
    define_methods(converter, {{"convert", converter_convert}, {"from", converter_from}, {"to", converter_to}});

    VALUE native = native_module();
    define_singleton_methods(native, {{"converter_setup", native_converter_setup},
                                      {"convert_payload", native_convert_payload},
                                      {"convert_prefix", native_convert_prefix}});
}

}  // namespace sparpack
