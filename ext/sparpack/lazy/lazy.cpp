// Lazy decoding, and what Ruby sees of the scan.
#include "lazy.hpp"

#include "../codec/payload.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../values/text.hpp"
#include "element_index.hpp"
#include "scan.hpp"

namespace sparpack {

const uint8_t *scan_at(const CodecFacts &facts, VALUE bytes, size_t offset) {
    const ScanOf *scan = scan_of(facts.wire);
    Scan s(string_bytes(bytes) + offset, string_size(bytes) - offset, *facts.options);
    if (is_compressed(facts.wire, s.in.begin, s.in.end)) return nullptr;
    const uint8_t *end = scan->payload(s, facts.link, s.in.begin);
    return end && s.ends_within(end) ? end : nullptr;
}

namespace {

// True if the objects of a link can be lazy.
bool may_sleep(const Link *link) {
    return sleepers_exist && !link->is_union && !storage_is_adopted(link->plan) && link->count <= scanned_fields_max;
}

// A struct with a few fields, of which none holds others, takes less time if it is made at once.
constexpr uint32_t small_fields = 4;
constexpr size_t small_bytes = 64;

// How many objects may lie in one another, each more than half as large as the one around it, before what is in them is made
// at once.
constexpr uint8_t large_most = 4;

bool is_small(const Link *link) {
    if (link->count > small_fields) return false;
    for (uint32_t i = 0; i < link->count; i++) {
        if (kind_is_compound(link->fields[i].type.kind)) return false;
    }
    return true;
}

// What is read of the bytes of a lazy object.
struct Source {
    const CodecFacts facts;
    const ScanOf &scan;
    const LazyPart &part;
    Scan s;

    Source(const LazyPart &its_part, size_t offset)
        : facts(codec_facts(its_part.codec)),
          scan(*scan_of(its_part.wire)),
          part(its_part),
          s(string_bytes(its_part.bytes) + offset, string_size(its_part.bytes) - offset, *facts.options, checked_memory) {
        s.base = offset;
    }

    // `depth` is how many levels there may be, with that of the value.
    VALUE read(const Type &type, int depth) const {
        VALUE value = decode_part(type, part.bytes, part.wire, *facts.options, s.base, depth, checked_memory);
        if (SPARPACK_LIKELY(value != Qundef)) return value;
        Fault fault;  // the stack has no room for so many levels: it is smaller than that of the decode
        fault.status = Status::too_deep;
        fault.limit = facts.options->depth;
        fault_raise_decode(fault, facts.klass, wire_name(part.wire), static_cast<long>(s.base), 0);
    }

    LazyPart part_of(size_t start, size_t end, int levels, bool closed) const {
        const bool large = end - start > (part.end - part.start) / 2;
        return {part.bytes, part.codec,  s.index, start,  end,      levels, static_cast<uint8_t>(part.large + large),
                part.wire,  part.copied, false,   closed, s.keeps()};
    }

    // Opening an object scans all of its bytes, so objects in one another would be scanned once for each level.
    bool may_open() const { return part.large < large_most; }

    size_t offset_of(const uint8_t *p) const { return s.base + static_cast<size_t>(p - s.in.begin); }

    // Makes a lazy object. Returns the end of its struct, or nullptr if it cannot be lazy.
    const uint8_t *open(const Link *link, VALUE klass, const uint8_t *p, int depth, VALUE *out) {
        VALUE fields[scanned_fields_max];
        s.index = Qnil;
        s.unknown_here = false;
        const uint8_t *end = scan.open(s, link, p, fields, depth);
        if (!end) return nullptr;
        *out = lazy_build(storage_slab(), link->plan, klass, fields, part_of(offset_of(p), offset_of(end), depth, false));
        return end;
    }

    bool open_one(const Type &type, VALUE *out) {
        const Link *link = type.link;
        if (!may_open() || !may_sleep(link) || (is_small(link) && part.end - s.base <= small_fields * small_bytes))
            return false;
        return open(link, type.klass, s.in.begin, part.levels - 1, out) != nullptr;
    }

    // Makes lazy objects of the structs of a list, which are closed if an index says where they are. Returns false if they
    // cannot be lazy.
    bool open_list(const Type &type, VALUE *out) {
        const Type &element = *type.element;
        if (!may_open() || !may_sleep(element.link)) return false;
        size_t count = 0;
        const uint8_t *p = scan.list(s, type, s.in.begin, &count);
        if (!p || (is_small(element.link) && (part.end - s.base) / small_bytes <= count)) return false;
        const int depth = part.levels - 2;
        VALUE list = rb_ary_new_capa(static_cast<long>(count));
        VALUE values[run];
        for (size_t done = 0; done < count;) {
            const size_t some = count - done < run ? count - done : run;
            for (size_t i = 0; i < some; i++) {
                if (const ElementIndex *index = index_for(part.index, s.base)) {
                    if (index->count != count) return false;  // the bytes have changed
                    const uint32_t *starts = index->starts + done + i;
                    const LazyPart its = part_of(s.base + starts[0], s.base + starts[1], depth, true);
                    values[i] = lazy_build(storage_slab(), element.link->plan, element.klass, nullptr, its);
                } else if (!(p = open(element.link, element.klass, p, depth, &values[i]))) {
                    return false;
                }
            }
            rb_ary_cat(list, values, static_cast<long>(some));
            done += some;
        }
        *out = list;
        return true;
    }

    VALUE string(const Type &type) {
        const bool is_text = type.kind == Kind::string;
        StringBytes string;
        // Raises if the bytes have changed.
        if (SPARPACK_UNLIKELY(!scan.string(s.in, s.in.begin, is_text, &string))) return read(type, part.levels);
        if (!is_text) return rb_str_new(reinterpret_cast<const char *>(string.data), static_cast<long>(string.length));
        return text_new(string.data, string.length, utf8_check(string.data, string.length));
    }

    static constexpr size_t run = 64;
};

VALUE wake(const Plan *plan, uint32_t slot, size_t offset, const LazyPart &part) {
    const Link *link = plan_link(plan);
    const Type &type = link->fields[link->places[slot]].type;
    Source source(part, offset);
    VALUE value = Qnil;
    switch (type.kind) {
    case Kind::string:
    case Kind::binary: value = source.string(type); break;
    case Kind::struct_:
        if (!source.open_one(type, &value)) value = source.read(type, part.levels);
        break;
    case Kind::list:
        if (type.element->kind != Kind::struct_ || !source.open_list(type, &value)) value = source.read(type, part.levels);
        break;
    default: value = source.read(type, part.levels); break;
    }
    RB_GC_GUARD(const_cast<VALUE &>(part.bytes));
    RB_GC_GUARD(const_cast<VALUE &>(part.codec));
    RB_GC_GUARD(const_cast<VALUE &>(part.index));
    return value;
}

VALUE decode(const Plan *plan, const LazyPart &part) {
    Type type{};
    type.kind = Kind::struct_;
    type.link = plan_link(plan);
    type.klass = plan->klass;
    const VALUE object = Source(part, part.start).read(type, part.levels + 1);
    RB_GC_GUARD(const_cast<VALUE &>(part.bytes));
    RB_GC_GUARD(const_cast<VALUE &>(part.codec));
    return object;
}

void open_closed(const Plan *plan, LazyPart &part, VALUE *fields) {
    const Link *link = plan_link(plan);
    Source source(part, part.start);
    const bool opened = source.scan.open(source.s, link, source.s.in.begin, fields, part.levels);
    if (!opened) {
        VALUE whole = decode(plan, part);
        for (uint32_t i = 0; i < link->count; i++) fields[i] = storage_view(whole)[i];
        RB_GC_GUARD(whole);
    }
    part.index = source.s.index;
    // There may be unknown fields behind the place where a scan has given up.
    part.kept = opened ? source.s.keeps() : source.facts.options->unknown == Unknown::keep;
    RB_GC_GUARD(part.bytes);
    RB_GC_GUARD(part.codec);
}

// Sparpack::Native.scan(codec, bytes): true if a decode of the bytes would raise nothing; nil if only a decode can tell.
VALUE native_scan(VALUE, VALUE codec, VALUE bytes) {
    const CodecFacts facts = codec_facts(codec);
    if (!RB_TYPE_P(bytes, T_STRING)) return Qnil;
    bytes = unlocked(bytes);
    const uint8_t *end = scan_at(facts, bytes, 0), *last = string_bytes(bytes) + string_size(bytes);
    RB_GC_GUARD(codec);
    RB_GC_GUARD(bytes);
    return end == last ? Qtrue : Qnil;
}

// codec.check(bytes)
VALUE codec_check(VALUE self, VALUE bytes) {
    if (SPARPACK_UNLIKELY(native_scan(Qnil, self, bytes) != Qtrue)) native_call("decode_payload", self, bytes, INT2FIX(0));
    return Qtrue;
}

// Returns an offset, or one beyond the end, which no scan reads, for anything else.
size_t offset_in(VALUE bytes, VALUE offset) {
    if (!RB_TYPE_P(bytes, T_STRING) || !RB_FIXNUM_P(offset) || FIX2LONG(offset) < 0) return SIZE_MAX;
    return static_cast<size_t>(FIX2LONG(offset));
}

// Sparpack::Native.scan_end(codec, bytes, offset): where the payload ends that begins at an offset; nil if only a decode can
// tell.
VALUE native_scan_end(VALUE, VALUE codec, VALUE bytes, VALUE offset) {
    const CodecFacts facts = codec_facts(codec);
    const size_t at = offset_in(bytes, offset);
    if (at == SIZE_MAX || at >= string_size(bytes)) return Qnil;
    bytes = unlocked(bytes);
    const uint8_t *end = scan_at(facts, bytes, at);
    VALUE found = end ? SIZET2NUM(static_cast<size_t>(end - string_bytes(bytes))) : Qnil;
    RB_GC_GUARD(codec);
    RB_GC_GUARD(bytes);
    return found;
}

// Sparpack::Native.scan_ends(codec, bytes, offset): how many payloads follow one another from an offset on, and where the
// next one begins. These are not all: there are none if only a decode can tell whether the first one is one.
VALUE native_scan_ends(VALUE, VALUE codec, VALUE bytes, VALUE offset) {
    const CodecFacts facts = codec_facts(codec);
    const size_t first = offset_in(bytes, offset);
    if (first == SIZE_MAX) return rb_assoc_new(INT2FIX(0), INT2FIX(0));
    bytes = unlocked(bytes);
    size_t at = first, count = 0;
    while (at < string_size(bytes) && at - first <= step_bytes) {
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

VALUE lazy_decode(const CodecFacts &facts, VALUE codec, VALUE source, size_t offset, size_t *next, Embedded *embedded) {
    const ScanOf *scan = scan_of(facts.wire);
    const Options &options = *facts.options;
    if (!scan->open || options.freeze || !may_sleep(facts.link)) return Qundef;
    VALUE fields[scanned_fields_max];
    const int depth = options.depth - 1;
    Scan s(string_bytes(source) + offset, string_size(source) - offset, options);
    if (is_compressed(facts.wire, s.in.begin, s.in.end)) return Qundef;
    const uint8_t *end = scan->open(s, facts.link, s.in.begin, fields, depth);
    const int64_t cost = s.limit - s.memory;
    if (!end || !s.ends_within(end)) return Qundef;
    const size_t size = static_cast<size_t>(end - s.in.begin);
    if (!next && size != string_size(source) - offset && !options.trailing) return Qundef;
    if (embedded && !charge(embedded->memory, cost)) return Qundef;
    // The caller may change the source.
    VALUE bytes = next ? rb_str_new(RSTRING_PTR(source) + offset, static_cast<long>(size)) : rb_str_new_frozen(source);
    if (next) {
        freeze_raw(bytes);
        *next = offset + size;
    }
    const bool skipped = s.skipped && options.unknown != Unknown::keep;
    const bool copied = !skipped && s.all_in_form_of(facts.wire) && !options.utf8_keep && options.validate != Check::none;
    const LazyPart part{bytes, codec, s.index, 0, size, depth, 0, facts.wire, copied, false, false, s.keeps()};
    VALUE object = lazy_build(storage_slab(), facts.link->plan, facts.klass, fields, part);
    RB_GC_GUARD(source);
    return object;
}

const uint8_t *scan_payload_end(const Link *link, WireId wire, const Options &options, const uint8_t *begin,
                                const uint8_t *end) {
    Scan s(begin, static_cast<size_t>(end - begin), options);
    if (is_compressed(wire, begin, end)) return nullptr;
    const uint8_t *found = scan_of(wire)->payload(s, link, begin);
    return s.fits() ? found : nullptr;
}

void lazy_decoding_init(VALUE sparpack) {
    lazy_init({wake, open_closed, decode});
    define_methods(rb_const_get(sparpack, rb_intern("Codec")), {{"check", codec_check}});
    define_singleton_methods(native_module(),
                             {{"scan", native_scan}, {"scan_end", native_scan_end}, {"scan_ends", native_scan_ends}});
}

}  // namespace sparpack
