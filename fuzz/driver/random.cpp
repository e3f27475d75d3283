// Feeds random bytes to a fuzzer's function, for compilers without libFuzzer: the same bytes on every machine. The arguments
// say how many inputs there are, and where others are kept: one per line, in hexadecimal digits, or comments behind #.
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Any byte, one as in Thrift's wires, in JSON, or in MessagePack.
static uint8_t byte(Random &random, uint64_t wire) {
    static const char text[] = "[]{}[]{},:,:\"\"\"\"\\untf0123456789e.- \n";
    switch (wire) {
    case 0: return static_cast<uint8_t>(random.next());
    case 1: return static_cast<uint8_t>(random.below(0x20));
    case 2: return static_cast<uint8_t>(text[random.below(sizeof text - 1)]);
    default: return static_cast<uint8_t>(0x80 + random.below(0x60));
    }
}

static void feed(std::vector<uint8_t> &bytes) {
    bytes.shrink_to_fit();  // the sanitizer sees what is read behind them
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

static void feed_kept(const char *path) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::vector<uint8_t> bytes(line.size() / 2);
        for (size_t i = 0; i < bytes.size(); i++)
            bytes[i] = static_cast<uint8_t>(strtoul(line.substr(2 * i, 2).c_str(), nullptr, 16));
        feed(bytes);
    }
}

int main(int count, char **arguments) {
    long rounds = count > 1 ? atol(arguments[1]) : 10000;
    Random random{1};
    for (long i = 0; i < rounds; i++) {
        std::vector<uint8_t> bytes(random.below(80));
        uint64_t wire = random.below(4);  // some inputs are mostly of one wire, so that some are whole
        for (uint8_t &b : bytes) b = byte(random, random.below(8) ? wire : random.below(4));
        feed(bytes);
    }
    if (count > 2) feed_kept(arguments[2]);
    return 0;
}
