// Each grammar's two forms see the same events, wherever the pieces of a payload end, and the events' ranges tile it. With
// arguments (a wire and a file, and so on) it checks the payloads in those files instead of random ones.
#include <cstdio>
#include <ctime>
#include <string>

#include "seen.hpp"
#include "thrift_maker.hpp"
#include "wire/thrift/binary.hpp"
#include "wire/thrift/compact.hpp"
#include "wire/message_pack/end.hpp"
#include "wire/thrift/events.hpp"

using namespace sparpack;
using seen::Events;

namespace {

constexpr int depth = 200;

std::string name;  // of the payload that is checked

template <class Grammar> Events check_pieces(const Bytes &bytes, size_t sizes, size_t cuts) {
    Events whole = seen::at_once<Grammar>(bytes.data(), bytes.size(), depth);
    CHECK(seen::tiles<Grammar>(whole, bytes.data()), "%s", name.c_str());
    // What is cut comes again with the next piece, so tiny pieces of a long string would take too long.
    for (size_t size = 1 + bytes.size() / 300; size <= bytes.size(); size += 1 + bytes.size() / sizes) {
        Events pieces = seen::in_pieces<Grammar>(bytes.data(), bytes.size(), depth, [&](size_t) { return size; });
        CHECK(seen::same(whole, pieces), "%s in pieces of %zu", name.c_str(), size);
    }
    for (size_t cut = 0; cut <= bytes.size(); cut += 1 + bytes.size() / cuts) {
        Events pieces = seen::in_pieces<Grammar>(bytes.data(), bytes.size(), depth,
                                                 [&](size_t at) { return at < cut ? cut - at : bytes.size(); });
        CHECK(seen::same(whole, pieces), "%s cut at %zu", name.c_str(), cut);
    }
    return whole;
}

// A payload that ends too early is truncated, and what is seen of it is seen of the whole one. Only JSON's numbers may end
// earlier.
template <class Grammar> void check_shorter(const Bytes &bytes, const Events &whole, size_t cuts) {
    for (size_t cut = 0; cut < whole.end; cut += 1 + bytes.size() / cuts) {
        Events shorter = seen::at_once<Grammar>(bytes.data(), cut, depth);
        CHECK(shorter.status == Status::truncated || status_is_syntax(shorter.status), "%s up to %zu", name.c_str(), cut);
        CHECK(shorter.all.size() < whole.all.size(), "%s up to %zu", name.c_str(), cut);
        for (size_t i = 0; i < shorter.all.size(); i++) {
            bool number = std::is_same<Grammar, JsonEvents>::value && shorter.all[i].end == cut;
            CHECK(shorter.all[i] == whole.all[i] || number, "%s up to %zu: event %zu", name.c_str(), cut, i);
        }
    }
}

// `most` bounds how many sizes and cuts are tried.
template <class Grammar> void check(const Bytes &bytes, size_t most) {
    Events whole = check_pieces<Grammar>(bytes, most, most);
    CHECK(whole.status == Status::ok, "%s: status %d at %zu", name.c_str(), static_cast<int>(whole.status), whole.end);
    if (whole.status != Status::ok) return;
    check_shorter<Grammar>(bytes, whole, most);
    CHECK(seen::reads_exactly<Grammar>(bytes.data(), bytes.size(), depth), "%s", name.c_str());
    if (bytes.size() < 3000) CHECK(seen::reads_exactly<Grammar>(bytes.data(), bytes.size(), depth, 1), "%s", name.c_str());
}

// Bytes that are wrong somewhere are wrong at the same place in both forms.
template <class Grammar> void check_broken(Bytes bytes, uint64_t seed) {
    Random random{seed};
    for (int i = 0; i < 10; i++) {
        size_t at = random.below(bytes.size());
        uint8_t before = bytes[at];
        bytes[at] = static_cast<uint8_t>(random.next());
        check_pieces<Grammar>(bytes, 5, 10);
        bytes[at] = before;
    }
}

template <class Wire> void check_thrift() {
    for (uint64_t seed = 0; seed < 60; seed++) {
        name = "thrift " + std::to_string(seed);
        Maker<Wire> maker(seed);
        maker.fields(3);
        Bytes bytes = maker.finish();
        check<ThriftEvents<Wire>>(bytes, 60);
        check_broken<ThriftEvents<Wire>>(bytes, seed);
    }
}

struct MessagePackMaker {
    Random random;
    GrowingOutput output;
    uint8_t *p;

    explicit MessagePackMaker(uint64_t seed) : random{seed}, p(output.writer.begin) {}

    void string(size_t size) {
        static const char text[301] = {};
        p = writer_append(output.writer, p, text, size);
    }

    void value(int levels) {
        Writer &w = output.writer;
        p = writer_reserve(w, p, MessagePack::header_max);
        size_t size = random.below(random.below(5) ? 20 : 300);
        switch (random.below(levels > 0 ? 11 : 8)) {
        case 0: p = MessagePack::write_byte(w, p, MessagePack::nil_byte); break;
        case 1: p = MessagePack::write_byte(w, p, random.below(2) ? MessagePack::true_byte : MessagePack::false_byte); break;
        case 2: p = MessagePack::write_integer(w, p, static_cast<int64_t>(random.next()) >> random.below(64)); break;
        case 3: p = MessagePack::write_unsigned(w, p, random.next()); break;
        case 4: p = random.below(2) ? MessagePack::write_double(w, p, 0.5) : MessagePack::write_float(w, p, 2.5F); break;
        case 5: p = MessagePack::write_str(w, p, size), string(size); break;
        case 6: p = MessagePack::write_bin(w, p, size), string(size); break;
        case 7: p = MessagePack::write_ext(w, p, static_cast<int8_t>(random.next()), size), string(size); break;
        case 8:
        case 9:
            size = random.below(20);
            p = MessagePack::write_array(w, p, size);
            for (size_t i = 0; i < size; i++) value(levels - 1);
            break;
        case 10:
            size = random.below(20);
            p = MessagePack::write_map(w, p, size);
            for (size_t i = 0; i < 2 * size; i++) value(levels - 1);
            break;
        }
    }

    Bytes finish() { return output.finish(p); }
};

// The pieces are scanned one by one, and nothing is kept of them.
void check_end(const Bytes &bytes, size_t expected, size_t piece) {
    MessagePackEnd end;
    message_pack_end_begin(end);
    size_t at = 0;
    Pulled pulled = Pulled::more;
    while (at < bytes.size() && pulled == Pulled::more) {
        size_t some = bytes.size() - at < piece ? bytes.size() - at : piece;
        Bytes copy(bytes.begin() + static_cast<long>(at), bytes.begin() + static_cast<long>(at + some));
        copy.shrink_to_fit();
        Input in(copy.data(), some);
        const uint8_t *p = copy.data();
        CHECK(message_pack_end_missing(end) > 0 || at == 0);
        pulled = message_pack_end_find(end, in, p);
        at += static_cast<size_t>(p - copy.data());
    }
    CHECK(pulled == Pulled::done && at == expected, "%s in pieces of %zu: %zu", name.c_str(), piece, at);
    CHECK(message_pack_end_missing(end) == 0, "%s", name.c_str());
}

void check_message_pack() {
    for (uint64_t seed = 0; seed < 100; seed++) {
        name = "message_pack " + std::to_string(seed);
        MessagePackMaker maker(seed);
        maker.value(3);
        Bytes bytes = maker.finish();
        check<MessagePackEvents>(bytes, 30);
        check_broken<MessagePackEvents>(bytes, seed);
        size_t size = bytes.size();
        bytes.push_back(0xc1);  // belongs to what follows
        for (size_t piece = 1; piece <= bytes.size(); piece += 1 + piece / 8) check_end(bytes, size, piece);
        Input in(bytes.data(), bytes.size());
        CHECK(message_pack_skip(in, bytes.data()) == bytes.data() + size, "%s", name.c_str());
    }
}

struct JsonMaker {
    Random random;
    std::string text;

    void space() {
        for (uint64_t n = random.below(4) ? 0 : random.below(4); n > 0; n--) text += " \n\t\r"[random.below(4)];
    }

    void string() {
        static const char *parts[] = {
            "a", "word ", "\\n", "\\\"", "\\u00e9", "\\ud83d\\ude00", "\\ud83d", "\xc3\xa9", "\xf0\x9f\x98\x80", "\xff"};
        text += '"';
        for (uint64_t n = random.below(8); n > 0; n--) text += parts[random.below(sizeof parts / sizeof *parts)];
        text += '"';
    }

    void value(int levels) {
        static const char *numbers[] = {
            "0",        "-1",    "18446744073709551615", "-9223372036854775808", "123456789012345678901", "-0", "1.5",
            "-2.25e-7", "1E400", "9223372036854775808"};
        space();
        uint64_t count = random.below(6);
        switch (random.below(levels > 0 ? 9 : 6)) {
        case 0: text += "null"; break;
        case 1: text += "true"; break;
        case 2: text += "false"; break;
        case 3: string(); break;
        case 4:
        case 5: text += numbers[random.below(sizeof numbers / sizeof *numbers)]; break;
        case 6:
        case 7:
            text += '[';
            for (uint64_t i = 0; i < count; i++) text += i ? "," : "", value(levels - 1), space();
            space(), text += ']';
            break;
        case 8:
            text += '{';
            for (uint64_t i = 0; i < count; i++) {
                text += i ? "," : "", space(), string(), space(), text += ':', value(levels - 1), space();
            }
            space(), text += '}';
            break;
        }
    }
};

void check_json() {
    for (uint64_t seed = 0; seed < 200; seed++) {
        name = "json " + std::to_string(seed);
        JsonMaker maker{{seed}, {}};
        maker.value(3);
        Bytes bytes(maker.text.begin(), maker.text.end());
        bool number = is_digit(bytes.back());  // its first digits are a number, too
        if (number) {
            CHECK(check_pieces<JsonEvents>(bytes, 60, 60).status == Status::ok, "%s", name.c_str());
        } else {
            check<JsonEvents>(bytes, 60);
        }
        check_broken<JsonEvents>(bytes, seed);
    }
}

// The end of a long string or number is found in linear time, even if it comes byte by byte.
void check_long_tokens() {
    constexpr size_t length = 1000000;
    for (const char *part : {"x", "\\n", "\\\\", "\\\"", "\\u00e9", "\\ud83d\\ude00", "\xc3\xa9", "1", "\t"}) {
        bool number = *part == '1', space = *part == '\t';
        std::string text = number ? "[1." : space ? "[" : "[\"";
        while (text.size() < length) text += part;
        text += number ? "e1]" : space ? "]" : "\"]";
        Bytes bytes(text.begin(), text.end());
        PullEnd<JsonEvents>::Level levels[3];
        PullEnd<JsonEvents> search;
        pull_end_begin(search, levels, 2);
        clock_t start = clock();
        size_t size = 0;
        Pulled pulled = Pulled::more;
        // Looking at the clock takes longer than looking at a byte.
        auto late = [&] { return size % 1024 == 0 && clock() - start > 10 * CLOCKS_PER_SEC; };
        while (pulled == Pulled::more && size < bytes.size() && !late())
            pulled = pull_end_find(search, bytes.data(), ++size);
        CHECK(pulled == Pulled::done && size == bytes.size(), "%s: up to %zu of %zu", part, size, bytes.size());
    }
}

// A token that is wrong is found to be so at its wrong byte. More bytes may never come.
void check_wrong_tokens() {
    for (const char *text :
         {"[\"abcd\n", "[\"abcd\\x", "[\"abcd\\u12g", "[1234.5x", "[1234..", "[01", "[truf", "[1,]", "{1"}) {
        size_t size = strlen(text);
        PullEnd<JsonEvents>::Level levels[3];
        PullEnd<JsonEvents> search;
        pull_end_begin(search, levels, 2);
        for (size_t there = 0; there <= size; there++) {
            Pulled pulled = pull_end_find(search, reinterpret_cast<const uint8_t *>(text), there);
            CHECK(pulled == (there < size ? Pulled::more : Pulled::bad), "%s up to %zu", text, there);
        }
    }
}

// Exactly as many levels as are allowed can be opened, in both forms.
template <class Grammar> void check_depth(const Bytes &bytes, int levels, size_t at) {
    for (int most : {levels - 1, levels, levels + 1}) {
        Events whole = seen::at_once<Grammar>(bytes.data(), bytes.size(), most);
        Events pieces = seen::in_pieces<Grammar>(bytes.data(), bytes.size(), most, [](size_t) { return size_t{1}; });
        CHECK(seen::same(whole, pieces), "%d of %d levels", most, levels);
        CHECK(whole.status == (most < levels ? Status::too_deep : Status::ok), "%d of %d levels", most, levels);
        CHECK(most >= levels || whole.end == at, "%d of %d levels: %zu", most, levels, whole.end);
    }
}

template <class Wire> void check_thrift_depth() {
    Maker<Wire> maker(0);
    size_t deepest = 0;
    for (int i = 0; i < 20; i++) {
        typename Wire::Frame frame{};
        maker.field(frame, 1, WireType::struct_);
        deepest = static_cast<size_t>(maker.p - maker.output.writer.begin);
    }
    for (int i = 0; i < 21; i++) maker.stop();
    check_depth<ThriftEvents<Wire>>(maker.finish(), 21, deepest);
}

void check_depths() {
    check_thrift_depth<Compact>();
    check_thrift_depth<Binary>();
    Bytes arrays(20, 0x91), brackets(20, '[');
    arrays.push_back(0x90);
    check_depth<MessagePackEvents>(arrays, 21, 20);
    brackets.insert(brackets.end(), 20, ']');
    check_depth<JsonEvents>(brackets, 20, 19);
    Bytes maps;
    for (int i = 0; i < 9; i++) maps.insert(maps.end(), {0x81, 0xc0});
    maps.push_back(0x80);
    check_depth<MessagePackEvents>(maps, 10, 18);
}

// Takes so many events, and then refuses one.
struct Refuse {
    struct Level {
        int depth;
    };

    seen::Collect collect;
    int left;

    bool refuses() { return left-- <= 0; }
    bool field(Level &level, const event::Field &field) { return !refuses() && collect.add(field, level.depth); }
    bool scalar(Level &level, const event::Scalar &scalar) { return !refuses() && collect.add(scalar, level.depth); }
    bool open(Level &outer, Level &inner, const event::Open &open) {
        inner.depth = outer.depth + 1;
        return !refuses() && collect.add(open, outer.depth);
    }
    bool close(Level &inner, Level &, const event::Close &close) { return !refuses() && collect.add(close, inner.depth); }
};

// A sink that refuses an event gets the same event again.
template <class Grammar> void check_refusals(const Bytes &bytes) {
    Events whole = seen::at_once<Grammar>(bytes.data(), bytes.size(), depth);
    std::vector<PullLevel<Grammar, Refuse>> levels(depth + 1);
    Pull<Grammar, Refuse> pull;
    pull_begin(pull, levels.data(), depth);
    Input in(bytes.data(), bytes.size());
    const uint8_t *p = bytes.data();
    std::vector<seen::Seen> all;
    for (size_t i = 0; i < whole.all.size(); i++) {
        Refuse none{{in, all}, 0}, one{{in, all}, 1};
        CHECK(pull_all(pull, in, p, none) == Pulled::stopped && all.size() == i, "event %zu", i);
        Pulled pulled = pull_all(pull, in, p, one);
        CHECK(pulled == (i + 1 < whole.all.size() ? Pulled::stopped : Pulled::done), "event %zu", i);
        CHECK(all.size() == i + 1 && all[i] == whole.all[i], "event %zu", i);
    }
    CHECK(p == bytes.data() + bytes.size());
}

// A container opens before its elements are there, unless no more bytes follow.
template <class Wire> void check_early(WireType type) {
    Maker<Wire> maker(0);
    typename Wire::Frame frame{};
    maker.field(frame, 1, type);
    maker.reserve();
    maker.p = type == WireType::map ? Wire::write_map(maker.output.writer, maker.p, WireType::i64, WireType::i64, 1000)
                                    : Wire::write_list(maker.output.writer, maker.p, WireType::i64, 1000);
    Bytes bytes = maker.finish();
    for (bool last : {false, true}) {
        PullLevel<ThriftEvents<Wire>, Record> levels[3];
        Pull<ThriftEvents<Wire>, Record> pull;
        pull_begin(pull, levels, 2);
        Input in(bytes.data(), bytes.size(), last);
        const uint8_t *p = bytes.data();
        Event event;
        int opened = 0;
        Pulled pulled;
        while ((pulled = pull_event(pull, in, p, event)) == Pulled::event) opened += event.kind == Event::Kind::open;
        CHECK(opened == (last ? 1 : 2) && pulled == (last ? Pulled::bad : Pulled::more), "%d opened", opened);
        CHECK(last || (event.open.count == 1000 && p == bytes.data() + bytes.size()));
    }
}

void check_all_refusals() {
    for (uint64_t seed = 1; seed < 20; seed++) {
        Maker<Compact> compact(seed);
        compact.fields(3);
        check_refusals<ThriftEvents<Compact>>(compact.finish());
        Maker<Binary> binary(seed);
        binary.fields(3);
        check_refusals<ThriftEvents<Binary>>(binary.finish());
        MessagePackMaker message_pack(seed);
        message_pack.value(3);
        check_refusals<MessagePackEvents>(message_pack.finish());
        JsonMaker json{{seed}, {}};
        json.value(3);
        check_refusals<JsonEvents>(Bytes(json.text.begin(), json.text.end()));
    }
}

void check_file(const std::string &wire, const char *path) {
    FILE *file = fopen(path, "rb");
    CHECK(file, "%s", path);
    if (!file) return;
    Bytes bytes;
    for (int byte; (byte = fgetc(file)) != EOF;) bytes.push_back(static_cast<uint8_t>(byte));
    fclose(file);
    bytes.shrink_to_fit();
    name = path;
    size_t most = bytes.size() < 400 ? bytes.size() + 1 : 25;
    if (wire == "compact") {
        check<ThriftEvents<Compact>>(bytes, most);
    } else if (wire == "binary") {
        check<ThriftEvents<Binary>>(bytes, most);
    } else if (wire == "message_pack") {
        check<MessagePackEvents>(bytes, most);
    } else if (wire == "json") {
        check<JsonEvents>(bytes, most);
    } else {
        CHECK(false, "%s", wire.c_str());
    }
}

}  // namespace

int main(int count, char **arguments) {
    for (int i = 1; i + 1 < count; i += 2) check_file(arguments[i], arguments[i + 1]);
    if (count > 1) return wrong ? 1 : 0;
    check_thrift<Compact>();
    check_thrift<Binary>();
    check_message_pack();
    check_json();
    check_long_tokens();
    check_wrong_tokens();
    check_depths();
    check_all_refusals();
    for (WireType type : {WireType::list, WireType::set, WireType::map})
        check_early<Compact>(type), check_early<Binary>(type);
    return wrong ? 1 : 0;
}
