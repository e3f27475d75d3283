#include "path.hpp"

#include "../bytes/uuid.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../objects/storage.hpp"
#include "../values/floats.hpp"
#include "../values/numbers.hpp"
#include "../values/sets.hpp"
#include "../values/text.hpp"

namespace sparpack {

namespace {

struct Given {
    VALUE klass;
    int at, count;
    const VALUE *steps;
};

[[noreturn]] SPARPACK_COLD void refuse(const Given &given) {
    VALUE steps = rb_ary_new_from_values(given.count, given.steps);
    native_call("refuse_step", given.klass, steps, INT2FIX(given.at));
    fault_argument("a step of the path leads nowhere");
}

// Finds a field by its name.
uint32_t field_of(const Type &type, VALUE step, const Given &given) {
    const Link *link = type.link;
    if (!SYMBOL_P(step) && !RB_TYPE_P(step, T_STRING)) refuse(given);
    const uint32_t slot = plan_slot_of(link->plan, step);
    if (slot == no_slot) refuse(given);
    return link->places[slot];
}

// Turns a key into what a decode makes of it, as an encode would accept it.
void take_key(Node &node, const Type &type, VALUE step, const Given &given) {
    node.key = step;
    switch (type.kind) {
    case Kind::bool_:
        if (step != Qtrue && step != Qfalse) refuse(given);
        node.has_number = true;
        node.number = step == Qtrue;
        return;
    case Kind::enum_:
        if (SYMBOL_P(step) || RB_TYPE_P(step, T_STRING)) step = node.key = enum_number(type.numbers, step);
        [[fallthrough]];
    case Kind::i8:
    case Kind::i16:
    case Kind::i32:
    case Kind::i64:
        if (step == Qundef || !RB_INTEGER_TYPE_P(step)) refuse(given);
        node.has_number =
            RB_FIXNUM_P(step) || (rb_absint_size(step, nullptr) <= 8 && integer_of(step, &node.number) == Conversion::ok);
        if (RB_FIXNUM_P(step)) node.number = FIX2LONG(step);
        return;
    case Kind::double_: {
        double real = 0;
        if (real_of(step, &real) != Conversion::ok) refuse(given);
        node.key = DBL2NUM(real);
        return;
    }
    case Kind::string:
        if (SYMBOL_P(step)) step = node.key = rb_sym2str(step);
        if (!RB_TYPE_P(step, T_STRING)) refuse(given);
        if (!text_is_utf8(step) && !(step = node.key = text_utf8(step, true))) refuse(given);
        // A subclass may have an `eql?` of its own.
        if (RBASIC_CLASS(step) != rb_cString) node.key = rb_utf8_str_new(RSTRING_PTR(step), RSTRING_LEN(step));
        return;
    case Kind::binary:
        if (!RB_TYPE_P(step, T_STRING)) refuse(given);
        node.key = rb_str_new(RSTRING_PTR(step), RSTRING_LEN(step));
        return;
    case Kind::uuid: {
        uint8_t bytes[uuid_bytes];
        char text[uuid_text];
        if (!RB_TYPE_P(step, T_STRING) || !uuid_parse(RSTRING_PTR(step), string_size(step), bytes)) refuse(given);
        uuid_format(bytes, text);
        node.key = rb_utf8_str_new(text, uuid_text);
        return;
    }
    case Kind::list:
        if (!RB_TYPE_P(step, T_ARRAY)) refuse(given);
        return;
    case Kind::set:
        if (!is_set(step)) refuse(given);
        return;
    case Kind::map:
        if (!RB_TYPE_P(step, T_HASH)) refuse(given);
        return;
    case Kind::struct_:
    case Kind::union_:
        if (!storage_fits(step, type.link->plan)) refuse(given);
        return;
    case Kind::any: return;
    }
}

}  // namespace

Node path_root(Type &type, const Link *link, VALUE klass) {
    type = Type();
    type.kind = link->is_union ? Kind::union_ : Kind::struct_;
    type.link = link;
    type.klass = klass;
    Node root{};
    root.type = &type;
    root.key = root.step = Qnil;
    return root;
}

Node path_step(const Type &type, VALUE klass, VALUE step, int at, int count, const VALUE *steps) {
    const Given given = {klass, at, count, steps};
    Node node{};
    node.step = step;
    node.key = Qnil;
    switch (type.kind) {
    case Kind::struct_:
    case Kind::union_:
        node.field = field_of(type, step, given);
        node.type = &type.link->fields[node.field].type;
        return node;
    case Kind::list:
        if (!RB_INTEGER_TYPE_P(step)) refuse(given);
        // An Integer that is too large is no index of any list.
        node.index = RB_FIXNUM_P(step) ? FIX2LONG(step) : FIXNUM_MAX;
        node.type = type.element;
        return node;
    case Kind::map:
        take_key(node, *type.key, step, given);
        node.type = type.element;
        return node;
    case Kind::any: node.type = &type; return node;
    default: refuse(given);
    }
}

// A reader of a plain class may return anything, which has no such parts.
VALUE path_follow(const Type &type, VALUE value, const Node &node) {
    switch (type.kind) {
    case Kind::struct_:
    case Kind::union_: {
        const Link *link = type.link;
        if (!storage_fits(value, link->plan)) return Qnil;
        VALUE found = storage_read(link->plan, value, link->fields[node.field].slot);
        return found == Qundef ? Qnil : found;
    }
    case Kind::list: return RB_TYPE_P(value, T_ARRAY) ? rb_ary_entry(value, node.index) : Qnil;
    case Kind::map: return RB_TYPE_P(value, T_HASH) ? rb_hash_lookup2(value, node.key, Qnil) : Qnil;
    default: return native_call("dig_untyped", value, node.step);
    }
}

}  // namespace sparpack
