#include "enums.hpp"

#include <cstdlib>

#include "../plan/links.hpp"

namespace sparpack {

// The names of one enum. They are copied, because Strings may move.
struct EnumTable {
    VALUE names;     // which pins the enum's Hash, so this is its address
    EnumName *rows;  // what is written, by numbers; then what is read, by names
    size_t written, read;
};

struct Enums {
    EnumTable *all;
    size_t count, room;
};

namespace {

template <class T> T *grown(T *array, size_t count, size_t *room) {
    if (count < *room) return array;
    *room = *room ? 2 * *room : 16;
    return static_cast<T *>(xrealloc2(array, *room, sizeof(T)));
}

int order(size_t a, size_t b) { return a < b ? -1 : a > b; }

int order_of_names(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size) {
    const int sizes = order(a_size, b_size);
    return sizes != 0 ? sizes : memcmp(a, b, a_size);
}

int by_number(const void *a, const void *b) {
    const int64_t one = static_cast<const EnumName *>(a)->number, other = static_cast<const EnumName *>(b)->number;
    return one < other ? -1 : one > other;
}

int by_name(const void *a, const void *b) {
    const EnumName &one = *static_cast<const EnumName *>(a), &other = *static_cast<const EnumName *>(b);
    return order_of_names(one.bytes, one.size, other.bytes, other.size);
}

struct Filling {
    EnumTable &table;
    size_t room;
};

void add(VALUE argument, VALUE number, VALUE name, size_t EnumTable::*counter) {
    Filling &filling = *reinterpret_cast<Filling *>(argument);
    EnumTable &table = filling.table;
    if (!RB_FIXNUM_P(number) || !RB_TYPE_P(name, T_STRING)) return;
    table.rows = grown(table.rows, table.written + table.read, &filling.room);
    const size_t size = string_size(name);
    uint8_t *bytes = static_cast<uint8_t *>(xmalloc(size + 1));
    memcpy(bytes, string_bytes(name), size);
    table.rows[table.written + table.read] = {RB_FIX2LONG(number), bytes, size};
    (table.*counter)++;
}

int add_written(VALUE number, VALUE name, VALUE argument) {
    add(argument, number, name, &EnumTable::written);
    return ST_CONTINUE;
}

// A name in another encoding is left to Ruby.
int add_read(VALUE symbol, VALUE number, VALUE argument) {
    VALUE name = rb_sym2str(symbol);
    const int encoding = rb_enc_get_index(name);
    if (encoding == utf8_index || encoding == us_ascii_index) add(argument, number, name, &EnumTable::read);
    return ST_CONTINUE;
}

const EnumTable *table_of(const Enums &enums, const Type &type) {
    for (size_t i = 0; i < enums.count; i++) {
        if (enums.all[i].names == type.names) return &enums.all[i];
    }
    return nullptr;
}

void add_enum(Enums &enums, const Type &type) {
    if (table_of(enums, type)) return;
    enums.all = grown(enums.all, enums.count, &enums.room);
    EnumTable &table = enums.all[enums.count++];
    table = {type.names, nullptr, 0, 0};
    Filling filling = {table, 0};
    rb_hash_foreach(type.names, add_written, reinterpret_cast<VALUE>(&filling));
    rb_hash_foreach(type.numbers, add_read, reinterpret_cast<VALUE>(&filling));
    if (!table.rows) return;
    qsort(table.rows, table.written, sizeof *table.rows, by_number);
    qsort(table.rows + table.written, table.read, sizeof *table.rows, by_name);
}

void add_type(Enums &enums, const Type &type) {
    switch (kind_parts(type.kind)) {
    case Parts::pair: add_type(enums, *type.key); [[fallthrough]];
    case Parts::element: return add_type(enums, *type.element);
    case Parts::names: return add_enum(enums, type);
    case Parts::klass:
    case Parts::none: return;
    }
}

const EnumName *find(const EnumName *rows, size_t count, const EnumName &key, int (*compare)(const void *, const void *)) {
    if (count == 0) return nullptr;
    return static_cast<const EnumName *>(bsearch(&key, rows, count, sizeof key, compare));
}

}  // namespace

const Enums *enums_make(const Link *link) {
    Enums *enums = static_cast<Enums *>(xcalloc(1, sizeof(Enums)));
    links_each(link, [&](const Link *each) {
        for (uint32_t i = 0; i < each->count; i++) add_type(*enums, each->fields[i].type);
    });
    return enums;
}

void enums_free(const Enums *enums) {
    if (!enums) return;
    for (size_t i = 0; i < enums->count; i++) {
        const EnumTable &table = enums->all[i];
        for (size_t j = 0; j < table.written + table.read; j++) xfree(const_cast<uint8_t *>(table.rows[j].bytes));
        xfree(table.rows);
    }
    xfree(enums->all);
    xfree(const_cast<Enums *>(enums));
}

size_t enums_size(const Enums *enums) {
    if (!enums) return 0;
    size_t size = sizeof *enums + enums->room * sizeof(EnumTable);
    for (size_t i = 0; i < enums->count; i++) {
        const EnumTable &table = enums->all[i];
        for (size_t j = 0; j < table.written + table.read; j++) size += sizeof(EnumName) + table.rows[j].size + 1;
    }
    return size;
}

EnumName enums_name(const Enums &enums, const Type &type, int64_t number) {
    const EnumName none = {number, nullptr, 0};
    const EnumTable *table = table_of(enums, type);
    const EnumName *found = table ? find(table->rows, table->written, none, by_number) : nullptr;
    return found ? *found : none;
}

bool enums_number(const Enums &enums, const Type &type, const uint8_t *name, size_t size, int64_t *number) {
    const EnumTable *table = table_of(enums, type);
    const EnumName *found = table ? find(table->rows + table->written, table->read, {0, name, size}, by_name) : nullptr;
    if (!found) return false;
    *number = found->number;
    return *number == static_cast<int32_t>(*number);
}

}  // namespace sparpack
