// Pages of large memory, which the kernel makes present one by one as they are written to. Making many present in one call
// is several times as fast.
#pragma once

#include "../bytes/base.hpp"

namespace sparpack {

// The largest pages of any system. What is aligned to this is aligned to pages.
constexpr size_t page_max = 64 << 10;

// Makes the pages in this memory present. Their bytes stay the same. Both places are aligned to `page_max`. Does nothing on
// systems that have no call for it.
SPARPACK_COLD void pages_populate(uint8_t *begin, uint8_t *end);

}  // namespace sparpack
