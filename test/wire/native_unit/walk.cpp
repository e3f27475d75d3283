// Walks over random bytes, and over random values that are copied from one wire to the other and back.
#include "wire/walk.hpp"

#include "thrift_maker.hpp"
#include "wire/thrift/binary.hpp"
#include "wire/thrift/compact.hpp"
#include "wire/thrift/events.hpp"

using namespace sparpack;

namespace {

// The frame keeps the last id only when a field is written, so a second walk over what was copied must say the same.
template <class From, class To> bool copied(const Bytes &bytes, int depth, Bytes *out, Status *status) {
    Input in(bytes.data(), bytes.size());
    GrowingOutput output;
    Copy<To> copy(output.writer, output.writer.begin);
    const uint8_t *end = walk_whole<ThriftEvents<From>>(in, in.begin, copy, depth);
    Input again(bytes.data(), bytes.size());
    const uint8_t *skipped = skip<From>(again, again.begin, WireType::struct_, nullptr, depth);
    CHECK(end == skipped && in.status == again.status && in.at == again.at, "of %zu bytes", bytes.size());
    CHECK(!end || (end > in.begin && end <= in.end));
    CHECK(end || (in.status != Status::ok && in.at >= in.begin && in.at <= in.end));
    *status = in.status;
    if (end) *out = output.finish(copy.p);
    return end != nullptr;
}

// Copies from one wire to the other, back, and again: the bytes in the other wire are the same.
template <class From, class To> bool there_and_back(const Bytes &bytes, int depth) {
    Bytes there, back, again;
    Status status;
    if (!copied<From, To>(bytes, depth, &there, &status)) return false;
    CHECK((copied<To, From>(there, depth, &back, &status)), "back: status %d", static_cast<int>(status));
    CHECK((copied<From, To>(back, depth, &again, &status)), "again: status %d", static_cast<int>(status));
    CHECK(there == again, "%zu and %zu bytes", there.size(), again.size());
    return true;
}

template <class Wire, class Other> void made(int rounds) {
    for (int i = 0; i < rounds; i++) {
        Maker<Wire> maker(static_cast<uint64_t>(i));
        maker.fields(3);
        Bytes bytes = maker.finish(), copy;
        CHECK((there_and_back<Wire, Other>(bytes, 8)), "round %d", i);
        Status status;
        CHECK((copied<Wire, Wire>(bytes, 8, &copy, &status)) && copy == bytes, "round %d", i);
        for (size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 40) {
            bool whole =
                copied<Wire, Other>(Bytes(bytes.begin(), bytes.begin() + static_cast<long>(size)), 8, &copy, &status);
            CHECK(!whole && status == Status::truncated, "round %d, %zu of %zu bytes", i, size, bytes.size());
        }
        Random random{static_cast<uint64_t>(i) + 1000};
        for (int j = 0; j < 20; j++) {
            Bytes broken = bytes;
            broken[random.below(broken.size())] = static_cast<uint8_t>(random.next());
            there_and_back<Wire, Other>(broken, 8);
        }
    }
}

template <class Wire, class Other> void random_bytes(int rounds) {
    Random random{7};
    int whole = 0;
    for (int i = 0; i < rounds; i++) {
        Bytes bytes(random.below(64));
        for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(random.next() >> (random.below(2) ? 4 : 8) & 0x1f);
        whole += there_and_back<Wire, Other>(bytes, 8);
    }
    CHECK(whole > 100, "only %d of %d were whole", whole, rounds);
}

// The depth limit stops a bomb, at the same place in both wires.
template <class Wire> void bombs() {
    Maker<Wire> maker(0);
    for (int i = 0; i < 100; i++) {
        typename Wire::Frame frame{};
        maker.field(frame, 1, WireType::struct_);
    }
    for (int i = 0; i < 101; i++) maker.stop();
    Bytes bytes = maker.finish(), out;
    Status status;
    CHECK((copied<Wire, Compact>(bytes, 101, &out, &status)));
    CHECK((!copied<Wire, Compact>(bytes, 100, &out, &status)) && status == Status::too_deep);
    CHECK((!copied<Wire, Binary>(bytes, 0, &out, &status)) && status == Status::too_deep);
}

}  // namespace

int main() {
    made<Compact, Binary>(100);
    made<Binary, Compact>(100);
    random_bytes<Compact, Binary>(20000);
    random_bytes<Binary, Compact>(20000);
    bombs<Compact>();
    bombs<Binary>();
    return wrong ? 1 : 0;
}
