// Fuzzes the code that reads MessagePack without Ruby. It finds the end of a value, at once and in pieces of any size, and
// reads heads and writes them again. The first byte is the size of the pieces.
#include <cstdlib>

#include "wire/message_scan.hpp"

using namespace sparpack;

namespace {

void must(bool x) {
    if (!x) __builtin_trap();
}

struct Verdict {
    Scanned result;
    size_t size;  // how many bytes were read
};

// Each piece has memory of its own, so that the sanitizer sees every read beyond its end.
Verdict scan_pieces(const uint8_t *bytes, size_t size, size_t piece) {
    MessageScan scan{};
    size_t at = 0;
    while (at < size) {
        size_t some = size - at < piece ? size - at : piece;
        uint8_t *copy = static_cast<uint8_t *>(malloc(some));
        if (!copy) abort();
        memcpy(copy, bytes + at, some);
        Input in(copy, some);
        const uint8_t *p = copy;
        Scanned result = message_scan(scan, in, p);
        must(p >= copy && p <= copy + some);
        size_t seen = static_cast<size_t>(p - copy);
        free(copy);
        at += seen;
        if (result != Scanned::more) return {result, at};
        must(seen == some && message_scan_missing(scan) > 0);
    }
    return {Scanned::more, at};
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
    Verdict whole = scan_pieces(data, size, size ? size : 1), parts = scan_pieces(data, size, piece);
    must(whole.result == parts.result);
    if (whole.result == Scanned::done) must(whole.size == parts.size);
    Input in(data, size);
    const uint8_t *end = message_skip(in, data);
    must((end != nullptr) == (whole.result == Scanned::done));
    if (end) must(end == data + whole.size);
    return 0;
}
