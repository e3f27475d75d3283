// The characters that are harmless in JSON, but not in HTML and in JavaScript before 2019: < > & and the separators U+2028
// and U+2029. In JSON they stand in strings alone, and may be escaped there.
#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <cstdint>
#include <cstring>

#include "base.hpp"

namespace sparpack {

struct JsonMarks {
    bool html = true;        // escapes < > &
    bool separators = true;  // escapes U+2028 and U+2029

    static constexpr size_t escape_size = 6;

    // Returns the first byte from p on that may begin one, or end.
    static SPARPACK_INLINE const uint8_t *find(const uint8_t *p, const uint8_t *end) {
#ifdef __SSE2__
        const __m128i less = _mm_set1_epi8('<'), more = _mm_set1_epi8('>'), amp = _mm_set1_epi8('&'),
                      three = _mm_set1_epi8(static_cast<char>(0xe2));
        for (; end - p >= 16; p += 16) {
            __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
            __m128i angle = _mm_or_si128(_mm_cmpeq_epi8(bytes, less), _mm_cmpeq_epi8(bytes, more));
            __m128i other = _mm_or_si128(_mm_cmpeq_epi8(bytes, amp), _mm_cmpeq_epi8(bytes, three));
            unsigned found = static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(angle, other)));
            if (SPARPACK_UNLIKELY(found)) return p + __builtin_ctz(found);
        }
#endif
        while (p < end && *p != '<' && *p != '>' && *p != '&' && *p != 0xe2) p++;
        return p;
    }

    // Returns how many bytes the character at p has if it is escaped, otherwise 0.
    SPARPACK_INLINE size_t size_at(const uint8_t *p, const uint8_t *end) const {
        if (*p != 0xe2) return html;
        return separators && end - p >= 3 && p[1] == 0x80 && (p[2] == 0xa8 || p[2] == 0xa9) ? 3 : 0;
    }

    // Returns how many bytes longer a text is once it is escaped.
    size_t growth(const uint8_t *p, const uint8_t *end) const {
        size_t more = 0;
        for (p = find(p, end); p < end; p = find(p, end)) {
            size_t size = size_at(p, end);
            more += size ? escape_size - size : 0;
            p += size ? size : 1;
        }
        return more;
    }

    // Writes the escaped text to a place that has room for it.
    void escape(const uint8_t *p, const uint8_t *end, uint8_t *to) const {
        while (p < end) {
            const uint8_t *mark = find(p, end);
            memcpy(to, p, static_cast<size_t>(mark - p));
            to += mark - p;
            if ((p = mark) == end) return;
            size_t size = size_at(p, end);
            if (!size) {
                *to++ = *p++;
                continue;
            }
            const char *text = *p == '<' ? "\\u003c" : *p == '>' ? "\\u003e" : *p == '&' ? "\\u0026" : "\\u2028";
            memcpy(to, text, escape_size);
            if (size == 3) to[escape_size - 1] = static_cast<uint8_t>(p[2] == 0xa8 ? '8' : '9');
            to += escape_size;
            p += size;
        }
    }
};

}  // namespace sparpack
