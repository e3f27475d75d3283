// The scan of each wire. Its code is large, so it is compiled here alone.
#include "scan.hpp"

#include "columns/values.hpp"
#include "open_values.hpp"
#include "step_values.hpp"

namespace sparpack {

namespace {

// A field of text has no place to sleep at, because what it takes is not known in advance.
template <class Wire> constexpr ScanOf scan_of_wire() {
    if constexpr (Wire::traits.raw_strings && Wire::traits.counts_elements && !Wire::traits.quotes_keys) {
        return {scan_payload<Wire>, open_struct_at<Wire>, open_list<Wire>, open_string<Wire>};
    } else {
        return {scan_payload<Wire>, nullptr, nullptr, nullptr};
    }
}

constexpr ScanOf scans[] = {
#define X(name, grammar) scan_of_wire<grammar::Reader>(),
    SPARPACK_WIRES(X)
#undef X
};

constexpr const StepsOf *steps[] = {
#define X(name, grammar) &Stepping<grammar::Reader>::all,
    SPARPACK_WIRES(X)
#undef X
};

constexpr ColumnWalk column_walks[] = {
#define X(name, grammar) walk_payload<grammar::Reader>,
    SPARPACK_WIRES(X)
#undef X
};

}  // namespace

ColumnWalk column_walk(WireId wire) { return of_wire(column_walks, wire); }

const ScanOf *scan_of(WireId wire) { return &of_wire(scans, wire); }

const StepsOf &steps_of(WireId wire) { return *of_wire(steps, wire); }

bool steps_absent(Scan &s, const Link *link, uint64_t seen) { return scan_absent(s, nullptr, link, seen); }

}  // namespace sparpack
