#include "pages.hpp"

#ifdef __linux__
#include <cerrno>

#include <sys/mman.h>
#endif

namespace sparpack {

#ifdef __linux__

// MADV_POPULATE_WRITE, which older headers lack.
constexpr int advice_populate = 23;

// True if the kernel is older than Linux 5.14. Each thread finds out for itself.
static thread_local bool unknown;

SPARPACK_COLD void pages_populate(uint8_t *begin, uint8_t *end) {
    if (unknown || begin >= end) return;
    // Whatever else fails, fails again where the memory is written to.
    if (madvise(begin, static_cast<size_t>(end - begin), advice_populate)) unknown = errno == EINVAL;
}

#else

SPARPACK_COLD void pages_populate(uint8_t *, uint8_t *) {}

#endif

}  // namespace sparpack
