// Fuzzes the code that reads Thrift without Ruby. It reads the events of a struct at once and piece by piece, skips it, and
// copies it from one of Thrift's wires to the other and back. The first byte selects the wire of the rest and its greatest
// depth.
#include "wire/thrift/events.hpp"

#include "bytes/utf8.hpp"
#include "output.hpp"
#include "seen.hpp"
#include "wire/thrift/binary.hpp"
#include "wire/thrift/compact.hpp"
#include "wire/thrift/copy.hpp"

using namespace sparpack;

namespace {

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

template <class From, class To> bool copy_struct(const Bytes &bytes, int depth, Bytes &to) {
    Input in(bytes.data(), bytes.size()), again(bytes.data(), bytes.size());
    GrowingOutput output;
    Copy<To> copy(output.writer, output.writer.begin);
    const uint8_t *end = walk_whole<ThriftEvents<From>>(in, in.begin, copy, depth);
    check_end(in, end);
    must(skip<From>(again, again.begin, WireType::struct_, nullptr, depth) == end);
    must(again.status == in.status && again.at == in.at);
    to = output.finish(copy.p);
    return end != nullptr;
}

// Copying a struct to the other wire, back, and to the other wire again must give the same bytes. What a copy takes in the
// binary protocol is known before.
template <class From, class To> void there_and_back(const Bytes &bytes, int depth) {
    Bytes there, back, again;
    if (!copy_struct<From, To>(bytes, depth, there)) return;
    must(copy_struct<To, From>(there, depth, back));
    must(copy_struct<From, To>(back, depth, again));
    must(there == again);
    BinarySize measure;
    Input in(bytes.data(), bytes.size());
    must(walk_whole<ThriftEvents<From>>(in, in.begin, measure, depth) != nullptr);
    Bytes binary;
    must((copy_struct<From, Binary>(bytes, depth, binary)) && measure.size == binary.size());
}

// Pieces of growing size must give the same events as the whole input.
template <class Wire> void in_pieces(const Bytes &bytes, int depth) {
    using Grammar = ThriftEvents<Wire>;
    seen::Events whole = seen::at_once<Grammar>(bytes.data(), bytes.size(), depth);
    must(seen::tiles<Grammar>(whole, bytes.data()));
    must(seen::same(whole,
                    seen::in_pieces<Grammar>(bytes.data(), bytes.size(), depth, [](size_t at) { return 1 + at / 3; })));
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

template <class Wire, class Other> void check(const Bytes &bytes, int depth) {
    in_pieces<Wire>(bytes, depth);
    must(seen::reads_exactly<ThriftEvents<Wire>>(bytes.data(), bytes.size(), depth));
    there_and_back<Wire, Other>(bytes, depth);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    int depth = *data >> 1;
    Bytes bytes(data + 1, data + size);
    bytes.reserve(1);
    check_text(bytes.data(), bytes.size());
    if (*data & 1) {
        check<Compact, Binary>(bytes, depth);
    } else {
        check<Binary, Compact>(bytes, depth);
    }
    return 0;
}
