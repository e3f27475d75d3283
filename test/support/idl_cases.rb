# frozen_string_literal: true

# Small .thrift texts and the result for each: nil, or the place and the words of the first fault. If Apache's compiler is
# installed, it gets the same texts.
module IDLCases
  ACCEPTED = {
    const_vs_type: "const i32 A = 1 struct A {}",
    forward: "struct A { 1: B b } struct B {}",
    forward_enum_default: "struct A { 1: E b = E.X } enum E { X }",
    throws_forward: "service S { void a() throws (1: B b) } exception B {}",
    enum_int: "enum E { X } const E A = 0",
    enum_by_another: "enum E { X } enum F { Y } struct S { 1: F f = E.Y }",
    enum_by_another_that_has_it: "enum E { X, Y } enum F { Y } const list<F> A = [E.Y]",
    enum_to_int: "enum E { X } const i32 A = E.X",
    bool_true: "const bool A = true",
    i32_true: "const i32 A = true",
    double_integer: "const double A = 1",
    i64_max: "const i64 A = 9223372036854775807",
    i64_min: "const i64 A = -9223372036854775808",
    list_map: "const list<i32> A = {}",
    map_list: "const map<i32,i32> A = []",
    set_map: "const set<i32> A = {}",
    set_dup: "const set<i32> A = [1, 1]",
    map_dup: "const map<i32,i32> A = {1:1, 1:2}",
    struct_const: "struct S { 1: i32 a } const S A = {'a': 1}",
    struct_const_dup: "struct S { 1: i32 a } const S A = {'a': 1, 'a': 2}",
    struct_const_required: "struct S { 1: required i32 a } const S A = {}",
    union_const: "union S { 1: i32 a 2: i32 b} const S A = {'a': 1}",
    union_const0: "union S { 1: i32 a 2: i32 b} const S A = {}",
    forward_struct_const: "const S A = {'a': 1} struct S { 1: i32 a }",
    union_required: "union S { 1: required i32 a }",
    union_default: "union S { 1: i32 a = 1 }",
    enum_neg: "enum E { A = -5, B }",
    enum_double_num: "enum E { A = 1, B = 1 }",
    enum_hex: "enum E { A = 0x10 }",
    enum_empty: "enum E { }",
    exception_field: "exception B {} struct A { 1: B a }",
    exception_msg: "exception B { 1: i32 message }",
    recursive: "struct A { 1: A a }",
    required_recursion: "struct A { 1: required A a }",
    unknown_scope: "namespace klingon a",
    double_ns: "namespace rb a namespace rb b",
    function_names: "service S { void read() void class() }",
    required_argument: "service S { void a(1: required i32 x, 2: optional i32 y) }",
    typedef_forward: "typedef B A struct B {}",
    typedef_td: "typedef i32 A typedef A B const B X = 300",
    byte: "const byte A = 1",
    binary_const: "const binary A = 'x'",
    map_key_struct: "struct K { 1: i32 a } const map<K, i32> A = {{'a': 1}: 2}",
    map_key_list: "const map<list<i32>, i32> A = {[1]: 2}",
    list_of_enum: "enum E { X } const list<E> A = [E.X, 0]",
    const_list_idx: "const list<i32> A = [1] const list<i32> B = A",
    keyword_type: "struct end {} struct class {} struct int {} struct float {}",
    keyword_function: "service s { void end() void yield() void print() }",
    enum_keyword: "enum E { end, class, return }",
    const_keyword: "const i32 return = 1",
    field_keyword: "struct A { 1: i32 list, 2: i32 struct, 3: i32 required }",
    exception_default: "exception E { 1: string message = 'x' }",
    mixed_impl: "struct A { i32 a, 5: i32 b, i32 c }",
    float_exp: "const double A = 1e308",
    empty_annotation: "struct A {} ()",
    keyword_annotation: "struct A {} (required = 'x', list)",
    enum_sep: "enum E { A; B, C D }",
    uuid_t: "struct A { 1: uuid a }",
    ref: "struct A { 1: i32 & a }",
    byte_order_mark: "\uFEFFstruct A {}",
    own_prefix_of_an_enum: "enum E { X } struct S { 1: list<E> a = [E.X], 2: map<E, string> b = {E.X: 'x'} }",
    typedef_of_an_enum: "enum E { X } typedef E F const F A = F.X",
    numbers: "const i32 A = +1 const i32 B = -0x1f const double C = .5 const double D = -1e3 const i32 E = 007"
  }.freeze

  REJECTED = {
    negative_explicit:
      ["struct A { -3: i32 a, 0: i32 b }",
       "1:12: expected an id from 1 to 32767 (allow_neg_keys permits lower ids), found -3"],
    big_id:
      ["struct A { 40000: i32 a }",
       "1:12: expected an id from 1 to 32767, found 40000"],
    double_type:
      ["struct A {} enum A { X }",
       "1:13: expected a unique name, found \"A\", which is already defined at line 1"],
    double_struct:
      ["struct A {} struct A {}",
       "1:13: expected a unique name, found \"A\", which is already defined at line 1"],
    double_typedef:
      ["typedef i32 A typedef i64 A",
       "1:15: expected a unique name, found \"A\", which is already defined at line 1"],
    double_const:
      ["const i32 A = 1 const i32 A = 2",
       "1:17: expected a unique name, found \"A\", which is already defined at line 1"],
    double_service:
      ["service A {} service A {}",
       "1:14: expected a unique name, found \"A\", which is already defined at line 1"],
    service_vs_struct:
      ["service A {} struct A {}",
       "1:14: expected a unique name, found \"A\", which is already defined at line 1"],
    double_field_id:
      ["struct A { 1: i32 a, 1: i32 b }",
       "1:22: expected a unique id, found 1, which is the id of \"a\""],
    double_field_name:
      ["struct A { 1: i32 a, 2: i32 a }",
       "1:22: expected a unique name, found \"a\", which is the name of another field"],
    double_function:
      ["service S { void a() void a() }",
       "1:22: expected a unique name, found \"a\", which is the name of another function"],
    inherited_function:
      ["service R { void a() } service S extends R { void b() } service T extends S { void c() i32 a(1: i32 x) }",
       "1:88: expected a unique name, found \"a\", which is the name of a function of R"],
    double_enum_value:
      ["enum E { A, A }",
       "1:13: expected a unique name, found \"A\", which is the name of another value"],
    double_arg:
      ["service S { void a(1: i32 a, 2: i32 a) }",
       "1:30: expected a unique name, found \"a\", which is the name of another field"],
    double_argument_id:
      ["service S { void a(1: i32 a, 1: i32 b) }",
       "1:30: expected a unique id, found 1, which is the id of \"a\""],
    unknown:
      ["struct A { 1: B b }",
       "1:15: expected a type, found \"B\", which is not defined"],
    forward_const:
      ["const i32 A = B const i32 B = 1",
       "1:15: expected a constant that is already defined, found \"B\", which is defined later, at line 1"],
    unknown_const:
      ["const i32 A = B",
       "1:15: expected a constant, found \"B\", which is not defined"],
    const_str_unknown:
      ["const string A = B",
       "1:18: expected a constant, found \"B\", which is not defined"],
    throws_struct:
      ["struct B {} service S { void a() throws (1: B b) }",
       "1:42: expected an exception, found B, which is not an exception"],
    oneway_result:
      ["service S { oneway i32 a() }",
       "1:20: expected void, because a is oneway, found a result"],
    oneway_throws:
      ["exception B {} service S { oneway void a() throws (1: B b) }",
       "1:52: expected no exceptions, because a is oneway, found throws"],
    extends_unknown:
      ["service S extends T {}",
       "1:19: expected a service to extend, found \"T\", which is not defined"],
    extends_forward:
      ["service S extends T {} service T {}",
       "1:19: expected a service to extend, found \"T\", which is defined later in the file"],
    extends_struct:
      ["struct T {} service S extends T {}",
       "1:31: expected a service to extend, found \"T\", which is not defined"],
    typedef_cycle:
      ["typedef A B typedef B A struct C { 1: A a }",
       "1:21: expected at most 64 levels of containers and typedefs, found more, or a cycle"],
    typedefs_that_double:
      ["typedef i32 A #{("A".."Y").map { |name| "typedef map<#{name}, #{name}> #{name.succ}" }.join(" ")}",
       "1:143: expected a type of at most 200 parts, without typedefs, found more"],
    typedef_cycle_unused:
      ["typedef A B typedef B A",
       "1:21: expected at most 64 levels of containers and typedefs, found more, or a cycle"],
    const_service:
      ["service T {} const T A = 1",
       "1:20: expected a type, found \"T\", which is a service"],
    field_service:
      ["service T {} struct A { 1: T a }",
       "1:28: expected a type, found \"T\", which is a service"],
    enum_unqualified:
      ["enum E { X } const E A = X",
       "1:26: expected a value of E such as \"E.X\", found \"X\", which is not defined (did you mean \"E.X\"?)"],
    enum_unqualified_field:
      ["enum E { X } struct S { 1: E a = X }",
       "1:34: expected a value of E such as \"E.X\", found \"X\", which is not defined (did you mean \"E.X\"?)"],
    enum_int_bad:
      ["enum E { X } const E A = 7",
       "1:26: expected a value of E, found 7, which is not one of its numbers"],
    enum_int_field_bad:
      ["enum E { X } struct S { 1: E e = 7 }",
       "1:34: expected a value of E, found 7, which is not one of its numbers"],
    enum_to_list:
      ["enum E { X } struct S { 1: list<i32> a = E.X }",
       "1:42: expected a value of type list<i32>, found E.X, of type E"],
    enum_to_struct:
      ["enum E { X } struct S {} const S A = E.X",
       "1:38: expected a value of type S, found E.X, of type E"],
    enum_to_other:
      ["enum E { X } enum F { Y } const E A = F.Y",
       "1:39: expected a value of type E, found F.Y, of type F"],
    enum_by_nothing:
      ["enum F { Y } struct S { 1: F f = E.Y }",
       "1:34: expected a value of F such as \"F.Y\", found \"E.Y\", which is not defined (did you mean \"F.Y\"?)"],
    enum_as_integer_by_another:
      ["enum E { X } enum F { Y } struct S { 1: i32 f = E.Y }",
       "1:49: expected a constant, found \"E.Y\", which is not defined"],
    bool_five:
      ["const bool A = 5",
       "1:16: expected true or false, found 5"],
    bool_TRUE:
      ["const bool A = TRUE",
       "1:16: expected a constant, found \"TRUE\", which is not defined"],
    bool_string:
      ["const bool A = 'x'",
       "1:16: expected true or false, found a string"],
    bool_double:
      ["const bool A = 1.0",
       "1:16: expected true or false, found 1.0"],
    integer_double:
      ["const i32 A = 1.5",
       "1:15: expected a whole number, found 1.5"],
    i8_over:
      ["const i8 A = 300",
       "1:14: expected an i8 from -128 to 127, found 300"],
    i32_big:
      ["const i32 A = 3000000000",
       "1:15: expected an i32 from -2147483648 to 2147483647, found 3000000000"],
    i64_over:
      ["const i64 A = 9223372036854775808",
       "1:15: expected an i64 from -9223372036854775808 to 9223372036854775807, found 9223372036854775808"],
    hex_over:
      ["const i64 A = 0xFFFFFFFFFFFFFFFF",
       "1:15: expected an i64 from -9223372036854775808 to 9223372036854775807, found 18446744073709551615"],
    double_over:
      ["const double A = 1e400", "1:18: expected a double of at most 1.7976931348623157e+308, found Infinity"],
    string_integer:
      ["const string A = 1",
       "1:18: expected a string, found 1"],
    integer_string:
      ["const i32 A = '1'",
       "1:15: expected a whole number, found a string"],
    list_map1:
      ["const list<i32> A = {1:2}",
       "1:21: expected a list, found a map"],
    map_list1:
      ["const map<i32,i32> A = [1]",
       "1:24: expected a map, found a list"],
    struct_const_names:
      ["struct S { 1: i32 a } const S A = {a: 1}",
       "1:36: expected the name of a field, in quotes, found a"],
    struct_unknown_const:
      ["struct S { 1: i32 a } const S A = {'b': 1}",
       "1:36: expected the name of a field of S, found \"b\" (known: \"a\")"],
    struct_const_type:
      ["struct S { 1: i32 a } const S A = {'a': 'x'}",
       "1:41: expected a whole number, found a string"],
    struct_const_list:
      ["struct S { 1: i32 a } const S A = [1]",
       "1:35: expected a map of the fields of S, found a list"],
    union_const2:
      ["union S { 1: i32 a 2: i32 b} const S A = {'a': 1, 'b': 2}",
       "1:42: expected at most one field, because S is a union, found 2"],
    const_wrong_const:
      ["const string B = 'x' const i32 A = B",
       "1:36: expected a value of type i32, found B, a constant of type string"],
    const_const:
      ["const i32 B = 300 const i8 A = B",
       "1:32: expected a value of type i8, found B, a constant of type i32"],
    field_default_type:
      ["struct S { 1: i32 a = 'x' }",
       "1:23: expected a whole number, found a string"],
    forward_field_default:
      ["struct S { 1: i32 a = B } const i32 B = 1",
       "1:23: expected a constant that is already defined, found \"B\", which is defined later, at line 1"],
    union_defaults:
      ["union S { 1: i32 a = 1 2: i32 b = 2 }",
       "1:24: expected at most one default in a union, found another one"],
    enum_overflow:
      ["enum E { A = 2147483647, B }",
       "1:26: expected a 32-bit number, found 2147483648"],
    enum_big:
      ["enum E { A = 2147483648 }",
       "1:10: expected a 32-bit number, found 2147483648"],
    missing_include:
      ["include 'nope.thrift'",
       "1:1: expected a file to include, found no \"nope.thrift\" in FOLDER"],
    missing_absolute_include:
      ["include '/no/nope.thrift'",
       "1:1: expected a file to include, found no \"/no/nope.thrift\""],
    include_with_a_null:
      ["include 'a\0b'",
       "1:1: expected a file to include, found no \"a\\u0000b\""],
    field_void:
      ["struct A { 1: void a }",
       "1:15: expected a type, found \"void\""],
    list_void:
      ["struct A { 1: list<void> a }",
       "1:20: expected a type, found \"void\""],
    empty_namespace:
      ["namespace rb",
       "1:13: expected the name of a namespace, found the end of the file"],
    result_unknown:
      ["service S { B a() }",
       "1:13: expected a type, found \"B\", which is not defined"],
    argument_unknown:
      ["service S { void a(1: B b) }",
       "1:23: expected a type, found \"B\", which is not defined"],
    slist:
      ["const slist A = []",
       "1:7: expected a type, found \"slist\", which is not defined (did you mean \"string\"?)"],
    type_i32name:
      ["struct i32 {}",
       "1:8: expected the name of a struct, found the keyword \"i32\""],
    typedef_base:
      ["typedef i32 string",
       "1:13: expected the name of a typedef, found the keyword \"string\""],
    negative_key_dup:
      ["struct A { i32 a, -1: i32 b }",
       "1:19: expected an id from 1 to 32767 (allow_neg_keys permits lower ids), found -1"],
    dotted_type:
      ["struct A.B { }",
       "1:8: expected the name of a struct, without a dot, found \"A.B\""],
    dotted_field:
      ["struct A { 1: i32 a.b }",
       "1:19: expected the name of a field, without a dot, found \"a.b\""],
    dotted_enum_value:
      ["enum E { A.B }",
       "1:10: expected the name of an enum's value, without a dot, found \"A.B\""],
    inf:
      ["const double A = inf",
       "1:18: expected a constant, found \"inf\", which is not defined"],
    void_arg:
      ["service S { void a(void) }",
       "1:20: expected a type, found \"void\""],
    semi_after:
      ["struct A {};",
       "1:12: expected a definition (const, typedef, enum, struct, union, exception, service), found \";\""],
    comma_after:
      ["struct A {},",
       "1:12: expected a definition (const, typedef, enum, struct, union, exception, service), found \",\""],
    extends_cycle:
      ["service A extends A {}",
       "1:19: expected a service to extend, found \"A\", which is defined later in the file"],
    newline_in_string:
      ["const string A = 'a\nb'",
       "1:18: expected the end of a string, ', found the end of the line"],
    unknown_escape:
      ["const string A = \"a\\qb\"",
       "1:20: expected an escape (\\r \\n \\t \\\" \\' \\\\), found \"\\\\q\""],
    hex_escape:
      ["const string A = \"a\\x41b\"",
       "1:20: expected an escape (\\r \\n \\t \\\" \\' \\\\), found \"\\\\x\""],
    null_escape:
      ["const string A = \"a\\0b\"",
       "1:20: expected an escape (\\r \\n \\t \\\" \\' \\\\), found \"\\\\0\""],
    name_dash:
      ["struct A { 1: i32 a-b }",
       "1:20: expected a number, found \"-\""],
    smalltalk_name:
      ["namespace smalltalk.category Foo-Bar",
       "1:33: expected a number, found \"-\""]
  }.freeze

  # Texts that Apache's compiler 0.17 accepts, mostly with a warning.
  APACHE_ACCEPTS = {
    "ids from 1 to 32767" => %i[negative_explicit negative_key_dup big_id],
    "ranges of the declared types" => %i[bool_five i8_over i32_big const_const double_over],
    "constants that are not of their type" => %i[list_map1 map_list1 union_const2 enum_to_list],
    "values by a name that nothing has" => %i[enum_by_nothing],
    "a result that never comes" => %i[oneway_result],
    "files that are not there" => %i[missing_include missing_absolute_include include_with_a_null],
    "a circle" => %i[typedef_cycle_unused],
    "types of any size" => %i[typedefs_that_double]
  }.freeze

  # Texts that it refuses.
  APACHE_REJECTS = {
    "types that are defined below" => %i[forward_enum_default throws_forward forward_struct_const],
    "keywords as names of annotations" => %i[keyword_annotation]
  }.freeze

  # Texts that 0.17 refused and 0.24 accepts.
  APACHE_ONCE_REJECTED = {
    "names that only its generator for Ruby reserved" => %i[function_names keyword_type keyword_function enum_keyword
                                                            const_keyword],
    "keywords as names of fields" => %i[field_keyword],
    "uuid" => %i[uuid_t]
  }.freeze
end
