// What columns hold, and how values get there that were decoded.
#include "column.hpp"

#include "../../objects/storage.hpp"
#include "../../values/numbers.hpp"
#include "../../values/sets.hpp"

namespace sparpack {

namespace {

constexpr size_t first_room = 64;

// Returns false if a value is no number of a kind, as a reader of a plain class may return it.
bool number_in(VALUE value, Kind kind, int64_t *number) {
    switch (kind) {
    case Kind::bool_: *number = value == Qtrue; return value == Qtrue || value == Qfalse;
    case Kind::i8: return integer_in<int8_t>(value, number) == Conversion::ok;
    case Kind::i16: return integer_in<int16_t>(value, number) == Conversion::ok;
    case Kind::enum_:
    case Kind::i32: return integer_in<int32_t>(value, number) == Conversion::ok;
    case Kind::double_: {
        double real = 0;
        const bool is_real = real_of(value, &real) == Conversion::ok;
        memcpy(number, &real, sizeof real);
        return is_real;
    }
    default: return integer_of(value, number) == Conversion::ok;
    }
}

bool packed_push_object(Column &column, VALUE value) {
    int64_t number = 0;
    if (!number_in(value, column.kind, &number)) return packed_push_nil(column.packed, column.kind);
    return packed_push(column.packed, column.kind, number);
}

void push_leaf(Columns &c, Column &column, VALUE value) {
    if (c.packed) {
        if (packed_push_object(column, value)) return;
        if (!c.is_detached) rb_memerror();
        c.failed = true;
    } else if (RB_TYPE_P(value, T_STRING)) {
        columns_push_string(c, column, value);
    } else {
        column_push(column, value);
    }
}

// rb_str_to_interned_str would freeze a String of a subclass, which a reader of a plain class may return, and return it.
VALUE shared(VALUE string) {
    VALUE found = text_interned(string_bytes(string), string_size(string), rb_enc_get(string));
    RB_GC_GUARD(string);
    return found;
}

// The elements of a container as an Array.
VALUE elements_of(VALUE value) {
    if (RB_TYPE_P(value, T_ARRAY)) return value;
    VALUE all = rb_ary_new();
    if (RB_TYPE_P(value, T_HASH)) {
        auto add = [](VALUE, VALUE element, VALUE array) -> int { return rb_ary_push(array, element), ST_CONTINUE; };
        rb_hash_foreach(value, static_cast<int (*)(VALUE, VALUE, VALUE)>(add), all);
    } else if (is_set(value)) {
        auto add = [](VALUE element, VALUE array) -> int { return rb_ary_push(array, element), ST_CONTINUE; };
        set_foreach(value, add, all);
    }
    return all;
}

bool follow_elements(Columns &c, const Branch &branch, const Branch &child, VALUE value) {
    VALUE elements = elements_of(value);
    const bool is_rows = c.rows == &branch;
    const size_t count = static_cast<size_t>(RARRAY_LEN(elements));
    if (!columns_charge(c, child, is_rows ? rows_cost(count) : array_cost(count))) return false;
    if (!is_rows) columns_open(c, child);
    for (size_t i = 0; i < count; i++) {
        if (!columns_follow(c, child, rb_ary_entry(elements, static_cast<long>(i)))) return false;
    }
    if (!is_rows) columns_close(c, child, count);
    RB_GC_GUARD(elements);
    return true;
}

}  // namespace

void column_make_room(Column &column) {
    if (column.open == 0 && column.count > 0) {
        if (!column.array) column.array = rb_obj_hide(rb_ary_new_capa(static_cast<long>(2 * column.count)));
        array_append(column.array, column.waiting, column.count);
        column.count = 0;
        return;
    }
    const size_t room = column.room ? 2 * column.room : first_room;
    REALLOC_N(column.waiting, VALUE, room);
    column.room = room;
}

bool packed_make_room(Packed &packed, size_t width) {
    const size_t room = packed.room ? 2 * packed.room : first_room;
    void *values = realloc(packed.values, width ? room * width : room / 8);
    if (!values) return false;
    packed.values = static_cast<uint8_t *>(values);
    packed.room = room;
    return true;
}

bool packed_mark(Packed &packed, bool valid) {
    if (packed.marked == packed.mark_room) {
        const size_t room = packed.mark_room ? 2 * packed.mark_room : packed.room;
        void *validity = realloc(packed.validity, room / 8);
        if (!validity) return false;
        packed.validity = static_cast<uint8_t *>(validity);
        packed.mark_room = room;
    }
    bit_push(packed.validity, packed.marked++, valid);
    return true;
}

bool packed_append(Packed &packed, Kind kind, const Packed &from, size_t first, size_t rows) {
    if (rows == 0) return true;
    const size_t width = packed_width(kind);
    while (packed.room < packed.rows + rows) {
        if (!packed_make_room(packed, width)) return false;
    }
    if (from.nulls || packed.validity) {
        const size_t valid = packed.rows;
        while (packed.marked < valid) {
            if (!packed_mark(packed, true)) return false;
        }
        for (size_t i = first; i < first + rows; i++) {
            const bool there = i >= from.marked || bit_at(from.validity, i);
            if (!packed_mark(packed, there)) return false;
            packed.nulls += !there;
        }
    }
    if (width) {
        memcpy(packed.values + packed.rows * width, from.values + first * width, rows * width);
    } else {
        for (size_t i = 0; i < rows; i++) bit_push(packed.values, packed.rows + i, bit_at(from.values, first + i));
    }
    packed.rows += rows;
    return true;
}

void packed_free(Packed &packed) {
    free(packed.values);
    free(packed.validity);
    packed = Packed();
}

bool packed_push_nil(Packed &packed, Kind kind) {
    const size_t rows = packed.rows;
    if (!packed_push(packed, kind, 0)) return false;
    while (packed.marked < rows) {
        if (!packed_mark(packed, true)) return false;
    }
    packed.nulls++;
    return packed_mark(packed, false);
}

void columns_push_string(const Columns &c, Column &column, VALUE string) {
    column_push(column, c.share ? shared(string) : string);
}

void columns_open(Columns &c, const Branch &branch) {
    for (uint32_t i = 0; i < branch.columns; i++) c.columns[branch.column + i].open++;
}

void columns_close(Columns &c, const Branch &branch, size_t count) {
    for (uint32_t i = 0; i < branch.columns; i++) {
        Column &column = c.columns[branch.column + i];
        if (count > column.count) count = column.count;  // a continuation may have come back
        VALUE list = array_new(column.waiting + column.count - count, count);
        column.count -= count;
        if (column.open > 0) column.open--;
        column_push(column, list);
    }
}

bool columns_may_grow(ColumnScan &s, const Branch &branch, const uint8_t *p) {
    const Column &column = s.c.columns[branch.column];
    const Packed &packed = column.packed;
    if (SPARPACK_LIKELY(s.c.packed ? packed.rows < packed.room : column.count < column.room)) return true;
    return s.allows(p, 0, rows_cost(columns_rows(s.c, column) - column.rows_before) * s.c.count);
}

void columns_push_nil(Columns &c, const Branch &branch) {
    if (branch.above_rows) return;  // there are none
    for (uint32_t i = 0; i < branch.columns; i++) push_leaf(c, c.columns[branch.column + i], Qnil);
}

bool columns_take_absent(Scan &scan, const uint8_t *p, const Link *link, uint64_t seen) {
    const TakenLink &taken = *static_cast<const TakenLink *>(link);
    if ((taken.taken & ~seen) == 0) return true;
    ColumnScan &s = static_cast<ColumnScan &>(scan);
    Columns &c = s.c;
    for (const Branch *each = taken.branch->child; each; each = each->next) {
        if (seen >> each->node.field & 1) continue;
        const Slot &slot = link->plan->slots[link->fields[each->node.field].slot];
        if (link->is_union || NIL_P(slot.default_value)) {
            if (!columns_may_grow(s, *each, p)) return false;
            columns_push_nil(c, *each);
        } else {
            const bool copied = slot.copied && !s.options.freeze;
            if (c.is_detached && !(each->leaf && !each->child && RB_SPECIAL_CONST_P(slot.default_value))) return false;
            if (!(copied || each->child ? s.stays_within(p) : columns_may_grow(s, *each, p))) return false;
            if (!columns_follow(c, *each, copied ? plan_default(slot) : slot.default_value)) return false;
        }
    }
    return true;
}

bool columns_follow(Columns &c, const Branch &branch, VALUE value) {
    if (!branch.leaf && NIL_P(value)) return columns_push_nil(c, branch), true;
    if (branch.leaf) push_leaf(c, c.columns[branch.column], value);
    const Type &type = *branch.node.type;
    for (const Branch *each = branch.child; each; each = each->next) {
        if (NIL_P(value)) {
            columns_push_nil(c, *each);
        } else if (each->any) {
            if (!follow_elements(c, branch, *each, value)) return false;
        } else if (!columns_follow(c, *each, path_follow(type, value, each->node))) {
            return false;
        }
    }
    return true;
}

}  // namespace sparpack
