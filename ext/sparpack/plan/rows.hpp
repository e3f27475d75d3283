// The fields of a link as one wire needs them: each with what the wire knows of its header. Rows are made
// when a link is first used with a wire. Their types copy those of the link's fields, because a second array would cost a
// trip to memory for each field.
#pragma once

#include <type_traits>

#include "plan.hpp"

namespace sparpack {

template <class Header> struct RowWith : Field { Header header; };
template <class Wire> using Row = RowWith<typename Wire::Header>;

// Room for the header and the value of each field. If headers vary, they say what they take.
template <class Wire> SPARPACK_INLINE size_t rows_room(const Row<Wire> *first, const Row<Wire> *end) {
    if constexpr (!headers_vary(Wire::traits)) {
        return static_cast<size_t>(end - first) * Room<Wire>::field;
    } else {
        return (end->header.room_before - first->header.room_before) + static_cast<size_t>(end - first) * Room<Wire>::value;
    }
}

// Makes the rows of a link. If several threads do it at once, the first one wins. Calls no Ruby code and collects no
// garbage.
template <class Wire> const Row<Wire> *rows_make(const Link *link);

// Returns one row for each field, sorted by id, and one behind the last field, which stands for none.
template <class Wire> SPARPACK_INLINE const Row<Wire> *rows_of(const Link *link) {
    const void *rows = __atomic_load_n(&link->rows[static_cast<size_t>(wire_id<Wire>())], __ATOMIC_ACQUIRE);
    return SPARPACK_LIKELY(rows != nullptr) ? static_cast<const Row<Wire> *>(rows) : rows_make<Wire>(link);
}

// True if a wire's code writes other forms, too.
template <class Wire> constexpr bool writes_forms() {
#define X(name, grammar) +std::is_same_v<typename grammar::WrittenAs, Wire>
    return (0 SPARPACK_WIRES(X)) > 1;
#undef X
}

// Makes the rows of a link for any wire or form.
const void *rows_make_form(const Link *link, WireId form);

// Makes the rows of a link and of all others that it reaches, so that no thread has to make them that does not have Ruby's
// lock.
void rows_make_all(const Link *link, WireId wire);

// As rows_of, for writing a form.
template <class Wire> SPARPACK_INLINE const Row<Wire> *rows_to_write(const Link *link, [[maybe_unused]] WireId form) {
    if constexpr (!writes_forms<Wire>()) {
        return rows_of<Wire>(link);
    } else {
        const void *rows = __atomic_load_n(&link->rows[static_cast<size_t>(form)], __ATOMIC_ACQUIRE);
        return static_cast<const Row<Wire> *>(SPARPACK_LIKELY(rows != nullptr) ? rows : rows_make_form(link, form));
    }
}

// What all rows of a link take, in bytes.
size_t rows_size(const Link &link);

void rows_free(const Link &link);

// Raises SchemaError if a wire cannot write the members of a mapping that a link reaches: they have no types, or no ids.
void rows_check(const Link *link, const WireTraits &traits, const char *wire);

}  // namespace sparpack
