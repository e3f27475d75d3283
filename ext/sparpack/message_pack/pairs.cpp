#include "pairs.hpp"

#include <algorithm>

#include "../values/merge.hpp"
#include "../values/numbers.hpp"

namespace sparpack {

namespace {

enum class Rank : uint8_t { nil, false_, true_, integer, real, text, packed };

struct Pair {
    VALUE key, value;
    VALUE text;  // what is compared, for text and for packed keys
    Pair *next;
};

Rank rank_of(VALUE key) {
    if (RB_INTEGER_TYPE_P(key)) return Rank::integer;
    if (RB_FLOAT_TYPE_P(key)) return Rank::real;
    if (RB_TYPE_P(key, T_STRING) || RB_SYMBOL_P(key)) return Rank::text;
    return NIL_P(key) ? Rank::nil : key == Qfalse ? Rank::false_ : key == Qtrue ? Rank::true_ : Rank::packed;
}

int sign_of(int64_t a, int64_t b) { return a < b ? -1 : a > b ? 1 : 0; }

int compare_integers(VALUE a, VALUE b) {
    if (RB_FIXNUM_P(a) && RB_FIXNUM_P(b)) return sign_of(RB_FIX2LONG(a), RB_FIX2LONG(b));
    if (RB_FIXNUM_P(a)) return -compare_integers(b, a);
    return FIX2INT(rb_big_cmp(a, b));
}

// Compares all bits, so that any two Floats have an order.
int compare_reals(VALUE a, VALUE b) {
    double values[] = {float_value(a), float_value(b)};
    int64_t bits[2];
    memcpy(bits, values, sizeof bits);
    for (int64_t &each : bits) each = each < 0 ? INT64_MIN - each : each;
    return sign_of(bits[0], bits[1]);
}

int compare_text(VALUE a, VALUE b) {
    size_t sizes[] = {string_size(a), string_size(b)};
    int order = memcmp(RSTRING_PTR(a), RSTRING_PTR(b), std::min(sizes[0], sizes[1]));
    return order ? order : sign_of(static_cast<int64_t>(sizes[0]), static_cast<int64_t>(sizes[1]));
}

bool comes_first(const Pair &a, const Pair &b) {
    Rank ranks[] = {rank_of(a.key), rank_of(b.key)};
    if (ranks[0] != ranks[1]) return ranks[0] < ranks[1];
    int order = 0;
    switch (ranks[0]) {
    case Rank::nil:
    case Rank::false_:
    case Rank::true_: break;
    case Rank::integer: order = compare_integers(a.key, b.key); break;
    case Rank::real: order = compare_reals(a.key, b.key); break;
    case Rank::text:
        order = compare_text(a.text, b.text);
        if (!order) order = sign_of(RB_SYMBOL_P(a.key), RB_SYMBOL_P(b.key));
        // Equal bytes may be text in one key and binary in another.
        if (!order) order = strcmp(rb_enc_get(a.text)->name, rb_enc_get(b.text)->name);
        break;
    case Rank::packed: order = compare_text(a.text, b.text); break;
    }
    return order < 0;
}

int add_parts(VALUE key, VALUE value, VALUE parts) {
    rb_ary_push(parts, key);
    rb_ary_push(parts, value);
    rb_ary_push(parts, RB_SYMBOL_P(key) ? rb_sym2str(key) : key);
    return ST_CONTINUE;
}

// Packs keys behind the output, where they stay only for a moment. Returns false after a fault.
bool pack_keys(Pack &k, size_t used, VALUE parts, int depth) {
    k.held++;  // none of it may go to an io
    for (long i = 0; i < RARRAY_LEN(parts); i += pair_parts) {
        VALUE key = RARRAY_AREF(parts, i);
        if (rank_of(key) != Rank::packed) continue;
        const uint8_t *end = pack_value(k, k.output.writer.begin + used, key, depth);
        if (!end) return fault_at_key(k.fault, static_cast<size_t>(i / pair_parts)), false;
        const uint8_t *begin = k.output.writer.begin + used;
        RARRAY_ASET(parts, i + 2, rb_str_new(reinterpret_cast<const char *>(begin), end - begin));
    }
    k.held--;
    return true;
}

}  // namespace

uint8_t *pairs_sort(Pack &k, uint8_t *p, VALUE hash, int depth, VALUE *sorted) {
    size_t used = static_cast<size_t>(p - k.output.writer.begin);
    VALUE parts = rb_obj_hide(rb_ary_new_capa(pair_parts * static_cast<long>(RHASH_SIZE(hash))));
    rb_hash_foreach(hash, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(add_parts), parts);
    size_t count = static_cast<size_t>(RARRAY_LEN(parts) / pair_parts);
    if (!pack_keys(k, used, parts, depth)) return nullptr;
    VALUE memory;  // used only while no Ruby code runs
    Pair *pairs = reinterpret_cast<Pair *>(
        rb_alloc_tmp_buffer_with_count(&memory, (count + 1) * sizeof(Pair), (count + 1) * sizeof(Pair) / sizeof(VALUE)));
    for (size_t i = 0; i < count; i++) {
        const VALUE *part = RARRAY_CONST_PTR(parts) + static_cast<size_t>(pair_parts) * i;
        pairs[i] = {part[0], part[1], part[2], i + 1 < count ? &pairs[i + 1] : nullptr};
    }
    *sorted = rb_obj_hide(rb_ary_new_capa(pair_parts * static_cast<long>(count)));
    const Pair *first = count ? merge_sorted(pairs, count, comes_first) : nullptr;
    for (const Pair *pair = first; pair; pair = pair->next) {
        rb_ary_push(*sorted, pair->key);
        rb_ary_push(*sorted, pair->value);
        rb_ary_push(*sorted, rank_of(pair->key) == Rank::packed ? pair->text : Qnil);
    }
    rb_free_tmp_buffer(&memory);
    RB_GC_GUARD(parts);
    k.output.epoch++;
    return pack_at(k, used);
}

}  // namespace sparpack
