// How Sparsam reads values of other types than those that are declared. A list or a set with elements of another type is
// nil. In a union and in a map, numbers and strings are read as what they are, and containers are nil. Only value_reader.hpp
// includes this file.
#pragma once

#include <type_traits>

#include "../decoder.hpp"
#include "../unknown/reader.hpp"

namespace sparpack {

namespace {

template <class Wire>
Cursor read_one(Decoder &d, Cursor p, const Type &type, const typename Wire::Frame *frame, VALUE *out, int depth, Role role);

// Whether a wire says the type of each value. Only Thrift's do.
template <class Wire> constexpr bool says_types = std::is_base_of_v<Thrift<Wire>, Wire>;

// Called when a list or a set could not be opened. If its elements have another type, and that is allowed, it is nil.
template <class Wire>
SPARPACK_COLD Cursor skip_loose(Decoder &d, [[maybe_unused]] PendingBefore before, [[maybe_unused]] Cursor start,
                                const Type &type, VALUE *out, [[maybe_unused]] int depth) {
    if constexpr (says_types<Wire>) {
        if (!d.options.loose_types || d.in.status != Status::mismatch) return nullptr;
        read_on(d, before);
        *out = Qnil;
        return skip_value<Wire>(d, start, Wire::Events::whole(type.wire), depth + 1);
    }
    return nullptr;
}

// Numbers and strings.
inline bool kind_found(WireType found, Kind *kind) {
    switch (found) {
    case WireType::bool_: return *kind = Kind::bool_, true;
    case WireType::i8: return *kind = Kind::i8, true;
    case WireType::i16: return *kind = Kind::i16, true;
    case WireType::i32: return *kind = Kind::i32, true;
    case WireType::i64: return *kind = Kind::i64, true;
    case WireType::double_: return *kind = Kind::double_, true;
    case WireType::string: return *kind = Kind::string, true;
    case WireType::stop:
    case WireType::struct_:
    case WireType::map:
    case WireType::set:
    case WireType::list:
    case WireType::uuid: return false;
    }
    return false;
}

// Reads a value that may have another type. `at` is where that type was read. Statuses: as read_one, mismatch.
template <class Wire>
SPARPACK_COLD Cursor read_loose(Decoder &d, Cursor p, const Type &type, WireType found,
                                [[maybe_unused]] const typename Wire::Frame *frame, [[maybe_unused]] VALUE *out,
                                [[maybe_unused]] int depth, [[maybe_unused]] Role role, Cursor at) {
    if constexpr (says_types<Wire>) {
        if (found == type.wire) return read_one<Wire>(d, p, type, frame, out, depth, role);
        Type actual{};
        actual.wire = found;
        if (d.options.loose_types && kind_found(found, &actual.kind))
            return read_one<Wire>(d, p, actual, frame, out, depth, role);
        if (d.options.loose_types && found != WireType::struct_ && found != WireType::uuid)
            return *out = Qnil, skip_value<Wire>(d, p, Wire::Events::whole(found), depth);
    }
    return fail_mismatch(d, type, found, at);
}

// Called when a map could not be opened. If its keys or values have another type, and that is allowed, reads them one by
// one.
template <class Wire>
SPARPACK_COLD Cursor read_loose_map(Decoder &d, [[maybe_unused]] PendingBefore before, [[maybe_unused]] Cursor start,
                                    [[maybe_unused]] const Type &type, [[maybe_unused]] VALUE *out,
                                    [[maybe_unused]] int depth, [[maybe_unused]] Role role) {
    if constexpr (says_types<Wire>) {
        if (!d.options.loose_types || d.in.status != Status::mismatch) return nullptr;
        read_on(d, before);
        WireType key = WireType::stop, value = WireType::stop;
        size_t count = 0;
        Cursor p = Wire::open_map(d.in, start, &key, &value, &count);
        if (!p) return nullptr;
        if (!charge(d, hash_cost(count))) return fail_memory(d, start);
        Kind scalar{};
        const Role keys = kind_found(key, &scalar) ? role_key : key_role(d, *type.key);
        return read_with_room(d, start, 3, [&](VALUE *values) -> Cursor {
            values[0] = values[1] = Qnil;
            values[2] = rb_hash_new();
            for (size_t i = 0; i < count; i++) {
                p = read_loose<Wire>(d, p, *type.key, key, nullptr, &values[0], depth, keys, start);
                if (!p) return fault_at_key(d.fault, i), nullptr;
                p = read_loose<Wire>(d, p, *type.element, value, nullptr, &values[1], depth, role, start);
                if (!p) return fault_at_value(d.fault, i), nullptr;
                rb_hash_aset(values[2], values[0], values[1]);
            }
            *out = values[2];
            return p;
        });
    }
    return nullptr;
}

}  // namespace

}  // namespace sparpack
