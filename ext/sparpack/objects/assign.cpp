// What a field stores when a value is assigned: the number for a name of an enum, the lowercase form for a uuid in capitals,
// a String for a Symbol that stands for text. What a look at the value alone cannot tell is left to encoding.
#include "../bytes/uuid.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../values/text.hpp"
#include "storage.hpp"

namespace sparpack {

namespace {

VALUE canonical_uuid(VALUE string) {
    size_t size = string_size(string);
    uint8_t bytes[uuid_bytes];
    if (uuid_is_canonical(RSTRING_PTR(string), size) || !uuid_parse(RSTRING_PTR(string), size, bytes)) return string;
    char text[uuid_text];
    uuid_format(bytes, text);
    return text_new(reinterpret_cast<const uint8_t *>(text), uuid_text, Text::ascii);
}

// Returns the type of a field that was only named when the class was sealed.
const Type &type_of(const Plan *plan, uint32_t slot) {
    const Link *link = plan_link(plan);
    return link->fields[link->places[slot]].type;
}

// Returns the enum of a field. A type that was known when the class was sealed is not linked, because other fields may name
// classes that are not defined yet.
SPARPACK_COLD VALUE enumeration_of(const Plan *plan, uint32_t index) {
    const Slot &slot = plan->slots[index];
    if (slot.coercion == Coercion::unknown) return type_of(plan, index).enumeration;
    return native_call("enum_of", plan->klass, slot.name);
}

Coercion coercion_of(Kind kind) {
    switch (kind) {
    case Kind::string: return Coercion::text;
    case Kind::uuid: return Coercion::uuid;
    case Kind::enum_: return Coercion::enum_;
    case Kind::bool_:
    case Kind::i8:
    case Kind::i16:
    case Kind::i32:
    case Kind::i64:
    case Kind::double_:
    case Kind::binary:
    case Kind::list:
    case Kind::set:
    case Kind::map:
    case Kind::struct_:
    case Kind::union_:
    case Kind::any: return Coercion::anything;
    }
    return Coercion::anything;
}

}  // namespace

VALUE enum_number(VALUE numbers, VALUE name) {
    VALUE symbol = name;
    if (RB_TYPE_P(name, T_STRING)) {
        if (rb_enc_str_coderange(name) == RUBY_ENC_CODERANGE_BROKEN) return Qundef;  // rb_check_symbol would raise
        symbol = rb_check_symbol(&symbol);
    }
    return SYMBOL_P(symbol) ? rb_hash_lookup2(numbers, symbol, Qundef) : Qundef;
}

SPARPACK_COLD VALUE plan_assigned(const Plan *plan, uint32_t index, VALUE value) {
    const Slot &slot = plan->slots[index];
    Coercion coercion = slot.coercion;
    VALUE numbers = slot.numbers;
    if (coercion == Coercion::unknown) {
        const Type &type = type_of(plan, index);
        coercion = coercion_of(type.kind);
        if (coercion == Coercion::enum_) numbers = type.numbers;
    }
    switch (coercion) {
    case Coercion::anything:
    case Coercion::unknown: return value;
    case Coercion::text: return SYMBOL_P(value) ? text_of_symbol(value) : value;
    case Coercion::uuid: return SYMBOL_P(value) ? value : canonical_uuid(value);
    case Coercion::enum_: break;
    }
    VALUE number = enum_number(numbers, value);
    if (number == Qundef) fault_enum_name(plan->klass, slot.name, enumeration_of(plan, index), value);
    return number;
}

}  // namespace sparpack
