// What stands between the objects of a stream of JSON, which may be the elements of one array
// (lib/sparpack/io/json_elements.rb).
#include "../glue/fault.hpp"
#include "../glue/native_module.hpp"
#include "../plan/codec_facts.hpp"
#include "../wire/json/met.hpp"
#include "../wire/json/wire.hpp"

namespace sparpack {

CodecFacts codec_facts(VALUE codec);

namespace {

// What was read last. Ruby knows them as the Integers that they are.
enum class Passed : int {
    nothing,     // of the stream
    no_bracket,  // so the stream is objects, one after the other
    bracket,     // that opens the array
    comma,       // between two elements
    ready,       // an element begins here
    element,     // an element of the array
    array,       // all of it
    marked,      // a byte order mark, but no object yet
};

struct Between {
    VALUE klass;
    Input in;
    size_t base;

    // Between two elements the beginning of the text may be gone, so there is no line. What stands before the fault is
    // whole.
    [[noreturn]] void fail(Status status, const uint8_t *at, const char *found = nullptr) {
        Fault fault;
        FaultText text;
        JsonMet met;
        in.status = fault.status = status;
        in.at = at;
        text.line = text.column = 0;
        if (json_met(in, at, false, &met)) {
            text.expected = met.expected;
            if (!found && met.found[0]) found = met.found;
            if (met.more[0]) text.more = rb_utf8_str_new_cstr(met.more);
        }
        if (found) text.found = rb_utf8_str_new_cstr(found);
        long place = static_cast<long>(base + static_cast<size_t>(at - in.begin));
        fault_raise_decode(fault, klass, "json", place, place, Qnil, &text);
    }

    // Passes over what it can, and says what that was.
    Passed pass(const uint8_t *&p, Passed passed, bool last) {
        p = JsonScan::skip_space(in, p);
        switch (passed) {
        case Passed::nothing:
        case Passed::marked: return start(p, passed, last);
        case Passed::bracket:
            if (p < in.end && *p == ']') return p++, pass(p, Passed::array, last);
            break;
        case Passed::comma:
            if (p < in.end && *p == ']') fail(Status::bad_json, p, "\"]\" behind a comma (JSON has no trailing commas)");
            break;
        case Passed::element:
            if (p == in.end) break;
            if (*p == ']') return p++, pass(p, Passed::array, last);
            if (*p != ',') fail(Status::json_separator, p);
            return p++, pass(p, Passed::comma, last);
        case Passed::array:
            if (p < in.end) fail(Status::trailing_bytes, p);
            return passed;
        case Passed::no_bracket:
        case Passed::ready: return passed;
        }
        if (p == in.end && last) fail(Status::truncated, p);
        if (p == in.end || (!last && mark_is_cut(p))) return passed;
        if (mark_begins(p)) fail_value(p);
        return Passed::ready;
    }

    // A mark is passed as soon as it is whole, so what stands before it is not read again.
    Passed start(const uint8_t *&p, Passed passed, bool last) {
        if (passed == Passed::nothing && mark_begins(p)) {
            p = JsonScan::skip_space(in, p + mark_size);
            passed = Passed::marked;
        }
        if (p == in.end || (!last && mark_is_cut(p))) return passed;
        if (passed == Passed::marked && (mark_begins(p) || mark_is_cut(p))) fail_value(p);
        if (*p == '[') return p++, pass(p, Passed::bracket, last);
        return Passed::no_bracket;
    }

    static constexpr size_t mark_size = sizeof Json::mark - 1;

    bool mark_begins(const uint8_t *p) const {
        return input_left(in, p) >= mark_size && memcmp(p, Json::mark, mark_size) == 0;
    }

    // Whether more of a byte order mark may come.
    bool mark_is_cut(const uint8_t *p) const {
        size_t left = input_left(in, p);
        return left < mark_size && memcmp(p, Json::mark, left) == 0;
    }

    [[noreturn]] void fail_value(const uint8_t *p) {
        JsonScan::fail_value(in, p);
        fail(in.status, p);
    }
};

// Sparpack::Native.json_elements(codec, bytes, offset, base, passed, last): [offset, passed]. `last` says that no more bytes
// follow. Raises DecodeError.
VALUE native_json_elements(VALUE, VALUE codec, VALUE bytes, VALUE offset, VALUE base, VALUE passed, VALUE last) {
    CodecFacts facts = codec_facts(codec);
    size_t before = NUM2SIZET(base), start = NUM2SIZET(offset);
    int number = NUM2INT(passed);
    Check_Type(bytes, T_STRING);
    bytes = unlocked(bytes);
    size_t size = string_size(bytes);
    if (start > size || number < 0 || number > static_cast<int>(Passed::marked)) fault_argument("out of range");
    Between between{facts.klass, Input(string_bytes(bytes), size), before};
    const uint8_t *p = between.in.begin + start;
    Passed now = between.pass(p, static_cast<Passed>(number), RTEST(last));
    VALUE result = rb_assoc_new(SIZET2NUM(static_cast<size_t>(p - between.in.begin)), INT2FIX(static_cast<int>(now)));
    RB_GC_GUARD(bytes);
    return result;
}

}  // namespace

void json_elements_init() { define_singleton_methods(native_module(), {{"json_elements", native_json_elements}}); }

}  // namespace sparpack
