// What bytes are, layer by layer. Every wire is tried against the schema, then the formats are looked for that wires are
// often mistaken for. Only guess.cpp includes this file.
#pragma once

#include "../bytes/base64.hpp"
#include "../wire/lz4_sign.hpp"
#include "trials.hpp"

namespace sparpack {

namespace {

constexpr Sign thrift_wires[] = {Sign::compact, Sign::binary};
constexpr Sign wires[] = {Sign::compact, Sign::binary, Sign::message_pack, Sign::thrift_json, Sign::json};

Layer layer(Sign sign, bool fits = false) {
    Layer layer;
    layer.sign = sign;
    layer.fits = fits;
    return layer;
}

Layer frame(Sign sign, const Stretch &all, size_t at, size_t size) {
    Layer layer;
    layer.sign = sign;
    layer.at = static_cast<uint32_t>(at);
    layer.size = static_cast<uint32_t>(size);
    layer.to_end = at + size == all.size();
    return layer;
}

// True for text such as {"1": or {"…":{"i32": which is damaged if it is not Thrift's JSON.
bool begins_with_field(const Stretch &text) {
    Stretch name = sign_behind_spaces({text.begin + 1, text.end});
    if (name.size() < 2 || *name.begin != '"') return false;
    if (sign_is_digit(name.begin[1]) || name.begin[1] == '-') return true;
    const void *end = memchr(name.begin + 1, '"', name.window() - 1);
    Input in(text.begin, text.size());
    const uint8_t *p = static_cast<const uint8_t *>(end);
    WireType type = WireType::stop;
    if (!p || !(p = ThriftJson::expect(in, p + 1, ':')) || !(p = ThriftJson::expect(in, p, '{'))) return false;
    return ThriftJson::read_type(in, p, &type) && type != WireType::stop;
}

struct Search {
    const Link *link;
    Sign tried;   // the wire that has failed
    bool stream;  // whether there may be several payloads
    int left = events_in_all;
    Guess guess;

    Search(const Link *known, Sign wire, bool several) : link(known), tried(wire), stream(several) {}

    // Whether this wire has failed to read these very bytes. A byte order mark is not always a part of them.
    bool has_failed(Sign wire) const {
        return wire == tried && (guess.count == 0 || (guess.count == 1 && guess.layers[0].sign == Sign::utf8));
    }

    bool found(const Layer &layer) {
        guess.layers[guess.count++] = layer;
        return true;
    }

    bool found_wire(Layer layer, const Stretch &all) {
        Payloads payloads = stream ? read_payloads(layer.sign, all, layer.fits ? link : nullptr) : Payloads();
        if (payloads.count > 1) {
            layer.count = payloads.count;
            layer.rest = payloads.rest;
        }
        return found(layer);
    }

    // The layer is taken back if nothing is found in it.
    bool around(const Layer &outer, const Stretch &inner) {
        if (guess.count + 1 >= Guess::layers_max) return false;
        found(outer);
        if (any(inner, true)) return true;
        guess.count--;
        return false;
    }

    bool wire_that_fits(const Stretch &all, bool whole) {
        if (!link) return false;
        for (Sign wire : wires) {
            if (!has_failed(wire) && fits(try_wire(wire, all, link, &left), whole))
                return found_wire(layer(wire, true), all);
        }
        return false;
    }

    // Several payloads of one wire. The last one may be cut off, and behind many there may be anything. But a wire that ends
    // where the bytes end is preferred.
    enum class Ends : uint8_t { any, exact, alike };  // which ends are taken; alike: exact, and all payloads begin alike

    bool several(const Stretch &all, Ends want = Ends::any) {
        const size_t shortest = link ? 4 : 8;
        if (!stream || all.size() < shortest) return false;
        Layer best;
        for (Sign wire : wires) {
            bool by_sign = !link && is_json(wire);  // which json() has found already
            if (by_sign || (is_json(wire) && *all.begin != '{')) continue;
            Payloads payloads = read_payloads(wire, all, link);
            uint32_t least = payloads.rest == Rest::strange && !link ? 4 : 2;
            uint32_t fields = link ? 2 : wire == Sign::message_pack ? 5 : 3;
            if (payloads.count < least || payloads.fields < fields || !is_telling(all, payloads)) continue;
            bool ends = payloads.rest == Rest::none || payloads.rest == Rest::unread;
            if (!ends && (want != Ends::any || best.sign != Sign::none)) continue;
            if (want == Ends::alike && !payloads.alike) continue;
            best = sparpack::layer(wire, link != nullptr);
            best.count = payloads.count;
            best.rest = payloads.rest;
            if (ends) break;
        }
        return best.sign != Sign::none && found(best);
    }

    bool json(const Stretch &all) {
        Stretch text = sign_behind_spaces(all);
        if (text.size() < 2 || (*text.begin != '{' && *text.begin != '[') || !sign_is_text(text)) return false;
        if (size_t at = sign_json_envelope(text)) return json_message(all, text, at);
        if (sign_is_thrift_json(text)) return !has_failed(Sign::thrift_json) && found_wire(layer(Sign::thrift_json), all);
        if (has_failed(Sign::json) || (has_failed(Sign::thrift_json) && begins_with_field(text))) return false;
        Trial json = trial<JsonEvents>(text, nullptr, &left, text_max);
        if (!json.complete && json.events < 4) return false;
        Layer one = layer(Sign::json, *text.begin == '{');
        Stretch rest = sign_behind_spaces({text.begin + json.size, text.end});
        one.at = json.complete && rest.size() && *rest.begin == *text.begin;  // another one follows
        return found_wire(one, all);
    }

    // One payload of a JSON wire, from the first byte to the last.
    bool whole_json(const Stretch &all) {
        if (*all.begin != '{' || !sign_is_text(all)) return false;
        Sign wire = sign_is_thrift_json(all) ? Sign::thrift_json : Sign::json;
        Trial one = try_wire(wire, all, nullptr, &left);
        return one.complete && sign_behind_spaces({all.begin + one.size, all.end}).size() == 0 &&
               found(layer(wire, wire == Sign::json));
    }

    // A wire's grammar without the schema: many bytes happen to have one or two fields. If the schema is known, but does not
    // fit, there must be more.
    // `exact` takes no wire that was not read to the end.
    bool wire_without_schema(const Stretch &all, bool exact = false) {
        if (all.size() < (link ? 16 : 8)) return false;
        for (Sign wire : thrift_wires) {
            Trial thrift = has_failed(wire) ? Trial() : try_wire(wire, all, nullptr, &left);
            bool goes_on =
                !exact && thrift.unfinished && thrift.events > 8 && !sign_is_text(all) && !is_monotonous(all, thrift);
            bool ends = thrift.exact || goes_on;
            // The headers of fields are shorter in compact, so they are right by chance more often.
            uint32_t least = !link ? 2 : wire == Sign::compact ? 6 : 4;
            if (ends && thrift.found.ascending && thrift.found.strange >= least) return found_wire(layer(wire), all);
        }
        if (has_failed(Sign::message_pack)) return false;
        Trial pack = try_wire(Sign::message_pack, all, nullptr, &left);
        bool ends = pack.exact || (!exact && pack.unfinished && pack.events > 16);
        bool is_map = pack.found.texts > 0 && pack.found.texts == pack.found.strange;
        return ends && (is_map || (!link && pack.events > 4)) && found_wire(layer(Sign::message_pack), all);
    }

    bool text_of_bytes(const Stretch &all);
    bool wide_text(const Stretch &all);

    // The payload of a frame.
    bool in_frame(const Stretch &inner) {
        bool as_one = stream;
        stream = false;  // a frame has one payload
        bool is_payload = wire_that_fits(inner, true) || compressed(inner) || envelope(inner) || whole_json(inner) ||
                          (!link && wire_without_schema(inner));
        stream = as_one;
        return is_payload;
    }

    // How well frames must fit.
    enum class Frames : uint8_t {
        exact,      // they end where the bytes end, and the second one has a payload of the same wire
        checked,    // there is such a second one
        beginning,  // the last one may be cut off, and behind several there may be anything
        first,      // behind the first one, whose payload fits the class, there may be anything
    };

    // A frame, or several, with a payload in the first one. If that is damaged, and all frames are whole, the second one
    // may tell. If the bytes are cut, so may be the last frame. So may it be in a stream of several.
    template <const uint8_t *(*size_of)(const uint8_t *, const uint8_t *, uint32_t *)>
    bool frames(Sign sign, const Stretch &all, Frames want) {
        const uint32_t frames_max = stream ? payloads_max : 8;
        uint32_t first = 0, size = 0;
        const uint8_t *begin = size_of(all.begin, all.end, &first), *p = begin;
        if (!p || first < 2 || first > static_cast<size_t>(all.end - p)) return false;
        p += first;
        Layer outer = frame(sign, all, static_cast<size_t>(begin - all.begin), first);
        Stretch second = {p, p};
        bool strange = false;
        for (; outer.count < frames_max && p < all.end; outer.count++) {
            const uint8_t *payload = size_of(p, all.end, &size);
            bool is_whole = payload && size > 0 && size <= static_cast<size_t>(all.end - payload);
            if (!is_whole && !all.cut && !(stream && outer.count > 1) && want != Frames::first) return false;
            strange = !is_whole && payload && (size == 0 || size > frame_max);
            if (!is_whole) break;
            p = payload + size;
            if (outer.count == 1) second = {payload, p};
        }
        bool ends = p == all.end;
        if (want == Frames::exact && !ends && !all.cut) return false;
        if (want == Frames::checked && second.size() == 0) return false;
        outer.rest = ends ? Rest::none : strange ? Rest::strange : all.cut ? Rest::unread : Rest::cut;
        if (outer.count == frames_max) outer.rest = Rest::unread;
        if (guess.count + 2 >= Guess::layers_max) return false;
        found(outer);
        const int count = guess.count;
        bool is_payload = in_frame({begin, begin + first});
        if (!is_payload && stream && ends && outer.count > 2 && want == Frames::beginning) is_payload = in_frame(second);
        const Layer &inner = guess.layers[count];
        if (is_payload && want <= Frames::checked && second.size() && is_wire(inner.sign)) {
            Trial other = try_wire(inner.sign, second, inner.fits ? link : nullptr, &left);
            is_payload = other.exact && (want != Frames::exact || inner.fits || is_dense(other.found));
        }
        if (is_payload && want == Frames::first) is_payload = inner.fits && is_wire(inner.sign);
        if (is_payload) return true;
        guess.count = count - 1;
        return false;
    }

    static bool is_wire(Sign sign) {
        for (Sign wire : wires) {
            if (wire == sign) return true;
        }
        return false;
    }

    static const uint8_t *four_bytes(const uint8_t *p, const uint8_t *end, uint32_t *size) {
        return end - p < 4 ? nullptr : (*size = sign_size(p), p + 4);
    }

    bool framed(const Stretch &all, Frames want = Frames::beginning) {
        return frames<four_bytes>(Sign::framed, all, want) || frames<sign_varint>(Sign::varint, all, want);
    }

    // By chance, ids are far apart.
    static bool is_dense(const Fits &found) { return found.highest <= 2 * static_cast<int32_t>(found.strange) + 2; }

    // The first bytes of a payload that is cut off. All of its fields are known, or all bytes were read, hardly by chance.
    bool beginning(const Stretch &all) {
        if (!stream || all.cut || sign_is_text(all)) return false;
        for (Sign wire : {Sign::compact, Sign::binary, Sign::message_pack}) {
            left = events_in_all;
            Trial one = try_wire(wire, all, link, &left);
            const Fits &found = one.found;
            if (!one.truncated || !one.telling || one.size > all.size()) continue;
            bool is_own = link && found.own > 0 && found.known >= 3 && found.unknown == 0;
            bool is_map = found.texts > 0 && found.texts == found.strange;
            bool is_struct =
                wire == Sign::message_pack ? is_map : found.ascending && is_dense(found) && !is_monotonous(all, one);
            bool is_any =
                !link && one.size == all.size() && one.events > 12 && one.size > 24 && found.strange > 1 && is_struct;
            if (!is_own && !is_any) continue;
            Layer layer = sparpack::layer(wire, is_own);
            layer.rest = Rest::cut;
            return this->found(layer);
        }
        return false;
    }

    // Payloads in frames, several of them, or one. Readings that are hardly chance come first.
    bool payloads(const Stretch &all) {
        if (stream && (framed(all, Frames::exact) || (!link && several(all, Ends::alike)))) return true;
        left = events_in_all;
        if (stream && framed(all, Frames::checked)) return true;
        left = events_in_all;
        if (stream && !link && (wire_without_schema(all, true) || several(all, Ends::exact))) return true;
        left = events_in_all;
        if (framed(all) || (stream && link && framed(all, Frames::first))) return true;
        left = events_in_all;
        return wire_without_schema(all) || (!link && several(all)) || beginning(all);
    }

    // A message of Thrift's RPC. The layer says where the struct is.
    bool message(const Stretch &all, const Layer &layer) {
        if (guess.count + 1 < Guess::layers_max) {
            found(layer);
            const uint8_t *begin = all.begin + layer.at;
            if (wire_that_fits({begin, begin + layer.size, all.cut}, true)) return true;
            guess.count--;
        }
        return found(layer);
    }

    bool envelope(const Stretch &all) {
        size_t size = sign_envelope(all);
        return size && message(all, frame(Sign::envelope, all, size, all.size() - size));
    }

    // The struct of a message in JSON ends before the last bracket.
    bool json_message(const Stretch &all, const Stretch &text, size_t at) {
        const uint8_t *begin = text.begin + at, *end = text.end;
        while (!all.cut && end > begin && sign_is_space(end[-1])) end--;
        if (!all.cut && end > begin && end[-1] == ']') end--;
        return message(all,
                       frame(Sign::envelope, all, static_cast<size_t>(begin - all.begin), static_cast<size_t>(end - begin)));
    }

    // The payload is not decompressed here, so nothing tells whether it fits the schema.
    bool compressed(const Stretch &all) {
        if (has_failed(Sign::message_pack) || all.size() < lz4_shortest) return false;
        bool begins = lz4_sign(all.begin, all.end) && lz4_plausible(all.begin, all.end);
        return begins && found(layer(Sign::message_pack_lz4, link != nullptr));
    }

    // Formats that can be told without a schema.
    bool other_format(const Stretch &all) {
        if (compressed(all)) return true;
        Sign sign = sign_by_magic(all);
        if (sign == Sign::none) sign = sign_by_text(all);
        if (sign != Sign::none) return found(layer(sign));
        if (json(all)) return true;
        constexpr char mark[] = "\xef\xbb\xbf";
        if (all.starts(mark)) {
            Layer utf8 = frame(Sign::utf8, all, 3, all.size() - 3);
            return around(utf8, {all.begin + 3, all.end, all.cut}) || (!is_json(tried) && found(utf8));
        }
        return wide_text(all) || text_of_bytes(all);
    }

    bool any(const Stretch &all, bool inner) {
        if (all.size() == 0) return false;
        return wire_that_fits(all, inner) || (link && several(all)) || other_format(all) || envelope(all) || payloads(all);
    }
};

constexpr size_t decoded_max = 768;

int hex_value(uint8_t byte) {
    if (sign_is_digit(byte)) return byte - '0';
    uint8_t letter = byte | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// Reads text that stands for bytes, `bits` of them for each character. Returns how many there are, 0 if it is other text.
template <int bits, int (*value_of)(uint8_t)> size_t decode_text(const Stretch &all, uint8_t *bytes, bool *cut) {
    size_t count = 0;
    uint32_t held = 0;
    int left = 0;
    const uint8_t *p = all.begin;
    for (; p < all.end; p++) {
        if (static_cast<size_t>(p - all.begin) == 4 * decoded_max) return *cut = true, count;
        if (*p == '\n' || *p == '\r' || (bits == 4 && (*p == ' ' || *p == '\t'))) continue;
        int value = value_of(*p);
        if (value < 0) break;
        if (count == decoded_max) return *cut = true, count;
        held = held << bits | static_cast<uint32_t>(value);
        left += bits;
        if (left >= 8) bytes[count++] = static_cast<uint8_t>(held >> (left -= 8));
    }
    while (bits == 6 && p < all.end && (*p == '=' || *p == '\n' || *p == '\r')) p++;
    bool ends = p == all.end && left != bits && !(held & ((1u << left) - 1));
    *cut = all.cut;
    return ends ? count : 0;
}

// Hexadecimal digits and base64. Most short texts could be base64, so the decoded bytes must be a known format, too.
bool Search::text_of_bytes(const Stretch &all) {
    uint8_t bytes[decoded_max];
    bool cut = false;
    size_t size = decode_text<4, hex_value>(all, bytes, &cut);
    bool spaced = false;
    for (const uint8_t *p = all.begin; p < all.begin + all.window(); p++) spaced = spaced || *p <= ' ';
    spaced = spaced || all.end[-1] <= ' ';
    if (size && around(frame(Sign::hex, all, spaced, all.size()), {bytes, bytes + size, cut})) return true;
    size = decode_text<6, base64_digit>(all, bytes, &cut);
    bool safe = memchr(all.begin, '-', all.window()) || memchr(all.begin, '_', all.window());
    return size && around(frame(Sign::base64, all, safe, all.size()), {bytes, bytes + size, cut});
}

// Text of 16 or 32 bits for each character: what would it be in ASCII?
bool Search::wide_text(const Stretch &all) {
    WideText text = sign_wide_text(all);
    if (text.width == 0) return false;
    uint8_t bytes[sign_window];
    size_t count = 0;
    while (count < sizeof bytes && text.place(count) < all.size()) {
        bytes[count] = all.begin[text.place(count)];
        count++;
    }
    Layer wide = frame(text.width == 4 ? Sign::utf32 : Sign::utf16, all, text.mark ? 2 : text.little, all.size());
    return around(wide, {bytes, bytes + count, true}) || found(wide);
}

}  // namespace

}  // namespace sparpack
