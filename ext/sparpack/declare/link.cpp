// A link holds the types of a plan's fields. The links of all classes that can be reached are built in one graph and
// published at once. Linking never changes a plan. If two threads link the same class, one of them throws its links away.
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../objects/storage.hpp"
#include "graph.hpp"

#include <initializer_list>

namespace sparpack {

namespace {

// Counts the nodes of a type. Ruby describes it as [kind, …] with a class, with a module and its tables, or with types.
uint32_t nodes_of(VALUE description) {
    uint32_t sum = 0;
    switch (kind_parts(static_cast<Kind>(FIX2INT(RARRAY_AREF(description, 0))))) {
    case Parts::pair: sum += 1 + nodes_of(RARRAY_AREF(description, 2)); [[fallthrough]];
    case Parts::element: return sum + 1 + nodes_of(RARRAY_AREF(description, 1));
    case Parts::none:
    case Parts::names:
    case Parts::klass: break;
    }
    return 0;
}

struct Linking {
    Graph *graph;
    VALUE positions;  // {class => index of its link}
};

const Link *link_of(const Linking &linking, VALUE klass) {
    const Plan *plan = plan_of(klass);  // for a subclass without fields, that of the class that declared them
    VALUE position = rb_hash_lookup2(linking.positions, plan->klass, Qnil);
    if (!NIL_P(position)) return &linking.graph->links[FIX2LONG(position)];
    const Link *link = __atomic_load_n(&plan->link, __ATOMIC_ACQUIRE);
    if (!link) fault_schema("%" PRIsVALUE " was left out when it was linked", klass);
    return link;
}

void type_fill(const Linking &linking, VALUE description, Type *type);

const Type *type_new(const Linking &linking, VALUE description) {
    Type *type = &linking.graph->nodes[linking.graph->node_count++];
    debug_check(linking.graph->node_count <= linking.graph->node_size);
    type_fill(linking, description, type);
    return type;
}

void type_fill(const Linking &linking, VALUE description, Type *type) {
    Kind kind = static_cast<Kind>(FIX2INT(RARRAY_AREF(description, 0)));
    switch (kind_parts(kind)) {
    case Parts::none: break;
    case Parts::names:
        type->enumeration = RARRAY_AREF(description, 1);
        type->numbers = RARRAY_AREF(description, 2);
        type->names = RARRAY_AREF(description, 3);
        Check_Type(type->numbers, T_HASH);
        Check_Type(type->names, T_HASH);
        break;
    case Parts::klass:
        type->klass = RARRAY_AREF(description, 1);
        type->link = link_of(linking, type->klass);
        // A union's memory has another layout than a struct's.
        if ((kind == Kind::union_) != (plan_of(type->klass)->shape == Shape::union_))
            fault_schema("%" PRIsVALUE " is not a %s", type->klass, kind_name(kind));
        break;
    case Parts::pair: type->key = type_new(linking, RARRAY_AREF(description, 2)); [[fallthrough]];
    case Parts::element: type->element = type_new(linking, RARRAY_AREF(description, 1)); break;
    }
    type->wire = kind_wire(kind);
    type->kind = kind;  // last, so that a collection before it finds nothing to mark
}

// The bytes of names lie behind the array of names, in the same memory. They are copied, because Strings may move.
struct Names {
    FieldName *names;
    uint8_t *bytes;
    uint32_t count;

    void add(VALUE name, uint32_t index) {
        size_t size = string_size(name);
        memcpy(bytes, RSTRING_PTR(name), size);
        names[count++] = {bytes, static_cast<uint32_t>(size), static_cast<uint16_t>(index)};
        bytes += size;
    }
};

VALUE idl_name_of(VALUE fields, uint32_t index) {
    VALUE name = rb_ary_entry(RARRAY_AREF(fields, index), 4);
    Check_Type(name, T_STRING);
    return name;
}

VALUE ruby_name_of(const Link *link, uint32_t index) { return rb_sym2str(link->plan->slots[link->fields[index].slot].name); }

// The names of fields in the IDL come first. Ruby's names find the same fields, unless they are the IDL's names of others.
void names_fill(Link *link, VALUE fields) {
    FieldTable &table = link->table;
    uint32_t count = link->count, more = 0;
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        VALUE idl = idl_name_of(fields, i), ruby = ruby_name_of(link, i);
        bool same = rb_str_cmp(idl, ruby) == 0;
        bytes += string_size(idl) + (same ? 0 : string_size(ruby));
        more += !same;
    }
    uint32_t places = 4;
    while (places < 2 * (count + more)) places *= 2;
    uint32_t *by_name = graph_array<uint32_t>(places);
    table.by_name = by_name;
    table.name_mask = places - 1;
    size_t head = (count + more) * sizeof(FieldName);
    FieldName *names = reinterpret_cast<FieldName *>(graph_array<uint8_t>(head + bytes));
    table.names = names;
    table.names_size = static_cast<uint32_t>(head + bytes + places * sizeof *by_name);
    Names all = {names, reinterpret_cast<uint8_t *>(names) + head, 0};
    for (uint32_t i = 0; i < count; i++) all.add(idl_name_of(fields, i), i);
    for (uint32_t i = 0; i < count; i++) {
        VALUE ruby = ruby_name_of(link, i);
        if (rb_str_cmp(idl_name_of(fields, i), ruby) != 0) all.add(ruby, i);
    }
    for (uint32_t i = 0; i < all.count; i++) {
        if (table.search_name(names[i].data, names[i].size) >= 0) {
            link->name_is_shadowed = true;
            continue;
        }
        uint32_t place = FieldTable::hash_of(names[i].data, names[i].size) & table.name_mask;
        while (by_name[place]) place = (place + 1) & table.name_mask;
        by_name[place] = i + 1;
    }
}

// Fills a link. Ruby gives its fields sorted by id: [slot, id, required, type, name in the IDL].
void link_fill(const Linking &linking, Link *link, VALUE fields) {
    const Plan *plan = link->plan;
    uint32_t count = static_cast<uint32_t>(RARRAY_LEN(fields));
    if (count != plan->count) fault_schema("the schema of %" PRIsVALUE " does not fit its plan", plan->klass);
    Field *places = graph_array<Field>(count);
    link->fields = places;
    uint16_t *place_of = graph_array<uint16_t>(count);
    link->places = place_of;
    FieldKey *keys = graph_array<FieldKey>(count);
    link->table.keys = keys;
    int32_t last = -1;
    for (uint32_t i = 0; i < count; i++) {
        VALUE description = RARRAY_AREF(fields, i);
        Field &field = places[i];
        uint32_t slot = static_cast<uint32_t>(FIX2LONG(RARRAY_AREF(description, 0)));
        int16_t id = static_cast<int16_t>(FIX2LONG(RARRAY_AREF(description, 1)));
        if (slot >= plan->count || plan->slots[slot].id != id || (i > 0 && id <= keys[i - 1].id))
            fault_schema("the schema of %" PRIsVALUE " does not fit its plan", plan->klass);
        field.slot = static_cast<uint16_t>(slot);  // there are no more slots than ids
        place_of[slot] = static_cast<uint16_t>(i);
        field.required = RTEST(RARRAY_AREF(description, 2));
        type_fill(linking, RARRAY_AREF(description, 3), &field.type);
        field.pass = pass_of(field.type.kind);
        field.id = id;
        keys[i] = {id, field.type.wire};
        link->count = i + 1;
        last = id;
    }
    link->table.count = count;
    bool dense_fits = last >= 0 && static_cast<uint32_t>(last) < 4 * count + 64 && FieldTable::dense_holds(count);
    uint32_t dense_size = dense_fits ? static_cast<uint32_t>(last) + 1 : 0;
    uint16_t *dense = graph_array<uint16_t>(dense_size);
    link->table.dense = dense;
    memset(dense, 0xff, dense_size * sizeof *dense);
    for (uint32_t i = 0; i < count; i++) {
        if (keys[i].id >= 0 && static_cast<uint32_t>(keys[i].id) < dense_size) dense[keys[i].id] = static_cast<uint16_t>(i);
    }
    link->table.dense_size = dense_size;
    names_fill(link, fields);
}

// Calls visit(part) for a type and for all types in it.
template <class Visit> void type_each(const Type &type, const Visit &visit) {
    visit(type);
    switch (kind_parts(type.kind)) {
    case Parts::pair: type_each(*type.key, visit); [[fallthrough]];
    case Parts::element: return type_each(*type.element, visit);
    case Parts::none:
    case Parts::names:
    case Parts::klass: break;
    }
}

// True for a container that hashes its keys or elements by Ruby methods, or may hold one that does. Sparsam also reads maps
// with other keys than those that are declared (codec/adopted/loose.hpp).
bool type_hashes_in_ruby(const Type &type, Manner manner) {
    if (type.kind == Kind::any) return true;
    if (type.kind == Kind::set) return kind_hashes_in_ruby(type.element->kind);
    return type.kind == Kind::map && (manner == Manner::sparsam || kind_hashes_in_ruby(type.key->kind));
}

// True if the ids of a struct are no positions of an array of reasonable size. A union's ids are not positions.
bool is_scattered(const Link &link) {
    if (link.is_union || link.count == 0) return false;
    int64_t last = link.fields[link.count - 1].id, most = 4 * int64_t{link.count} + 16;
    return link.fields[0].id < 0 || last > most;
}

bool is_untyped(const Link &link) {
    for (uint32_t i = 0; i < link.count; i++) {
        if (link.fields[i].type.kind == Kind::any) return true;
    }
    return false;
}

// Passes on what a link has to all that reach it, at any depth. Types can recurse, so this repeats until nothing changes.
// take(link, inner) returns whether the link has changed.
template <class Take> void graph_spread(Graph *graph, Take take) {
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = graph->link_count; i-- > 0;) {  // inner structs come later, so most changes take one pass
            Link &link = graph->links[i];
            for (uint32_t j = 0; j < link.count; j++)
                type_each(link.fields[j].type, [&](const Type &part) {
                    bool is_class = part.kind == Kind::struct_ || part.kind == Kind::union_;
                    if (is_class) changed |= take(link, *part.link);
                });
        }
    }
}

// Finds out which structs run Ruby code, or reach one that not all wires can write.
void graph_spread(Graph *graph) {
    for (uint32_t i = 0; i < graph->link_count; i++) {
        Link &link = graph->links[i];
        link.runs_ruby |= __atomic_load_n(&link.plan->constructs, __ATOMIC_ACQUIRE);
        for (uint32_t slot = 0; slot < link.plan->count; slot++) link.runs_ruby |= link.plan->slots[slot].runs_ruby;
        for (uint32_t j = 0; j < link.count; j++)
            type_each(link.fields[j].type,
                      [&](const Type &part) { link.runs_ruby |= type_hashes_in_ruby(part, link.plan->manner); });
        link.scattered = is_scattered(link) ? &link : nullptr;
        link.untyped = is_untyped(link) ? &link : nullptr;
        link.nameless = link.plan->by_name ? &link : nullptr;
    }
    graph_spread(graph, [](Link &link, const Link &inner) {
        bool changed = inner.runs_ruby && !link.runs_ruby;
        link.runs_ruby |= inner.runs_ruby;
        for (const Link *Link::*one : {&Link::scattered, &Link::untyped, &Link::nameless}) {
            if (link.*one || !(inner.*one)) continue;
            link.*one = inner.*one;
            changed = true;
        }
        return changed;
    });
}

void link_publish(Link *link, VALUE graph) {
    Plan *plan = const_cast<Plan *>(link->plan);
    const Link *none = nullptr;
    const Link *mine = link;
    if (__atomic_compare_exchange(&plan->link, &none, &mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        RB_OBJ_WRITTEN(plan->owner, Qundef, graph);
}

VALUE native_linked(VALUE, VALUE klass) { return __atomic_load_n(&plan_of(klass)->link, __ATOMIC_ACQUIRE) ? Qtrue : Qfalse; }

// Sparpack::Native.runs_ruby(klass): from now on decoding a linked class may run Ruby code.
VALUE native_runs_ruby(VALUE, VALUE klass) {
    const Link *link = __atomic_load_n(&plan_of(klass)->link, __ATOMIC_ACQUIRE);
    if (link) __atomic_store_n(&const_cast<Link *>(link)->runs_ruby, true, __ATOMIC_RELEASE);
    return Qnil;
}

VALUE native_link(VALUE, VALUE klass) {
    plan_link(plan_of(klass));
    return klass;
}

}  // namespace

SPARPACK_COLD const Link *plan_link_slow(const Plan *plan) {
    // [[class, fields], …] for the class and all that it reaches, except those that were linked before.
    VALUE classes = native_call("reach", plan->klass);
    long count = RARRAY_LEN(classes);
    VALUE object = rb_data_typed_object_zalloc(0, sizeof(Graph), &graph_type);
    VALUE positions = rb_funcall(rb_hash_new(), rb_intern("compare_by_identity"), 0);
    Graph *graph = data_of<Graph>(object);
    uint32_t nodes = 0;
    for (long i = 0; i < count; i++) {
        VALUE fields = rb_ary_entry(RARRAY_AREF(classes, i), 1);
        rb_hash_aset(positions, rb_ary_entry(RARRAY_AREF(classes, i), 0), LONG2FIX(i));
        for (long j = 0; j < RARRAY_LEN(fields); j++) nodes += nodes_of(rb_ary_entry(RARRAY_AREF(fields, j), 3));
    }
    graph->links = graph_array<Link>(static_cast<size_t>(count));
    graph->link_count = static_cast<uint32_t>(count);
    graph->nodes = graph_array<Type>(nodes);
    graph->node_size = nodes;
    Linking linking = {graph, positions};
    for (long i = 0; i < count; i++) {
        Link &link = graph->links[i];
        link.plan = plan_of(rb_ary_entry(RARRAY_AREF(classes, i), 0));
        link.cost = storage_cost(link.plan);
        link.is_union = link.plan->shape == Shape::union_;
        link.graph = object;
        link_fill(linking, &link, rb_ary_entry(RARRAY_AREF(classes, i), 1));
        link.cost_most = link.cost;
        for (uint32_t j = 0; j < link.count; j++) link.cost_most += kind_cost_most(link.fields[j].type.kind);
    }
    graph_spread(graph);
    for (long i = 0; i < count; i++) link_publish(&graph->links[i], object);
    const Link *link = __atomic_load_n(&plan->link, __ATOMIC_ACQUIRE);
    if (!link) fault_schema("%" PRIsVALUE " was left out when it was linked", plan->klass);
    RB_GC_GUARD(positions);
    RB_GC_GUARD(classes);
    RB_GC_GUARD(object);
    return link;
}

void link_init() {
    VALUE native = native_module();
    define_singleton_methods(native, {{"link", native_link}, {"runs_ruby", native_runs_ruby}, {"linked?", native_linked}});
}

}  // namespace sparpack
