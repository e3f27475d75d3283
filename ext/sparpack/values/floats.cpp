#include "floats.hpp"

#include <cfloat>

namespace sparpack {

void floats_init() {
    constexpr double samples[] = {0.0,       -0.0,     1.0,        -1.0,    0.1,      -1.5e300,
                                  1e-300,    DBL_MAX,  DBL_MIN,    52.5,    -2.0,     0x1p-255,
                                  -0x1p-255, 0x1p-254, 0x1.8p-255, 0x1p256, -0x1p256, 0x1.fffffffffffffp255};
    for (double sample : samples) {
        VALUE value = rb_float_new(sample);
        double back = float_value(value);
        // Two heap Floats are never the same object, so here it is enough that both are on the heap.
        bool same = RB_FLONUM_P(value) ? float_new(sample) == value : !RB_FLONUM_P(float_new(sample));
        if (!same || memcmp(&back, &sample, sizeof back) != 0) rb_bug("sparpack: this Ruby stores Floats differently");
    }
}

}  // namespace sparpack
