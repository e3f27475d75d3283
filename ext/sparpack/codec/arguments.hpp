// The wire and the options, as callers pass them.
#pragma once

#include "../glue/options.hpp"
#include "../wire/wires.hpp"

namespace sparpack {

// Arguments of the form (…, wire = :compact, **options). Raises ArgumentError for others.
struct Arguments {
    WireId wire = WireId::compact;
    Options options;
    bool of_codec = false;  // `frame:` and `observe:` are options, which lib/sparpack/io reads

    // `leading` arguments come before the wire. `form` shows the whole call.
    Arguments(int argc, const VALUE *argv, int leading, const char *form);

    // A wire, and the options of a codec in a Hash.
    Arguments(VALUE wire_name, VALUE hash, bool codec = true);
};

// Returns a mode of validation. Raises ArgumentError.
Check check_of(VALUE mode);

VALUE wire_symbol(WireId wire);

void arguments_init(VALUE sparpack);

}  // namespace sparpack
