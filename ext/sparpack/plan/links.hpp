// The links that a link reaches.
#pragma once

#include "plan.hpp"

namespace sparpack {

// The types of fields lead to other links.
struct LinksReached {
    const Link **all = nullptr;
    size_t count = 0, room = 0;

    void add(const Link *link) {
        for (size_t i = 0; i < count; i++) {
            if (all[i] == link) return;
        }
        if (count == room) {
            room = room ? 2 * room : 16;
            all = static_cast<const Link **>(xrealloc2(all, room, sizeof *all));
        }
        all[count++] = link;
    }

    void add(const Type &type) {
        switch (kind_parts(type.kind)) {
        case Parts::pair: add(*type.key); [[fallthrough]];
        case Parts::element: return add(*type.element);
        case Parts::klass: return add(type.link);
        case Parts::names:
        case Parts::none: return;
        }
    }
};

// Visits a link and all others that it reaches, each once. The visit must not raise.
template <class Visit> void links_each(const Link *link, Visit visit) {
    LinksReached reached;
    reached.add(link);
    for (size_t i = 0; i < reached.count; i++) {
        const Link *each = reached.all[i];
        for (uint32_t j = 0; j < each->count; j++) reached.add(each->fields[j].type);
        visit(each);
    }
    xfree(reached.all);
}

}  // namespace sparpack
