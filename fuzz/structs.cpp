// Fuzzes the functions with which the codec reads and writes structs in JSON, in Thrift's JSON and in all forms of
// MessagePack. The first byte selects the wire, the second one the depth, and the third one where the payload comes from:
// the bytes themselves, or a value that is made from them, written, and damaged.
#include "model/codec.hpp"
#include "seen.hpp"

using namespace model;

namespace {

// The grammar of a wire, which knows no schema, must read whatever the codec reads, to the same end, and in pieces, too.
template <class Wire> void check_grammar(const Bytes &bytes, const Outcome &outcome, int depth) {
    using Grammar = typename Wire::Events;
    Input in(bytes.data(), bytes.size());
    const uint8_t *start = in.begin;
    if constexpr (Wire::traits.spaces) start = Wire::begin_payload(in, start);
    size_t lead = static_cast<size_t>(start - in.begin), size = bytes.size() - lead;
    seen::Events whole = seen::at_once<Grammar>(start, size, depth);
    must(whole.status == Status::ok && lead + whole.end == outcome.end);
    must(seen::same(whole, seen::in_pieces<Grammar>(start, size, depth, [](size_t at) { return 1 + at / 3; })));
    must(seen::reads_exactly<Grammar>(start, size, depth));
}

// A beginning of a payload is truncated. A beginning of bytes that are wrong is truncated or wrong in the same way.
template <class Wire> void check_beginnings(const Bytes &bytes, const Outcome &outcome, int depth) {
    bool fine = outcome.status == Status::ok || outcome.status == Status::truncated;
    size_t end = fine ? outcome.end : bytes.size(), step = 1 + end / 24;
    if (outcome.status == Status::truncated) end = bytes.size();
    for (size_t size = bytes.size() % step; size < end; size += step) {
        Status status = decode<Wire>(bytes.data(), size, depth).status;
        bool long_name = status == Status::bad_wire_type;  // a name of a type that is too long is wrong before it ends
        must(status == Status::truncated || (!fine && (long_name || status == outcome.status)));
    }
}

template <class Wire> void check_writes(const Value &value, int depth) {
    for (bool integer_text : {false, Wire::traits.integer_text}) {
        Bytes bytes = encode<Wire>(value, integer_text);
        Outcome again = decode<Wire>(bytes.data(), bytes.size(), depth);
        must(again.status == Status::ok && again.end == bytes.size() && same(again.value, value));
    }
}

template <class Wire> void check(const Bytes &bytes, int depth) {
    Outcome outcome = decode<Wire>(bytes.data(), bytes.size(), depth);
    check_beginnings<Wire>(bytes, outcome, depth);
    if (outcome.status != Status::ok) return;
    check_grammar<typename Wire::Reader>(bytes, outcome, depth);
    if (!outcome.writable) return;
    check_writes<Json>(outcome.value, depth);
    check_writes<MessagePackArray>(outcome.value, depth);
    check_writes<MessagePackNames>(outcome.value, depth);
    check_writes<MessagePackIds>(outcome.value, depth);
    if (!has_compound_keys(any, outcome.value)) check_writes<ThriftJson>(outcome.value, depth);
}

// Changes some bytes, or none.
void damage(Source &source, Bytes &bytes) {
    static const uint8_t telling[] = {0,   0x7f, 0x80, 0x90, 0xc0, 0xc1, 0xff, '"', '\\', '{',
                                      '}', '[',  ']',  ',',  ':',  ' ',  '0',  '-', 'e'};
    for (int count = source.next() % 4; count > 0 && !bytes.empty(); count--) {
        size_t at = static_cast<size_t>(source.number(2) & 0xffff) % bytes.size();
        auto place = bytes.begin() + static_cast<long>(at);
        uint8_t what = source.next(), byte = telling[what % sizeof telling];
        switch (source.next() % 6) {
        case 0: *place = byte; break;
        case 1: *place = what; break;
        case 2: *place ^= static_cast<uint8_t>(1 << what % 8); break;
        case 3: bytes.insert(place, byte); break;
        case 4: bytes.erase(place); break;
        case 5: bytes.insert(place, bytes.begin(), bytes.begin() + static_cast<long>(at)); break;
        }
    }
    bytes.shrink_to_fit();
}

template <class Wire> void fuzz(Source source, int depth, bool made) {
    Bytes bytes(source.p, source.end);
    if (made) {
        Source marks{source.p, source.p + (source.end - source.p) / 4};  // these bytes serve twice
        Value value = make(source, any, depth - 1);
        if (!Wire::traits.container_keys && has_compound_keys(any, value)) return;
        check_writes<Wire>(value, depth);
        bytes = encode<Wire>(value);
        damage(marks, bytes);
    }
    bytes.reserve(1);
    check<Wire>(bytes, depth);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3) return 0;
    int depth = 1 + data[1] % 12;
    bool made = data[2] & 1;
    Source source{data + 3, data + size};
    switch (data[0] % 5) {
    case 0: fuzz<Json>(source, depth, made); break;
    case 1: fuzz<ThriftJson>(source, depth, made); break;
    case 2: fuzz<MessagePackArray>(source, depth, made); break;
    case 3: fuzz<MessagePackNames>(source, depth, made); break;
    case 4: fuzz<MessagePackIds>(source, depth, made); break;
    }
    return 0;
}
