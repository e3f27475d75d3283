// The only file that raises.
#include "fault.hpp"

#include <cstdarg>

#include "native_module.hpp"

namespace sparpack {

namespace {

struct StatusText {
    const char *error;
    const char *expected;
    const char *found;
};

constexpr StatusText status_texts[] = {
#define X(name, error, expected, found) {error, expected, found},
    SPARPACK_STATUSES(X)
#undef X
};

constexpr size_t status_count = sizeof status_texts / sizeof *status_texts;

// Written by fault_init alone.
VALUE encode_errors[status_count], decode_errors[status_count];
VALUE validation_error, schema_error, conversion_error;

const char *status_name(Status status) {
    constexpr const char *names[] = {
#define X(name, error, expected, found) #name,
        SPARPACK_STATUSES(X)
#undef X
    };
    return names[static_cast<size_t>(status)];
}

const StatusText &text_of(Status status) { return status_texts[static_cast<size_t>(status)]; }

VALUE text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

VALUE text_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    VALUE text = rb_enc_vsprintf(rb_utf8_encoding(), format, arguments);
    va_end(arguments);
    return text;
}

// What others wrote may be of any length and contain characters that nobody sees, so a message shows only its beginning, and
// escapes (lib/sparpack/words/quote.rb).
VALUE name_text(VALUE name) {
    constexpr long surely_short = 128;
    VALUE text = SYMBOL_P(name) ? rb_sym2str(name) : rb_obj_as_string(name);
    if (RSTRING_LEN(text) <= surely_short && rb_enc_str_asciionly_p(text)) return text;
    return native_call("quote_name", text);
}

VALUE class_text(VALUE object) { return name_text(rb_class_name(rb_obj_class(object))); }

// A piece of the path: a Symbol for a field, an Array of a key, or text. A name is quoted only when the message is made,
// since that runs Ruby code, and whoever reads bytes may have to look at them again before.
void add_piece(Fault &fault, VALUE piece) {
    if (NIL_P(fault.path)) fault.path = rb_ary_new();
    rb_ary_push(fault.path, piece);
}

VALUE piece_text(VALUE piece) {
    if (SYMBOL_P(piece)) return text_format(".%" PRIsVALUE, name_text(piece));
    return RB_TYPE_P(piece, T_ARRAY) ? text_format("[%" PRIsVALUE "]", fault_quote(RARRAY_AREF(piece, 0))) : piece;
}

// Copies a key that is a String: the reader that has failed frees those that are not in a Hash yet. A message shows only the
// beginning, so no more is copied.
VALUE key_of_piece(VALUE key) {
    constexpr long shown = 1024;
    if (!RB_TYPE_P(key, T_STRING)) return key;
    VALUE copy = rb_enc_str_new(RSTRING_PTR(key), RSTRING_LEN(key) < shown ? RSTRING_LEN(key) : shown, rb_enc_get(key));
    RB_GC_GUARD(key);
    return copy;
}

// A long path, such as that of a cycle, is shown by its beginning and its end.
constexpr long path_shown = 16;

VALUE path_text(const Fault &fault, VALUE root) {
    VALUE text = text_format("%" PRIsVALUE, name_text(root));
    if (NIL_P(fault.path)) return text;
    long length = RARRAY_LEN(fault.path);
    for (long i = length; i-- > 0;) {
        if (length > path_shown && i == length - path_shown / 2) {
            long left_out = length - path_shown;
            rb_str_catf(text, "...(%ld more)...", left_out);
            i -= left_out;
        }
        rb_str_append(text, piece_text(RARRAY_AREF(fault.path, i)));
    }
    return text;
}

VALUE expected_text(const Fault &fault) {
    if (fault.limit >= 0) {
        const char *unit = fault.status == Status::too_deep              ? "levels"
                           : fault.status == Status::container_too_large ? "elements"
                           : fault.status == Status::too_many_nan_keys   ? "keys that are NaN"
                                                                         : "bytes";
        return text_format("at most %ld %s", fault.limit, unit);
    }
    bool is_root = NIL_P(fault.path) && fault.expected;  // the path is the class, so its name says nothing
    if (!NIL_P(fault.expected_class) && !is_root) return text_format("%" PRIsVALUE, name_text(fault.expected_class));
    const char *text = fault.expected ? fault.expected : text_of(fault.status).expected;
    return rb_utf8_str_new_cstr(text ? text : "another value");
}

// Describes a value without its contents: numbers are shown, strings never.
VALUE found_text(const Fault &fault) {
    if (fault.found != Qundef && fault.status != Status::missing_field) {
        VALUE found = fault.found;
        if (NIL_P(found)) return rb_utf8_str_new_cstr("nil");
        if (fault.status == Status::unknown_field && RB_TYPE_P(found, T_STRING))
            return text_format("a name of %ld byte%s", RSTRING_LEN(found), RSTRING_LEN(found) == 1 ? "" : "s");
        bool is_number = found == Qtrue || found == Qfalse || RB_INTEGER_TYPE_P(found);
        bool is_name = SYMBOL_P(found) && !NIL_P(fault.expected_class);  // a name that the enum does not have
        if (is_number || is_name) return fault_quote(found);
        if (fault.status == Status::value_mismatch && !NIL_P(fault.expected_class)) {
            VALUE klass = rb_obj_class(found);
            bool is_module = RB_TYPE_P(fault.expected_class, T_CLASS) || RB_TYPE_P(fault.expected_class, T_MODULE);
            VALUE expected = is_module ? rb_mod_name(fault.expected_class) : rb_obj_as_string(fault.expected_class);
            if (rb_equal(rb_mod_name(klass), expected) && !NIL_P(rb_mod_name(klass)))
                return text_format("a %" PRIsVALUE " of an older definition of the class", name_text(klass));
        }
        if (RB_TYPE_P(found, T_STRING) && fault.status != Status::value_mismatch)
            return text_format("a String of %ld byte%s in %s", RSTRING_LEN(found), RSTRING_LEN(found) == 1 ? "" : "s",
                               rb_enc_get(found)->name);
        return class_text(found);
    }
    const char *text = fault.found_type ? fault.found_type : text_of(fault.status).found;
    return rb_utf8_str_new_cstr(text ? text : "something else");
}

VALUE enum_hint(VALUE enumeration, VALUE name, bool suggest) {
    return native_call("enum_hint", enumeration, name, suggest ? Qtrue : Qfalse);
}

// True if a name or number was found where an enum was expected, and the enum does not have it.
bool is_enum_value(const Fault &fault) {
    if (fault.found == Qundef || NIL_P(fault.expected_class)) return false;
    if (!SYMBOL_P(fault.found) && !RB_TYPE_P(fault.found, T_STRING) && !RB_INTEGER_TYPE_P(fault.found)) return false;
    return RTEST(rb_obj_is_kind_of(fault.expected_class, rb_path2class("Sparpack::Enum")));
}

VALUE keyword(const char *name) { return ID2SYM(rb_intern(name)); }

// Where a fault is in the bytes.
struct FaultPlace {
    long offset = -1;
    long payload = -1;
    const FaultText *text = nullptr;
};

VALUE exception_new(VALUE klass, VALUE message, VALUE path, VALUE expected, VALUE found, const FaultPlace &place = {}) {
    VALUE keywords = rb_hash_new();
    rb_hash_aset(keywords, keyword("path"), path);
    rb_hash_aset(keywords, keyword("expected"), expected);
    rb_hash_aset(keywords, keyword("found"), found);
    if (place.offset >= 0) rb_hash_aset(keywords, keyword("offset"), LONG2NUM(place.offset));
    if (place.payload >= 0) rb_hash_aset(keywords, keyword("message_offset"), LONG2NUM(place.payload));
    if (place.text && place.text->line) {
        rb_hash_aset(keywords, keyword("line"), SIZET2NUM(place.text->line));
        rb_hash_aset(keywords, keyword("column"), SIZET2NUM(place.text->column));
    }
    VALUE arguments[] = {message, keywords};
    return rb_funcallv_kw(klass, rb_intern("new"), 2, arguments, RB_PASS_KEYWORDS);
}

// Appends " (json, line 2, column 7, byte 31)". Lines count from the beginning of the payload, bytes from that of the input.
void add_place(VALUE message, const char *wire, const FaultPlace &place) {
    if (place.offset < 0) {
        rb_str_catf(message, " (%s)", wire);
    } else if (!place.text || !place.text->line) {
        rb_str_catf(message, " (%s, byte %ld)", wire, place.offset);
    } else if (place.payload <= 0) {
        rb_str_catf(message, " (%s, line %zu, column %zu, byte %ld)", wire, place.text->line, place.text->column,
                    place.offset);
    } else {
        rb_str_catf(message, " (%s, byte %ld: line %zu, column %zu of the object at byte %ld)", wire, place.offset,
                    place.text->line, place.text->column, place.payload);
    }
}

VALUE error_new(VALUE klass, const Fault &fault, VALUE root, const char *wire, const FaultPlace &place = {},
                VALUE hint = Qnil) {
    const FaultText *text = place.text;
    VALUE path = path_text(fault, root);
    VALUE expected = text && text->expected ? rb_utf8_str_new_cstr(text->expected) : expected_text(fault);
    VALUE found = text && !NIL_P(text->found) ? text->found : found_text(fault);
    VALUE message = text_format("%" PRIsVALUE ": expected %" PRIsVALUE ", found %" PRIsVALUE, path, expected, found);
    if (text && !NIL_P(text->more)) rb_str_append(message, text->more);
    if (is_enum_value(fault)) rb_str_append(message, enum_hint(fault.expected_class, fault.found, fault.suggest));
    if (fault.status == Status::unknown_field && !NIL_P(fault.owner))
        rb_str_append(message, native_call("field_hint", fault.owner, fault.found));
    if (wire) add_place(message, wire, place);
    if (!NIL_P(hint)) rb_str_append(message, hint);
    return exception_new(klass, message, path, expected, found, place);
}

// Says what to write where a value of another class was expected.
VALUE value_hint(const Fault &fault) {
    if (fault.status != Status::value_mismatch || fault.found == Qundef || RB_SPECIAL_CONST_P(fault.found)) return Qnil;
    VALUE type = fault.expected ? rb_utf8_str_new_cstr(fault.expected) : fault.expected_class;
    return native_call("value_hint", type, fault.found);
}

[[noreturn]] void raise_format(VALUE klass, const char *format, va_list arguments) {
    rb_exc_raise(rb_exc_new_str(klass, rb_enc_vsprintf(rb_utf8_encoding(), format, arguments)));
}

}  // namespace

VALUE fault_quote(VALUE value) { return native_call("quote", value); }

VALUE fault_member(VALUE klass, VALUE name) {
    return text_format("%" PRIsVALUE ".%" PRIsVALUE, name_text(klass), name_text(name));
}

void fault_at_field(Fault &fault, VALUE name) { add_piece(fault, name); }
void fault_at_index(Fault &fault, size_t index) { add_piece(fault, text_format("[%zu]", index)); }

void fault_at_name(Fault &fault, VALUE key) { add_piece(fault, rb_ary_new_from_args(1, key_of_piece(key))); }

void fault_at_key(Fault &fault, size_t index) { add_piece(fault, text_format(".keys[%zu]", index)); }
void fault_at_value(Fault &fault, size_t index) { add_piece(fault, text_format(".values[%zu]", index)); }

void fault_raise_encode(Fault &fault, VALUE root, const char *wire) {
    VALUE hint = value_hint(fault);
    rb_exc_raise(error_new(encode_errors[static_cast<size_t>(fault.status)], fault, root, wire, {}, hint));
}

void fault_ended() {
    VALUE message = text_format("this encode has already ended: a continuation cannot return into it");
    rb_exc_raise(rb_exc_new_str(encode_errors[static_cast<size_t>(Status::value_changed)], message));
}

void fault_raise_decode(Fault &fault, VALUE root, const char *wire, long offset, long payload, VALUE hint,
                        const FaultText *text) {
    VALUE klass = decode_errors[static_cast<size_t>(fault.status)];
    rb_exc_raise(error_new(klass, fault, root, wire, {offset, payload, text}, hint));
}

void fault_raise_foreign_encode(Fault &fault, VALUE subject, const char *wire) {
    VALUE error = error_new(encode_errors[static_cast<size_t>(fault.status)], fault, rb_obj_class(subject), wire);
    rb_exc_raise(native_call("foreign_encode_error", subject, error));
}

void fault_raise_foreign_decode(Fault &fault, VALUE root, const char *wire, long offset) {
    VALUE status = ID2SYM(rb_intern(status_name(fault.status)));
    VALUE error = error_new(decode_errors[static_cast<size_t>(fault.status)], fault, root, wire, {offset, 0, nullptr});
    rb_exc_raise(native_call("foreign_decode_error", root, error, status));
}

// Sparpack::MessagePack is loaded on demand, so it is looked up only when it is needed.
static VALUE message_pack_module() { return rb_path2class("Sparpack::MessagePack"); }

// Calls the method of Sparpack::MessagePack that raises the error.
template <class... Values> [[noreturn]] static void raise_by(const char *method, Values... values) {
    rb_funcall(message_pack_module(), rb_intern(method), sizeof...(values), values...);
    rb_raise(rb_eRuntimeError, "sparpack: the error was not raised");  // because somebody has replaced the method
}

static VALUE status_symbol(Status status) { return ID2SYM(rb_intern(status_name(status))); }
static VALUE limit_number(const Fault &fault) { return fault.limit < 0 ? Qnil : LONG2NUM(fault.limit); }

void fault_raise_pack(Fault &fault) {
    raise_by("pack_failed", status_symbol(fault.status), path_text(fault, rb_str_new_cstr("")),
             fault.found == Qundef ? Qnil : fault.found, limit_number(fault));
}

void fault_raise_unpack(Fault &fault, long offset, long payload, VALUE bytes) {
    raise_by("unpack_failed", status_symbol(fault.status), path_text(fault, rb_str_new_cstr("")), LONG2NUM(offset),
             fault.found == Qundef ? limit_number(fault) : fault.found, LONG2NUM(payload), bytes);
}

void fault_raise_header(const char *expected, uint8_t found) {
    raise_by("header_failed", rb_str_new_cstr(expected), INT2FIX(found));
}

void fault_message_pack(const char *error, const char *format, ...) {
    VALUE klass = rb_const_get(message_pack_module(), rb_intern(error));
    va_list arguments;
    va_start(arguments, format);
    raise_format(klass, format, arguments);
}

VALUE fault_validation_error(Fault &fault, VALUE root) {
    return error_new(validation_error, fault, root, nullptr, {}, value_hint(fault));
}

void fault_raise_exception(VALUE exception) { rb_exc_raise(exception); }

void fault_no_memory() { rb_memerror(); }

void fault_stack_check() {
    if (SPARPACK_UNLIKELY(ruby_stack_check())) rb_raise(rb_eSysStackError, "stack level too deep");
}

void fault_unknown_name(VALUE klass, VALUE name, VALUE names) {
    VALUE text = text_format("unknown field %" PRIsVALUE " for %" PRIsVALUE, fault_quote(name), name_text(klass));
    VALUE hint = native_call("did_you_mean", name, names);
    rb_exc_raise(rb_exc_new_str(rb_eArgError, rb_str_append(text, hint)));
}

void fault_enum_name(VALUE klass, VALUE field, VALUE enumeration, VALUE name) {
    VALUE path = fault_member(klass, field);
    VALUE expected = name_text(enumeration);
    VALUE parts = native_call("enum_missing", enumeration, name);
    VALUE message = text_format("%" PRIsVALUE ": %" PRIsVALUE, path, rb_ary_entry(parts, 0));
    rb_exc_raise(exception_new(conversion_error, message, path, expected, rb_ary_entry(parts, 1)));
}

// The functions that raise an error of the caller, each with its class.
#define SPARPACK_RAISES(X)          \
    X(fault_argument, rb_eArgError) \
    X(fault_type, rb_eTypeError)    \
    X(fault_range, rb_eRangeError)  \
    X(fault_io, rb_eIOError)        \
    X(fault_end, rb_eEOFError)      \
    X(fault_schema, schema_error)

#define X(name, klass)                          \
    void name(const char *format, ...) {        \
        va_list arguments;                      \
        va_start(arguments, format);            \
        raise_format(klass, format, arguments); \
    }
SPARPACK_RAISES(X)
#undef X

// Most statuses occur in one direction only. Where no error class has the name, the status cannot occur.
static void errors_find(VALUE base, VALUE *errors) {
    for (size_t i = 0; i < status_count; i++) {
        ID name = rb_intern(status_texts[i].error);
        errors[i] = rb_const_defined_at(base, name) && strcmp(status_texts[i].error, "Error") != 0
                        ? rb_const_get_at(base, name)
                        : base;
        rb_gc_register_mark_object(errors[i]);  // this also pins it
    }
}

void fault_init(VALUE sparpack) {
    errors_find(rb_const_get(sparpack, rb_intern("EncodeError")), encode_errors);
    errors_find(rb_const_get(sparpack, rb_intern("DecodeError")), decode_errors);
    validation_error = rb_const_get(sparpack, rb_intern("ValidationError"));
    schema_error = rb_const_get(sparpack, rb_intern("SchemaError"));
    conversion_error = rb_const_get(sparpack, rb_intern("ConversionError"));
    rb_gc_register_mark_object(validation_error);
    rb_gc_register_mark_object(schema_error);
    rb_gc_register_mark_object(conversion_error);
}

}  // namespace sparpack
