// An output that begins with no room, so that it has to grow at every place.
#pragma once

#include <cstdint>
#include <vector>

#include "bytes/writer.hpp"

using Bytes = std::vector<uint8_t>;

struct GrowingOutput {
    sparpack::Writer writer;
    Bytes bytes;

    GrowingOutput() : writer{} {
        bytes.reserve(1);
        writer.begin = writer.end = bytes.data();
        writer.grow = grow;
    }

    static uint8_t *grow(sparpack::Writer &w, uint8_t *p, size_t need) {
        GrowingOutput &output = reinterpret_cast<GrowingOutput &>(w);
        size_t used = static_cast<size_t>(p - w.begin);
        output.bytes.resize(used + need);
        output.bytes.shrink_to_fit();
        w.begin = output.bytes.data();
        w.end = w.begin + output.bytes.size();
        return w.begin + used;
    }

    Bytes finish(const uint8_t *p) { return Bytes(static_cast<const uint8_t *>(writer.begin), p); }
};
