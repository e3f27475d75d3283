// The grammar of payloads in JSON: that of any JSON, in which text is strict, too, unless the input allows any.
#pragma once

#include "events.hpp"
#include "wire.hpp"

namespace sparpack {

struct Json::Events : JsonEvents {
    static Level whole() { return {Kind::payload, Expect::value, Token::ok}; }

    // The level that holds the value of a field.
    static Level field_value(const Frame &) { return JsonEvents::whole(); }

    template <class Emit>
    static SPARPACK_INLINE Step next(Level &level, Level *inner, Input &in, const uint8_t *&p, const Emit &emit) {
        in.last = false;  // a payload ends with a brace, so a number or a literal at the end of the bytes is cut
        if (SPARPACK_UNLIKELY(level.kind == Kind::payload) && !pass_mark(level, in, p)) return Step::failed;
        return JsonEvents::next(level, inner, in, p, Strict<Emit>{in, emit});
    }

private:
    // Passes over a byte order mark. Statuses: truncated.
    SPARPACK_COLD static bool pass_mark(Level &level, Input &in, const uint8_t *&p) {
        p = JsonScan::skip_space(in, p);
        size_t left = input_left(in, p), size = left < 3 ? left : 3;
        if (size == 0) return input_fail(in, Status::truncated, p), false;
        if (memcmp(p, mark, size) == 0) {
            if (size < 3) return input_cut(in, in.end, 3 - size), false;
            p += 3;
        }
        level.kind = Kind::whole;
        return true;
    }

    // Refuses text that is not UTF-8 or has half of a surrogate pair.
    template <class Emit> struct Strict {
        Input &in;
        const Emit &emit;

        Step field(const event::Field &field) const { return emit.field(field); }
        SPARPACK_INLINE Step scalar(const event::Scalar &scalar) const {
            if (SPARPACK_UNLIKELY(scalar.type == event::Type::text && scalar.text.broken && !in.any_text))
                return input_fail(in, Status::invalid_utf8, scalar.begin), Step::failed;
            return emit.scalar(scalar);
        }
        Step open(const event::Open &open) const { return emit.open(open); }
        Step close(const event::Close &close) const { return emit.close(close); }
    };
};

}  // namespace sparpack
