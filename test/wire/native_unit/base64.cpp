// Base64 of every length, compared with an encoder that goes bit by bit, and every text that must be refused.
#include "bytes/base64.hpp"

#include <string>
#include <vector>

#include "check.hpp"
#include "room.hpp"

using namespace sparpack;

namespace {

using Bytes = std::vector<uint8_t>;

std::string naive(const Bytes &bytes) {
    std::string text;
    for (size_t bit = 0; bit < 8 * bytes.size(); bit += 6) {
        int value = 0;
        for (size_t at = bit; at < bit + 6; at++) {
            value = value << 1 | (at < 8 * bytes.size() ? bytes[at / 8] >> (7 - at % 8) & 1 : 0);
        }
        text += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[value];
    }
    while (text.size() % 4) text += '=';
    return text;
}

// The text and the bytes are on the heap in their exact size, so that a sanitizer notices accesses beyond them.
bool read(const std::string &given, Bytes *bytes) {
    Bytes text(given.begin(), given.end());
    text.shrink_to_fit();
    size_t digits = text.size(), size = 77;
    if (!base64_measure(text.data(), &digits, &size)) return false;
    Bytes made(size);
    made.shrink_to_fit();
    bool fine = base64_read(made.data(), text.data(), digits);
    CHECK(base64_check(text.data(), digits) == fine, "%s", given.c_str());
    Bytes place(text);
    CHECK(base64_read(place.data(), place.data(), digits) == fine, "%s in its own place", given.c_str());
    place.resize(size);
    CHECK(!fine || place == made, "%s in its own place", given.c_str());
    *bytes = made;
    return fine;
}

void refused(const std::string &text) {
    Bytes bytes;
    CHECK(!read(text, &bytes), "'%s'", text.c_str());
}

void there_and_back(const Bytes &given) {
    Bytes bytes(given), back;
    bytes.shrink_to_fit();
    Room<200> room;
    uint8_t *end = base64_write(room.w, room.bytes, bytes.data(), bytes.size());
    std::string text(reinterpret_cast<char *>(room.bytes), static_cast<size_t>(end - room.bytes)), expected = naive(bytes);
    CHECK(text == expected && text.size() == base64_text_size(bytes.size()), "%s, not %s", text.c_str(), expected.c_str());
    std::string safe = text, bare;
    for (char &c : safe) c = c == '+' ? '-' : c == '/' ? '_' : c;
    bare = safe.substr(0, safe.find('='));
    for (const std::string &form : {text, safe, bare, text.substr(0, text.find('='))}) {
        CHECK(read(form, &back) && back == bytes, "%s", form.c_str());
    }
    // Padding that is too long or too short.
    for (size_t pads = 1; pads <= 5; pads++) {
        std::string padded = bare + std::string(pads, '=');
        if (padded != safe) refused(padded);
    }
    for (const char *more : {"=", "==", "A=", "\n", "====", " "}) refused(safe + more);
    if (bare.size() % 4) {
        // The last digit has two or four bits of no byte.
        size_t last = bare.size() - 1;
        for (int bit = 0; bit < (bare.size() % 4 == 2 ? 4 : 2); bit++) {
            const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
            size_t value = std::string(digits).find(bare[last]);
            std::string odd = bare;
            odd[last] = digits[value ^ size_t{1} << bit];
            refused(odd);
            refused(odd + std::string(4 - odd.size() % 4, '='));
        }
    }
}

void wrong_characters() {
    std::string all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_";
    for (size_t size = 2; size <= 17; size++) {
        if (size % 4 == 1) continue;
        for (size_t at = 0; at < size; at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                std::string text(size, 'A');
                text[at] = static_cast<char>(byte);
                bool digit = all.find(text[at]) != std::string::npos, pad = byte == '=' && size % 4 == 0 && at == size - 1;
                Bytes bytes;
                // A last digit whose bits belong to no byte is tested elsewhere.
                if (digit && at == size - 1 && size % 4) continue;
                CHECK(read(text, &bytes) == (digit || pad), "%02x at %zu of %zu", byte, at, size);
            }
        }
    }
}

}  // namespace

int main() {
    Random random{1};
    for (size_t size = 0; size <= 100; size++) {
        there_and_back(Bytes(size, 0));
        there_and_back(Bytes(size, 0xff));
        for (int i = 0; i < 20; i++) {
            Bytes bytes(size);
            for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(random.next());
            there_and_back(bytes);
        }
    }
    wrong_characters();
    for (const char *text :
         {"A", "AAAAA", "=", "==", "===", "====", "A=", "A==", "A===", "AA=A", "A=AA", "=AAA", "AA==AA==", "AAA=AAA="}) {
        refused(text);
    }
    return wrong > 0;
}
