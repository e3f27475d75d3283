#include "embedded_types.hpp"

namespace sparpack {

namespace {

using Cursor = const uint8_t *;

constexpr size_t name_max = UINT8_MAX;

EmbeddedWrite embed;  // written by embedded_init alone
EmbeddedRead extract;

// The data of an extension type, while its object is written.
struct ObjectTarget : OutputTarget {
    Pack &k;
    PackPause pause;

    ObjectTarget(Pack &pack, const PackPause &before) : k(pack), pause(before) {
        outer = &k.output;
        used = pause.used;
        fail = [](const OutputTarget &target) {
            const ObjectTarget &failed = static_cast<const ObjectTarget &>(target);
            pack_fail_used(failed.k, failed.pause);
        };
    }
};

// Writes the payload of an object, and the end of its extension type.
uint8_t *write_payload(Pack &k, uint8_t *p, VALUE object, VALUE codec, size_t start, int8_t type) {
    ObjectTarget target(k, pack_pause(k, p));
    call_ruby(k, [&] { return embed(codec, object, target), Qnil; });
    pack_resume(k, target.pause);
    return pack_ext_end(k, pack_at(k, target.used), start, type);
}

// Asks for the codec and the name of a class, unless the previous object was of the same class.
uint8_t *find_named(Pack &k, uint8_t *p, VALUE object, VALUE proc) {
    VALUE klass = rb_obj_class(object);
    if (SPARPACK_LIKELY(k.named.klass == klass)) return p;
    VALUE found = pack_call(k, p, [&] { return rb_proc_call_with_block(proc, 1, &klass, Qnil); });
    Check_Type(found, T_ARRAY);
    VALUE name = rb_ary_entry(found, 1);
    Check_Type(name, T_STRING);
    if (string_size(name) > name_max) fault_argument("the name of a class may have at most 255 bytes");
    k.named = {klass, rb_ary_entry(found, 0), rb_str_new_frozen(name)};
    return p;
}

}  // namespace

void embedded_init(EmbeddedWrite write, EmbeddedRead read) {
    embed = write;
    extract = read;
}

uint8_t *embedded_write(Pack &k, uint8_t *p, VALUE object, const TypeEntry &entry) {
    int8_t type = entry.type;
    VALUE codec = entry.proc;
    size_t start = 0;
    p = pack_ext_begin(k, p, &start);
    return write_payload(k, p, object, codec, start, type);
}

uint8_t *embedded_write_named(Pack &k, uint8_t *p, VALUE object, const TypeEntry &entry) {
    int8_t type = entry.type;
    size_t start = 0;
    p = find_named(k, p, object, entry.proc);
    VALUE codec = k.named.codec, name = k.named.name;
    p = pack_ext_begin(k, p, &start);
    size_t size = string_size(name);
    p = writer_reserve(k.output.writer, p, 1 + size);
    *p = static_cast<uint8_t>(size);
    p = writer_append(k.output.writer, p + 1, RSTRING_PTR(name), size);
    RB_GC_GUARD(name);
    return write_payload(k, p, object, codec, start, type);
}

Cursor embedded_read(Unpack &u, Cursor p, size_t size, VALUE codec, VALUE *out) {
    Embedded payload = {p, size, u.memory, u.options.freeze};
    VALUE object = extract(codec, payload);
    if (object == Qundef) return input_fail(u.in, Status::too_much_memory, p);
    u.memory = payload.memory;
    u.ran_ruby |= payload.ran_ruby;
    *out = object;
    return p + size;
}

Cursor embedded_read_named(Unpack &u, Cursor p, size_t size, VALUE proc, VALUE *out) {
    const size_t length = size > 0 ? *p : 0, before = 1 + length;
    if (size < before) return input_fail(u.in, Status::bad_ext_data, p);
    const char *name = reinterpret_cast<const char *>(p + 1);
    if (!u.named.name || string_size(u.named.name) != length || memcmp(RSTRING_PTR(u.named.name), name, length) != 0) {
        if (!charge(u.memory, string_cost(length))) return input_fail(u.in, Status::too_much_memory, p);
        u.ran_ruby = true;
        VALUE given = rb_obj_freeze(rb_utf8_str_new(name, static_cast<long>(length)));
        VALUE codec = rb_proc_call_with_block(proc, 1, &given, Qnil);
        if (!source_stays(u)) return input_fail(u.in, Status::value_changed, u.in.begin);
        u.named = {given, codec};
    }
    VALUE codec = u.named.codec;
    return embedded_read(u, p + before, size - before, codec, out);
}

}  // namespace sparpack
