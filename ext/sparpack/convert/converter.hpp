// What a Sparpack::Converter knows.
#pragma once

#include "../glue/options.hpp"
#include "../plan/codec_facts.hpp"
#include "enums.hpp"
#include "transit.hpp"

namespace sparpack {

struct Converter {
    VALUE from;  // codecs
    VALUE to;
    VALUE klass;
    const char *wire;  // that is read
    const Link *link;
    FusedPair fused;  // or nullptr
    CellsReader read;
    CellsWriter write;
    TransitRules rules;
    Options options;     // of the codec that reads
    const Enums *enums;  // atomic; nullptr until native threads convert (many.cpp)
    WireId reads;
    bool text;
    bool passes;      // whether payloads can do without objects: those that are compressed cannot
    bool compressed;  // whether payloads that are read may be compressed
};

// Returns the converter of an object. Raises TypeError for anything else.
const Converter *converter_get(VALUE self);

// Converts a payload. Returns where it and its bytes in the other wire end, or nullptr twice if it must be decoded and
// encoded. Whatever calls Ruby is in the transit: how its output and its blocks grow, and what its rules allow.
Places converter_pass(const Converter *converter, Transit &t, const uint8_t *start);

// What a thread needs that does not have Ruby's lock.
const Enums *converter_enums(const Converter *converter);

// Defines Native.convert_many.
void many_init(PayloadEndOf payload_end);

}  // namespace sparpack
