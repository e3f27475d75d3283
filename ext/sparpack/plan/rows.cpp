#include "rows.hpp"

#include <cstdlib>

#include "../glue/fault.hpp"

namespace sparpack {

namespace {

template <class Wire> Row<Wire> *rows_here(const Link &link) {
    const void *rows = __atomic_load_n(&link.rows[static_cast<size_t>(wire_id<Wire>())], __ATOMIC_ACQUIRE);
    return const_cast<Row<Wire> *>(static_cast<const Row<Wire> *>(rows));
}

}  // namespace

// Memory comes from calloc, because xcalloc may collect garbage, and callers hold addresses of arrays.
template <class Wire> SPARPACK_COLD const Row<Wire> *rows_make(const Link *link) {
    Row<Wire> *rows = static_cast<Row<Wire> *>(calloc(link->count + 1, sizeof(Row<Wire>)));
    if (!rows) fault_no_memory();
    FieldFacts facts = {0, 0, 0, WireType::stop, nullptr};
    for (uint32_t i = 0; i < link->count; i++) {
        const Field &field = link->fields[i];
        facts = {i > 0 ? link->fields[i - 1].id : 0, field.id, i, field.type.wire, &link->table.names[i]};
        static_cast<Field &>(rows[i]) = field;
        rows[i].header = Wire::header(facts);
    }
    facts = {facts.id, 0, link->count, WireType::stop, nullptr};
    rows[link->count].header = Wire::header(facts);
    if constexpr (Wire::traits.fields == FieldsBy::name) {
        size_t room = 0;
        for (uint32_t i = 0; i <= link->count; i++) {
            rows[i].header.room_before = room;
            if (i < link->count) room += Wire::name_room(link->table.names[i].size);
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

size_t rows_size(const Link &link) {
    size_t size = 0;
#define X(name, grammar) size += rows_here<grammar>(link) ? (link.count + 1) * sizeof(Row<grammar>) : 0;
    SPARPACK_WIRES(X)
#undef X
    return size;
}

void rows_free(const Link &link) {
    for (const void *rows : link.rows) free(const_cast<void *>(rows));
}

void rows_each(const Link &link, void (*visit)(Type *type)) {
#define X(name, grammar)                               \
    if (Row<grammar> *rows = rows_here<grammar>(link)) \
        for (uint32_t i = 0; i < link.count; i++) visit(&rows[i].type);
    SPARPACK_WIRES(X)
#undef X
}

}  // namespace sparpack
