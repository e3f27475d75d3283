// The paths of lines of JSON. What holds a value has the same path for all that it holds, so that is written once.
//
// A path has the steps that fit into `path_max` bytes, then `…` and the last step. Otherwise the paths of a deep payload
// would become longer than the payload by its depth.
#pragma once

#include "text.hpp"

namespace sparpack {

// Escapes again what was written from `start` on, for a string of JSON. `<` becomes an escape, so that the JSON can stand in
// a page.
inline void quote_again(Pen &pen, size_t start) {
    size_t size = static_cast<size_t>(pen.p - pen.w->begin) - start, more = 0;
    for (size_t i = 0; i < size; i++) {
        uint8_t byte = pen.w->begin[start + i];
        more += byte == '"' || byte == '\\' ? 1 : byte == '<' ? 5 : 0;
    }
    if (SPARPACK_LIKELY(more == 0)) return;
    pen.reserve(more);
    uint8_t *from = pen.w->begin + start + size, *to = from + more;
    pen.p = to;
    while (from != to) {
        uint8_t byte = *--from;
        if (byte == '<') {
            to -= 6;
            memcpy(to, "\\u003c", 6);
        } else {
            *--to = byte;
            if (byte == '"' || byte == '\\') *--to = '\\';
        }
    }
}

struct LinePath {
    // Writes the path to the next value of a level.
    void put(Pen &pen, const AnnotateLevel &level) {
        if (!level.outer) return;  // the payload itself
        if (SPARPACK_UNLIKELY(level.prefix == AnnotateLevel::unknown)) find(pen, level);
        pen.reserve(sizeof text);
        copy_bytes(pen.p, text, level.prefix);
        pen.p += level.prefix;
        step(pen, level);
    }

private:
    static void step(Pen &pen, const AnnotateLevel &level) {
        size_t start = static_cast<size_t>(pen.p - pen.w->begin);
        put_step(pen, level);
        bool is_plain = level.step != AnnotateLevel::Step::text && !level.field;
        if (!is_plain) quote_again(pen, start);
        uint8_t *begin = pen.w->begin + start;
        if (level.prefix != 0 || begin == pen.p || *begin != '.') return;
        memmove(begin, begin + 1, static_cast<size_t>(pen.p - begin) - 1);
        pen.p--;
    }

    // Finds the path of what a level holds. The part of the text that belongs to a level stays as it is until that level is
    // closed, because only levels inside of it write, and they write behind it.
    SPARPACK_COLD void find(Pen &pen, const AnnotateLevel &level) {
        const AnnotateLevel &outer = *level.outer;
        level.prefix = 0;
        if (!outer.outer) return;
        if (outer.prefix == AnnotateLevel::unknown) find(pen, outer);
        level.prefix = outer.prefix;
        level.cut = outer.cut;
        if (level.cut) return;
        size_t start = static_cast<size_t>(pen.p - pen.w->begin);
        step(pen, outer);
        size_t size = static_cast<size_t>(pen.p - pen.w->begin) - start;
        pen.p = pen.w->begin + start;
        level.cut = outer.prefix + size > path_max;
        if (level.cut) size = sizeof "…" - 1;
        memcpy(text + outer.prefix, level.cut ? reinterpret_cast<const uint8_t *>("…") : pen.p, size);
        level.prefix = static_cast<uint16_t>(outer.prefix + size);
    }

    uint8_t text[path_max + sizeof "…"];
};

}  // namespace sparpack
