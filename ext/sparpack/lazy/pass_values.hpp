// Passes over the headers and values that most fields of the compact and the binary protocol have, without a loop and with
// few branches. Only scan_values.hpp includes this file.
#pragma once

#include "../plan/runs.hpp"
#include "scan.hpp"

namespace sparpack {

namespace {

// Passes over an integer, behind which bytes follow. Returns nullptr where it has to be read.
template <class Wire, int bits> SPARPACK_INLINE const uint8_t *pass_integer(const uint8_t *p) {
    if constexpr (std::is_same_v<Wire, Compact>) {
        return varint_pass<bits>(p);
    } else {
        return p + bits / 8;
    }
}

// What stands before a text in wires whose text is passed in one step: its size.
template <class Wire> constexpr size_t text_head = std::is_same_v<Wire, Compact> ? 1 : 4;

// Passes a short text and its size in front of it. Returns nullptr if it is long or not ASCII.
template <class Wire> SPARPACK_INLINE const uint8_t *pass_text(const Scan &s, const uint8_t *p) {
    size_t size;
    if constexpr (std::is_same_v<Wire, Compact>) {
        size = *p;
    } else {
        size = big_endian(load<uint32_t>(p));
    }
    if (SPARPACK_UNLIKELY(size > s.short_max)) return nullptr;
    const uint8_t *text = p + text_head<Wire>;
    if (SPARPACK_UNLIKELY(text > s.text_safe)) {
        if (size > static_cast<size_t>(s.in.end - text) || utf8_check(text, size) != Text::ascii) return nullptr;
    } else if (SPARPACK_UNLIKELY(!utf8_short_ascii(text, size))) {
        return nullptr;
    }
    return text + size;
}

// True, with p behind it, if this is the header of a field. `Wire` writes it in so many bytes.
template <class Wire> SPARPACK_INLINE bool passes_header(const uint8_t *&p, const Row<Wire> &row) {
    if constexpr (std::is_same_v<Wire, Compact>) {
        if (SPARPACK_UNLIKELY(*p != row.header.byte)) return false;
        p++;
    } else {
        const uint32_t head = little_endian(load<uint32_t>(p)) & 0xffffff;
        if (SPARPACK_UNLIKELY(head != row.header.bytes)) return false;
        p += 3;
    }
    return true;
}

using Block [[gnu::vector_size(Run::block), gnu::may_alias]] = uint64_t;

// Passes a run if it begins here, and moves the row to that of its last field. Otherwise returns nullptr.
SPARPACK_INLINE const uint8_t *pass_run(const Scan &s, const uint8_t *p, const Row<Binary> *&row) {
    const Run &run = *row->header.run;
    const size_t size = run.blocks * Run::block;
    if (SPARPACK_UNLIKELY(static_cast<size_t>(s.in.end - p) < size)) return nullptr;
    Block other{};
    for (size_t at = 0; at < size; at += Run::block)
        other |= (load<Block>(p + at) ^ load<Block>(run.header + at)) & load<Block>(run.mask + at);
    if (SPARPACK_UNLIKELY((other[0] | other[1]) != 0)) return nullptr;
    if (SPARPACK_UNLIKELY(run.has_enums) && s.options.validate >= Check::strict) return nullptr;
    row += run.fields - 1;
    return p + run.size;
}

// Which of a link's fields there are, from the first one to the last one before an end.
SPARPACK_INLINE uint64_t bits_between(uint32_t first, uint32_t end) {
    const uint64_t below = end == 64 ? ~uint64_t{0} : (uint64_t{1} << end) - 1;
    return below & ~((uint64_t{1} << (first & 63)) - 1);
}

}  // namespace

}  // namespace sparpack
