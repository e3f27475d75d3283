// Limits that a reader of bytes enforces, and nothing else of a caller's options.
#pragma once

#include "base.hpp"

namespace sparpack {

// How large a string may be, in bytes, and a container, in elements or pairs.
struct SizeLimits {
    int64_t string, container;
};

}  // namespace sparpack
