// Codec#columns: an object that takes payloads and fills the columns of paths (lib/sparpack/io/columns.rb).
#include "columns.hpp"

#include "../../codec/codec.hpp"
#include "../../codec/payload.hpp"
#include "../../glue/fault.hpp"
#include "../../glue/native_module.hpp"
#include "../lazy.hpp"

namespace sparpack {

void tree_init();

namespace {

void columns_mark(void *data) {
    const Columns &c = *static_cast<Columns *>(data);
    rb_gc_mark(c.codec);
    rb_gc_mark(c.facts.klass);
    rb_gc_mark(c.ends);
    for (size_t i = 0; i < c.branch_count; i++) {
        rb_gc_mark(c.branches[i].node.step);
        rb_gc_mark(c.branches[i].node.key);
    }
    for (uint32_t i = 0; c.columns && i < c.path_count; i++) {
        const Column &column = c.columns[i];
        if (column.array) rb_gc_mark(column.array);
        if (column.count) rb_gc_mark_locations(column.waiting, column.waiting + column.count);
    }
}

size_t all_packed_size(const Columns &c) {
    size_t size = 0;
    for (uint32_t i = 0; c.columns && i < c.path_count; i++) size += packed_size(c.columns[i]);
    return size;
}

void columns_free(void *data) {
    Columns *c = static_cast<Columns *>(data);
    for (size_t i = 0; i < c->branch_count; i++) {
        if (TakenLink *link = c->branches[i].link) {
            rows_free(*link);
            xfree(link->own_fields);
            xfree(link);
        }
    }
    for (uint32_t i = 0; c->columns && i < c->path_count; i++) {
        packed_free(c->columns[i].packed);
        xfree(c->columns[i].waiting);
    }
    columns_count_memory(*c);
    xfree(c->branches);
    xfree(c->columns);
    xfree(c->of_path);
    xfree(c);
}

size_t columns_size(const void *data) {
    const Columns &c = *static_cast<const Columns *>(data);
    size_t size = sizeof c + c.branch_room * sizeof *c.branches + c.path_count * (sizeof *c.columns + sizeof *c.of_path);
    for (uint32_t i = 0; c.columns && i < c.path_count; i++) size += c.columns[i].room * sizeof(VALUE);
    return size + all_packed_size(c);
}

// Deliberately not WB_PROTECTED: it gets a new value for each row, and does not live long.
const rb_data_type_t columns_type = {"sparpack/columns",
                                     {columns_mark, columns_free, columns_size, nullptr, {nullptr}},
                                     nullptr,
                                     nullptr,
                                     RUBY_TYPED_FREE_IMMEDIATELY};

constexpr long steps_max = 1000;  // so that the stack is large enough for a walk along a path

// Sparpack::Native.columns_new(codec, paths, packed, share, ends): `paths` are Arrays of steps, as columns_add_path takes
// them. `ends` is nil, or an Array that gets the offset behind each payload that columns_take has taken.
VALUE native_columns_new(VALUE, VALUE codec, VALUE paths, VALUE packed, VALUE share, VALUE ends) {
    const CodecFacts facts = codec_facts(codec);
    Check_Type(paths, T_ARRAY);
    if (!NIL_P(ends)) Check_Type(ends, T_ARRAY);
    size_t steps = 1;
    for (long i = 0; i < RARRAY_LEN(paths); i++) {
        VALUE path = rb_ary_entry(paths, i);
        Check_Type(path, T_ARRAY);
        if (RARRAY_LEN(path) == 0) fault_argument("expected a path of at least one step");
        if (RARRAY_LEN(path) > steps_max) fault_argument("a path has at most %ld steps", steps_max);
        steps += static_cast<size_t>(RARRAY_LEN(path));
    }
    VALUE self = rb_data_typed_object_zalloc(rb_cObject, sizeof(Columns), &columns_type);
    Columns &c = columns_get(self);
    c.codec = codec;
    c.facts = facts;
    c.packed = RTEST(packed);
    c.share = RTEST(share);
    c.ends = ends;
    const size_t count = static_cast<size_t>(RARRAY_LEN(paths));
    c.of_path = ZALLOC_N(uint32_t, count);
    c.columns = ZALLOC_N(Column, count);
    c.path_count = static_cast<uint32_t>(count);
    c.branches = ZALLOC_N(Branch, steps);
    c.branch_room = steps;
    c.root = c.branches;
    c.root->node = path_root(c.type, facts.link, facts.klass);
    c.branch_count = 1;
    for (long i = 0; i < RARRAY_LEN(paths) && i < static_cast<long>(count); i++) {
        VALUE path = rb_ary_dup(rb_ary_entry(paths, i));
        if (RARRAY_LEN(path) > steps_max) fault_argument("the paths have changed");  // by the `eql?` of a step
        columns_add_path(c, static_cast<uint32_t>(i), path);
        RB_GC_GUARD(path);
    }
    if (c.count > 0) fault_argument("the paths have changed");  // a continuation has come back into such an `eql?`
    columns_plan(c, paths);
    RB_GC_GUARD(paths);
    return self;
}

// To be called before a payload, which may add to the columns until it turns out that they have to be as before.
void begin(Columns &c, int64_t memory) {
    if (c.complete) fault_argument("these columns are complete");
    c.failed = false;
    c.left = c.limit = memory;
    for (uint32_t i = 0; i < c.count; i++) {
        Column &column = c.columns[i];
        column.open = 0;
        column.rows_before = columns_rows(c, column);
        column.nulls_before = column.packed.nulls;
    }
}

void roll_back(Columns &c) {
    for (uint32_t i = 0; i < c.count; i++) {
        Column &column = c.columns[i];
        const size_t rows = column.rows_before;
        column.open = 0;
        if (c.packed) {
            Packed &packed = column.packed;
            if (packed.rows > rows) packed.rows = rows;
            if (packed.marked > rows) packed.marked = rows;
            packed.nulls = column.nulls_before;
            continue;
        }
        const size_t there = column.array ? static_cast<size_t>(RARRAY_LEN(column.array)) : 0;
        if (there > rows) rb_ary_resize(column.array, static_cast<long>(rows));
        const size_t waiting = there > rows ? 0 : rows - there;
        if (column.count > waiting) column.count = waiting;
    }
}

}  // namespace

Columns &columns_get(VALUE self) { return *static_cast<Columns *>(rb_check_typeddata(self, &columns_type)); }

void columns_count_memory(Columns &c) {
    if (!c.packed) return;
    const size_t size = all_packed_size(c);
    if (size != c.counted) rb_gc_adjust_memory_usage(static_cast<ssize_t>(size) - static_cast<ssize_t>(c.counted));
    c.counted = size;
}

const uint8_t *columns_take_scanned(ColumnScan &s) {
    begin(s.c, options_memory(s.options, input_left(s.in, s.in.begin)));
    const uint8_t *end = column_walk(s.c.facts.wire)(s, s.in.begin);
    if (end && !s.c.failed) {
        const bool within = s.ends_within(end) && charge(s.c.left, s.excess(end));
        if (within && (s.may_follow || end == s.in.end)) return end;
    }
    roll_back(s.c);
    return nullptr;
}

namespace {

// Returns the end of the payload at an offset, or 0 if only a decode can tell.
size_t take(Columns &c, VALUE bytes, size_t offset, bool whole) {
    ColumnScan s(c, bytes, offset, string_size(bytes) - offset, !whole);
    if (is_compressed(c.facts.wire, s.in.begin, s.in.end)) return 0;
    const uint8_t *end = columns_take_scanned(s);
    if (s.lacks_size && (end = scan_at(c.facts, bytes, offset))) {
        ColumnScan alone(c, bytes, offset, static_cast<size_t>(end - s.in.begin), false);
        end = columns_take_scanned(alone);
    }
    return end ? static_cast<size_t>(end - string_bytes(bytes)) : 0;
}

// Sparpack::Native.columns_take(columns, bytes, offset, number): takes payloads from an offset on, and returns where the
// next one begins. `number` is true for some of those that follow one another, false for one, and nil if it has to be the
// last. Returns nil if only a decode can tell.
VALUE native_columns_take(VALUE, VALUE self, VALUE bytes, VALUE offset, VALUE number) {
    Columns &c = columns_get(self);
    Check_Type(bytes, T_STRING);
    const long first = NUM2LONG(offset);
    if (first < 0 || first > RSTRING_LEN(bytes)) fault_argument("the offset is not in the bytes");
    bytes = c.facts.link->runs_ruby ? unlocked_frozen(bytes) : unlocked(bytes);
    c.keys = c.share ? key_cache_here() : nullptr;
    size_t at = static_cast<size_t>(first);
    do {
        const size_t end = take(c, bytes, at, NIL_P(number));
        if (end == 0) break;
        at = end;
        if (!NIL_P(c.ends)) rb_ary_push(c.ends, SIZET2NUM(end));
    } while (RTEST(number) && at < string_size(bytes) && at - static_cast<size_t>(first) < step_bytes);
    columns_count_memory(c);
    RB_GC_GUARD(self);
    RB_GC_GUARD(bytes);
    return at > static_cast<size_t>(first) ? SIZET2NUM(at) : Qnil;
}

// Sparpack::Native.columns_follow(columns, object, bytes, first, last, base): takes what a decode has made of a payload,
// which is a part of the bytes. The base says where they are in the input.
VALUE native_columns_follow(VALUE, VALUE self, VALUE object, VALUE bytes, VALUE first, VALUE last, VALUE base) {
    Columns &c = columns_get(self);
    Check_Type(bytes, T_STRING);
    const size_t start = NUM2SIZET(first), end = NUM2SIZET(last);
    const long at = NUM2LONG(base) + static_cast<long>(start);
    if (start > end) fault_argument("the payload is not in the bytes");
    int64_t memory = options_memory(*c.facts.options, end - start);
    if (end <= string_size(bytes))  // or else a reader has changed them
        memory = memory_of_payload(*c.facts.options, traits_of(c.facts.wire), string_bytes(bytes) + start, end - start);
    begin(c, memory);
    const bool within = columns_follow(c, *c.root, object);
    columns_count_memory(c);
    if (within) return RB_GC_GUARD(self), Qnil;
    Fault fault;
    fault.status = Status::too_much_memory;
    fault.limit = static_cast<long>(c.limit);
    fault_raise_decode(fault, c.facts.klass, wire_name(c.facts.wire), at, at);
}

// Makes a String of bits. Those behind the last row are 0.
VALUE bits_of(const uint8_t *bits, size_t rows) {
    VALUE string = rb_str_new(reinterpret_cast<const char *>(bits), static_cast<long>((rows + 7) / 8));
    if (rows % 8) RSTRING_PTR(string)[rows / 8] &= static_cast<char>((1 << rows % 8) - 1);
    return rb_obj_freeze(string);
}

// [type, rows, values, validity or nil, nils]
VALUE packed_parts(Column &column) {
    Packed &packed = column.packed;
    const Kind kind = column.kind;
    const size_t rows = packed.rows, width = packed_width(kind);
    VALUE values, validity = Qnil;
    if (packed.nulls) {
        while (packed.marked < rows) {
            if (!packed_mark(packed, true)) rb_memerror();
        }
        validity = bits_of(packed.validity, rows);
    }
    if (width == 0) {
        values = bits_of(packed.values, rows);
    } else {
        values = rb_obj_freeze(rb_str_new(reinterpret_cast<char *>(packed.values), static_cast<long>(rows * width)));
    }
    const char *type = kind_name(kind == Kind::enum_ ? Kind::i32 : kind);
    const size_t nulls = packed.nulls;
    packed_free(packed);
    return rb_ary_new_from_args(5, ID2SYM(rb_intern(type)), SIZET2NUM(rows), values, validity, SIZET2NUM(nulls));
}

VALUE array_of(Column &column) {
    VALUE array = column.array;
    if (!array) return array_new(column.waiting, column.count);
    array_append(array, column.waiting, column.count);
    rb_obj_reveal(array, rb_cArray);
    return array;
}

// Sparpack::Native.columns_finish(columns): what each path has found, an Array or the parts of a Column.
VALUE native_columns_finish(VALUE, VALUE self) {
    Columns &c = columns_get(self);
    if (c.complete) fault_argument("these columns are complete");
    c.complete = true;
    VALUE found = rb_ary_new_capa(c.count);
    for (uint32_t i = 0; i < c.count; i++)
        rb_ary_push(found, c.packed ? packed_parts(c.columns[i]) : array_of(c.columns[i]));
    columns_count_memory(c);
    VALUE all = rb_ary_new_capa(c.path_count);
    for (uint32_t i = 0; i < c.path_count; i++) {
        VALUE column = rb_ary_entry(found, c.of_path[i]);
        bool &given = c.columns[c.of_path[i]].given;
        rb_ary_push(all, given ? rb_ary_dup(column) : column);
        given = true;
    }
    RB_GC_GUARD(self);
    return all;
}

}  // namespace

void columns_ahead_init();

void columns_init() {
    tree_init();
    columns_ahead_init();
    define_singleton_methods(native_module(), {{"columns_new", native_columns_new},
                                               {"columns_take", native_columns_take},
                                               {"columns_follow", native_columns_follow},
                                               {"columns_finish", native_columns_finish}});
}

}  // namespace sparpack
