#include "runs.hpp"

namespace sparpack {

namespace {

// The width of a value in bytes, whatever it is; 0 if it is not fixed, or a scan has to look at it.
size_t width_of(Kind kind) {
    switch (kind) {
    case Kind::bool_:
    case Kind::i8: return 1;
    case Kind::i16: return 2;
    case Kind::enum_:
    case Kind::i32: return 4;
    case Kind::i64:
    case Kind::double_: return 8;
    default: return 0;
    }
}

constexpr uint32_t fields_least = 4;  // fewer are passed one by one in less time

// Calls visit(first, end) for the fields of each run of a link. None begins with an enum, because its first value may be
// passed alone.
template <class Visit> void runs_each(const Link &link, size_t header, const Visit &visit) {
    for (uint32_t first = 0; first < link.count;) {
        uint32_t end = first;
        for (size_t size = 0; end < link.count; end++) {
            const Kind kind = link.fields[end].type.kind;
            size += header + width_of(kind);
            if (width_of(kind) == 0 || size > Run::most || (end == first && kind == Kind::enum_)) break;
        }
        if (end - first >= fields_least) visit(first, end);
        first = end > first ? end : first + 1;
    }
}

}  // namespace

size_t runs_size(const Link &link, size_t header) {
    size_t count = 0;
    runs_each(link, header, [&](uint32_t, uint32_t) { count++; });
    return count * sizeof(Run);
}

template <class Wire> void runs_make(const Link &link, Row<Wire> *rows, Run *run) {
    runs_each(link, Wire::header_max, [&](uint32_t first, uint32_t end) {
        size_t size = 0;
        for (uint32_t i = first; i < end; i++) {
            const uint32_t bytes = little_endian(rows[i].header.bytes);
            memset(run->mask + size, 0xff, Wire::header_max);
            memcpy(run->header + size, &bytes, Wire::header_max);
            size += Wire::header_max + width_of(rows[i].type.kind);
            run->has_enums |= rows[i].type.kind == Kind::enum_;
        }
        run->size = static_cast<uint8_t>(size);
        run->blocks = static_cast<uint8_t>((size + Run::block - 1) / Run::block);
        run->fields = static_cast<uint8_t>(end - first);
        run->width = static_cast<uint8_t>(width_of(rows[first].type.kind));
        rows[first].pass = Pass::run;
        rows[first].header.run = run++;
    });
}

template void runs_make<Binary>(const Link &link, Row<Binary> *rows, Run *run);

}  // namespace sparpack
