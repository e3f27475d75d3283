// Compares the UTF-8 check with a reader that follows RFC 3629, one character at a time. Also uuids and short copies.
#include "bytes/utf8.hpp"

#include <string>
#include <vector>

#include "bytes/uuid.hpp"
#include "bytes/writer.hpp"
#include "check.hpp"

using namespace sparpack;

namespace {

using Bytes = std::vector<uint8_t>;

// Returns the code point at p and its size, or -1 if there is none.
long code_point(const Bytes &bytes, size_t at, size_t *size) {
    uint8_t lead = bytes[at];
    *size = lead < 0x80 ? 1 : (lead >> 5) == 6 ? 2 : (lead >> 4) == 14 ? 3 : (lead >> 3) == 30 ? 4 : 0;
    if (*size == 0 || at + *size > bytes.size()) return -1;
    long point = *size == 1 ? lead : lead & (0x7f >> *size);
    for (size_t i = 1; i < *size; i++) {
        if ((bytes[at + i] & 0xc0) != 0x80) return -1;
        point = point << 6 | (bytes[at + i] & 0x3f);
    }
    return point;
}

Text naive(const Bytes &bytes) {
    constexpr long least[] = {0, 0, 0x80, 0x800, 0x10000};
    Text text = Text::ascii;
    for (size_t at = 0, size; at < bytes.size(); at += size) {
        long point = code_point(bytes, at, &size);
        if (point < least[size] || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return Text::broken;
        if (size > 1) text = Text::utf8;
    }
    return text;
}

// The bytes are on the heap in their exact size, so that a sanitizer notices reads beyond them.
void compare(const Bytes &bytes) {
    Bytes own(bytes);
    own.shrink_to_fit();
    CHECK(utf8_check(own.data(), own.size()) == naive(own), "%zu bytes, the first is %02x", own.size(),
          own.empty() ? 0 : own[0]);
}

void append(Bytes &bytes, uint32_t point) {
    if (point < 0x80) {
        bytes.push_back(static_cast<uint8_t>(point));
    } else if (point < 0x800) {
        bytes.insert(bytes.end(), {uint8_t(0xc0 | point >> 6), uint8_t(0x80 | (point & 63))});
    } else if (point < 0x10000) {
        bytes.insert(bytes.end(),
                     {uint8_t(0xe0 | point >> 12), uint8_t(0x80 | (point >> 6 & 63)), uint8_t(0x80 | (point & 63))});
    } else {
        bytes.insert(bytes.end(), {uint8_t(0xf0 | point >> 18), uint8_t(0x80 | (point >> 12 & 63)),
                                   uint8_t(0x80 | (point >> 6 & 63)), uint8_t(0x80 | (point & 63))});
    }
}

// Checks it alone, and across the end of a 16-byte block in a text that is long enough for the wide check.
void compare_wide(const Bytes &bytes) {
    compare(bytes);
    for (size_t before = 11; before < 15; before++) {
        Bytes text = {0xc3, 0xa9};
        text.resize(2 + before, 'x');
        text.insert(text.end(), bytes.begin(), bytes.end());
        text.resize(34, 'x');
        compare(text);
    }
    Bytes text = {0xc3, 0xa9};
    text.resize(40, 'x');
    text.insert(text.end(), bytes.begin(), bytes.end());
    compare(text);
}

// The sanitizers look for reads past the end, which do not depend on the value of each byte, and are slow.
#ifdef __SANITIZE_ADDRESS__
constexpr int step = 15;
#else
constexpr int step = 1;
#endif

void every_short_sequence() {
    for (int a = 0; a < 256; a++) {
        compare_wide({uint8_t(a)});
        for (int b = 0; b < 256; b += step) {
            compare_wide({uint8_t(a), uint8_t(b)});
            for (int c : {0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff}) {
                if (a < 0xc0) break;
                compare_wide({uint8_t(a), uint8_t(b), uint8_t(c)});
                for (int d : {0x00, 0x7f, 0x80, 0xbf, 0xc0}) compare_wide({uint8_t(a), uint8_t(b), uint8_t(c), uint8_t(d)});
            }
        }
    }
}

// Puts a character or a broken byte at each place of texts of each length, so that every wide step meets it.
void every_place() {
    const std::vector<Bytes> odd = {{0xc3, 0xa9}, {0xe3, 0x81, 0x82}, {0xf0, 0x9f, 0x98, 0x80}, {0xff},
                                    {0x80},       {0xed, 0xa0, 0x80}};
    for (size_t size = 0; size <= 72; size++) {
        compare(Bytes(size, 'x'));
        for (size_t at = 0; at <= size; at++) {
            for (const Bytes &bytes : odd) {
                Bytes text(size, 'x');
                text.insert(text.begin() + static_cast<long>(at), bytes.begin(), bytes.end());
                compare(text);
                text.resize(size + 1);  // perhaps inside a character
                compare(text);
            }
        }
    }
}

void random_texts() {
    Random random{2};
    for (int i = 0; i < 20000; i++) {
        Bytes bytes;
        for (uint64_t n = random.below(40); n > 0; n--)
            append(bytes, static_cast<uint32_t>(random.next() >> (43 + random.below(15))));
        compare(bytes);
        if (bytes.empty()) continue;
        bytes[random.below(bytes.size())] ^= static_cast<uint8_t>(1u << random.below(8));
        compare(bytes);
    }
}

void uuids() {
    Random random{3};
    for (int i = 0; i < 1000; i++) {
        uint8_t bytes[uuid_bytes], again[uuid_bytes];
        for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(random.next());
        char text[uuid_text];
        uuid_format(bytes, text);
        CHECK(uuid_parse(text, uuid_text, again) && memcmp(bytes, again, uuid_bytes) == 0);
        std::string upper(text, uuid_text);
        for (char &c : upper) c = static_cast<char>(c >= 'a' ? c - 32 : c);
        CHECK(uuid_parse(upper.data(), uuid_text, again) && memcmp(bytes, again, uuid_bytes) == 0);
        size_t at = random.below(uuid_text);
        for (char c : {'g', '/', ':', '@', '`', 'G', '\0', ' '}) {
            std::string broken(text, uuid_text);
            broken[at] = c;
            CHECK(!uuid_parse(broken.data(), uuid_text, again), "%zu is %d", at, c);
        }
        CHECK(!uuid_parse(text, uuid_text - 1, again) && !uuid_parse(text, 0, again));
    }
}

void copies() {
    for (size_t size = 0; size <= 40; size++) {
        Bytes from(size), to(size + 2, 0xaa);
        for (size_t i = 0; i < size; i++) from[i] = static_cast<uint8_t>(i + 1);
        copy_bytes(to.data() + 1, from.data(), size);
        CHECK(Bytes(to.begin() + 1, to.end() - 1) == from && to.front() == 0xaa && to.back() == 0xaa, "%zu bytes", size);
    }
}

}  // namespace

int main() {
    every_short_sequence();
    every_place();
    random_texts();
    uuids();
    copies();
    return wrong ? 1 : 0;
}
