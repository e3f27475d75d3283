// Sorts a list whose items have a `next`, by merging (Knuth, The Art of Computer Programming, volume 3, section 5.2.4).
#pragma once

#include "../bytes/base.hpp"

namespace sparpack {

// Returns the first of `count` items in order; equal ones stay as they were. It ends, and loses none, whatever `comes_first`
// says, which std::sort does not promise: another thread may change what is compared.
template <class Item, class ComesFirst> Item *merge_sorted(Item *items, size_t count, const ComesFirst &comes_first) {
    if (count < 2) return items;
    Item **middle = &items;
    for (size_t i = 0; i < count / 2; i++) middle = &(*middle)->next;
    Item *behind = *middle;
    *middle = nullptr;
    Item *one = merge_sorted(items, count / 2, comes_first), *other = merge_sorted(behind, count - count / 2, comes_first);
    Item *all = nullptr;
    for (Item **last = &all;; last = &(*last)->next) {
        if (!one || !other) return *last = one ? one : other, all;
        Item *&least = comes_first(*other, *one) ? other : one;
        *last = least;
        least = least->next;
    }
}

}  // namespace sparpack
