// Fuzzes the code that reads JSON without Ruby. It reads the events of a value at once and in pieces, and reads strings,
// writes them and reads them again. The first byte is the size of the pieces.
#include "wire/json/events.hpp"

#include "output.hpp"
#include "seen.hpp"

using namespace sparpack;

namespace {

constexpr int depth = 100;

void must(bool x) {
    if (!x) __builtin_trap();
}

// A text that is unescaped, written and read again must be the same. Only broken ones may be written otherwise.
struct Rewrite : Skip {
    bool scalar(Level &, const event::Scalar &scalar) {
        if (scalar.type != event::Type::text || scalar.text.broken) return true;
        Bytes means(scalar.text.unescaped + 1), again(scalar.text.unescaped + 1);
        JsonText::unescape(means.data(), scalar.text);
        GrowingOutput output;
        uint8_t *p = writer_reserve(output.writer, output.writer.begin, 1);
        Bytes text = output.finish(JsonText::write_string(output.writer, p, means.data(), scalar.text.unescaped));
        const uint8_t *q = text.data() + 1;
        event::Text read;
        must(JsonText::read_string(q, text.data() + text.size(), read) == JsonText::Token::ok && !read.broken);
        must(q == text.data() + text.size() && read.unescaped == scalar.text.unescaped);
        JsonText::unescape(again.data(), read);
        must(means == again);
        return true;
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    size_t piece = 1 + data[0] % 24;
    Bytes bytes(data + 1, data + size);
    bytes.reserve(1);
    seen::Events whole = seen::at_once<JsonEvents>(bytes.data(), bytes.size(), depth);
    must(seen::tiles<JsonEvents>(whole, bytes.data()));
    must(seen::same(whole, seen::in_pieces<JsonEvents>(bytes.data(), bytes.size(), depth, [&](size_t) { return piece; })));
    must(seen::reads_exactly<JsonEvents>(bytes.data(), bytes.size(), depth));
    Input in(bytes.data(), bytes.size());
    Rewrite rewrite;
    walk_whole<JsonEvents>(in, in.begin, rewrite, depth);
    return 0;
}
