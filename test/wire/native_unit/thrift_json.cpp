// The grammar of Thrift's JSON: random values that are copied from compact are read at once and in pieces, cut, changed, and
// copied to the binary protocol and back.
#include "seen.hpp"
#include "thrift_maker.hpp"
#include "wire/thrift/binary.hpp"
#include "wire/thrift/compact.hpp"
#include "wire/thrift/events.hpp"
#include "wire/thrift/json.hpp"

using namespace sparpack;

namespace {

constexpr int depth = 20;

template <class From, class To> bool copied(const Bytes &bytes, Bytes *to, Status *status) {
    Input in(bytes.data(), bytes.size());
    GrowingOutput output;
    Copy<To> copy(output.writer, output.writer.begin);
    const uint8_t *end = walk_whole<typename From::Events>(in, in.begin, copy, depth);
    *status = in.status == Status::ok ? copy.status : in.status;
    CHECK(!end || (end > in.begin && end <= in.end));
    CHECK(end || *status != Status::ok);
    if (end) *to = output.finish(copy.p);
    return end != nullptr;
}

// Both forms see the same, wherever the pieces end.
void check_pieces(const Bytes &text) {
    using Grammar = ThriftJson::Events;
    seen::Events whole = seen::at_once<Grammar>(text.data(), text.size(), depth);
    CHECK(seen::tiles<Grammar>(whole, text.data()), "%.*s", static_cast<int>(text.size()), text.data());
    for (size_t size = 1; size <= text.size(); size += 1 + text.size() / 8) {
        seen::Events pieces = seen::in_pieces<Grammar>(text.data(), text.size(), depth, [&](size_t) { return size; });
        CHECK(seen::same(whole, pieces), "pieces of %zu: %.*s", size, static_cast<int>(text.size()), text.data());
    }
    for (size_t cut = 0; cut < text.size(); cut += 1 + text.size() / 30) {
        seen::Events pieces = seen::in_pieces<Grammar>(text.data(), text.size(), depth,
                                                       [&](size_t at) { return at < cut ? cut - at : text.size(); });
        CHECK(seen::same(whole, pieces), "cut at %zu: %.*s", cut, static_cast<int>(text.size()), text.data());
    }
}

void check_text(const Bytes &text, uint64_t seed) {
    check_pieces(text);
    CHECK(seen::reads_exactly<ThriftJson::Events>(text.data(), text.size(), depth), "%zu", text.size());
    Bytes binary, again;
    Status status;
    CHECK((copied<ThriftJson, Binary>(text, &binary, &status)), "to binary: status %d", static_cast<int>(status));
    BinarySize measure;
    Input in(text.data(), text.size());
    CHECK(walk_whole<ThriftJson::Events>(in, in.begin, measure, depth) && measure.size == binary.size());
    CHECK((copied<Binary, ThriftJson>(binary, &again, &status)) && again == text, "back: status %d",
          static_cast<int>(status));
    for (size_t size = 0; size < text.size(); size += 1 + text.size() / 40) {
        Bytes shorter(text.begin(), text.begin() + static_cast<long>(size));
        CHECK((!copied<ThriftJson, Binary>(shorter, &binary, &status)) && status == Status::truncated, "%zu", size);
    }
    Random random{seed};
    for (int i = 0; i < 15; i++) {
        static constexpr uint8_t telling[] = "{}[]\",:\\0123456789.-+eE tfnu \n\x00\xff";
        Bytes broken = text;
        size_t at = random.below(broken.size());
        broken[at] = random.below(2) ? telling[random.below(sizeof telling)] : static_cast<uint8_t>(random.next());
        check_pieces(broken);
        copied<ThriftJson, Binary>(broken, &binary, &status);
    }
}

}  // namespace

int main() {
    int refused = 0, checked = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        Maker<Compact> maker(seed);
        maker.fields(3);
        Bytes text;
        Status status;
        if (copied<Compact, ThriftJson>(maker.finish(), &text, &status)) {
            check_text(text, seed);
            checked++;
        } else {
            CHECK(status == Status::value_not_key, "status %d", static_cast<int>(status));
            refused++;
        }
    }
    CHECK(refused > 0 && checked > 50, "%d refused, %d checked", refused, checked);
    return wrong;
}
