// Memory for a writer.
#pragma once

#include "bytes/writer.hpp"

template <size_t size> struct Room {
    uint8_t bytes[size];
    sparpack::Writer w{};

    Room() {
        w.begin = bytes;
        w.end = bytes + sizeof bytes;
#ifdef SPARPACK_DEBUG
        w.reserved = w.end;
#endif
    }
};
