// Checks text that is not all ASCII.
#include "utf8.hpp"

#include "utf8_wide.hpp"

namespace sparpack {

Text utf8_check_slow(const uint8_t *p, const uint8_t *end) {
#ifdef SPARPACK_UTF8_WIDE
    if (end - p >= 32 && utf8_wide_here())
        return utf8_valid_wide(p, static_cast<size_t>(end - p)) ? Text::utf8 : Text::broken;
#endif
    while (p < end) {
        if (end - p >= 8 && !(load<uint64_t>(p) & high_bits)) {
            p += 8;
            continue;
        }
        uint8_t lead = *p;
        if (lead < 0x80) {
            p++;
            continue;
        }
        size_t left = static_cast<size_t>(end - p);
        if (lead >= 0xc2 && lead <= 0xdf) {
            if (left < 2 || (p[1] & 0xc0) != 0x80) return Text::broken;
            p += 2;
        } else if ((lead & 0xf0) == 0xe0) {
            if (left < 3 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80) return Text::broken;
            if (lead == 0xe0 && p[1] < 0xa0) return Text::broken;   // overlong
            if (lead == 0xed && p[1] >= 0xa0) return Text::broken;  // surrogate
            p += 3;
        } else if (lead >= 0xf0 && lead <= 0xf4) {
            if (left < 4 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80 || (p[3] & 0xc0) != 0x80) return Text::broken;
            if (lead == 0xf0 && p[1] < 0x90) return Text::broken;   // overlong
            if (lead == 0xf4 && p[1] >= 0x90) return Text::broken;  // past U+10FFFF
            p += 4;
        } else {
            return Text::broken;
        }
    }
    return Text::utf8;
}

}  // namespace sparpack
