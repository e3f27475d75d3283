// Fuzzes the code that reads MessagePack without Ruby. It reads the events of a value and finds its end, at once and in
// pieces of any size, and reads heads and writes them again. The first byte is the size of the pieces.
#include "wire/message_pack/end.hpp"

#include "seen.hpp"

using namespace sparpack;

namespace {

void must(bool x) {
    if (!x) __builtin_trap();
}

struct Verdict {
    Pulled result;
    size_t size;  // how many bytes were read
};

// Each piece has memory of its own, so that the sanitizer sees every read beyond its end.
Verdict find_end(const uint8_t *bytes, size_t size, size_t piece) {
    MessagePackEnd end;
    message_pack_end_begin(end);
    size_t at = 0;
    while (at < size) {
        size_t some = size - at < piece ? size - at : piece;
        uint8_t *copy = static_cast<uint8_t *>(malloc(some));
        if (!copy) abort();
        memcpy(copy, bytes + at, some);
        Input in(copy, some);
        const uint8_t *p = copy;
        Pulled result = message_pack_end_find(end, in, p);
        must(p >= copy && p <= copy + some);
        size_t found = static_cast<size_t>(p - copy);
        free(copy);
        at += found;
        if (result != Pulled::more) return {result, at};
        must(found == some && message_pack_end_missing(end) > 0);
    }
    return {Pulled::more, at};
}

// The first `size` bytes in pieces must give the same events as at once.
void check_events(const uint8_t *bytes, size_t size, size_t piece) {
    using Grammar = MessagePackEvents;
    seen::Events whole = seen::at_once<Grammar>(bytes, size, MessagePackEnd::depth_max);
    must(seen::tiles<Grammar>(whole, bytes));
    auto cut = [&](size_t) { return piece; };
    must(seen::same(whole, seen::in_pieces<Grammar>(bytes, size, MessagePackEnd::depth_max, cut)));
    must(seen::reads_exactly<Grammar>(bytes, size, MessagePackEnd::depth_max, piece));
}

// A head that is read, written in its shortest form and read again must be the same.
void check_head(const uint8_t *bytes, size_t size) {
    Input in(bytes, size);
    MessagePack::Item item{}, again{};
    const uint8_t *p = MessagePack::read_head(in, bytes, item);
    if (!p) return must(in.status == Status::truncated || in.status == Status::bad_format);
    uint8_t room[MessagePack::header_max] = {};
    Writer w{};
    w.begin = room;
    w.end = room + sizeof room;
    uint8_t *q = writer_reserve(w, room, sizeof room);
    size_t count = static_cast<size_t>(item.number);
    switch (item.head) {
    case MessagePack::Head::positive: q = MessagePack::write_unsigned(w, q, item.number); break;
    case MessagePack::Head::negative: q = MessagePack::write_integer(w, q, static_cast<int64_t>(item.number)); break;
    case MessagePack::Head::str: q = MessagePack::write_str(w, q, count); break;
    case MessagePack::Head::bin: q = MessagePack::write_bin(w, q, count); break;
    case MessagePack::Head::array: q = MessagePack::write_array(w, q, count); break;
    case MessagePack::Head::map: q = MessagePack::write_map(w, q, count); break;
    case MessagePack::Head::ext: q = MessagePack::write_ext(w, q, item.type, count); break;
    case MessagePack::Head::nil:
    case MessagePack::Head::false_:
    case MessagePack::Head::true_:
    case MessagePack::Head::float32:
    case MessagePack::Head::float64:
    case MessagePack::Head::reserved: return;
    }
    size_t written = static_cast<size_t>(q - room);
    must(written <= static_cast<size_t>(p - bytes));
    Input short_form(room, written);
    must(MessagePack::read_head(short_form, room, again) == room + written);
    must(again.head == item.head && again.number == item.number && again.type == item.type);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    size_t piece = 1 + data[0] % 24;
    data++;
    size--;
    check_head(data, size);
    check_events(data, size, piece);
    Verdict whole = find_end(data, size, size ? size : 1), parts = find_end(data, size, piece);
    must(whole.result == parts.result);
    if (whole.result == Pulled::done) must(whole.size == parts.size);
    Input in(data, size);
    const uint8_t *end = message_pack_skip(in, data);
    must((end != nullptr) == (whole.result == Pulled::done));
    if (end) must(end == data + whole.size);
    return 0;
}
