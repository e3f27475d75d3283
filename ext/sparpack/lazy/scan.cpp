// The scan of each wire. Its code is large, so it is compiled here alone.
#include "scan.hpp"

#include "open_values.hpp"

namespace sparpack {

namespace {

// Text says less in more bytes, so there is less to win.
template <class Wire> constexpr ScanOf scan_of_wire() {
    if constexpr (Wire::traits.raw_strings && Wire::traits.counts_elements && !Wire::traits.quotes_keys) {
        return {scan_payload<Wire>, open_struct_at<Wire>, open_list<Wire>, open_string<Wire>};
    } else {
        return {nullptr, nullptr, nullptr, nullptr};
    }
}

constexpr ScanOf scans[] = {
#define X(name, grammar) scan_of_wire<grammar::Reader>(),
    SPARPACK_WIRES(X)
#undef X
};

}  // namespace

const ScanOf *scan_of(WireId wire) {
    const ScanOf &scan = scans[static_cast<size_t>(wire)];
    return scan.payload ? &scan : nullptr;
}

}  // namespace sparpack
