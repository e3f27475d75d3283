#include "extra.hpp"

#include "../bytes/limits.hpp"
#include "../wire/binary.hpp"
#include "../wire/thrift_events.hpp"

namespace sparpack {

bool Extra::is_readable(bool is_union) const {
    VALUE bytes = kept_fields();
    Input in(reinterpret_cast<const uint8_t *>(RSTRING_PTR(bytes)), static_cast<size_t>(RSTRING_LEN(bytes)));
    int32_t last = INT32_MIN;
    for (const uint8_t *p = in.begin; p < in.end;) {
        Binary::Frame frame;
        if (Binary::next_field(in, p, frame, no_fields, 0) != next_unknown || frame.id <= last) return false;
        last = frame.id;
        if (!(p = skip<Binary>(in, p, frame.type, &frame, depth_max))) return false;
        if (is_union) return p == in.end;
    }
    RB_GC_GUARD(bytes);
    return last != INT32_MIN;
}

}  // namespace sparpack
