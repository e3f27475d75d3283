#include "nan.hpp"

#include "../values/sets.hpp"
#include "native_module.hpp"

namespace sparpack {

namespace {

NanInFields in_fields;  // written by nan_init alone, as is id_nan
ID id_nan;              // nan?

int search_element(VALUE element, VALUE argument) {
    NanSearch &search = *reinterpret_cast<NanSearch *>(argument);
    nan_search(search, element);
    return search.ended() ? ST_STOP : ST_CONTINUE;
}

int search_pair(VALUE key, VALUE value, VALUE argument) {
    int result = search_element(key, argument);
    return result == ST_STOP ? result : search_element(value, argument);
}

bool says_nan(VALUE object) {
    VALUE answer = rb_check_funcall(object, id_nan, 0, nullptr);
    return answer != Qundef && RTEST(answer);
}

void search_inside(NanSearch &search, VALUE value) {
    VALUE argument = reinterpret_cast<VALUE>(&search);
    if (is_set(value)) return set_foreach(value, search_element, argument);
    switch (RB_BUILTIN_TYPE(value)) {
    case RUBY_T_ARRAY:
        for (long i = 0; i < RARRAY_LEN(value) && !search.ended(); i++) nan_search(search, RARRAY_AREF(value, i));
        return;
    case RUBY_T_STRUCT:
        for (int i = 0; i < RSTRUCT_LEN(value) && !search.ended(); i++) nan_search(search, RSTRUCT_GET(value, i));
        return;
    case RUBY_T_HASH: rb_hash_foreach(value, reinterpret_cast<int (*)(VALUE, VALUE, VALUE)>(search_pair), argument); return;
    case RUBY_T_OBJECT: in_fields(search, value); return;
    case RUBY_T_DATA:  // some, such as BigDecimal, know whether they are NaN
        if (!in_fields(search, value) && says_nan(value)) search.wanted--;
        return;
    default: return;
    }
}

}  // namespace

SPARPACK_COLD void nan_search(NanSearch &search, VALUE value) {
    if (search.left-- == 0) search.wanted = 0;
    if (search.ended()) return;
    if (is_nan(value)) search.wanted--;
    if (search.ended() || RB_SPECIAL_CONST_P(value) || search.depth == 0) return;
    search.depth--;
    search_inside(search, value);
    search.depth++;
}

void nan_init(NanInFields function) {
    rb_define_const(native_module(), "NAN_KEYS_MAX", UINT2NUM(nan_keys_max));
    in_fields = function;
    id_nan = rb_intern("nan?");
}

}  // namespace sparpack
