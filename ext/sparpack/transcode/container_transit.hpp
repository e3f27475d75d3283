// Lists, sets and maps from a wire to another. If the source does not say how many elements there are, their number is
// written behind them.
#pragma once

#include "distinct.hpp"
#include "value_transit.hpp"

namespace sparpack {

namespace {

// The key of a map, or an element of a set: only scalars are compared here. 0.0 and -0.0 are one key, and no NaN is equal to
// another, so these are left to the decode.
template <class From, class To, class Reads, class Writes>
SPARPACK_INLINE Places pass_key(Transit &t, Places at, const Type &type, int depth, Distinct &distinct) {
    if (SPARPACK_UNLIKELY(kind_is_compound(type.kind))) return given_up;
    if (SPARPACK_UNLIKELY(type.kind == Kind::double_)) {
        double real = 0;
        if (!Reads::read_double(t.in, at.in, &real) || real == 0 || real != real) return given_up;
    }
    size_t begin = t.offset(at.out);
    if constexpr (std::is_same_v<Reads, From> && std::is_same_v<Writes, To>) {
        at = pass_one<From, To>(t, at, type, nullptr, nullptr, depth);
    } else {
        at = pass_value<From, To, Reads, Writes>(t, at, type, nullptr, nullptr, depth, 0);
    }
    if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    const uint8_t *bytes = t.at(begin);
    return SPARPACK_LIKELY(distinct.add(bytes, static_cast<size_t>(at.out - bytes))) ? at : given_up;
}

// Writes a head again: (writer, cursor) -> cursor. What is behind it moves if the new one has another size.
template <class Put> [[gnu::noinline]] uint8_t *head_replace(Transit &t, uint8_t *q, Head head, Put put) {
    uint8_t room[64];
    Writer w{};
    w.begin = room;
    w.end = room + sizeof room;
    size_t size = static_cast<size_t>(put(w, writer_reserve(w, room, sizeof room)) - room);
    if (size > head.size) q = writer_reserve(t.writer(), q, size - head.size);
    uint8_t *begin = t.at(head.begin);
    if (size != head.size) {
        memmove(begin + size, begin + head.size, static_cast<size_t>(q - begin) - head.size);
        q += static_cast<ptrdiff_t>(size) - static_cast<ptrdiff_t>(head.size);
    }
    memcpy(begin, room, size);
    return q;
}

// Charges a container that grows, as the decode does (codec/uncounted.hpp), and checks its size.
template <int64_t (*cost)(size_t), size_t (*room)(size_t)> struct Growth {
    int64_t charged = 0, limit = 0;

    SPARPACK_INLINE bool takes(Transit &t, size_t index) {
        if (SPARPACK_LIKELY(static_cast<int64_t>(index) < limit)) return true;
        if (limit >= t.rules.container) return false;
        int64_t more = static_cast<int64_t>(room(static_cast<size_t>(charged)));
        if (!t.charges(cost(static_cast<size_t>(more)) - cost(static_cast<size_t>(charged)))) return false;
        charged = more;
        limit = more < t.rules.container ? more : t.rules.container;
        return true;
    }
};

template <class To> SPARPACK_INLINE uint8_t *write_next(Transit &t, uint8_t *q, [[maybe_unused]] size_t index) {
    if constexpr (!To::traits.counts_elements)
        q = To::write_next(t.writer(), writer_reserve(t.writer(), q, To::close_max), index);
    return writer_reserve(t.writer(), q, Room<To>::value);
}

// The elements of a list or a set, one after the other: (places, index) -> places. If the source does not say how many there
// are, one is assumed.
template <class From, class To, int64_t (*cost)(size_t), int64_t (*grown)(size_t), size_t (*room)(size_t), class Each>
SPARPACK_INLINE Places pass_elements(Transit &t, Places at, const Type &type, size_t count, Each each) {
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(count) > t.rules.container)) return given_up;
    constexpr bool is_counted = From::traits.counts_elements;
    if (SPARPACK_UNLIKELY(!t.charges(cost(is_counted ? count : 0)))) return given_up;
    const size_t assumed = is_counted ? count : 1, begin = t.offset(at.out);
    at.out = To::write_list(t.writer(), at.out, type.element->wire, assumed);
    [[maybe_unused]] const Head head = {begin, t.offset(at.out) - begin};
    [[maybe_unused]] Growth<grown, room> growth;
    size_t i = 0;
    for (;; i++) {
        if constexpr (is_counted) {
            if (i == count) break;
        } else {
            NextElement next = From::next_element(t.in, at.in, i, count);
            if (next == NextElement::end) break;
            if (SPARPACK_UNLIKELY(next == NextElement::failed || !growth.takes(t, i))) return given_up;
        }
        at.out = write_next<To>(t, at.out, i);
        at = each(at, i);
        if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    }
    if constexpr (!is_counted) {
        if (i != assumed) {
            at.out = head_replace(t, at.out, head,
                                  [&](Writer &w, uint8_t *q) { return To::write_list(w, q, type.element->wire, i); });
        }
    }
    return {at.in, close_empty<To>(t, at.out, false)};
}

// The elements of a list of structs, if it says how many there are.
template <class From, class To>
SPARPACK_INLINE Places pass_counted_structs(Transit &t, Places at, const Type &type, size_t count, int depth) {
    if (SPARPACK_UNLIKELY(static_cast<int64_t>(count) > t.rules.container || !t.charges(array_cost(count)))) return given_up;
    at.out = To::write_list(t.writer(), at.out, type.element->wire, count);
    at = pass_structs<From, To>(t, at, type.element->link, count, true, depth - 1);
    return SPARPACK_LIKELY(at.in != nullptr) ? Places{at.in, close_empty<To>(t, at.out, false)} : given_up;
}

template <class From, class To> Places pass_list(Transit &t, Places at, const Type &type, int depth) {
    if (SPARPACK_UNLIKELY(depth < 0)) return given_up;
    size_t count = 0;
    const Type &element = *type.element;
    at.in = From::read_list(t.in, at.in, element.wire, &count);
    if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    if (type.kind == Kind::set) {
        Distinct distinct(t);
        at = pass_elements<From, To, set_cost, set_grown_cost, room_of_table>(t, at, type, count, [&](Places next, size_t) {
            return pass_key<From, To, From, To>(t, next, element, depth, distinct);
        });
        distinct.end();
        return at;
    }
    if constexpr (From::traits.counts_elements) {
        if (element.kind == Kind::struct_) return pass_counted_structs<From, To>(t, at, type, count, depth);
    }
    return pass_elements<From, To, array_cost, array_cost, room_of_array>(t, at, type, count, [&](Places next, size_t) {
        if constexpr (!From::traits.counts_elements) {
            if (SPARPACK_LIKELY(element.kind == Kind::struct_))
                return pass_structs<From, To>(t, next, element.link, 1, false, depth - 1);
        }
        return pass_one<From, To>(t, next, element, nullptr, nullptr, depth);
    });
}

template <class From, class To> Places pass_map(Transit &t, Places at, const Type &type, int depth) {
    if (SPARPACK_UNLIKELY(depth < 0)) return given_up;
    constexpr bool is_counted = From::traits.counts_elements;
    size_t count = 0;
    const Type &key = *type.key, &value = *type.element;
    at.in = From::read_map(t.in, at.in, key.wire, value.wire, &count);
    if (SPARPACK_UNLIKELY(!at.in || static_cast<int64_t>(count) > t.rules.container)) return given_up;
    if (SPARPACK_UNLIKELY(!t.charges(hash_cost(is_counted ? count : 0)))) return given_up;
    const size_t assumed = is_counted ? count : 1, begin = t.offset(at.out);
    at.out = To::write_map(t.writer(), at.out, key.wire, value.wire, assumed);
    [[maybe_unused]] const Head head = {begin, t.offset(at.out) - begin};
    [[maybe_unused]] Growth<hash_grown_cost, room_of_table> growth;
    Distinct distinct(t);
    size_t i = 0;
    for (;; i++) {
        if constexpr (is_counted) {
            if (i == count) break;
        } else {
            NextElement next = From::next_key(t.in, at.in, i, count);
            if (next == NextElement::end) break;
            if (SPARPACK_UNLIKELY(next == NextElement::failed || !growth.takes(t, i))) return given_up;
        }
        at.out = write_next<To>(t, at.out, i);
        at = pass_key<From, To, typename From::Key, typename To::Key>(t, at, key, depth, distinct);
        if (SPARPACK_UNLIKELY(!at.in)) return given_up;
        if constexpr (!is_counted) {
            if (SPARPACK_UNLIKELY(!(at.in = From::next_value(t.in, at.in)))) return given_up;
        }
        if constexpr (!To::traits.counts_elements)
            at.out = To::write_next_value(t.writer(), writer_reserve(t.writer(), at.out, To::close_max));
        at.out = writer_reserve(t.writer(), at.out, Room<To>::value);
        at = pass_one<From, To>(t, at, value, nullptr, nullptr, depth);
        if (SPARPACK_UNLIKELY(!at.in)) return given_up;
    }
    distinct.end();
    if constexpr (!is_counted) {
        if (i != assumed) {
            at.out = head_replace(t, at.out, head,
                                  [&](Writer &w, uint8_t *q) { return To::write_map(w, q, key.wire, value.wire, i); });
        }
    }
    return {at.in, close_empty<To>(t, at.out, true)};
}

}  // namespace

}  // namespace sparpack
