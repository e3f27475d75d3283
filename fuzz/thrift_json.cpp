// Fuzzes the code that reads Thrift's JSON without Ruby. It reads the events of a struct at once and piece by piece, and
// copies it to the binary protocol and back. The first byte is the greatest depth.
#include "wire/thrift/json.hpp"

#include "output.hpp"
#include "seen.hpp"
#include "wire/thrift/binary.hpp"
#include "wire/thrift/copy.hpp"
#include "wire/thrift/events.hpp"

using namespace sparpack;

namespace {

void must(bool x) {
    if (!x) __builtin_trap();
}

template <class From, class To> bool copied(const Bytes &bytes, int depth, Bytes *to) {
    Input in(bytes.data(), bytes.size());
    GrowingOutput output;
    Copy<To> copy(output.writer, output.writer.begin);
    const uint8_t *end = walk_whole<typename From::Events>(in, in.begin, copy, depth);
    if (end) {
        must(in.status == Status::ok && end > in.begin && end <= in.end);
        *to = output.finish(copy.p);
    } else {
        must((in.status != Status::ok || copy.status != Status::ok) && in.at >= in.begin && in.at <= in.end);
    }
    return end != nullptr;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    int depth = *data;
    Bytes text(data + 1, data + size);
    text.reserve(1);
    using Grammar = ThriftJson::Events;
    seen::Events whole = seen::at_once<Grammar>(text.data(), text.size(), depth);
    must(seen::tiles<Grammar>(whole, text.data()));
    must(seen::same(whole, seen::in_pieces<Grammar>(text.data(), text.size(), depth, [](size_t at) { return 1 + at / 3; })));
    must(seen::reads_exactly<Grammar>(text.data(), text.size(), depth));
    Bytes binary, written, again, same;
    if (!copied<ThriftJson, Binary>(text, depth, &binary)) return 0;
    must(copied<Binary, ThriftJson>(binary, depth, &written));
    must(copied<ThriftJson, Binary>(written, depth, &again));
    must(copied<Binary, ThriftJson>(again, depth, &same) && same == written);  // an empty container may have got other types
    return 0;
}
