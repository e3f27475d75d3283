#include "fault.hpp"

#include "../../glue/native_module.hpp"
#include "../../wire/json/met.hpp"
#include "../../wire/json/wire.hpp"
#include "../../wire/sinks.hpp"
#include "../../wire/text_place.hpp"
#include "../../wire/walk.hpp"

namespace sparpack {

namespace {

// Returns the brace that opens the object which ends before `end`, or nullptr. The text up to there is JSON.
Cursor object_before(Cursor p, Cursor end) {
    constexpr size_t levels_max = depth_max + 2;
    Cursor open[levels_max];
    size_t levels = 0;
    for (; p < end; p++) {
        switch (*p) {
        case '"':
            while (++p < end && *p != '"') p += *p == '\\';
            break;
        case '{':
        case '[':
            if (levels == levels_max) return nullptr;
            open[levels++] = p;
            break;
        case '}':
        case ']':
            if (levels == 0) return nullptr;
            if (p + 1 == end) return *p == '}' && *open[levels - 1] == '{' ? open[levels - 1] : nullptr;
            levels--;
            break;
        default: break;
        }
    }
    return nullptr;
}

// The most names that are compared with the one that is missing.
constexpr long names_max = 32;
constexpr size_t name_max = 64;

// The members of an object: [[name, offset from `begin`], …]
VALUE members_of(Cursor begin, Cursor open, Cursor end, int depth) {
    VALUE members = rb_ary_new();
    Input in(begin, static_cast<size_t>(end - begin));
    Cursor p = JsonScan::skip_space(in, open + 1);
    while (p && p < end && *p == '"' && RARRAY_LEN(members) < names_max) {
        StringBytes name;
        Cursor start = p;
        if (!(p = JsonScan::string(in, p, &name)) || !(p = Json::next_value(in, p))) break;
        if (name.text != Text::broken && !name.escaped && name.size <= name_max) {
            VALUE text = rb_utf8_str_new(reinterpret_cast<const char *>(name.data), static_cast<long>(name.size));
            rb_ary_push(members, rb_assoc_new(text, SIZET2NUM(static_cast<size_t>(start - begin))));
        }
        Skip sink;
        Skip::Level none;
        if (!(p = walk_value<JsonEvents>(in, p, JsonEvents::whole(), sink, none, depth))) break;
        p = JsonScan::skip_space(in, p);
        if (p < end && *p == ',') p = JsonScan::skip_space(in, p + 1);
    }
    return members;
}

// The members of the object that lacks one, or nil.
VALUE members_beside(const Decoder &d, Cursor begin) {
    if (NIL_P(d.fault.owner) || d.in.at <= begin) return Qnil;
    Cursor open = object_before(begin, d.in.at);
    return open ? members_of(begin, open, d.in.at, d.options.depth) : Qnil;
}

VALUE text_or_nil(const char *text) { return text && *text ? rb_utf8_str_new_cstr(text) : Qnil; }

}  // namespace

VALUE text_fault(const Decoder &d, WireId wire, size_t offset, size_t base, FaultText *text, VALUE *members) {
    Cursor begin = d.in.begin + offset;
    TextPlace place = text_place(begin, d.in.at);
    text->line = place.line;
    text->column = place.column;
    JsonMet met;
    if (json_met(d.in, begin, wire != WireId::json, &met)) {
        text->expected = met.expected;
        text->found = text_or_nil(met.found);
        text->more = text_or_nil(met.more);
        return text_or_nil(met.advice);
    }
    if (wire != WireId::json) return Qnil;
    if (d.in.status == Status::missing_field) return *members = members_beside(d, begin), Qnil;
    bool is_array = d.in.status == Status::mismatch && NIL_P(d.fault.path) && *d.in.at == '[' && base + offset == 0;
    return is_array ? text_or_nil(" (to read an array of objects, use from_json or decode_each)") : Qnil;
}

VALUE missing_hint(const Fault &fault, VALUE members, size_t base) {
    return native_call("missing_hint", fault.owner, fault.found, members, SIZET2NUM(base));
}

}  // namespace sparpack
