// A run is a row of numbers in a struct, in a wire of fixed widths. The places of all of their headers are known, so a scan
// compares these at once (lazy/pass_values.hpp). It skips the values, because a number may have any bytes.
#pragma once

#include "rows.hpp"

namespace sparpack {

// The row of its first field leads to a run.
struct Run {
    static constexpr size_t block = 16;  // bytes that are compared in one step
    static constexpr size_t most = 8 * block;

    uint8_t mask[most];    // 0xff where a header stands
    uint8_t header[most];  // its bytes, and zeros where values stand
    uint8_t size;          // from the first header to behind the last value, in bytes
    uint8_t blocks;        // to compare
    uint8_t fields;
    uint8_t width;   // of the first value
    bool has_enums;  // whose values strict validation looks at
};

// What the runs of a link take, in bytes.
template <class Wire> size_t runs_size(const Link &link);

// Makes the runs of a link in memory of that size, and sets those of its rows.
template <class Wire> void runs_make(const Link &link, Row<Wire> *rows, Run *run);

}  // namespace sparpack
