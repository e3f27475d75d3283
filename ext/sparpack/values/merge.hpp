// Sorts a list whose items have a `next`, by merging (Knuth, The Art of Computer Programming, volume 3, section 5.2.4).
#pragma once

#include "../bytes/base.hpp"

namespace sparpack {

// Sorts `count` items, and returns the first one. Equal items keep their order. Another thread may change what is compared,
// so `comes_first` may contradict itself. Then std::sort may leave its bounds, but this ends and loses no item.
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
