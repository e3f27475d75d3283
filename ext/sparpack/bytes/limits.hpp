// Limits that a reader of bytes enforces, and nothing else of a caller's options.
#pragma once

#include "base.hpp"

namespace sparpack {

// The most levels of structs and containers that a caller may allow. Ruby knows it as Limits::DEPTH_MAX.
constexpr int depth_max = 1000;

// The most levels of values without a schema. These are fewer because the msgpack gem allows as many.
constexpr int untyped_depth_max = 128;

// While many values or payloads are read, other threads can run and interrupts are handled each time after so many bytes.
constexpr size_t step_bytes = 1 << 20;

// How large a string may be, in bytes, and a container, in elements or pairs.
struct SizeLimits {
    int64_t string, container;
};

constexpr SizeLimits no_size_limits = {INT64_MAX, INT64_MAX};

}  // namespace sparpack
