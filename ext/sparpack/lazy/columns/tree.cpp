// The tree of the paths of columns, which is made once for a call.
#include "../../glue/fault.hpp"
#include "../../glue/native_module.hpp"
#include "../../plan/rows.hpp"
#include "column.hpp"

namespace sparpack {

namespace {

ID id_any;  // :[]; written by tree_init alone

bool is_struct(const Type &type) { return type.kind == Kind::struct_ || type.kind == Kind::union_; }

bool has_elements(const Type &type) {
    return type.kind == Kind::list || type.kind == Kind::set || type.kind == Kind::map || type.kind == Kind::any;
}

bool same_step(const Type &type, const Branch &branch, const Branch &other) {
    if (branch.any || other.any) return branch.any == other.any;
    switch (type.kind) {
    case Kind::struct_:
    case Kind::union_: return branch.node.field == other.node.field;
    case Kind::list: return branch.node.index == other.node.index;
    case Kind::map: return rb_eql(branch.node.key, other.node.key);
    default: return rb_eql(branch.node.step, other.node.step);
    }
}

// The order of a list's elements.
bool comes_before(const Branch &one, const Branch &other) {
    return !one.any && (other.any || one.node.index < other.node.index);
}

// Returns the child of a branch for a step, which is made if there is none.
Branch *child_for(Columns &c, Branch *branch, VALUE steps, long at) {
    const VALUE step = rb_ary_entry(steps, at);
    const Type &type = *branch->node.type;
    Branch made{};
    if (step == ID2SYM(id_any) && has_elements(type)) {
        made.any = true;
        made.node.step = made.node.key = Qnil;
        made.node.type = type.kind == Kind::any ? &type : type.element;
    } else {
        made.node = path_step(type, c.facts.klass, step, static_cast<int>(at), static_cast<int>(RARRAY_LEN(steps)),
                              RARRAY_CONST_PTR(steps));
        made.in_struct = type.kind == Kind::struct_;
    }
    const bool in_order = type.kind == Kind::list && !made.any;
    Branch **place = &branch->child;
    if (in_order && branch->last && comes_before(*branch->last, made)) place = &branch->last->next;  // as most do
    for (; *place; place = &(*place)->next) {
        if (same_step(type, **place, made)) return *place;
        if (in_order && comes_before(made, **place)) break;
    }
    if (c.branch_count == c.branch_room) fault_argument("the paths have changed");
    made.next = *place;
    made.node.parent = &branch->node;
    Branch *child = *place = &c.branches[c.branch_count++];
    *child = made;
    if (!child->next) branch->last = child;
    return child;
}

// A list whose elements are found while it is read: each by one child.
bool is_indexed(const Branch &branch) {
    if (!branch.child->next) return true;
    for (const Branch *each = branch.child; each; each = each->next) {
        if (each->any || each->node.index < 0) return false;
    }
    return true;
}

Action action_of(const Branch &branch) {
    const Type &type = *branch.node.type;
    if (!branch.child) {
        if (kind_is_number(type.kind)) return Action::number;
        return type.kind == Kind::string || type.kind == Kind::binary ? Action::text : Action::decode;
    }
    if (branch.leaf) return Action::follow;
    if (is_struct(type)) return type.link->count > scanned_fields_max ? Action::follow : Action::fields;
    if (type.kind != Kind::list) return Action::follow;
    if (branch.child->any && !branch.child->next) return Action::elements;
    return is_indexed(branch) ? Action::indexed : Action::follow;
}

void number_columns(Columns &c, Branch &branch) {
    branch.column = c.count;
    if (branch.leaf) c.columns[c.count++].kind = branch.node.type->kind;
    for (Branch *each = branch.child; each; each = each->next) number_columns(c, *each);
    branch.columns = c.count - branch.column;
}

// Copies the link that leads to a branch. The branch owns the copy from the beginning, because memory may lack for the rest.
void take_link(Branch &branch) {
    TakenLink *link = branch.link = ALLOC(TakenLink);
    static_cast<Link &>(*link) = *branch.node.type->link;
    for (const void *&rows : link->rows) rows = nullptr;
    link->is_taken = true;
    link->branch = &branch;
    link->taken = 0;
    link->own_fields = nullptr;
    const Field *fields = link->fields;
    link->own_fields = ALLOC_N(Field, link->count);
    for (uint32_t i = 0; i < link->count; i++) link->own_fields[i] = fields[i];
    link->fields = link->own_fields;
}

void plan_branch(const Columns &c, Branch &branch) {
    branch.action = action_of(branch);
    if (branch.action != Action::fields) return;
    take_link(branch);
    for (Branch *each = branch.child; each; each = each->next) {
        Field &field = branch.link->own_fields[each->node.field];
        field.pass = Pass::taken;
        field.type.kind = Kind::any;
        field.type.branch = each;
        branch.link->taken |= uint64_t{1} << each->node.field;
    }
    rows_make_form(branch.link, wire_reader(c.facts.wire));
}

}  // namespace

void columns_add_path(Columns &c, uint32_t path, VALUE steps) {
    Branch *branch = c.root;
    for (long i = 0; i < RARRAY_LEN(steps); i++) branch = child_for(c, branch, steps, i);
    branch->leaf = true;
    c.of_path[path] = static_cast<uint32_t>(branch - c.branches);
}

void columns_plan(Columns &c, VALUE paths) {
    for (Branch *branch = c.root; branch; branch = branch->child) {
        branch->above_rows = true;
        if (branch->leaf || !branch->child || branch->child->next) break;
        if (branch->child->any) {
            c.rows = branch;
            break;
        }
    }
    if (!c.rows) {
        for (size_t i = 0; i < c.branch_count; i++) c.branches[i].above_rows = false;
    }
    number_columns(c, *c.root);
    for (size_t i = 0; i < c.branch_count; i++) plan_branch(c, c.branches[i]);
    for (uint32_t i = 0; i < c.path_count; i++) {
        const Branch *branch = &c.branches[c.of_path[i]];
        c.of_path[i] = branch->column;
        if (!c.packed) continue;
        bool nested = false;
        for (const Node *node = &branch->node; node; node = node->parent) {
            const Branch *each = reinterpret_cast<const Branch *>(node);
            nested |= each->any && (!c.rows || node->parent != &c.rows->node);
        }
        if (nested || !kind_is_number(branch->node.type->kind))
            native_call("refuse_packed", c.facts.klass, rb_ary_entry(paths, i), nested ? Qtrue : Qfalse);
    }
}

void tree_init() { id_any = rb_intern("[]"); }

}  // namespace sparpack
