// Lazy decoding, and what Ruby sees of the scan.
#include "lazy.hpp"

#include "../glue/native_module.hpp"
#include "../wire/lz4_sign.hpp"
#include "scan.hpp"

namespace sparpack {

namespace {

// Written by lazy_init alone.
CodecFactsOf facts_of_codec;
ReadAt read_at;

constexpr int64_t checked_memory = INT64_MAX / 4;  // for values that were checked before

bool is_compressed(const CodecFacts &facts, const Input &in) {
    return traits_of(facts.wire).compression && lz4_sign(in.begin, in.end);
}

// True if what a scan has passed, up to `end`, is within the limit of memory. That depends on the size of the payload, which
// was not known.
bool stays_within(Scan &s, const CodecFacts &facts, const uint8_t *end) {
    const int64_t excess = s.limit - options_memory(*facts.options, static_cast<size_t>(end - s.in.begin));
    return s.charges(excess) && s.fits();
}

// Returns where the payload ends that begins at an offset, or nullptr if only a decode can tell.
const uint8_t *scan_at(const CodecFacts &facts, VALUE bytes, size_t offset) {
    const ScanOf *scan = scan_of(facts.wire);
    if (!scan) return nullptr;
    Scan s(string_bytes(bytes) + offset, string_size(bytes) - offset, *facts.options);
    if (is_compressed(facts, s.in)) return nullptr;
    const uint8_t *end = scan->payload(s, facts.link, s.in.begin);
    return end && stays_within(s, facts, end) ? end : nullptr;
}

// True if the objects of a link can be lazy.
bool may_sleep(const Link *link) {
    return sleepers_exist && !link->is_union && !storage_is_adopted(link->plan) && link->count <= scanned_fields_max;
}

// Makes lazy objects of structs that were checked before.
struct Opening {
    const CodecFacts &facts;
    const ScanOf &scan;
    VALUE bytes, codec;
    bool copied;
    Scan s;

    Opening(const CodecFacts &its_facts, const ScanOf &its_scan, VALUE its_bytes, VALUE its_codec, size_t offset,
            bool is_copied)
        : facts(its_facts),
          scan(its_scan),
          bytes(its_bytes),
          codec(its_codec),
          copied(is_copied),
          s(string_bytes(its_bytes) + offset, string_size(its_bytes) - offset, *its_facts.options, checked_memory) {
        s.base = offset;
    }

    size_t offset_of(const uint8_t *p) const { return s.base + static_cast<size_t>(p - s.in.begin); }

    // Returns the end of the struct, or nullptr if it cannot be lazy.
    const uint8_t *open(const Link *link, VALUE klass, const uint8_t *p, int depth, VALUE *out) {
        VALUE fields[scanned_fields_max];
        const uint8_t *end = scan.open(s, link, p, fields, depth);
        if (!end) return nullptr;
        const LazyPart part{bytes, codec, offset_of(p), offset_of(end), depth, facts.wire, copied, false};
        *out = lazy_build(storage_slab(), link->plan, klass, fields, part);
        return end;
    }

    // Opens the structs of a list. Returns false if they cannot be lazy.
    bool open_list(const Type &type, const uint8_t *p, int depth, VALUE *out) {
        size_t count = 0;
        if (!(p = scan.list(s, type, p, &count))) return false;
        const Type &element = *type.element;
        VALUE list = rb_ary_new_capa(static_cast<long>(count));
        constexpr size_t run = 64;
        VALUE values[run];
        while (count > 0) {
            const size_t some = count < run ? count : run;
            for (size_t i = 0; i < some; i++) {
                if (!(p = open(element.link, element.klass, p, depth, &values[i]))) return false;
            }
            rb_ary_cat(list, values, static_cast<long>(some));
            count -= some;
        }
        *out = list;
        return true;
    }
};

VALUE wake(const Plan *plan, uint32_t slot, VALUE bytes, VALUE codec, size_t offset, const LazyPart &part) {
    const CodecFacts facts = facts_of_codec(codec);
    const Link *link = plan_link(plan);
    const Type &type = link->fields[link->places[slot]].type;
    VALUE value = Qnil;
    bool is_open = false;
    if (type.kind == Kind::struct_ && may_sleep(type.link)) {
        Opening opening(facts, *scan_of(facts.wire), bytes, codec, offset, part.copied);
        is_open = opening.open(type.link, type.klass, opening.s.in.begin, part.levels - 1, &value) != nullptr;
    } else if (type.kind == Kind::list && type.element->kind == Kind::struct_ && may_sleep(type.element->link)) {
        Opening opening(facts, *scan_of(facts.wire), bytes, codec, offset, part.copied);
        is_open = opening.open_list(type, opening.s.in.begin, part.levels - 2, &value);
    }
    if (!is_open) value = read_at(type, bytes, facts.wire, *facts.options, offset);
    RB_GC_GUARD(bytes);
    RB_GC_GUARD(codec);
    return value;
}

// Sparpack::Native.scan(codec, bytes): true if a decode of the bytes would raise nothing; nil if only a decode can tell.
VALUE native_scan(VALUE, VALUE codec, VALUE bytes) {
    const CodecFacts facts = facts_of_codec(codec);
    if (!RB_TYPE_P(bytes, T_STRING)) return Qnil;
    const uint8_t *end = scan_at(facts, bytes, 0), *last = string_bytes(bytes) + string_size(bytes);
    RB_GC_GUARD(codec);
    RB_GC_GUARD(bytes);
    return end == last ? Qtrue : Qnil;
}

// Returns an offset, or one beyond the end, which no scan reads, for anything else.
size_t offset_in(VALUE bytes, VALUE offset) {
    if (!RB_TYPE_P(bytes, T_STRING) || !RB_FIXNUM_P(offset) || FIX2LONG(offset) < 0) return SIZE_MAX;
    return static_cast<size_t>(FIX2LONG(offset));
}

// Sparpack::Native.scan_end(codec, bytes, offset): where the payload ends that begins at an offset; nil if only a decode can
// tell.
VALUE native_scan_end(VALUE, VALUE codec, VALUE bytes, VALUE offset) {
    const CodecFacts facts = facts_of_codec(codec);
    const size_t at = offset_in(bytes, offset);
    if (at == SIZE_MAX || at >= string_size(bytes)) return Qnil;
    const uint8_t *end = scan_at(facts, bytes, at);
    VALUE found = end ? SIZET2NUM(static_cast<size_t>(end - string_bytes(bytes))) : Qnil;
    RB_GC_GUARD(codec);
    RB_GC_GUARD(bytes);
    return found;
}

// Sparpack::Native.scan_ends(codec, bytes, offset): how many payloads follow one another from an offset on, and where the
// first one begins of which only a decode can tell whether it is one.
VALUE native_scan_ends(VALUE, VALUE codec, VALUE bytes, VALUE offset) {
    const CodecFacts facts = facts_of_codec(codec);
    size_t at = offset_in(bytes, offset), count = 0;
    while (at < string_size(bytes)) {
        const uint8_t *end = scan_at(facts, bytes, at);
        if (!end) break;
        at = static_cast<size_t>(end - string_bytes(bytes));
        count++;
    }
    RB_GC_GUARD(codec);
    RB_GC_GUARD(bytes);
    return rb_assoc_new(SIZET2NUM(count), SIZET2NUM(at));
}

}  // namespace

VALUE lazy_decode(const CodecFacts &facts, VALUE codec, VALUE source, size_t offset, size_t *next) {
    const ScanOf *scan = scan_of(facts.wire);
    const Options &options = *facts.options;
    if (!scan || options.freeze || !may_sleep(facts.link)) return Qundef;
    VALUE fields[scanned_fields_max];
    const int depth = options.depth - 1;
    Scan s(string_bytes(source) + offset, string_size(source) - offset, options);
    if (is_compressed(facts, s.in)) return Qundef;
    const uint8_t *end = scan->open(s, facts.link, s.in.begin, fields, depth);
    if (!end || !stays_within(s, facts, end)) return Qundef;
    const size_t size = static_cast<size_t>(end - s.in.begin);
    if (!next && size != string_size(source) - offset && !options.trailing) return Qundef;
    // The caller may change the source.
    VALUE bytes = next ? rb_str_new(RSTRING_PTR(source) + offset, static_cast<long>(size)) : rb_str_new_frozen(source);
    if (next) {
        OBJ_FREEZE(bytes);
        *next = offset + size;
    }
    const bool copied = !s.skipped && !options.utf8_keep && options.validate != Check::none;
    const LazyPart part{bytes, codec, 0, size, depth, facts.wire, copied, false};
    VALUE object = lazy_build(storage_slab(), facts.link->plan, facts.klass, fields, part);
    RB_GC_GUARD(source);
    return object;
}

void lazy_decoding_init(CodecFactsOf codec_facts, ReadAt decode_at) {
    facts_of_codec = codec_facts;
    read_at = decode_at;
    lazy_init(wake);
    define_singleton_methods(native_module(),
                             {{"scan", native_scan}, {"scan_end", native_scan_end}, {"scan_ends", native_scan_ends}});
}

}  // namespace sparpack
