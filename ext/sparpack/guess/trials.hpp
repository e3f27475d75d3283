// Tries a wire on some bytes: how far does it read them, and do their fields fit a schema? Makes no objects, and looks at a
// limited number of bytes, whatever their size.
#pragma once

#include "../wire/json/events.hpp"
#include "../wire/message_pack/events.hpp"
#include "../wire/pull.hpp"
#include "../wire/thrift/events.hpp"
#include "../wire/thrift/json.hpp"
#include "fits.hpp"
#include "guess.hpp"

namespace sparpack {

inline size_t zeros_in(const uint8_t *p, size_t size) {
    size_t zeros = 0;
    for (const uint8_t *end = p + size; p < end; p++) zeros += *p == 0;
    return zeros;
}

// Bounds on what is looked at: levels, events of one wire and of all together, bytes of text.
constexpr int levels_max = 24;
constexpr int events_max = 128;
constexpr int events_in_all = 512;
constexpr size_t text_max = 1024;

// Bounds for several payloads, one after the other, and for frames of them.
constexpr int events_of_stream = 4096;
constexpr size_t stream_max = 64 << 10;
constexpr uint32_t payloads_max = 1000;

// A frame that says it is larger is rather something else.
constexpr uint32_t frame_max = 64 << 20;

// How far one wire reads the bytes.
struct Trial {
    bool complete = false;    // up to the end of the bytes, or of the first payload in them
    bool unfinished = false;  // nothing was wrong as far and as deep as was looked
    bool truncated = false;   // the bytes end too early
    bool exact = false;       // the payload ends where the bytes end
    int events = 0;
    bool telling = false;  // not just zeros, which mean something in every wire
    size_t size = 0;       // of what was read
    Fits found{nullptr};
};

// `left` is how many events may still be read, in all and of this payload.
template <class Grammar>
inline Trial trial(const Stretch &all, const Link *link, int *left, size_t longest = SIZE_MAX, int most = events_max) {
    using Events = Pull<Grammar, Fits>;
    typename Events::Level levels[levels_max + 1];
    Events events;
    Trial trial;
    trial.found = Fits(link);
    size_t size = all.size() < longest ? all.size() : longest;
    bool cut = all.cut || size < all.size();
    Input in(all.begin, size, !cut);
    const uint8_t *p = in.begin;
    pull_begin(events, levels, levels_max);
    while (!pull_is_done(events)) {
        if (trial.events == most || --*left < 0) {
            trial.unfinished = true;
            break;
        }
        if (pull_step(events, in, p, trial.found) == Step::failed) {
            trial.unfinished = (cut && in.status == Status::truncated) || in.status == Status::too_deep;
            trial.truncated = in.status == Status::truncated;
            break;
        }
        trial.events++;
    }
    trial.complete = pull_is_done(events);
    trial.size = static_cast<size_t>(p - in.begin);
    trial.exact = trial.complete && !cut && p == in.end;
    trial.telling = trial.size > 2 && zeros_in(in.begin, trial.size) <= trial.size - 2;
    return trial;
}

// True if so many fields fit the schema, and fit it so well, that this is hardly chance.
inline bool fits(const Trial &trial, bool whole) {
    const Fits &found = trial.found;
    if (found.own == 0 || found.strange > found.own) return false;
    if (trial.complete) return !found.lacks && (trial.exact || (!whole && found.own > 1)) && trial.telling;
    return trial.unfinished && found.known >= 3;
}

inline bool begins_map_or_array(uint8_t byte) { return (byte & 0xe0) == 0x80 || (byte >= 0xdc && byte <= 0xdf); }
inline bool begins_map(uint8_t byte) { return (byte & 0xf0) == 0x80 || byte == 0xde || byte == 0xdf; }

// True for a beginning that hardly a struct has: one byte over and over, or nothing but the headers of booleans, which are
// fields without another byte in compact. Nested arrays and maps of MessagePack look like these.
inline bool is_monotonous(const Stretch &all, const Trial &thrift) {
    bool same = thrift.size > 1 && memcmp(all.begin, all.begin + 1, thrift.size - 1) == 0;
    return same || thrift.size <= static_cast<size_t>(thrift.events) / 2;
}

// The wires and how they begin.
inline Trial try_wire(Sign wire, const Stretch &all, const Link *link, int *left) {
    if (all.size() == 0) return Trial();
    switch (wire) {
    case Sign::compact: return trial<ThriftEvents<Compact>>(all, link, left);
    case Sign::binary: return trial<ThriftEvents<Binary>>(all, link, left);
    case Sign::message_pack: return begins_map_or_array(*all.begin) ? trial<MessagePackEvents>(all, link, left) : Trial();
    case Sign::json: {
        Stretch text = sign_behind_spaces(all);
        return text.size() && *text.begin == '{' ? trial<JsonEvents>(text, link, left, text_max) : Trial();
    }
    case Sign::thrift_json: {
        Stretch text = sign_behind_spaces(all);
        return text.size() && *text.begin == '{' ? trial<ThriftJson::Events>(text, link, left, text_max) : Trial();
    }
    default: return Trial();
    }
}

constexpr bool is_json(Sign wire) { return wire == Sign::json || wire == Sign::thrift_json; }

// Several payloads of one wire, one after the other.
struct Payloads {
    uint32_t count = 0;
    Rest rest = Rest::none;
    size_t size = 0;      // of those that were read
    uint32_t fields = 0;  // in all; of MessagePack, the events
    bool alike = true;    // all begin with the same byte
};

// Without a schema, many bytes happen to be a payload. So each of several must have at least a field, in order, and end as
// writers end it: readers of compact take any byte for the end whose type is 0. Those of MessagePack are all maps with
// names, or all arrays.
inline bool is_one_of_several(Sign wire, const Trial &trial, const uint8_t *p, uint8_t first, bool by_schema) {
    const Fits &found = trial.found;
    if (by_schema) return found.own > 0 && found.strange <= found.own && !found.lacks;
    uint8_t byte = *p;
    if (is_json(wire)) return byte == first;
    if (wire != Sign::message_pack) return found.ascending && found.strange > 0 && p[trial.size - 1] == 0;
    bool is_map = found.texts > 0 && found.texts == found.strange;
    return begins_map_or_array(byte) && begins_map(byte) == begins_map(first) && (is_map || !begins_map(byte));
}

template <class Grammar> Payloads read_payloads(Sign wire, const Stretch &all, const Link *link) {
    Payloads payloads;
    int left = events_of_stream;
    Stretch rest = all;
    if (all.size() > stream_max) rest = {all.begin, all.begin + stream_max, true};
    uint8_t first = 0;
    bool text = is_json(wire);
    for (;;) {
        if (text) {
            while (rest.size() && sign_is_space(*rest.begin)) rest.begin++;
        }
        if (rest.size() == 0) {
            payloads.rest = rest.cut ? Rest::unread : Rest::none;
            break;
        }
        if (payloads.count == 0) first = *rest.begin;
        if (payloads.count == payloads_max) {
            payloads.rest = Rest::unread;
            break;
        }
        Trial one = trial<Grammar>(rest, link, &left, SIZE_MAX, events_of_stream);
        if (!one.complete || !is_one_of_several(wire, one, rest.begin, first, link != nullptr)) {
            payloads.rest = one.unfinished ? Rest::unread : !one.complete && one.truncated ? Rest::cut : Rest::strange;
            break;
        }
        payloads.count++;
        payloads.alike = payloads.alike && *rest.begin == first;
        payloads.fields +=
            wire == Sign::message_pack ? static_cast<uint32_t>(one.events) : one.found.own + one.found.strange;
        rest.begin += one.size;
        payloads.size = static_cast<size_t>(rest.begin - all.begin);
    }
    return payloads;
}

inline Payloads read_payloads(Sign wire, const Stretch &all, const Link *link) {
    switch (wire) {
    case Sign::compact: return read_payloads<ThriftEvents<Compact>>(wire, all, link);
    case Sign::binary: return read_payloads<ThriftEvents<Binary>>(wire, all, link);
    case Sign::message_pack: return read_payloads<MessagePackEvents>(wire, all, link);
    case Sign::json: return read_payloads<JsonEvents>(wire, all, link);
    case Sign::thrift_json: return read_payloads<ThriftJson::Events>(wire, all, link);
    default: return Payloads();
    }
}

// Zeros mean something in every wire.
inline bool is_telling(const Stretch &all, const Payloads &payloads) {
    return zeros_in(all.begin, payloads.size) + 2 * payloads.count <= payloads.size;
}

}  // namespace sparpack
