// Fuzzes the code that reads Thrift without Ruby. It skips a struct, finds its end piece by piece, and copies it from one of
// Thrift's wires to the other and back. The first byte selects the wire of the rest and its greatest depth.
#include "wire/walk.hpp"

#include <cstdlib>

#include "bytes/utf8.hpp"
#include "wire/binary.hpp"
#include "wire/compact.hpp"
#include "wire/scan.hpp"

using namespace sparpack;

namespace {

// Grows only by the bytes that are needed, so that the sanitizer sees every write beyond the end.
struct Output {
    Writer writer{};
    uint8_t *cursor = nullptr;

    Output() { writer.grow = grow; }
    ~Output() { free(writer.begin); }
    Output(const Output &) = delete;
    Output &operator=(const Output &) = delete;

    size_t size() const { return static_cast<size_t>(cursor - writer.begin); }

    static uint8_t *grow(Writer &w, uint8_t *p, size_t need) {
        size_t used = static_cast<size_t>(p - w.begin), room = used + need;
        uint8_t *begin = static_cast<uint8_t *>(realloc(w.begin, room));
        if (!begin) abort();
        w.begin = begin;
        w.end = begin + room;
        return begin + used;
    }
};

void must(bool x) {
    if (!x) __builtin_trap();
}

// A success must end inside the input. A failure must have a status and a place.
void check_end(const Input &in, const uint8_t *p) {
    if (p) {
        must(in.status == Status::ok && p > in.begin && p <= in.end);
    } else {
        must(in.status != Status::ok && in.at >= in.begin && in.at <= in.end);
    }
}

template <class From, class To> bool copy_struct(const uint8_t *bytes, size_t size, int depth, Output &output) {
    Input in(bytes, size), again(bytes, size);
    Copy<To> copy(output.writer, output.writer.begin);
    const uint8_t *end = walk<From>(in, in.begin, WireType::struct_, nullptr, copy, nullptr, depth);
    output.cursor = copy.p;
    check_end(in, end);
    must(skip<From>(again, again.begin, WireType::struct_, nullptr, depth) == end);
    must(again.status == in.status && again.at == in.at);
    return end != nullptr;
}

// Copying a struct to the other wire, back, and to the other wire again must give the same bytes.
template <class From, class To> void there_and_back(const uint8_t *bytes, size_t size, int depth) {
    Output there, back, again;
    if (!copy_struct<From, To>(bytes, size, depth, there)) return;
    must(copy_struct<To, From>(there.writer.begin, there.size(), depth, back));
    must(copy_struct<From, To>(back.writer.begin, back.size(), depth, again));
    must(there.size() == again.size() && memcmp(there.writer.begin, again.writer.begin, there.size()) == 0);
}

// Scans pieces of growing size, each in memory of its own. The end must be the same as in the whole input.
template <class Wire> void scan_pieces(const uint8_t *bytes, size_t size, int depth) {
    Input in(bytes, size);
    const uint8_t *end = skip<Wire>(in, bytes, WireType::struct_, nullptr, depth);
    ScanLevel<Wire> levels[128];
    Scan<Wire> scan;
    scan_begin(scan, levels, depth);
    Scanned scanned = Scanned::more;
    for (size_t piece = 0; scanned == Scanned::more; piece += 1 + piece / 2) {
        size_t most = piece < size ? piece : size;
        uint8_t *own = static_cast<uint8_t *>(malloc(most ? most : 1));
        if (most) memcpy(own, bytes, most);
        scanned = scan_feed(scan, own, most);
        free(own);
        if (most == size) break;
    }
    Scanned expected = end ? Scanned::done : in.status == Status::truncated ? Scanned::more : Scanned::bad;
    must(scanned == expected);
    must(!end || scan.at == static_cast<size_t>(end - bytes));
}

// Compares the slow check of the whole text with the fast check of two halves, cut between characters.
void check_text(const uint8_t *bytes, size_t size) {
    Text text = utf8_check(bytes, size);
    must(utf8_check_slow(bytes, bytes + size) == (text == Text::broken ? Text::broken : Text::utf8));
    size_t half = size / 2;
    while (half < size && (bytes[half] & 0xc0) == 0x80) half++;
    bool broken = utf8_check(bytes, half) == Text::broken || utf8_check(bytes + half, size - half) == Text::broken;
    must(broken == (text == Text::broken));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    int depth = *data >> 1;
    bool compact = *data & 1;
    data++, size--;
    check_text(data, size);
    if (depth > 0) compact ? scan_pieces<Compact>(data, size, depth) : scan_pieces<Binary>(data, size, depth);
    if (compact) {
        there_and_back<Compact, Binary>(data, size, depth);
    } else {
        there_and_back<Binary, Compact>(data, size, depth);
    }
    return 0;
}
