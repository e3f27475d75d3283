// Walks over random bytes, and over random values that are copied from one wire to the other and back.
#include "wire/walk.hpp"

#include <cstdlib>
#include <vector>

#include "check.hpp"
#include "wire/binary.hpp"
#include "wire/compact.hpp"

using namespace sparpack;

namespace {

using Bytes = std::vector<uint8_t>;

// Begins with no room, so that it has to grow at every place.
struct Output {
    Writer writer;
    Bytes bytes;

    Output() : writer{} {
        bytes.reserve(1);
        writer.begin = writer.end = bytes.data();
        writer.grow = grow;
    }

    static uint8_t *grow(Writer &w, uint8_t *p, size_t need) {
        Output &output = reinterpret_cast<Output &>(w);
        size_t used = static_cast<size_t>(p - w.begin);
        output.bytes.resize(used + need);
        output.bytes.shrink_to_fit();
        w.begin = output.bytes.data();
        w.end = w.begin + output.bytes.size();
        return w.begin + used;
    }

    Bytes finish(const uint8_t *p) { return Bytes(static_cast<const uint8_t *>(writer.begin), p); }
};

constexpr WireType types[] = {WireType::bool_, WireType::i8,  WireType::double_, WireType::i16,
                              WireType::i32,   WireType::i64, WireType::string,  WireType::struct_,
                              WireType::map,   WireType::set, WireType::list,    WireType::uuid};

// Writes a random value of a type, as a field of a struct or as an element.
template <class Wire> struct Maker {
    Random random;
    Copy<Wire> copy;

    WireType type(int depth) {
        WireType found = types[random.below(sizeof types / sizeof *types)];
        bool nested =
            found == WireType::struct_ || found == WireType::map || found == WireType::set || found == WireType::list;
        return nested && depth <= 0 ? WireType::i64 : found;
    }

    void value(WireType type, typename Wire::Frame *frame, int depth) {
        switch (type) {
        case WireType::bool_: return copy.boolean(frame, random.below(2) == 1);
        case WireType::i8: return copy.integer(type, static_cast<int8_t>(random.next()));
        case WireType::i16: return copy.integer(type, static_cast<int16_t>(random.next()));
        case WireType::i32: return copy.integer(type, static_cast<int32_t>(random.next() >> 32) >> random.below(31));
        case WireType::i64: return copy.integer(type, static_cast<int64_t>(random.next()) >> random.below(63));
        case WireType::double_: return copy.real(static_cast<double>(random.next()));
        case WireType::string: return text(random.below(30));
        case WireType::uuid: return copy.uuid(reinterpret_cast<const uint8_t *>("0123456789abcdef"));
        case WireType::list:
        case WireType::set: return list(random.below(depth > 1 ? 4 : 20), this->type(depth - 1), depth - 1);
        case WireType::map: return map(random.below(3), this->type(depth - 1), this->type(depth - 1), depth - 1);
        case WireType::struct_: return fields(depth - 1);
        case WireType::stop: abort();
        }
    }

    void text(size_t size) { copy.bytes(reinterpret_cast<const uint8_t *>("thirty characters and no more!"), size); }

    void list(size_t count, WireType element, int depth) {
        copy.list(element, count);
        for (size_t i = 0; i < count; i++) value(element, nullptr, depth);
    }

    void map(size_t count, WireType key, WireType element, int depth) {
        copy.map(key, element, count);
        for (size_t i = 0; i < count; i++) value(key, nullptr, depth), value(element, nullptr, depth);
    }

    void fields(int depth) {
        typename Wire::Frame frame{};
        for (uint64_t n = random.below(6); n > 0; n--) {
            int32_t id =
                random.below(3) ? frame.id + static_cast<int32_t>(random.below(20)) : static_cast<int16_t>(random.next());
            WireType kind = type(depth);
            copy.field(frame, id > INT16_MAX ? 1 : id, kind);
            value(kind, &frame, depth);
        }
        copy.stop();
    }
};

// The frame keeps the last id only when a field is written, so a second walk over what was copied must say the same.
template <class From, class To> bool copied(const Bytes &bytes, int depth, Bytes *out, Status *status) {
    Input in(bytes.data(), bytes.size());
    Output output;
    Copy<To> copy(output.writer, output.writer.begin);
    const uint8_t *end = walk<From>(in, in.begin, WireType::struct_, nullptr, copy, nullptr, depth);
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
        Output output;
        Maker<Wire> maker{Random{static_cast<uint64_t>(i)}, Copy<Wire>(output.writer, output.writer.begin)};
        maker.fields(3);
        Bytes bytes = output.finish(maker.copy.p), copy;
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
    Output output;
    Copy<Wire> copy(output.writer, output.writer.begin);
    for (int i = 0; i < 100; i++) {
        typename Wire::Frame frame{};
        copy.field(frame, 1, WireType::struct_);
    }
    for (int i = 0; i < 101; i++) copy.stop();
    Bytes bytes = output.finish(copy.p), out;
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
