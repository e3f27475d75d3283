// Doubles as text, and text as doubles. Without arguments it checks what needs no other reference than the C library. Other
// arguments print results, which a test compares with Ruby's:
//
//     write FILE    the text of each double of the file (8 bytes each, little-endian)
//     read FILE     the bits of each number of the file (one in each line), or "none" if it is not a number
//     powers        the table of powers of ten
#include <cinttypes>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "bytes/double_read.hpp"
#include "bytes/double_text.hpp"
#include "bytes/powers_of_ten.hpp"
#include "check.hpp"
#include "room.hpp"

using namespace sparpack;

namespace {

uint64_t bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

std::string written(double value) {
    Room<double_text_room> room;
    uint8_t *end = double_write(room.w, room.bytes, value);
    return std::string(reinterpret_cast<char *>(room.bytes), static_cast<size_t>(end - room.bytes));
}

// The text is on the heap in its exact size, so that a sanitizer notices reads beyond it. Returns how much was read, or -1.
long read(const std::string &text, double *value) {
    std::vector<uint8_t> bytes(text.begin(), text.end());
    bytes.shrink_to_fit();
    const uint8_t *p = double_read(bytes.data(), bytes.data() + bytes.size(), value);
    return p ? p - bytes.data() : -1;
}

void reads(const std::string &text, double expected) {
    for (const char *after : {"", ",", "]         ", "x", "/:/:/:/:/:"}) {
        double value = 42;
        long size = read(text + after, &value);
        CHECK(size == static_cast<long>(text.size()) && bits_of(value) == bits_of(expected), "%.60s: %a, not %a",
              text.c_str(), value, expected);
    }
}

void reads(const std::string &text) { reads(text, strtod(text.c_str(), nullptr)); }

void there_and_back(double value) {
    if (!std::isfinite(value)) return;
    std::string text = written(value);
    CHECK(text.size() <= double_text_max, "%s", text.c_str());
    CHECK(text.find_first_of(".e") != std::string::npos, "%s", text.c_str());
    reads(text, value);
    CHECK(bits_of(strtod(text.c_str(), nullptr)) == bits_of(value), "%s is not %a", text.c_str(), value);
}

// One less.
std::string below(std::string digits) {
    size_t last = digits.size() - 1;
    for (; digits[last] == '0'; last--) digits[last] = '9';
    digits[last]--;
    return digits.substr(digits[0] == '0');
}

// Two doubles side by side, and numbers halfway between them and very near to that.
void halfway(uint64_t bits) {
    double low = double_bits(bits), high = double_bits(bits + 1);
    if (!std::isfinite(high)) return;
    there_and_back(low);
    static char text[2000];
    // Both have the same exponent, or the higher one is a power of two: one bit more is enough for the number between them.
    int exponent;
    double fraction = std::frexp(low, &exponent);
    if (low < 0x1p-1022) {
        fraction = std::ldexp(low, 1074);
        exponent = -1074;
    } else {
        fraction *= 0x1p53;
        exponent -= 53;
    }
    // (fraction + 1/2) * 2^exponent in decimal, exactly: digits of a number that is doubled or halved.
    uint64_t odd = 2 * static_cast<uint64_t>(fraction) + 1;
    exponent--;
    std::vector<int> digits;  // the last first
    for (; odd; odd /= 10) digits.push_back(static_cast<int>(odd % 10));
    int point = 0;
    for (; exponent < 0; exponent++, point--) {  // times 5, and divided by 10
        int carry = 0;
        for (int &digit : digits) {
            carry += digit * 5;
            digit = carry % 10;
            carry /= 10;
        }
        if (carry) digits.push_back(carry);
    }
    for (; exponent > 0; exponent--) {
        int carry = 0;
        for (int &digit : digits) {
            carry += digit * 2;
            digit = carry % 10;
            carry /= 10;
        }
        if (carry) digits.push_back(carry);
    }
    std::string all;
    for (size_t i = digits.size(); i--;) all.push_back(static_cast<char>('0' + digits[i]));
    double even = bits & 1 ? high : low;
    snprintf(text, sizeof text, "e%d", point);
    reads(all + text, even);
    snprintf(text, sizeof text, "e%d", point - 4);
    reads(all + "0000" + text, even);
    reads(all + "0001" + text, high);
    snprintf(text, sizeof text, "e%d", point - 900);
    reads(all + std::string(899, '0') + '1' + text, high);
    snprintf(text, sizeof text, "e%d", point - 4);
    reads(below(all + "0000") + text, low);
    snprintf(text, sizeof text, "e%d", point - 900);
    reads(below(all + std::string(900, '0')) + text, low);
}

void hard_numbers() {
    // From the literature on reading and writing doubles, and from faults of other readers.
    for (const char *text :
         {"9007199254740993",
          "9007199254740993.0",
          "9007199254740992.99999999999999999999",
          "9007199254740993.00000000000000000001",
          "1.7976931348623157e308",
          "1.7976931348623158e308",
          "1.79769313486231580793e308",
          "5e-324",
          "4.9406564584124654e-324",
          "2.4703282292062327e-324",
          "2.4703282292062328e-324",
          "2.47032822920623272088284396434110686182e-324",
          "2.2250738585072014e-308",
          "2.2250738585072011e-308",
          "2.2250738585072012e-308",
          "2.225073858507201e-308",
          "1e-400",
          "1e400",
          "-1e400",
          "0",
          "-0",
          "0.0",
          "-0.0",
          "0e999",
          "-0e-999",
          "1e23",
          "8.5e22",
          "9.5e-3",
          "1e22",
          "1e-22",
          "123e-25",
          "18446744073709551615",
          "18446744073709551616",
          "9223372036854775807",
          "1090544144181609348671888949248",
          "1090544144181609348835077142190",
          "6.631236846766476e-316",
          "3.2378839133029012895883524125015321748630e-319",
          "32378839133029012895883524125015321748630376694231080599012970495523019706706765657868357425877995578606157765598"
          "38283435514391084153169252689190564396459577394618038928365305143463955100356696665629202017331344031730044369360"
          "20525834580343147166003269958073130095484836397554869001075153001888175818417456965217311047369602274993463842538"
          "06233697747365600089974040609674980283891918789639685754392222064169814626901133425240027243859416510512935526014"
          "21155333430225237291523843322331326138431477823591142408800030775170625915670728657003151953664260769822494937951"
          "84580153089523843981970840338993787324146348420560800002727053110682738790779144491853477159875016281254886276849"
          "3201518991668028251730299953143924168545708663913273994694463908672332763671875e-1092",
          "0.000000000000000000000000000000000000000000000000000001234567890123456789012345678901234567890",
          "1e-323",
          "1.5e-323",
          "8.41e21",
          "9.109e-31",
          "5.0e-324",
          "1.0e-307",
          "7.2057594037927933e+16",
          "7.2057594037927934e16",
          "1448997445238699.0",
          "0.500000000000000166533453693773481063544750213623046875",
          "3.5177e-57",
          "6929495644600919.5",
          "3.4621806127829216e-69",
          "100000000000000016777215",
          "100000000000000016777216",
          "0.1",
          "0.2",
          "0.30000000000000004",
          "4.35",
          "4.349999999999999"}) {
        reads(text);
    }
    reads(std::string(100, '9'), 1e100);
    reads("0." + std::string(100, '9'), 1.0);
    reads("0." + std::string(400, '0') + "1e401", 1.0);
    reads("1" + std::string(5000, '0') + "e-5000", 1.0);
    reads("1" + std::string(5000, '0') + "1e-5001", 1.0);
    reads("1e99999999999999999999999999999999", INFINITY);
    reads("1e-99999999999999999999999999999999", 0.0);
    reads("0." + std::string(2000, '0') + "1e99999999999999999999", INFINITY);
    for (const char *text : {"",   "-",   "+1",   ".5", "-.5", "1.",  "1.e5",     "1e",  "1e+", "1e-", "1ex",
                             "01", "-01", "00.5", "x",  "-x",  "1.x", "Infinity", "NaN", "e5",  "--1"}) {
        double value = 42;
        CHECK(read(text, &value) == -1 && value == 42, "'%s'", text);
    }
    struct {
        double value;
        const char *text;
    } texts[] = {{0.0, "0.0"},
                 {-0.0, "-0.0"},
                 {1.0, "1.0"},
                 {-1.5, "-1.5"},
                 {0.1, "0.1"},
                 {100.0, "100.0"},
                 {1e14, "100000000000000.0"},
                 {1e15, "1.0e+15"},
                 {1e20, "1.0e+20"},
                 {1e23, "1.0e+23"},
                 {9.5e-3, "0.0095"},
                 {1e-4, "0.0001"},
                 {1e-5, "1.0e-05"},
                 {1.25e-5, "1.25e-05"},
                 {5e-324, "5.0e-324"},
                 {1e100, "1.0e+100"},
                 {1.7976931348623157e308, "1.7976931348623157e+308"},
                 {2.2250738585072014e-308, "2.2250738585072014e-308"},
                 {-2.2250738585072011e-308, "-2.225073858507201e-308"},
                 {9007199254740993.0, "9.007199254740992e+15"},
                 {123456789012345.6, "123456789012345.6"},
                 {12345678.901234567, "12345678.901234567"},
                 {0.00012345678901234567, "0.00012345678901234567"},
                 {1e7, "10000000.0"},
                 {1263294480530637.2, "1263294480530637.2"},
                 {1263294480530637, "1.263294480530637e+15"},
                 {9999999.99999999, "9999999.99999999"}};
    for (auto &c : texts) CHECK(written(c.value) == c.text, "%s, not %s", written(c.value).c_str(), c.text);
}

void everywhere() {
    Random random{1};
    constexpr uint64_t one = 1, fraction = (one << 52) - 1;
    for (uint64_t exponent = 0; exponent < 2047; exponent++) {
        for (uint64_t at : {uint64_t{0}, one, fraction, fraction - 1, one << 51, random.next() & fraction}) {
            there_and_back(double_bits(exponent << 52 | at));
            there_and_back(-double_bits(exponent << 52 | at));
        }
        if (exponent % 16 == 0)
            halfway(exponent << 52 | (random.next() & fraction)), halfway((exponent + 1) << 52),
                halfway(((exponent + 1) << 52) - 1);
    }
    for (int i = 0; i < 100000; i++) {
        there_and_back(double_bits(random.next()));
        there_and_back(static_cast<double>(static_cast<int64_t>(random.next()) >> random.below(64)));
        there_and_back(static_cast<double>(random.below(100000000)) / std::pow(10, static_cast<double>(random.below(12))));
    }
    for (int i = 0; i < 100000; i++) {
        std::string text = std::to_string(1 + (random.next() >> (1 + random.below(62))));
        if (random.below(2)) text += "." + std::to_string(random.next() >> random.below(63));
        if (random.below(3) == 0) text += std::to_string(random.next());
        if (random.below(2)) text += "e" + std::to_string(static_cast<int>(random.below(700)) - 350);
        reads(text);
    }
}

void logarithms() {
    for (int n = power_of_ten_first; n <= power_of_ten_last; n++) {
        int floor = static_cast<int>(std::floor(static_cast<double>(n) * 3.321928094887362));
        CHECK(power_of_ten_log2(n) == floor, "%d", n);
        CHECK(powers_of_ten[n].high >> 63 == 1 && powers_of_ten[n].low != UINT64_MAX, "%d", n);
    }
}

std::string content(const char *path) {
    std::string all;
    FILE *file = fopen(path, "rb");
    if (!file) abort();
    char some[4096];
    for (size_t size; (size = fread(some, 1, sizeof some, file));) all.append(some, size);
    fclose(file);
    return all;
}

int print(const std::string &what, const char *path) {
    if (what == "powers") {
        for (int n = power_of_ten_first; n <= power_of_ten_last; n++) {
            printf("%d %016" PRIx64 "%016" PRIx64 "\n", n, powers_of_ten[n].high, powers_of_ten[n].low);
        }
        return 0;
    }
    std::string all = content(path);
    if (what == "write") {
        for (size_t at = 0; at < all.size(); at += 8) {
            uint64_t bits = little_endian(load<uint64_t>(reinterpret_cast<const uint8_t *>(all.data()) + at));
            puts(written(double_bits(bits)).c_str());
        }
        return 0;
    }
    for (size_t at = 0, end; at < all.size(); at = end + 1) {
        end = all.find('\n', at);
        double value = 0;
        long size = read(all.substr(at, end - at), &value);
        size == static_cast<long>(end - at) ? printf("%016" PRIx64 "\n", bits_of(value)) : puts("none");
    }
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc > 1) return print(argv[1], argv[argc - 1]);
    logarithms();
    hard_numbers();
    everywhere();
    return wrong > 0;
}
