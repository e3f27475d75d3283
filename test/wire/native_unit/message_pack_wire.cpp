// MessagePack as a wire of structs: what a reader finds behind the last field.
#include "wire/message_pack/wire.hpp"

#include <sys/mman.h>

#include <initializer_list>

#include "check.hpp"

using namespace sparpack;

// No other field comes there, however many bytes follow. These bytes are never written, so they take no memory.
int main() {
    constexpr size_t size = (size_t{1} << 32) + 4096;
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED);
    if (memory == MAP_FAILED) return wrong;
    uint8_t *bytes = static_cast<uint8_t *>(memory);
    const MessagePackForms::Header end = MessagePackArray::header({1, 0, 1, WireType::stop, nullptr});
    for (int byte = 0; byte <= 0xff; byte++) {
        bytes[0] = static_cast<uint8_t>(byte);
        for (int32_t next : {MessagePackForms::keyed, 0, 1, 2}) {
            Input in(bytes, size);
            MessagePackForms::Frame frame;
            frame.left = 1;
            frame.next = next;
            const uint8_t *p = bytes;
            CHECK(!MessagePackForms::next_known(in, p, frame, end) && p == bytes, "0x%02x, %d", byte, next);
        }
    }
    munmap(memory, size);
    return wrong;
}
