#include "runs.hpp"

namespace sparpack {

namespace {

// The width of a value in bytes, or 0 if it is not fixed.
template <class Wire> size_t width_of(const Type &type) { return kind_is_number(type.kind) ? Wire::size_min(type.wire) : 0; }

constexpr uint32_t fields_least = 4;  // fewer are passed one by one in less time

// Calls visit(first, end) for each run of a link, with the indexes of its first field and of the one behind its last. A scan
// that finds something else skips the first value alone. So that one is no enum, whose value may have to be checked.
template <class Wire, class Visit> void runs_each(const Link &link, const Visit &visit) {
    for (uint32_t first = 0; first < link.count;) {
        uint32_t end = first;
        for (size_t size = 0; end < link.count; end++) {
            const Type &type = link.fields[end].type;
            const size_t width = width_of<Wire>(type);
            size += Wire::header_max + width;
            if (width == 0 || size > Run::most || (end == first && type.kind == Kind::enum_)) break;
        }
        if (end - first >= fields_least) visit(first, end);
        first = end > first ? end : first + 1;
    }
}

}  // namespace

template <class Wire> size_t runs_size(const Link &link) {
    size_t count = 0;
    runs_each<Wire>(link, [&](uint32_t, uint32_t) { count++; });
    return count * sizeof(Run);
}

template <class Wire> void runs_make(const Link &link, Row<Wire> *rows, Run *run) {
    runs_each<Wire>(link, [&](uint32_t first, uint32_t end) {
        size_t size = 0;
        for (uint32_t i = first; i < end; i++) {
            const uint32_t bytes = little_endian(rows[i].header.bytes);
            memset(run->mask + size, 0xff, Wire::header_max);
            memcpy(run->header + size, &bytes, Wire::header_max);
            size += Wire::header_max + width_of<Wire>(rows[i].type);
            run->has_enums |= rows[i].type.kind == Kind::enum_;
        }
        run->size = static_cast<uint8_t>(size);
        run->blocks = static_cast<uint8_t>((size + Run::block - 1) / Run::block);
        run->fields = static_cast<uint8_t>(end - first);
        run->width = static_cast<uint8_t>(width_of<Wire>(rows[first].type));
        rows[first].pass = Pass::run;
        rows[first].header.run = run++;
    });
}

template size_t runs_size<Binary>(const Link &link);
template void runs_make<Binary>(const Link &link, Row<Binary> *rows, Run *run);

}  // namespace sparpack
