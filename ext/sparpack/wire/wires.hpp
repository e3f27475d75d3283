// The wires. A new one needs its file, which keeps the contract, and one line in this list.
#pragma once

#include "json/wire.hpp"
#include "message_pack/wire.hpp"
#include "thrift/binary.hpp"
#include "thrift/compact.hpp"
#include "thrift/json.hpp"
#ifdef SPARPACK_TEST_WIRES
#include "test_wires.hpp"  // in test/wires: as unlike Thrift as can be, to keep the contract honest
#else
#define SPARPACK_WIRES_OF_TESTS(X)
#endif

namespace sparpack {

// X(name, grammar). The forms of a wire follow it (WireTraits::form_of).
#define SPARPACK_WIRES(X)                   \
    X(compact, Compact)                     \
    X(binary, Binary)                       \
    X(json, Json)                           \
    X(thrift_json, ThriftJson)              \
    X(message_pack, MessagePackArray)       \
    X(message_pack_names, MessagePackNames) \
    X(message_pack_ids, MessagePackIds)     \
    SPARPACK_WIRES_OF_TESTS(X)

enum class WireId : uint8_t {
#define X(name, grammar) name,
    SPARPACK_WIRES(X)
#undef X
};

constexpr const char *wire_names[] = {
#define X(name, grammar) #name,
    SPARPACK_WIRES(X)
#undef X
};

constexpr size_t wire_count = sizeof wire_names / sizeof *wire_names;

#define X(name, grammar) +1
constexpr size_t wires_of_tests = 0 SPARPACK_WIRES_OF_TESTS(X);  // the last ones
#undef X

constexpr const WireTraits wire_traits[] = {
#define X(name, grammar) grammar::traits,
    SPARPACK_WIRES(X)
#undef X
};

// The entry of a wire in a table that has one for each, in the order of the list.
template <class Entry, size_t size> constexpr const Entry &of_wire(const Entry (&table)[size], WireId wire) {
    static_assert(size == wire_count);
    return table[static_cast<size_t>(wire)];
}

inline const WireTraits &traits_of(WireId wire) { return of_wire(wire_traits, wire); }

// The name by which users know a wire. All its forms have it.
inline const char *wire_name(WireId wire) {
    const char *name = traits_of(wire).form_of;
    return name ? name : of_wire(wire_names, wire);
}

// The place of a wire in the list.
template <class Wire> constexpr WireId wire_id();
#define X(name, grammar)                                                     \
    template <> constexpr WireId wire_id<grammar>() { return WireId::name; } \
    static_assert(check_wire<grammar>());
SPARPACK_WIRES(X)
#undef X

// The form that reads a wire.
inline WireId wire_reader(WireId wire) {
    constexpr WireId readers[] = {
#define X(name, grammar) wire_id<grammar::Reader>(),
        SPARPACK_WIRES(X)
#undef X
    };
    return of_wire(readers, wire);
}

}  // namespace sparpack
