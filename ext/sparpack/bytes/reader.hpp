// The input of a decode, and the one way to fail in it. The read cursor is passed by value so that it stays in a register. A
// reader returns the next cursor, or nullptr after `input_fail`.
#pragma once

#include "status.hpp"

namespace sparpack {

// Which part of a container a mismatch speaks of.
enum class Part : uint8_t { whole, key, element };

// What happens when the elements of a container take more bytes at least than there are.
enum class Counts : uint8_t {
    checked,    // it is not opened
    clamped,    // one element more is read than there can be, so that a fault in front of the end is found first
    unchecked,  // it is opened, because more bytes follow
};

struct Input {
    const uint8_t *begin;
    const uint8_t *end;
    const uint8_t *at;  // where reading failed
    Status status;
    Part part;  // after a mismatch: what has another type
    bool last;  // the payload ends here, so no more bytes follow
    Counts counts;
    bool typed_empty;   // the element type of an empty list or set is looked at, too
    bool any_text;      // a walk passes over text that is not UTF-8
    const char *found;  // after a mismatch: the name of the type that was found
    size_t missing;     // after truncated: how many bytes at least must follow the end

    Input(const uint8_t *bytes, size_t size, bool is_last = true)
        : begin(bytes),
          end(bytes + size),
          at(bytes),
          status(Status::ok),
          part(Part::whole),
          last(is_last),
          counts(is_last ? Counts::checked : Counts::unchecked),
          typed_empty(false),
          any_text(false),
          found(nullptr),
          missing(0) {}
};

SPARPACK_COLD static const uint8_t *input_fail(Input &in, Status status, const uint8_t *at) {
    in.status = status;
    in.at = at;
    in.missing = 1;
    return nullptr;
}

// The bytes end too early, and it is known by how many.
SPARPACK_COLD inline const uint8_t *input_cut(Input &in, const uint8_t *at, size_t missing) {
    input_fail(in, Status::truncated, at);
    in.missing = missing;
    return nullptr;
}

// The bytes are well-formed, but not of the type that the caller expects.
SPARPACK_COLD inline const uint8_t *input_mismatch(Input &in, const uint8_t *at, const char *found,
                                                   Part part = Part::whole) {
    in.found = found;
    in.part = part;
    return input_fail(in, Status::mismatch, at);
}

SPARPACK_INLINE size_t input_left(const Input &in, const uint8_t *p) { return static_cast<size_t>(in.end - p); }

// Statuses: truncated.
SPARPACK_INLINE const uint8_t *input_need(Input &in, const uint8_t *p, size_t size) {
    size_t left = input_left(in, p);
    if (SPARPACK_UNLIKELY(left < size)) return input_cut(in, p, size - left);
    return p;
}

// Looks at the number of a container's elements, each of which takes `size` bytes at least. Statuses: truncated.
SPARPACK_INLINE const uint8_t *input_count(Input &in, const uint8_t *p, size_t *count, size_t size) {
    if (SPARPACK_UNLIKELY(uint64_t{*count} * size > input_left(in, p))) {
        if (in.counts == Counts::checked) return input_cut(in, p, *count * size - input_left(in, p));
        if (in.counts == Counts::clamped) *count = input_left(in, p) / size + 1;
    }
    return p;
}

}  // namespace sparpack
