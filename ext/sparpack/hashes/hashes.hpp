// What to_hash.cpp and from_hash.cpp share: how deep they go, and how they read and make Hashes.
#pragma once

#include "../glue/options.hpp"
#include "../glue/pending.hpp"
#include "../objects/storage.hpp"
#include "../values/sets.hpp"

namespace sparpack {

enum class Level : uint8_t { fine, too_deep, stack_full };

// `depth` is how many levels there are around this one.
SPARPACK_INLINE Level level_enter(int depth) {
    if (SPARPACK_LIKELY(depth < depth_usual)) return Level::fine;
    if (depth >= depth_max) return Level::too_deep;
    return ruby_stack_check() ? Level::stack_full : Level::fine;
}

// Longer Arrays are read and made element by element, because pending memory for all of them would take as much again.
constexpr long short_array = 256;

// The elements of a Set, or the keys and values of a Hash in turn.
struct Collected {
    VALUE *values;
    size_t count;
};

inline int collect_element(VALUE element, VALUE data) {
    Collected *all = reinterpret_cast<Collected *>(data);
    all->values[all->count++] = element;
    return ST_CONTINUE;
}

inline int collect_pair(VALUE key, VALUE value, VALUE data) {
    collect_element(key, data);
    return collect_element(value, data);
}

// The caller has taken room for all elements.
inline Collected collect_set(VALUE set, VALUE *room) {
    Collected all = {room, 0};
    set_foreach(set, collect_element, reinterpret_cast<VALUE>(&all));
    return all;
}

inline Collected collect_hash(VALUE hash, VALUE *room) {
    Collected all = {room, 0};
    rb_hash_foreach(hash, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(collect_pair), reinterpret_cast<VALUE>(&all));
    return all;
}

// True for a key whose `hash` nobody can have replaced.
SPARPACK_INLINE bool key_is_quiet(VALUE key) {
    if (RB_SPECIAL_CONST_P(key)) return RB_STATIC_SYM_P(key) || RB_FIXNUM_P(key);
    return RB_BUILTIN_TYPE(key) == RUBY_T_STRING && RBASIC_CLASS(key) == rb_cString;
}

// Makes a Hash of keys and values in turn. It is hidden while it is filled if Ruby code may run then.
inline VALUE hash_of_pairs(const VALUE *pairs, size_t count) {
    VALUE hash = rb_hash_new();
    bool quiet = true;
    for (size_t i = 0; i < count && quiet; i++) quiet = key_is_quiet(pairs[2 * i]);
    if (!quiet) rb_obj_hide(hash);
    if (count > 0) hash_insert(hash, pairs, count);
    return quiet ? hash : rb_obj_reveal(hash, rb_cHash);
}

inline VALUE set_of_elements(const VALUE *elements, size_t count) {
    VALUE builder = set_start(count);
    set_add_many(builder, elements, count);
    return set_finish(builder, false);
}

}  // namespace sparpack
