// A sink that compares the events of some bytes with a schema. It makes no objects and runs no Ruby code. Events of any
// wire will do: fields go by id, by position or by name.
#pragma once

#include "../bytes/utf8.hpp"
#include "../plan/kind_takes.hpp"
#include "../plan/plan.hpp"
#include "../wire/events.hpp"

namespace sparpack {

struct Fits {
    // How the fields of a struct are told apart. A union may be an array of an id and a value.
    enum class Form : uint8_t { none, by_header, by_position, by_key, by_id };

    struct Level {
        const Link *link = nullptr;   // of the struct that is open, if it is known
        const Type *value = nullptr;  // the type of the next value, if that is known
        const Type *key = nullptr;
        int32_t last = 0;   // the id of the last field; or how many elements were read
        uint32_t seen = 0;  // fields that are required and have no default
        Form form = Form::none;
        bool whole = false;  // this is the struct or container that holds all others
    };

    // What was found so far.
    uint32_t known = 0;     // fields that the schema has
    uint32_t unknown = 0;   // others, and all if there is no schema
    uint32_t own = 0;       // those of `known` that belong to the outermost struct
    uint32_t named = 0;     // those of `own` that were found by name, which no other format has by chance
    uint32_t strange = 0;   // those of `unknown`
    uint32_t texts = 0;     // keys of the outermost container that are text
    int32_t highest = 0;    // the last id of the outermost struct
    bool ascending = true;  // the ids of the outermost struct
    bool lacks = false;     // a required field is absent

    const Link *root;  // nullptr: no schema

    explicit Fits(const Link *link) : root(link) {}

    bool field(Level &level, const event::Field &field) {
        level.form = Form::by_header;
        if (level.whole) ascending = ascending && field.id > level.last;
        if (level.whole) highest = field.id;
        level.last = field.id;
        int index = level.link ? level.link->table.find(field.id, 0) : -1;
        return take(level, index) && (!level.value || level.value->wire == field.type);
    }

    bool scalar(Level &level, const event::Scalar &scalar) {
        if (scalar.wire_type != WireType::stop) return is_text(type_of(level, scalar.place), scalar);
        if (scalar.place == event::Place::whole) return !root;
        if (level.form == Form::by_key && scalar.place == event::Place::key) {
            int index = find(level, scalar);
            bool is_text = level.whole && scalar.type == event::Type::text;
            texts += is_text;
            named += is_text && index >= 0;
            return take(level, index);
        }
        bool is_nil = scalar.type == event::Type::nil;
        if (level.form == Form::by_id && level.last++ == 0) return take(level, find(level, scalar)) && level.value;
        if (level.form == Form::by_position) {
            int index = level.link->table.find(level.last++, 0);
            if (is_nil || !take(level, index)) return is_nil;
        }
        const Type *type = type_of(level, scalar.place);
        return !type || (is_nil && level.form != Form::none) || kind_takes(type->kind, scalar);
    }

    bool open(Level &outer, Level &inner, const event::Open &open) {
        bool is_map = open.container == event::Container::map;
        bool is_thrift = open.first != WireType::stop || open.container == event::Container::struct_ ||
                         open.container == event::Container::set;
        if (open.place == event::Place::whole) {
            inner.whole = true;
            inner.link = root;
            inner.form = is_map ? Form::by_key : root ? in_array(root) : Form::none;
            return true;
        }
        if (outer.form == Form::by_position && !take(outer, outer.link->table.find(outer.last++, 0))) return false;
        const Type *type = type_of(outer, open.place);
        if (!type) return true;
        switch (type->kind) {
        case Kind::struct_:
        case Kind::union_:
            if (open.container == event::Container::set || (is_thrift && open.container != event::Container::struct_))
                return false;
            inner.link = type->link;
            inner.form = is_map ? Form::by_key : in_array(type->link);
            return true;
        case Kind::list:
        case Kind::set:
            inner.value = type->element;
            if (is_thrift) return open.count == 0 || open.first == type->element->wire;
            return open.container == event::Container::list;
        case Kind::map:
            if (!is_map) return false;
            inner.key = is_thrift ? type->key : nullptr;  // many formats have only text as keys
            inner.value = type->element;
            return !is_thrift || open.count == 0 || (open.first == type->key->wire && open.second == type->element->wire);
        case Kind::any: return true;
        default: return false;
        }
    }

    bool close(Level &inner, Level &, const event::Close &) {
        if (!inner.link) return true;
        if (inner.link->is_union) return !inner.whole || own + strange == 1;
        if (inner.whole) lacks = inner.seen < required(inner.link);
        return true;
    }

private:
    static Form in_array(const Link *link) { return link->is_union ? Form::by_id : Form::by_position; }

    static bool is_required(const Link *link, const Field &field) {
        return field.required && NIL_P(link->plan->slots[field.slot].default_value);
    }

    static uint32_t required(const Link *link) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < link->count; i++) count += is_required(link, link->fields[i]);
        return count;
    }

    static const Type *type_of(const Level &level, event::Place place) {
        return place == event::Place::key ? level.key : level.value;
    }

    // Counts a field and remembers its type.
    bool take(Level &level, int index) {
        level.value = nullptr;
        if (index < 0) {
            unknown++;
            strange += level.whole;
            return true;
        }
        const Field &field = level.link->fields[index];
        level.value = &field.type;
        level.seen += is_required(level.link, field);
        known++;
        own += level.whole;
        return true;
    }

    static int find(const Level &level, const event::Scalar &key) {
        if (!level.link) return -1;
        if (key.type == event::Type::text) return level.link->table.find_name(key.text.data, key.text.size, 0);
        int64_t id = key.signed_integer();
        return key.type == event::Type::integer && id >= INT16_MIN && id <= INT16_MAX
                   ? level.link->table.find(static_cast<int32_t>(id), 0)
                   : -1;
    }

    // Text of Thrift has the type of bytes. A long one is taken for text.
    static bool is_text(const Type *type, const event::Scalar &scalar) {
        constexpr size_t longest = 64;
        if (!type || type->kind != Kind::string || scalar.text.size > longest) return true;
        return utf8_check(scalar.text.data, scalar.text.size) != Text::broken;
    }
};

}  // namespace sparpack
