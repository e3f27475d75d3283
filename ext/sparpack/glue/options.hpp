// Options of encoding and decoding: what a codec fixes once, and what a call may pass.
#pragma once

#include "../bytes/limits.hpp"
#include "../bytes/status.hpp"
#include "../values/costs.hpp"

namespace sparpack {

enum class Check : uint8_t { none, normal, strict, recursive };
enum class Unknown : uint8_t { skip, reject, keep };
enum class Compression : uint8_t { none, lz4, lz4_block };

struct OutputLimit;

constexpr int64_t decompressed_usual = 64 << 20;  // bytes of a payload that arrived compressed

struct Options {
    // Limits. Without a limit of its own, memory is limited in proportion to the payload, so that bytes from a stranger
    // cannot take more than their number allows.
    int64_t memory = -1;
    int64_t payload = 100 * 1000 * 1000;  // from an io; a String is in memory already
    int64_t string = unlimited;
    int64_t container = unlimited;
    int64_t decompressed = decompressed_usual;
    int depth = 64;
    int depth_watched = 0;  // a struct with fewer levels left checks its depth and the stack

    Check validate = Check::normal;
    Unknown unknown = Unknown::skip;
    bool freeze = false;
    bool lazy = false;
    bool utf8_keep = false;
    bool mismatch_skip = false;
    Compression compression = Compression::none;  // for the wires that know it (WireTraits). Reading finds out by itself

    // The rules of another library, for classes that were adopted from it.
    bool exact_classes = false;   // a set is a Set, a double a Float, and a string a String, whose bytes are not looked at
    bool exact_sets = false;      // no subclass of Set is a set
    bool exact_enums = false;     // an enum is an Integer, never a name
    bool plain_text = false;      // a string is a String that is tagged as UTF-8, whatever its bytes, or that is ASCII
    bool plain_keys = false;      // keys and elements of sets are not frozen, except Strings
    bool loose_types = false;     // a container with elements of another type is nil (codec/adopted/loose.hpp)
    bool typed_empty = false;     // the element type of an empty container matters
    bool trailing = false;        // bytes may follow a payload
    bool attempt = false;         // a fault raises nothing, because the library's own code runs then
    bool grows = false;           // in an attempt: more bytes may follow, if only bytes are missing
    bool calls = false;           // methods of adopted classes are called (codec/adopted/called.hpp)
    bool binary_uuids = false;    // a uuid is ASCII-8BIT
    bool foreign_errors = false;  // Ruby makes that library's error of a fault

    // For the wires that know them (WireTraits).
    bool enum_names = false;
    bool integer_text = false;
    bool arrays = false;  // a payload may be an array of objects (WireTraits::arrays)

    const OutputLimit *output = nullptr;  // of one encode, on behalf of a converter
};

inline constexpr Options options_usual;

inline SizeLimits size_limits(const Options &options) { return {options.string, options.container}; }

// Returns the limit that a status speaks of, or 0.
SPARPACK_COLD inline int64_t options_limit(const Options &options, Status status) {
    return status == Status::too_deep              ? options.depth
           : status == Status::string_too_long     ? options.string
           : status == Status::container_too_large ? options.container
                                                   : 0;
}

// Up to the usual depth, the stack of any thread or fiber is large enough. Beyond it, we ask Ruby.
constexpr int depth_usual = 100;

// How deep those may go that do not look at their stack, because they must not touch Ruby.
inline int depth_without_ruby(int depth) { return depth < depth_usual ? depth : depth_usual; }

SPARPACK_INLINE bool options_stack_full(const Options &options) { return options.depth > depth_usual && ruby_stack_check(); }

constexpr int64_t memory_base = 16 << 20;
constexpr int64_t memory_per_byte = 64;
constexpr int64_t attempt_share = 8;  // of the limit, for a first attempt at a payload of unknown size

SPARPACK_INLINE int64_t options_memory(const Options &options, size_t payload) {
    if (options.memory >= 0) return options.memory;
    return memory_base + memory_per_byte * static_cast<int64_t>(payload);
}

}  // namespace sparpack
