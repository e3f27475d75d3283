// Unknown fields with names: those that one struct keeps, in order and without duplicates.
#pragma once

#include <cstdlib>

#include "../../plan/plan.hpp"

namespace sparpack {

namespace {

template <class Entry> struct KeptEntry : Entry { long place; };

template <class Entry> inline int kept_entry_compare(const void *left, const void *right) {
    const KeptEntry<Entry> *a = static_cast<const KeptEntry<Entry> *>(left),
                           *b = static_cast<const KeptEntry<Entry> *>(right);
    int order = a->compare(*b);
    return order ? order : a->place < b->place ? -1 : 1;
}

// Turns an Array of Strings, each with one entry, into one frozen String, or nil if there is none. The last of a duplicate
// wins. One that cannot be read is left out: another thread has changed the source while it was copied. Nothing is allocated
// while there are pointers into Strings.
template <class Family> SPARPACK_COLD VALUE kept_sorted(VALUE unknown) {
    using Entry = KeptEntry<typename Family::Entry>;
    long count = RARRAY_LEN(unknown), size = static_cast<long>(Family::room(static_cast<size_t>(count))), kept = 0;
    for (long i = 0; i < count; i++) size += RSTRING_LEN(RARRAY_AREF(unknown, i));
    VALUE owner = 0, bytes = rb_str_new(nullptr, size);
    Entry *entries = static_cast<Entry *>(rb_alloc_tmp_buffer(&owner, count * static_cast<long>(sizeof(Entry))));
    long read = 0;
    for (long i = 0; i < count; i++) {
        VALUE each = RARRAY_AREF(unknown, i);
        Input in(string_bytes(each), string_size(each));
        if (SPARPACK_UNLIKELY(!Family::read(in, &entries[read]))) continue;
        entries[read++].place = i;
    }
    count = read;
    if (SPARPACK_UNLIKELY(count == 0)) return rb_free_tmp_buffer(&owner), Qnil;
    qsort(entries, static_cast<size_t>(count), sizeof *entries, kept_entry_compare<typename Family::Entry>);
    for (long i = 0; i < count; i++) {
        if (i + 1 < count && entries[i + 1].compare(entries[i]) == 0) continue;
        entries[kept++] = entries[i];
    }
    Writer writer{};
    writer.begin = reinterpret_cast<uint8_t *>(RSTRING_PTR(bytes));
    writer.end = writer.begin + size;
    uint8_t *p = writer_reserve(writer, writer.begin, static_cast<size_t>(size));
    p = Family::open(writer, p, static_cast<size_t>(kept));
    for (long i = 0; i < kept; i++) {
        if (i > 0) p = Family::next(writer, p);
        size_t length = static_cast<size_t>(entries[i].end - entries[i].begin);
        memcpy(p, entries[i].begin, length);
        p += length;
    }
    p = Family::close(writer, p);
    rb_free_tmp_buffer(&owner);
    rb_str_resize(bytes, p - writer.begin);
    RB_GC_GUARD(unknown);
    return rb_obj_freeze(bytes);
}

// Whether a field is set: it then goes before what was kept by a class that did not know it.
inline bool field_is_set(const Link *link, const VALUE *values, int index) {
    return index >= 0 && !NIL_P(values[link->fields[index].slot]);
}

}  // namespace

}  // namespace sparpack
