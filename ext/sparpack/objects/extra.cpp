#include "extra.hpp"

#include "../bytes/limits.hpp"
#include "../wire/json/members.hpp"
#include "../wire/message_pack/entries.hpp"
#include "../wire/thrift/binary.hpp"
#include "../wire/thrift/events.hpp"
#include "../wire/walks.hpp"

namespace sparpack {

static bool entries_are_readable(Input &in, bool is_union) {
    size_t count = 0;
    const uint8_t *p = message_pack_entries(in, in.begin, &count);
    MessagePackEntry last{}, entry{};
    for (size_t i = 0; p && i < count; i++) {
        if (!(p = message_pack_entry(in, p, no_size_limits, depth_max, &entry)) || *entry.value == MessagePack::nil_byte)
            return false;
        if (i > 0 && !last.is_before(entry)) return false;
        last = entry;
    }
    return p == in.end && (is_union ? count == 1 : count > 0);
}

// The text of every member is read, although the object could be read at once: each has a form of its own.
static bool members_are_readable(Input &in, bool is_union) {
    JsonMember last{}, member{};
    size_t count = 0;
    for (const uint8_t *p = in.begin; p < in.end; last = member, count++) {
        if (*p != (count == 0 ? '{' : ',')) return *p == '}' && p + 1 == in.end && (is_union ? count == 1 : count > 0);
        if (!(p = json_member(in, p + 1, no_size_limits, depth_max, &member)) || !json_is_packed(member.value, p))
            return false;
        if (*member.value == 'n' || !json_is_plain(member.name)) return false;
        if (count > 0 && last.compare(member) >= 0) return false;
    }
    return false;
}

bool Extra::is_readable(bool is_union) const {
    VALUE bytes = kept_fields();
    Input in(string_bytes(bytes), string_size(bytes));
    if (kept() != Kept::fields) {
        bool readable = kept() == Kept::entries ? entries_are_readable(in, is_union) : members_are_readable(in, is_union);
        RB_GC_GUARD(bytes);
        return readable;
    }
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
