// Fuzzes the lines of `sparpack inspect`, in all forms and of all wires, without a schema. The first byte selects the wire,
// and the second one what is shown. Each form writes into memory that is as large as it asked for. It includes headers of
// Ruby, but calls no function of Ruby: only names of a schema need one.
#include "annotate/json_form.hpp"
#include "annotate/picture_form.hpp"
#include "annotate/text_form.hpp"
#include "wire/pull.hpp"

#include <cstdlib>
#include <memory>

#include "output.hpp"

using namespace sparpack;

// Only a schema needs this.
namespace sparpack {
VALUE plan_class_of_mapping(const Plan *) { abort(); }
const Plan *plan_of(VALUE) { abort(); }
}  // namespace sparpack

namespace {

void must(bool x) {
    if (!x) __builtin_trap();
}

// What a terminal or a browser could obey, or nobody sees.
void must_be_plain(const Bytes &text, bool colored) {
    must(utf8_check(text.data(), text.size()) != Text::broken);
    const uint8_t *p = text.data(), *end = p + text.size();
    while (p < end) {
        uint32_t code = utf8_code(p, end);
        must(code == '\n' || (colored && code == 0x1b) || !is_hidden(code));
    }
    must(text.empty() || text.back() == '\n');
}

// As in annotate/annotator.cpp, the levels are those of the form that needs most.
template <class Grammar> struct SinkOf : Annotator { using Level = typename TextForm<Grammar>::Level; };

template <class Grammar, class Shown> void show(const uint8_t *bytes, size_t size, uint8_t choice) {
    using Sink = SinkOf<Grammar>;
    struct Run {
        Pull<Grammar, Sink> pull;
        Sink sink{};
        Shown form{};
        PullLevel<Grammar, Sink> levels[65];
    };
    auto run = std::make_unique<Run>();
    Sink &sink = run->sink;
    Shown &form = run->form;
    sink.form = &form;
    sink.payload = sink.at = form.payload = bytes;
    if constexpr (!std::is_same_v<Shown, TextForm<Grammar>>) form.value_max = choice & 1 ? 5 : SIZE_MAX;
    if constexpr (std::is_same_v<Shown, PictureForm>) form.colored = choice & 2;
    sink.selection.limit = choice & 4 ? 3 : UINT64_MAX;
    if (choice & 8) {
        sink.selective = true;
        sink.selection.from = size / 4;
        sink.selection.pieces = 1;
        sink.selection.path[0] = {PathPiece::Kind::index, true, nullptr, 0, choice >> 5};
    }
    pull_begin(run->pull, run->levels, 64);
    Input in(bytes, size);
    in.counts = Counts::unchecked;
    const uint8_t *p = bytes;
    GrowingOutput output;
    form.pen = {&output.writer, output.writer.begin};
    size_t tiles = 0;
    while (!pull_is_done(run->pull)) {
        const uint8_t *before = sink.at;
        if (pull_step(run->pull, in, p, sink) == Step::failed) break;
        must(sink.at >= before && sink.at <= p && p <= bytes + size);
        tiles += static_cast<size_t>(sink.at - before);
    }
    must(tiles == static_cast<size_t>(sink.at - bytes));
    must(sink.shown <= sink.lines && sink.shown <= sink.selection.limit);
    Bytes text = output.finish(form.pen.p);
    must_be_plain(text, std::is_same_v<Shown, PictureForm> && (choice & 2));
    if constexpr (std::is_same_v<Shown, JsonForm>) {
        for (uint8_t byte : text) must(byte != '<');
    }
    // The path of what comes next.
    GrowingOutput path;
    Pen pen = {&path.writer, path.writer.begin};
    const AnnotateLevel &level = run->levels[run->pull.top].sink();
    put_path(pen, level);
    Bytes line = path.finish(pen.p);
    line.push_back('\n');
    must_be_plain(line, false);
}

template <class Grammar> void show(const uint8_t *bytes, size_t size, uint8_t choice) {
    show<Grammar, PictureForm>(bytes, size, choice);
    show<Grammar, TextForm<Grammar>>(bytes, size, choice);
    show<Grammar, JsonForm>(bytes, size, choice);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3) return 0;
    // Memory of its own, so that the sanitizer sees every read beyond its end.
    Bytes bytes(data + 2, data + size);
    bytes.shrink_to_fit();
    switch (data[0] % 5) {
    case 0: show<ThriftEvents<Compact>>(bytes.data(), bytes.size(), data[1]); break;
    case 1: show<ThriftEvents<Binary>>(bytes.data(), bytes.size(), data[1]); break;
    case 2: show<MessagePackEvents>(bytes.data(), bytes.size(), data[1]); break;
    case 3: show<JsonEvents>(bytes.data(), bytes.size(), data[1]); break;
    default: show<ThriftJson::Events>(bytes.data(), bytes.size(), data[1]); break;
    }
    return 0;
}
