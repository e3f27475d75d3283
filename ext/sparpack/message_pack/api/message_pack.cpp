// Sparpack::MessagePack: the functions that Ruby calls.
#include "message_pack.hpp"

#include "../../glue/native_module.hpp"
#include "compressed.hpp"
#include "unpacker.hpp"

namespace sparpack {

namespace {

VALUE module, extensions, extension_class;  // written by message_pack_classes alone

void check_bytes(VALUE bytes) {
    if (!RB_TYPE_P(bytes, T_STRING)) fault_type("expected a String of bytes, got %" PRIsVALUE, rb_obj_class(bytes));
}

const uint8_t *at_offset(const Input &in, size_t offset) {
    if (offset > input_left(in, in.begin)) fault_argument("the offset is past the end of the bytes");
    return in.begin + offset;
}

// --- one value at a time -----------------------------------------------------------------------------------------------

VALUE default_types() {
    VALUE types = key_cache_here()->types;
    return types ? types : Qnil;
}

VALUE dump(VALUE value, VALUE types, const PackOptions &options) {
    Pack k(types, options);
    uint8_t *p = pack_value(k, k.output.writer.begin, value, options.depth);
    if (SPARPACK_UNLIKELY(!p)) pack_raise(k, options.depth);
    RB_GC_GUARD(types);
    return output_finish(k.output, p);
}

// pack(value, io = nil, options = nil)
VALUE message_pack_pack(int argc, VALUE *argv, VALUE) {
    if (SPARPACK_LIKELY(argc == 1)) return dump(argv[0], default_types(), PackOptions());
    rb_check_arity(argc, 1, 3);
    VALUE arguments[] = {argv[0], argv[1], argc == 3 ? argv[2] : Qnil};
    if (NIL_P(arguments[1]) && NIL_P(arguments[2])) return dump(argv[0], default_types(), PackOptions());
    return rb_funcallv(module, rb_intern("pack_with"), 3, arguments);
}

// Reads the one value of a String, which is compressed.
SPARPACK_COLD VALUE load_lz4(Unpack &u, VALUE bytes) {
    size_t end = 0;
    VALUE value = load_compressed(bytes, u.options, 0, &end);
    if (end == string_size(bytes)) return value;
    Fault fault;
    fault.status = Status::trailing_bytes;
    fault_raise_unpack(fault, static_cast<long>(end), 0);
}

// Reads the one value of a String. If extension types may run Ruby code, reads from a copy that nobody else has.
VALUE load(VALUE bytes, const UnpackOptions &options) {
    bytes = options.types ? unlocked_frozen(bytes) : unlocked(bytes);
    VALUE stack[Pending::stack_size];
    Unpack u(bytes, string_bytes(bytes), string_size(bytes), options, stack);
    unpack_check_size(u);
    VALUE value = Qnil;
    if (SPARPACK_UNLIKELY(options.compressed == Compressed::expected) && is_compressed(u)) return load_lz4(u, bytes);
    const uint8_t *p = unpack_value(u, u.in.begin, &value, options.depth);
    unpack_end(u);
    // Only a value that cannot be read otherwise is looked at again.
    if (SPARPACK_UNLIKELY(!p) && failed_compressed(u)) return load_lz4(u, bytes);
    if (SPARPACK_LIKELY(p != nullptr) && SPARPACK_UNLIKELY(p != u.in.end)) {
        u.fault.limit = static_cast<long>(u.in.end - p);  // the number of bytes left
        p = input_fail(u.in, Status::trailing_bytes, p);
    }
    if (SPARPACK_UNLIKELY(!p)) unpack_raise(u, 0, bytes);
    RB_GC_GUARD(bytes);
    return value;
}

// unpack(source, options = nil)
VALUE message_pack_unpack(int argc, VALUE *argv, VALUE) {
    rb_check_arity(argc, 1, 2);
    if (SPARPACK_LIKELY(RB_TYPE_P(argv[0], T_STRING)) && (argc == 1 || NIL_P(argv[1]))) {
        UnpackOptions options;
        options.types_object = default_types();
        options.types = types_of(options.types_object);
        return load(argv[0], options);
    }
    VALUE arguments[] = {argv[0], argc == 2 ? argv[1] : Qnil};
    return rb_funcallv(module, rb_intern("unpack_with"), 2, arguments);
}

// message_pack_rename(module, under, name): Ruby names a module after its first constant. This gives it another name.
VALUE message_pack_rename(VALUE, VALUE renamed, VALUE under, VALUE name) {
    if (!RB_TYPE_P(renamed, T_CLASS)) Check_Type(renamed, T_MODULE);
    if (!RB_TYPE_P(under, T_CLASS)) Check_Type(under, T_MODULE);
    rb_set_class_path(renamed, under, StringValueCStr(name));
    return Qnil;
}

// Sets what this Ractor's functions use by default: the Types of its default factory, or nil.
VALUE message_pack_default(VALUE, VALUE types) {
    key_cache_here()->types = types_of(types) ? types : Qfalse;
    return Qnil;
}

// message_pack_head(bytes, offset) -> [:array, :map, :nil or :other, number, offset of what follows], or nil if it is cut
// off.
VALUE message_pack_head(VALUE, VALUE bytes, VALUE offset) {
    check_bytes(bytes);
    size_t start = NUM2SIZET(offset);
    Input in(string_bytes(bytes), string_size(bytes));
    MessagePack::Item item{};
    const uint8_t *p = MessagePack::read_head(in, at_offset(in, start), item);
    RB_GC_GUARD(bytes);
    if (!p && in.status == Status::truncated) return Qnil;
    const char *name = "other";
    if (p && item.head == MessagePack::Head::array) name = "array";
    if (p && item.head == MessagePack::Head::map) name = "map";
    if (p && item.head == MessagePack::Head::nil) name = "nil";
    size_t next = p ? static_cast<size_t>(p - in.begin) : start;
    return rb_ary_new_from_args(3, ID2SYM(rb_intern(name)), ULL2NUM(item.number), SIZET2NUM(next));
}

}  // namespace

VALUE message_pack_dump(VALUE value, VALUE types, VALUE row) {
    return dump(value, types, NIL_P(row) ? PackOptions() : pack_options(row));
}

VALUE message_pack_load_with(VALUE bytes, const UnpackOptions &options) { return load(bytes, options); }

VALUE message_pack_load(VALUE bytes, VALUE types, VALUE row) {
    check_bytes(bytes);
    if (NIL_P(row)) {
        UnpackOptions options;
        options.types_object = types;
        options.types = types_of(types);
        return load(bytes, options);
    }
    UnpackOptions options = unpack_options(row, types);
    return load(bytes, options);
}

VALUE extensions_call(const char *function, int argc, const VALUE *argv) {
    return rb_funcallv(extensions, rb_intern(function), argc, argv);
}

VALUE message_pack_extension_class() { return extension_class; }

VALUE message_pack_extension(int8_t type, VALUE data) { return rb_struct_new(extension_class, INT2FIX(type), data); }

void dig_init(VALUE native);
void ends_init(VALUE native);
void types_init(VALUE klass);
void factory_init(VALUE klass);
void buffer_init(VALUE klass);
void packer_init(VALUE klass);
void unpacker_init(VALUE klass);

// Called once, when Sparpack::MessagePack is loaded, because Ruby defines its classes.
static VALUE message_pack_classes(VALUE) {
    if (extension_class) return Qnil;
    VALUE klass = rb_path2class("Sparpack::MessagePack::ExtensionValue");
    if (extension_class) return Qnil;  // the line above may have loaded them
    extension_class = klass;
    extensions = rb_path2class("Sparpack::MessagePack::Extensions");
    module = rb_path2class("Sparpack::MessagePack");
    rb_gc_register_mark_object(module);
    rb_gc_register_mark_object(klass);
    rb_gc_register_mark_object(extensions);
    types_init(rb_path2class("Sparpack::MessagePack::Types"));
    factory_init(rb_path2class("Sparpack::MessagePack::Factory"));
    buffer_init(rb_path2class("Sparpack::MessagePack::Buffer"));
    packer_init(rb_path2class("Sparpack::MessagePack::Packer"));
    unpacker_init(rb_path2class("Sparpack::MessagePack::Unpacker"));
    define_module_functions(module, {{"pack", message_pack_pack},
                                     {"unpack", message_pack_unpack},
                                     {"dump", message_pack_pack},
                                     {"load", message_pack_unpack}});
    return Qnil;
}

void message_pack_init() {
    VALUE native = native_module();
    rb_define_const(native, "UNTYPED_DEPTH_MAX", INT2FIX(untyped_depth_max));
    define_singleton_methods(native, {{"message_pack_classes", message_pack_classes},
                                      {"message_pack_rename", message_pack_rename},
                                      {"message_pack_default", message_pack_default}});
    dig_init(native);
    ends_init(native);
    define_singleton_methods(native, {{"message_pack_head", message_pack_head}});
}

}  // namespace sparpack
