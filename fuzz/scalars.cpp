// Fuzzes numbers and base64 as text. What is read, written and read again must stay the same, and the C library must read
// the same numbers. The first eight bytes of the input are a double, too.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "bytes/base64.hpp"
#include "bytes/double_read.hpp"
#include "bytes/double_text.hpp"
#include "room.hpp"

using namespace sparpack;

namespace {

void must(bool x) {
    if (!x) __builtin_trap();
}

bool same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

void write_double(double value) {
    if (!std::isfinite(value)) return;
    Room<double_text_room> room;
    uint8_t *end = double_write(room.w, room.bytes, value);
    double again = 0;
    must(static_cast<size_t>(end - room.bytes) <= double_text_max);
    must(double_read(room.bytes, end, &again) == end && same(value, again));
}

void read_double(const std::vector<uint8_t> &bytes) {
    const uint8_t *begin = bytes.data(), *end = begin + bytes.size();
    double value = 0;
    const uint8_t *p = double_read(begin, end, &value);
    if (!p) return;
    must(p > begin && p <= end);
    must(same(value, strtod(std::string(begin, p).c_str(), nullptr)));
    write_double(value);
}

template <int bits> void read_integer(const std::vector<uint8_t> &bytes) {
    const uint8_t *begin = bytes.data(), *end = begin + bytes.size();
    int64_t value = 0;
    const uint8_t *p = integer_read<bits>(begin, end, &value);
    if (!p) return;
    must(p > begin && p <= end && value == strtoll(std::string(begin, p).c_str(), nullptr, 10));
    Room<integer_text_max> room;
    uint8_t *finish = integer_write(room.w, room.bytes, value);
    bool minus_zero = *begin == '-' && value == 0;
    must(minus_zero || std::string(begin, p) == std::string(room.bytes, finish));
}

void read_base64(const std::vector<uint8_t> &bytes) {
    size_t digits = bytes.size(), size = 0;
    if (!base64_measure(bytes.data(), &digits, &size)) return;
    std::vector<uint8_t> made(size), text(base64_text_size(size));
    bool fine = base64_read(made.data(), bytes.data(), digits);
    must(fine == base64_check(bytes.data(), digits));
    if (!fine) return;
    Writer w{};
    w.begin = text.data();
    w.end = w.begin + text.size();
#ifdef SPARPACK_DEBUG
    w.reserved = w.end;
#endif
    must(base64_write(w, text.data(), made.data(), size) == text.data() + text.size());
    for (size_t i = 0; i < digits; i++) must(text[i] == (bytes[i] == '-' ? '+' : bytes[i] == '_' ? '/' : bytes[i]));
}

void read_all(const std::vector<uint8_t> &bytes) {
    read_double(bytes);
    read_integer<8>(bytes);
    read_integer<16>(bytes);
    read_integer<32>(bytes);
    read_integer<64>(bytes);
    read_base64(bytes);
}

// The same bytes in an alphabet, so that more of them are numbers or base64.
std::vector<uint8_t> spell(std::vector<uint8_t> bytes, const std::string &alphabet) {
    for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(alphabet[byte % alphabet.size()]);
    bytes.shrink_to_fit();
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    std::vector<uint8_t> bytes(data, data + size);
    bytes.shrink_to_fit();
    if (size >= 8) write_double(load<double>(data));
    read_all(bytes);
    read_all(spell(bytes, "012345678999-.eE00"));
    read_all(spell(bytes, "0123456789"));
    read_all(spell(bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"));
    return 0;
}
