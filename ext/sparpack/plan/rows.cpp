#include "rows.hpp"

#include <cstdlib>

#include "../glue/fault.hpp"
#include "links.hpp"
#include "runs.hpp"

namespace sparpack {

namespace {

template <class Wire> Row<Wire> *rows_here(const Link &link) {
    const void *rows = __atomic_load_n(&link.rows[static_cast<size_t>(wire_id<Wire>())], __ATOMIC_ACQUIRE);
    return const_cast<Row<Wire> *>(static_cast<const Row<Wire> *>(rows));
}

// What follows the last prepared name, so that it may be read like any other in whole words.
constexpr size_t prepared_slack = 16;

// How many bytes the rows take, with the runs or the prepared names behind them.
template <class Wire> size_t rows_bytes(const Link &link) {
    size_t size = (link.count + 1) * sizeof(Row<Wire>);
    if constexpr (Wire::traits.fixed_widths) size += runs_size<Wire>(link);
    if constexpr (Wire::traits.prepares_names) {
        size += prepared_slack;
        for (uint32_t i = 0; i < link.count; i++) size += Wire::name_room(link.table.names[i].size);
    }
    return size;
}

template <class Wire>
size_t header_room([[maybe_unused]] const typename Wire::Header &header, [[maybe_unused]] const FieldName &name) {
    if constexpr (Wire::traits.leaves_holes)
        return Wire::header_max + header.holes;
    else if constexpr (Wire::traits.prepares_names)
        return header.prepared_size + prepared_slack;  // it may be written in whole words
    else
        return Wire::name_room(name.size);
}

// The facts of a field, or those behind the last one.
FieldFacts facts_of(const Link &link, uint32_t index) {
    int32_t before = index > 0 ? link.fields[index - 1].id : 0;
    if (index == link.count) return {before, 0, index, WireType::stop, nullptr};
    const Field &field = link.fields[index];
    return {before, field.id, index, field.type.wire, &link.table.names[index]};
}

template <class Wire> void prepare_names(const Link &link, Row<Wire> *rows) {
    uint8_t *to = reinterpret_cast<uint8_t *>(rows + link.count + 1);
    for (uint32_t i = 0; i < link.count; i++) {
        size_t size = Wire::prepare_name(facts_of(link, i), to);
        debug_check(size <= Wire::name_room(link.table.names[i].size));
        rows[i].header.prepared = to;
        rows[i].header.prepared_size = static_cast<uint32_t>(size);
        to += size;
    }
}

// True if the fields of a struct go by their ids alone.
bool wants_ids(const WireTraits &traits) { return traits.fields == FieldsBy::id && traits.keys == Keys::none; }

[[noreturn]] SPARPACK_COLD void refuse_untyped(const Link *link, const char *wire) {
    const Field *field = link->fields;
    while (field->type.kind != Kind::any) field++;
    VALUE name = link->plan->slots[field->slot].name;
    fault_schema("%" PRIsVALUE ": the wire :%s needs its type, as in types: { %" PRIsVALUE
                 ": :i64 }; only :message_pack does without",
                 fault_member(link->plan->klass, name), wire, rb_sym2str(name));
}

[[noreturn]] SPARPACK_COLD void refuse_nameless(const Link *link, const char *wire) {
    VALUE name = rb_sym2str(link->plan->slots[0].name);
    fault_schema("%" PRIsVALUE ": the wire :%s needs ids for its members, as in { 0 => :%" PRIsVALUE
                 " }; :json and :message_pack do with names",
                 link->plan->klass, wire, name);
}

// The same for a link alone, whatever it reaches.
void check_here(const Link *link, const WireTraits &traits, const char *wire) {
    if (!traits.untyped && link->untyped == link) refuse_untyped(link, wire);
    if (wants_ids(traits) && link->nameless == link) refuse_nameless(link, wire);
}

}  // namespace

void rows_check(const Link *link, const WireTraits &traits, const char *wire) {
    if (link->untyped) check_here(link->untyped, traits, wire);
    if (link->nameless) check_here(link->nameless, traits, wire);
}

// Memory comes from calloc, because xcalloc may collect garbage, and callers hold addresses of arrays.
template <class Wire> SPARPACK_COLD const Row<Wire> *rows_make(const Link *link) {
    check_here(link, Wire::traits, wire_name(wire_id<Wire>()));
    Row<Wire> *rows = static_cast<Row<Wire> *>(calloc(1, rows_bytes<Wire>(*link)));
    if (!rows) fault_no_memory();
    for (uint32_t i = 0; i <= link->count; i++) {
        if (i < link->count) static_cast<Field &>(rows[i]) = link->fields[i];
        rows[i].header = Wire::header(facts_of(*link, i));
    }
    if constexpr (Wire::traits.prepares_names) prepare_names<Wire>(*link, rows);
    if constexpr (Wire::traits.fixed_widths) runs_make<Wire>(*link, rows, reinterpret_cast<Run *>(rows + link->count + 1));
    if constexpr (headers_vary(Wire::traits)) {
        size_t room = 0;
        for (uint32_t i = 0; i <= link->count; i++) {
            rows[i].header.room_before = static_cast<decltype(rows[i].header.room_before)>(room);
            if (i < link->count) room += header_room<Wire>(rows[i].header, link->table.names[i]);
        }
    }
    const void **place = const_cast<const void **>(&link->rows[static_cast<size_t>(wire_id<Wire>())]);
    const void *none = nullptr;
    if (__atomic_compare_exchange_n(place, &none, static_cast<const void *>(rows), false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
        return rows;
    free(rows);
    return static_cast<const Row<Wire> *>(none);
}

#define X(name, grammar) template const Row<grammar> *rows_make<grammar>(const Link *);
SPARPACK_WIRES(X)
#undef X

template <class Wire> const void *rows_made(const Link *link) { return rows_make<Wire>(link); }

constexpr const void *(*rows_made_for[])(const Link *) = {
#define X(name, grammar) rows_made<grammar>,
    SPARPACK_WIRES(X)
#undef X
};

SPARPACK_COLD const void *rows_make_form(const Link *link, WireId form) { return of_wire(rows_made_for, form)(link); }

void rows_make_all(const Link *link, WireId wire) {
    links_each(link, [&](const Link *each) { rows_make_form(each, wire); });
}

size_t rows_size(const Link &link) {
    size_t size = 0;
#define X(name, grammar) size += rows_here<grammar>(link) ? rows_bytes<grammar>(link) : 0;
    SPARPACK_WIRES(X)
#undef X
    return size;
}

void rows_free(const Link &link) {
    for (const void *rows : link.rows) free(const_cast<void *>(rows));
}

}  // namespace sparpack
