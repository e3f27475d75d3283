// Sparpack::Native::Annotator: a payload in lines, for `sparpack inspect`. It makes no objects but the text, which it
// returns in pieces. Bytes that cannot be read end it with a fault, and all lines before have been written.
// GCC 16 follows copy_bytes into literals shorter than a word, although their size keeps these copies from running.
#if __GNUC__ >= 16
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif

#include "../bytes/limits.hpp"
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../glue/output.hpp"
#include "../wire/pull.hpp"
#include "json_form.hpp"
#include "picture_form.hpp"
#include "text_form.hpp"

namespace sparpack {

namespace {

// A call ends after this many bytes of output. malloc gives more at once as fresh pages, which takes longer.
constexpr size_t output_enough = 48 << 10;

struct State;

struct Report {
    uint64_t lines, shown, misfits;
    const uint8_t *at;    // the end of the last line
    const uint8_t *next;  // what was read, which includes the header of a field whose value is bad
    bool done;            // the value is complete
    Status status;        // why it is not
    const uint8_t *fault;
    size_t missing;        // if the bytes end too early: how many are missing at least
    const char *expected;  // the type of the value there, on Thrift's wires
};

struct State {
    VALUE bytes;  // frozen
    VALUE klass;
    VALUE texts;  // an Array of frozen Strings, which the pieces of the path point into
    void *run;    // a Run, whose types only its functions know
    size_t run_size;
    size_t from, to;  // where the payload begins and ends in the bytes
    VALUE (*read)(State &);
    VALUE (*path_of)(State &);
    VALUE (*open_of)(State &);
    Report report;
    bool ended;
};

// The most levels of which a report says that they are still open.
constexpr int open_max = 8;

constexpr const char *container_name(event::Container container) {
    switch (container) {
    case event::Container::struct_: return "struct";
    case event::Container::list: return "list";
    case event::Container::set: return "set";
    case event::Container::map: return "map";
    }
    return "";
}

template <class Grammar> struct Run {
    // The levels are those of the form that needs most.
    struct Sink : Annotator {
        using Level = typename TextForm<Grammar>::Level;
    };

    Pull<Grammar, Sink> pull;
    Sink sink;
    const uint8_t *p;
    JsonForm json;  // one of these three is used
    PictureForm picture;
    TextForm<Grammar> text;
    Pen *pen;  // of that
    PullLevel<Grammar, Sink> levels[depth_max + 1];

    static Run &of(State &state) { return *static_cast<Run *>(state.run); }

    static Input input(const State &state) {
        Input in(string_bytes(state.bytes), state.to);
        in.counts = Counts::unchecked;  // a container is shown as far as it goes, whatever its count claims
        return in;
    }

    // Writes lines until there is enough, or none is left.
    static VALUE read(State &state) {
        Run &run = of(state);
        Input in = input(state);
        Output output;
        Sink &sink = run.sink;
        Pen &pen = *run.pen;
        pen = {&output.writer, output.writer.begin};
        while (!pull_is_done(run.pull)) {
            if (SPARPACK_UNLIKELY(pull_step(run.pull, in, run.p, sink) == Step::failed)) {
                state.ended = true;
                break;
            }
            if (SPARPACK_UNLIKELY(static_cast<size_t>(pen.p - output.writer.begin) >= output_enough)) break;
        }
        bool done = pull_is_done(run.pull);
        state.ended = state.ended || done;
        const auto &level = run.levels[run.pull.top].sink();
        WireType type = run.pull.top ? sink.expected(level) : WireType::stop;
        const char *expected = type == WireType::stop ? nullptr : wire_type_name(type);
        state.report = {sink.lines, sink.shown, sink.misfits, sink.at, run.p, done, in.status, in.at, in.missing, expected};
        return output_finish(output, pen.p);
    }

    // The path of the value that comes next.
    static VALUE path_of(State &state) {
        Run &run = of(state);
        Output output;
        Pen pen = {&output.writer, output.writer.begin};
        const AnnotateLevel &level = run.levels[run.pull.top].sink();
        bool is_list = level.container == event::Container::list || level.container == event::Container::set;
        if (run.pull.top && is_list) {
            AnnotateLevel next = level;
            next.step = AnnotateLevel::Step::index;
            next.field = nullptr;
            put_path(pen, next);
        } else if (run.pull.top) {
            put_path(pen, run.sink.head ? level : *level.outer);
        }
        return output_finish(output, pen.p);
    }

    // The innermost levels that are open, from the inside out: [[container, path, elements read, count or nil], …]
    static VALUE open_of(State &state) {
        Run &run = of(state);
        VALUE all = rb_ary_new();
        for (int i = run.pull.top; i > 0 && i > run.pull.top - open_max; i--) {
            const AnnotateLevel &level = run.levels[i].sink();
            Output output;
            Pen pen = {&output.writer, output.writer.begin};
            if (i > 1) put_path(pen, run.levels[i - 1].sink());
            VALUE path = output_finish(output, pen.p);
            VALUE count = level.count == event::Open::unknown ? Qnil : ULL2NUM(level.count);
            rb_ary_push(all, rb_ary_new_from_args(4, ID2SYM(rb_intern(container_name(level.container))), path,
                                                  ULL2NUM(level.index), count));
        }
        return all;
    }
};

void state_mark(void *data) {
    State *state = static_cast<State *>(data);
    rb_gc_mark(state->bytes);  // pinned, because levels point into it
    rb_gc_mark(state->klass);
    rb_gc_mark(state->texts);
    if (NIL_P(state->texts)) return;
    for (long i = 0; i < RARRAY_LEN(state->texts); i++) rb_gc_mark(RARRAY_AREF(state->texts, i));  // pinned, too
}

void state_free(void *data) {
    xfree(static_cast<State *>(data)->run);
    xfree(data);
}

size_t state_size(const void *data) {
    const State *state = static_cast<const State *>(data);
    return sizeof(State) + (state->run ? state->run_size : 0);
}

const rb_data_type_t state_type = {"sparpack/annotator",
                                   {state_mark, state_free, state_size, nullptr, {nullptr}},
                                   nullptr,
                                   nullptr,
                                   RUBY_TYPED_FREE_IMMEDIATELY};

VALUE allocate(VALUE klass) {
    VALUE object = rb_data_typed_object_zalloc(klass, sizeof(State), &state_type);
    State *state = data_of<State>(object);
    state->bytes = state->klass = state->texts = Qnil;
    state->ended = true;
    return object;
}

State &state_of(VALUE self) { return *static_cast<State *>(rb_check_typeddata(self, &state_type)); }

// What Ruby asks for.
struct Request {
    const Link *link;
    Selection selection;
    size_t value_max;
    bool colored;
};

// Chooses one of the forms of a run.
template <class Grammar, class Chosen> void choose(Run<Grammar> &run, Chosen &form, const uint8_t *payload) {
    form = Chosen();
    form.payload = payload;
    run.sink.form = &form;
    run.pen = &form.pen;
}

template <class Grammar> bool start_run(VALUE self, State &state, const Request &request, VALUE name) {
    using R = Run<Grammar>;
    // The levels are written when they are opened.
    R *run = static_cast<R *>(ruby_xmalloc(sizeof(R)));
    void *old = state.run;
    state.run = run;
    state.run_size = sizeof(R);
    xfree(old);
    run->sink = typename R::Sink{};
    const uint8_t *bytes = string_bytes(state.bytes);
    run->p = bytes + state.from;
    if (name == ID2SYM(rb_intern("tree"))) {
        choose(*run, run->picture, bytes);
        run->picture.value_max = request.value_max;
        run->picture.root = request.link;
        run->picture.colored = request.colored;
        run->picture.set_offset_width(static_cast<uint64_t>(RSTRING_LEN(state.bytes)));
    } else if (name == ID2SYM(rb_intern("json"))) {
        choose(*run, run->json, bytes);
        run->json.value_max = request.value_max;
        run->json.root = request.link;
    } else if (name == ID2SYM(rb_intern("text"))) {
        choose(*run, run->text, bytes);
    } else {
        return false;
    }
    auto &sink = run->sink;
    sink.payload = bytes;
    sink.at = run->p;
    sink.root = request.link;
    sink.selection = request.selection;
    sink.selective = sink.selection.pieces || sink.selection.from || sink.selection.to != UINT64_MAX;
    pull_begin(run->pull, run->levels, depth_max);
    state.read = R::read;
    state.path_of = R::path_of;
    state.open_of = R::open_of;
    state.report = {};
    state.ended = false;
    RB_GC_GUARD(self);
    return true;
}

// Only an Integer, whose conversion runs no Ruby code.
VALUE integer(VALUE value) {
    if (!RB_INTEGER_TYPE_P(value)) fault_type("expected an Integer");
    return value;
}

uint64_t number_or(VALUE value, uint64_t otherwise) { return NIL_P(value) ? otherwise : NUM2ULL(integer(value)); }

// `pieces` is [[kind, text, number or nil], …]. The texts get an owner before anything points into them.
void take_path(VALUE self, State &state, Selection &selection, VALUE pieces) {
    if (NIL_P(pieces)) return;
    Check_Type(pieces, T_ARRAY);
    if (RARRAY_LEN(pieces) > Selection::pieces_max) fault_argument("a path has at most %d pieces", Selection::pieces_max);
    VALUE texts = rb_ary_new();
    RB_OBJ_WRITE(self, &state.texts, texts);
    for (long i = 0; i < RARRAY_LEN(pieces); i++) {
        VALUE piece = rb_ary_entry(pieces, i);
        Check_Type(piece, T_ARRAY);
        VALUE kind = rb_ary_entry(piece, 0), text = rb_ary_entry(piece, 1), number = rb_ary_entry(piece, 2);
        Check_Type(text, T_STRING);
        text = unlocked_frozen(text);
        rb_ary_push(texts, text);
        PathPiece &to = selection.path[selection.pieces++];
        to.kind = kind == ID2SYM(rb_intern("any"))     ? PathPiece::Kind::any
                  : kind == ID2SYM(rb_intern("index")) ? PathPiece::Kind::index
                  : kind == ID2SYM(rb_intern("text"))  ? PathPiece::Kind::text
                                                       : PathPiece::Kind::word;
        to.is_number = !NIL_P(number);
        to.number = NIL_P(number) ? 0 : NUM2LL(integer(number));
        to.text = string_bytes(text);
        to.size = string_size(text);
    }
}

// begin(bytes, wire, form, class, [limit, from, to, path, value_max, colored, start, stop]). The payload is what is between
// start and stop, or nil for all.
VALUE begin(VALUE self, VALUE bytes, VALUE wire, VALUE form, VALUE klass, VALUE options) {
    Request request{};
    Check_Type(bytes, T_STRING);
    Check_Type(options, T_ARRAY);
    bytes = unlocked_frozen(bytes);
    const Link *link = NIL_P(klass) ? nullptr : plan_link(plan_of(klass));
    State &state = state_of(self);
    // If a call below raises, nothing is left of the payload before.
    state.ended = true;
    state.report = {};
    RB_OBJ_WRITE(self, &state.bytes, bytes);
    RB_OBJ_WRITE(self, &state.klass, klass);
    RB_OBJ_WRITE(self, &state.texts, Qnil);
    request.link = link;
    request.selection.limit = number_or(rb_ary_entry(options, 0), UINT64_MAX);
    request.selection.from = number_or(rb_ary_entry(options, 1), 0);
    request.selection.to = number_or(rb_ary_entry(options, 2), UINT64_MAX);
    take_path(self, state, request.selection, rb_ary_entry(options, 3));
    request.value_max = static_cast<size_t>(number_or(rb_ary_entry(options, 4), SIZE_MAX));
    request.colored = RTEST(rb_ary_entry(options, 5));
    size_t size = string_size(bytes);
    uint64_t start = number_or(rb_ary_entry(options, 6), 0), stop = number_or(rb_ary_entry(options, 7), size);
    if (start > stop || stop > size) fault_argument("no such part of the bytes");
    state.from = static_cast<size_t>(start);
    state.to = static_cast<size_t>(stop);
    bool known = wire == ID2SYM(rb_intern("compact"))        ? start_run<ThriftEvents<Compact>>(self, state, request, form)
                 : wire == ID2SYM(rb_intern("binary"))       ? start_run<ThriftEvents<Binary>>(self, state, request, form)
                 : wire == ID2SYM(rb_intern("message_pack")) ? start_run<MessagePackEvents>(self, state, request, form)
                 : wire == ID2SYM(rb_intern("json"))         ? start_run<JsonEvents>(self, state, request, form)
                 : wire == ID2SYM(rb_intern("thrift_json"))  ? start_run<ThriftJson::Events>(self, state, request, form)
                                                             : false;
    if (!known) fault_argument("unknown wire or form");
    return self;
}

// read -> the next lines, or nil
VALUE read(VALUE self) {
    State &state = state_of(self);
    if (state.ended) return Qnil;
    VALUE text = state.read(state);
    RB_GC_GUARD(self);
    return text;
}

constexpr const char *expected_texts[] = {
#define X(name, error, expected, found) expected,
    SPARPACK_STATUSES(X)
#undef X
};

constexpr const char *found_texts[] = {
#define X(name, error, expected, found) found,
    SPARPACK_STATUSES(X)
#undef X
};

VALUE text_or_nil(const char *text) { return text ? rb_utf8_str_new_cstr(text) : Qnil; }

// report -> [lines, lines shown, lines of another type than the schema's, where the last line ended, where reading ended,
// whether the value is complete, and the fault: nil or [offset, expected, found, what is open if the bytes end too early,
// path]]
VALUE report(VALUE self) {
    State &state = state_of(self);
    const Report &r = state.report;
    if (NIL_P(state.bytes) || !r.at) return Qnil;
    const uint8_t *bytes = string_bytes(state.bytes);
    VALUE fault = Qnil;
    if (!r.done && r.status != Status::ok) {
        size_t status = static_cast<size_t>(r.status);
        VALUE path = state.path_of(state);
        const char *expected = expected_texts[status];
        if (r.status == Status::varint_too_long) expected = "a varint of at most 64 bits";
        if (r.status == Status::too_deep) expected = "at most 1000 levels";
        if (!expected) expected = "another value";
        VALUE more = text_or_nil(expected);
        if (r.status == Status::truncated) {
            if (r.missing > 1) more = rb_sprintf("at least %zu more bytes", r.missing);
            if (r.expected) rb_str_catf(more, " of the %s", r.expected);
        }
        VALUE open = r.status == Status::truncated ? state.open_of(state) : rb_ary_new();
        fault = rb_ary_new_from_args(5, SIZET2NUM(static_cast<size_t>(r.fault - bytes)), more,
                                     text_or_nil(found_texts[status]), open, path);
    }
    VALUE result = rb_ary_new_from_args(7, ULL2NUM(r.lines), ULL2NUM(r.shown), ULL2NUM(r.misfits),
                                        SIZET2NUM(static_cast<size_t>(r.at - bytes)),
                                        SIZET2NUM(static_cast<size_t>(r.next - bytes)), r.done ? Qtrue : Qfalse, fault);
    RB_GC_GUARD(self);
    return result;
}

}  // namespace

void annotator_init() {
    VALUE klass = rb_define_class_under(native_module(), "Annotator", rb_cObject);
    rb_define_alloc_func(klass, allocate);
    define_methods(klass, {{"begin", begin}, {"read", read}, {"report", report}});
}

}  // namespace sparpack
