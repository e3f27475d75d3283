// A graph: the links that were made together, and their memory. Only link.cpp includes this file.
#pragma once

#include "../plan/rows.hpp"

namespace sparpack {

namespace {

struct Graph {
    Link *links;
    uint32_t link_count;
    Type *nodes;  // types of elements and keys
    uint32_t node_count;
    uint32_t node_size;
};

void mark_type(const Type &type) {
    switch (kind_parts(type.kind)) {
    case Parts::names:
        rb_gc_mark(type.numbers);
        rb_gc_mark(type.enumeration);
        rb_gc_mark(type.names);
        return;
    case Parts::klass: rb_gc_mark(type.klass); return;
    case Parts::none:
    case Parts::element:
    case Parts::pair: return;
    }
}

// Pins the objects, because threads without Ruby's lock know them by their addresses (convert/enums.hpp). So nothing has to
// be written anew in a compaction, also not in rows.
void graph_mark(void *data) {
    const Graph *graph = static_cast<const Graph *>(data);
    for (uint32_t i = 0; i < graph->node_count; i++) mark_type(graph->nodes[i]);
    for (uint32_t i = 0; i < graph->link_count; i++) {
        const Link &link = graph->links[i];
        for (uint32_t j = 0; j < link.count; j++) mark_type(link.fields[j].type);
    }
}

void graph_free(void *data) {
    Graph *graph = static_cast<Graph *>(data);
    for (uint32_t i = 0; i < graph->link_count; i++) {
        const Link &link = graph->links[i];
        xfree(const_cast<Field *>(link.fields));
        xfree(const_cast<uint16_t *>(link.places));
        xfree(const_cast<FieldKey *>(link.table.keys));
        xfree(const_cast<uint16_t *>(link.table.dense));
        xfree(const_cast<uint32_t *>(link.table.by_name));
        xfree(const_cast<FieldName *>(link.table.names));
        rows_free(link);
    }
    xfree(graph->links);
    xfree(graph->nodes);
    xfree(graph);
}

size_t graph_size(const void *data) {
    const Graph *graph = static_cast<const Graph *>(data);
    size_t size = sizeof *graph + graph->link_count * sizeof(Link) + graph->node_size * sizeof(Type);
    for (uint32_t i = 0; i < graph->link_count; i++) {
        const Link &link = graph->links[i];
        size +=
            link.count * (sizeof(Field) + sizeof(uint16_t) + sizeof(FieldKey)) + link.table.dense_size * sizeof(uint16_t);
        size += link.table.names_size + rows_size(link);
    }
    return size;
}

// Not WB_PROTECTED: it is filled once, in many places, and is seldom made.
const rb_data_type_t graph_type = {"sparpack/graph",
                                   {graph_mark, graph_free, graph_size, nullptr, {nullptr}},
                                   nullptr,
                                   nullptr,
                                   RUBY_TYPED_FREE_IMMEDIATELY};

template <class T> T *graph_array(size_t count) { return static_cast<T *>(xcalloc(count ? count : 1, sizeof(T))); }

}  // namespace

}  // namespace sparpack
