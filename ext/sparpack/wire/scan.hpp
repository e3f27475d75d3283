// Finds the end of a message whose bytes arrive in pieces. The walk stops where the input ends and continues from there, so
// every byte is looked at once. Then the message is decoded, which checks everything else.
#pragma once

#include "walk.hpp"

namespace sparpack {

enum class Scanned : uint8_t { more, done, bad };

template <class Wire> struct ScanLevel {
    typename Wire::Frame frame;  // if it is a struct
    size_t left;                 // elements or pairs still to come
    WireType kind;
    WireType first;   // the type of elements or keys
    WireType second;  // the type of a map's values
    bool at_value;    // a map's key was read, and its value comes next
};

// The caller owns the levels, as many as a message may have. `at` is the offset from the message's start that was reached.
template <class Wire> struct Scan {
    ScanLevel<Wire> *levels;
    int depth;
    int top;
    size_t at;
};

template <class Wire> void scan_begin(Scan<Wire> &scan, ScanLevel<Wire> *levels, int depth) {
    scan = {levels, depth, 0, 0};
    levels[0] = {{}, 0, WireType::struct_, WireType::stop, WireType::stop, false};
}

// Scans a value of any type. A struct or a container opens a level. Statuses: those of the wire's readers, too_deep.
template <class Wire>
const uint8_t *scan_value(Scan<Wire> &scan, Input &in, const uint8_t *p, WireType type, const typename Wire::Frame *frame) {
    bool has_parts = type == WireType::struct_ || type == WireType::list || type == WireType::set || type == WireType::map;
    if (!has_parts) return skip<Wire>(in, p, type, frame, 0);
    if (scan.top + 1 >= scan.depth) return input_fail(in, Status::too_deep, p);
    ScanLevel<Wire> level = {{}, 0, type, WireType::stop, WireType::stop, false};
    if (type == WireType::map) {
        p = Wire::open_map(in, p, &level.first, &level.second, &level.left);
    } else if (type != WireType::struct_) {
        p = Wire::open_list(in, p, &level.first, &level.left);
    }
    if (p) scan.levels[++scan.top] = level;
    return p;
}

// Scans one field, element, key or value of the innermost level, or closes the level.
template <class Wire> const uint8_t *scan_step(Scan<Wire> &scan, Input &in, const uint8_t *p) {
    ScanLevel<Wire> &level = scan.levels[scan.top];
    if (level.kind == WireType::struct_) {
        typename Wire::Frame before = level.frame;
        int next = Wire::next_field(in, p, level.frame, no_fields, 0);
        if (next == next_end) return scan.top--, p;
        if (next == next_unknown && (p = scan_value(scan, in, p, level.frame.type, &level.frame))) return p;
        level.frame = before;
        return nullptr;
    }
    if (level.left == 0) return scan.top--, p;
    bool is_map = level.kind == WireType::map, at_value = level.at_value;
    p = scan_value<Wire>(scan, in, p, at_value ? level.second : level.first, nullptr);
    if (!p) return nullptr;
    level.at_value = is_map && !at_value;
    if (!level.at_value) level.left--;
    return p;
}

// Continues with all bytes of the message that have arrived so far.
template <class Wire> Scanned scan_feed(Scan<Wire> &scan, const uint8_t *bytes, size_t size) {
    Input in(bytes, size);
    while (scan.top >= 0) {
        const uint8_t *p = scan_step(scan, in, bytes + scan.at);
        if (!p) return in.status == Status::truncated ? Scanned::more : Scanned::bad;
        scan.at = static_cast<size_t>(p - bytes);
    }
    return Scanned::done;
}

}  // namespace sparpack
