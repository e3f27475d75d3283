// A sink that writes events as MessagePack, which puts the count of a container before its elements. A container that ends
// in the same call gets the shortest header. One that goes on in the next call gets a hole of five bytes, and when it ends,
// a mark says what belongs there.
#pragma once

#include "../wire/json/text.hpp"
#include "../wire/message_pack/heads.hpp"
#include "decimal.hpp"
#include "stream.hpp"

namespace sparpack {

struct MessagePackWriter {
    using M = MessagePack;

    struct Level {
        uint64_t count;  // elements or pairs so far
        uint64_t place;  // of the header: in this call's output or, if it is cut, since the first call
        bool map;
        bool cut;  // opened in an earlier call
        TranscodeKey key;
    };

    static constexpr size_t hole = 5;  // for the header of an array32 or a map32

    Writer &w;
    uint8_t *out;
    VALUE marks = Qnil;               // [place, whether it is a map, count, …]
    const char *why = nullptr;        // why an event was refused
    const uint8_t *finish = nullptr;  // where its bytes end

    explicit MessagePackWriter(Writer &writer) : w(writer), out(writer.begin) {}

    // MessagePack has no structs.
    bool field(Level &, const event::Field &field) { return refuse("value", field.end); }

    SPARPACK_INLINE bool scalar(Level &level, const event::Scalar &scalar) {
        bool key = scalar.place == event::Place::key;
        if (SPARPACK_UNLIKELY(!key && level.count == UINT32_MAX)) return refuse("large", scalar.end);
        bool written = scalar.type == event::Type::text ? string(level, scalar, key) : number(scalar);
        if (SPARPACK_UNLIKELY(!written)) return false;
        if (!key) done(level, scalar.place);
        return true;
    }

    SPARPACK_INLINE bool open(Level &, Level &inner, const event::Open &open) {
        out = writer_reserve(w, out, 1);
        inner.place = static_cast<uint64_t>(out - w.begin);
        inner.map = open.container == event::Container::map;
        *out++ = 0;
        return true;
    }

    bool close(Level &inner, Level &outer, const event::Close &close) {
        if (SPARPACK_UNLIKELY(outer.count == UINT32_MAX)) return refuse("large", close.begin);
        if (SPARPACK_UNLIKELY(inner.cut)) {
            mark(inner);
        } else {
            out = writer_reserve(w, out, M::header_max);
            uint8_t *header = w.begin + inner.place;
            size_t more = header_size(inner.count) - 1;
            if (more) memmove(header + 1 + more, header + 1, static_cast<size_t>(out - header - 1));
            out += more;
            write_header(header, inner.map, inner.count);
        }
        outer.count++;
        return true;
    }

    // Makes room for the headers of the open levels, of which the first is outside of containers. Each byte moves once.
    // `written` is how many bytes earlier calls have returned.
    template <class Levels> void leave_holes(Levels &levels, int top, uint64_t written) {
        constexpr size_t wider = hole - 1;
        int cut = top;
        while (cut > 0 && !levels[cut].sink().cut) cut--;
        size_t open = static_cast<size_t>(top - cut);
        out = writer_reserve(w, out, wider * open);
        uint8_t *end = out;
        out += wider * open;
        while (open-- > 0) {
            Level &level = levels[top--].sink();
            uint8_t *header = w.begin + level.place;
            size_t by = wider * open;
            memmove(header + hole + by, header + 1, static_cast<size_t>(end - header - 1));
            memset(header + by, 0, hole);
            end = header;
            level.place += by + written;
            level.cut = true;
        }
    }

private:
    bool refuse(const char *reason, const uint8_t *at) { return why = reason, finish = at, false; }

    static SPARPACK_INLINE void done(Level &level, event::Place place) { level.count += place != event::Place::whole; }

    static size_t header_size(uint64_t count) { return count < 16 ? 1 : count <= UINT16_MAX ? 3 : hole; }

    void write_header(uint8_t *p, bool map, uint64_t count) {
        size_t size = static_cast<size_t>(count);
        map ? M::write_map(w, p, size) : M::write_array(w, p, size);
    }

    SPARPACK_COLD void mark(const Level &level) {
        if (NIL_P(marks)) marks = rb_ary_new();
        rb_ary_push(marks, ULL2NUM(level.place));
        rb_ary_push(marks, level.map ? Qtrue : Qfalse);
        rb_ary_push(marks, ULL2NUM(level.count));
    }

    SPARPACK_INLINE bool string(Level &level, const event::Scalar &scalar, bool key) {
        const event::Text &text = scalar.text;
        if (SPARPACK_UNLIKELY(text.broken)) return refuse("utf8", scalar.end);
        if (SPARPACK_UNLIKELY(text.unescaped > UINT32_MAX)) return refuse("large", scalar.end);
        uint8_t *p = writer_reserve(w, out, M::header_max + text.unescaped);
        p = M::write_str(w, p, text.unescaped);
        if (text.escaped) {
            JsonText::unescape(p, text);
        } else {
            copy_bytes(p, text.data, text.size);
        }
        if (key) key_keep(level.key, p, text.unescaped);
        out = p + text.unescaped;
        return true;
    }

    SPARPACK_INLINE bool number(const event::Scalar &scalar) {
        uint8_t *p = writer_reserve(w, out, M::header_max);
        switch (scalar.type) {
        case event::Type::nil: p = M::write_byte(w, p, M::nil_byte); break;
        case event::Type::boolean: p = M::write_byte(w, p, scalar.boolean ? M::true_byte : M::false_byte); break;
        case event::Type::integer:
            p = scalar.negative ? M::write_integer(w, p, scalar.signed_integer()) : M::write_unsigned(w, p, scalar.integer);
            break;
        case event::Type::real: p = M::write_double(w, p, scalar.real); break;
        case event::Type::decimal: {
            double real = 0;
            if (scalar.decimal.integer || !decimal_real(scalar.decimal, scalar.begin, scalar.size(), &real))
                return refuse("number", scalar.end);
            p = M::write_double(w, p, real);
            break;
        }
        case event::Type::text:
        case event::Type::bytes:
        case event::Type::ext:
        case event::Type::uuid: return refuse("value", scalar.end);
        }
        out = p;
        return true;
    }
};

}  // namespace sparpack
