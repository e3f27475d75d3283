// Reads lists, sets and maps from the bytes of a wire. Their elements wait in Pending, in runs if there are many. Numbers
// and structs have loops of their own. Only decode.cpp includes this file.
#pragma once

#include "../values/numbers.hpp"
#include "../values/sets.hpp"
#include "text/quoted_keys.hpp"
#include "text/uncounted.hpp"
#include "value_reader.hpp"

namespace sparpack {

namespace {

// Reads an element of a container whose size is not known in advance.
template <class Wire>
SPARPACK_INLINE Cursor read_element(Decoder &d, Cursor p, const Type &type, VALUE *out, size_t index, int depth, Role role) {
    p = read_one<Wire>(d, p, type, nullptr, out, depth, role);
    return SPARPACK_LIKELY(p != nullptr) ? p : (fault_at_index(d.fault, index), nullptr);
}

// Reads `count` adjacent values into `values`. `first` is the index of the first, for the path. The types that come in large
// numbers have functions of their own, with nothing else in their registers.
template <class Wire>
[[gnu::noinline, gnu::nonnull]] Cursor read_i64s(Decoder &d, Cursor p, const Type &type, VALUE *values, size_t count,
                                                 size_t first) {
    for (size_t i = 0; i < count; i++) {
        int64_t number = 0;
        if (SPARPACK_UNLIKELY(!(p = Wire::read_i64(d.in, p, &number))))
            return name_type(d, type), fault_at_index(d.fault, first + i), nullptr;
        if (SPARPACK_UNLIKELY(!integer_charged(d.memory, number, &values[i])))
            return fail_memory(d, p), fault_at_index(d.fault, first + i), nullptr;
    }
    return p;
}

template <class Wire>
[[gnu::noinline, gnu::nonnull]] Cursor read_doubles(Decoder &d, Cursor p, const Type &type, VALUE *values, size_t count,
                                                    size_t first, Role role) {
    for (size_t i = 0; i < count; i++) {
        double real = 0;
        Cursor start = p;
        if (SPARPACK_UNLIKELY(!(p = Wire::read_double(d.in, p, &real))))
            return name_type(d, type), fault_at_index(d.fault, first + i), nullptr;
        if (SPARPACK_UNLIKELY(real != real) && counts_nan(role) && !nan_key(d))
            return fail_nan_keys(d, start), fault_at_index(d.fault, first + i), nullptr;
        if (SPARPACK_UNLIKELY(!float_charged(d.memory, real, &values[i])))
            return fail_memory(d, p), fault_at_index(d.fault, first + i), nullptr;
    }
    return p;
}

template <class Wire>
[[gnu::noinline]] Cursor read_run(Decoder &d, Cursor p, const Type &type, VALUE *values, size_t count, size_t first,
                                  int depth, Role role) {
    if (type.kind == Kind::struct_ && count > 0 && SPARPACK_LIKELY(!is_called<Wire>(d, type.link))) {
        p = read_structs<Wire>(d, p, type.link, type.klass, values, count, depth - 1, role);
        return SPARPACK_LIKELY(p != nullptr) ? p : (fault_at_index(d.fault, first + d.failed), nullptr);
    }
    if (type.kind == Kind::i64) return read_i64s<Wire>(d, p, type, values, count, first);
    if (type.kind == Kind::double_) return read_doubles<Wire>(d, p, type, values, count, first, role);
    for (size_t i = 0; i < count; i++) {
        p = read_one<Wire>(d, p, type, nullptr, &values[i], depth, role);
        if (SPARPACK_UNLIKELY(!p)) return fault_at_index(d.fault, first + i), nullptr;
    }
    return p;
}

// Opens a list or a set, and charges cost(count) for the container before it is made.
// Statuses: those of the wire, mismatch, too_deep, container_too_large, too_much_memory.
template <class Wire, int64_t (*cost)(size_t)>
SPARPACK_INLINE Cursor open_elements(Decoder &d, Cursor p, const Type &type, size_t *count, int depth) {
    if (SPARPACK_UNLIKELY(depth < 0)) return fail_too_deep(d, p);
    Cursor start = p;
    if (SPARPACK_UNLIKELY(!(p = Wire::read_list(d.in, p, type.element->wire, count)))) return name_type(d, type);
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(*count) > d.options.container))
        return fail_limit(d, Status::container_too_large, start, d.options.container);
    if (SPARPACK_UNLIKELY(!charge(d, cost(Wire::traits.counts_elements ? *count : 0)))) return fail_memory(d, start);
    return p;
}

template <class Wire> Cursor read_list(Decoder &d, Cursor p, const Type &type, VALUE *out, int depth, Role role) {
    size_t count = 0;
    Cursor start = p;
    const PendingBefore before = pending_before(d.pending);
    p = open_elements<Wire, array_cost>(d, p, type, &count, depth);
    if (SPARPACK_UNLIKELY(!p)) return skip_loose<Wire>(d, before, start, type, out, depth);
    if constexpr (!Wire::traits.counts_elements) {
        auto next = [&](Cursor &q, size_t index) { return Wire::next_element(d.in, q, index, count); };
        auto read = [&](Cursor q, VALUE *place, size_t index) {
            return read_element<Wire>(d, q, *type.element, place, index, depth, role);
        };
        const Type &element = *type.element;
        if (element.kind != Kind::struct_) return read_list_to_end(d, p, out, role, next, read);
        // The values of all structs wait in the same place.
        return read_with_room(d, p, element.link->count + 1, [&](VALUE *fields) {
            auto read_one = [&](Cursor q, VALUE *place, size_t index) -> Cursor {
                bool deep = SPARPACK_UNLIKELY(depth - 1 < d.options.depth_watched) && too_deep(d, depth - 1);
                q = deep ? fail_too_deep(d, q)
                         : read_fields<Wire>(d, q, element.link, element.klass, fields, place, depth - 1, role);
                return SPARPACK_LIKELY(q != nullptr) ? q : (fault_at_index(d.fault, index), nullptr);
            };
            return read_list_to_end(d, p, out, role, next, read_one);
        });
    }
    size_t room = count <= run_size ? count : run_size + 1;
    return read_with_room(d, p, room, [&](VALUE *values) -> Cursor {
        if (SPARPACK_LIKELY(count <= run_size)) {
            p = read_run<Wire>(d, p, *type.element, values, count, 0, depth, role);
            if (SPARPACK_UNLIKELY(!p)) return nullptr;
            *out = rb_ary_new_from_values(static_cast<long>(count), values);
        } else {
            VALUE array = values[run_size] = rb_ary_new_capa(static_cast<long>(count));
            for (size_t i = 0; i < count; i += run_size) {
                size_t n = count - i < run_size ? count - i : run_size;
                p = read_run<Wire>(d, p, *type.element, values, n, i, depth, role);
                if (SPARPACK_UNLIKELY(!p)) return nullptr;
                rb_ary_cat(array, values, static_cast<long>(n));
            }
            *out = array;
        }
        if (freezes(role)) freeze_raw(*out);
        return p;
    });
}

template <class Wire> Cursor read_set(Decoder &d, Cursor p, const Type &type, VALUE *out, int depth, Role role) {
    size_t count = 0;
    Cursor start = p;
    const PendingBefore before = pending_before(d.pending);
    p = open_elements<Wire, set_cost>(d, p, type, &count, depth);
    if (SPARPACK_UNLIKELY(!p)) return skip_loose<Wire>(d, before, start, type, out, depth);
    Role inner = key_role(d, *type.element);
    if constexpr (!Wire::traits.counts_elements) {
        auto next = [&](Cursor &q, size_t index) { return Wire::next_element(d.in, q, index, count); };
        auto read = [&](Cursor q, VALUE *place, size_t index) {
            return read_element<Wire>(d, q, *type.element, place, index, depth, inner);
        };
        return read_set_to_end(d, p, out, role, next, read);
    }
    size_t room = count < run_size ? count : run_size;
    return read_with_room(d, p, room + 1, [&](VALUE *values) -> Cursor {
        VALUE builder = values[room] = set_start(count);
        for (size_t i = 0; i < count; i += run_size) {
            size_t n = count - i < run_size ? count - i : run_size;
            p = read_run<Wire>(d, p, *type.element, values, n, i, depth, inner);
            if (SPARPACK_UNLIKELY(!p)) return nullptr;
            set_add_many(builder, values, n);
        }
        *out = set_finish(builder, freezes(role));
        return p;
    });
}

template <class Wire>
SPARPACK_INLINE Cursor read_key(Decoder &d, Cursor p, const Type &type, VALUE *out, int depth, Role role) {
    if constexpr (Wire::traits.quotes_keys) {
        if (SPARPACK_UNLIKELY(kind_is_compound(type.kind))) {
            auto read = [&](Cursor q) { return read_one<Wire>(d, q, type, nullptr, out, depth, role); };
            return read_quoted<Wire>(d, p, type, read);
        }
    }
    if constexpr (std::is_same_v<typename Wire::Key, Wire>) {
        return read_one<Wire>(d, p, type, nullptr, out, depth, role);
    } else {
        return read_value<Wire, typename Wire::Key>(d, p, type, nullptr, out, depth, role);
    }
}

template <class Wire>
SPARPACK_INLINE Cursor read_pairs(Decoder &d, Cursor p, const Type &type, VALUE *values, size_t count, size_t first,
                                  int depth, Role role) {
    const Role keys = key_role(d, *type.key);
    for (size_t i = 0; i < count; i++) {
        p = read_key<Wire>(d, p, *type.key, &values[2 * i], depth, keys);
        if (SPARPACK_UNLIKELY(!p)) return fault_at_key(d.fault, first + i), nullptr;
        if constexpr (!Wire::traits.counts_elements) {
            if (!(p = Wire::next_value(d.in, p))) return fault_at_value(d.fault, first + i), nullptr;
        }
        p = read_one<Wire>(d, p, *type.element, nullptr, &values[2 * i + 1], depth, role);
        if (SPARPACK_UNLIKELY(!p)) return fault_at_value(d.fault, first + i), nullptr;
    }
    return p;
}

template <class Wire> Cursor read_map(Decoder &d, Cursor p, const Type &type, VALUE *out, int depth, Role role) {
    if (SPARPACK_UNLIKELY(depth < 0)) return fail_too_deep(d, p);
    size_t count = 0;
    Cursor start = p;
    const PendingBefore before = pending_before(d.pending);
    if (SPARPACK_UNLIKELY(!(p = Wire::read_map(d.in, p, type.key->wire, type.element->wire, &count))))
        return name_type(d, type), read_loose_map<Wire>(d, before, start, type, out, depth, role);
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(count) > d.options.container))
        return fail_limit(d, Status::container_too_large, start, d.options.container);
    if (SPARPACK_UNLIKELY(!charge(d, hash_cost(Wire::traits.counts_elements ? count : 0)))) return fail_memory(d, start);
    if constexpr (!Wire::traits.counts_elements) {
        auto next = [&](Cursor &q, size_t index) { return Wire::next_key(d.in, q, index, count); };
        auto read = [&](Cursor q, VALUE *place, size_t index) {
            return read_pairs<Wire>(d, q, type, place, 1, index, depth, role);
        };
        return read_map_to_end(d, p, type, out, role, next, read);
    }
    size_t room = count < pairs_bulk ? count : pairs_bulk;
    return read_with_room(d, p, 2 * room + 1, [&](VALUE *values) -> Cursor {
        VALUE hash = values[2 * room] = rb_hash_new();
        bool hidden = kind_hashes_in_ruby(type.key->kind);  // hidden from Ruby code that runs while it is filled
        if (hidden) rb_obj_hide(hash);
        for (size_t i = 0; i < count; i += room) {
            size_t n = count - i < room ? count - i : room;
            p = read_pairs<Wire>(d, p, type, values, n, i, depth, role);
            if (SPARPACK_UNLIKELY(!p)) return nullptr;
            hash_insert(hash, values, n);
        }
        if (hidden) rb_obj_reveal(hash, rb_cHash);
        if (freezes(role)) rb_obj_freeze(hash);
        *out = hash;
        return p;
    });
}

}  // namespace

}  // namespace sparpack
