# frozen_string_literal: true

# For each rule of `sparpack breaking`: pairs of versions in which it finds something, and pairs in which it finds nothing
# although something changed. All are compared at the rule's own level.
module BreakingCases
  S = ->(fields) { "struct S { #{fields} }" }
  F = ->(function) { "exception X {} exception Y {} service V { #{function} }" }
  TWO_FILES = { "b.thrift" => "struct X {}", "c.thrift" => "struct X { 1: i32 a }" }.freeze
  E = ->(values) { "enum E { #{values} } struct S { 1: E e }" }

  FOUND = {
    field_removed: [
      [S["1: i32 a 2: i32 b"], S["1: i32 a"]],
      [S["1: required i32 a"], S[""]],
      ["union U { 1: i32 a 2: i32 b }", "union U { 1: i32 a }"],
      ["exception X { 1: i32 a }", "exception X {}"],
      [F["void f(1: i32 a)"], F["void f()"]],
      [S["1: i32 a 2: i32 b"], S["1: i32 b"]]
    ],
    field_id_changed: [
      [S["1: i32 a"], S["2: i32 a"]],
      [S["1: i32 a 2: i32 b"], S["1: i32 b 2: i32 a"]],
      [S["i32 a, i32 c"], S["i32 a, i32 b, i32 c"]],
      [F["void f(1: i32 a)"], F["void f(2: i32 a)"]],
      [F["void f() throws (1: X x)"], F["void f() throws (2: X x)"]],
      [S["1: i32 a 2: i32 b"], S["1: i32 b"]]
    ],
    field_id_reused: [
      [S["1: i32 a"], S["1: string b"]],
      ["struct A { 1: i32 x } struct B { 1: string x } struct S { 1: A a }",
       "struct A { 1: i32 x } struct B { 1: string x } struct S { 1: B b }"],
      [F["void f(1: i32 a)"], F["void f(1: string b)"]]
    ],
    required_field_added: [
      [S["1: i32 a"], S["1: i32 a 2: required i32 b"]],
      [F["void f()"], F["void f(1: required i32 a)"]],
      ["exception X {}", "exception X { 1: required string message }"]
    ],
    field_made_required: [
      [S["1: i32 a"], S["1: required i32 a"]],
      [S["1: optional i32 a"], S["1: required i32 a"]],
      [S["1: i32 a = 5"], S["1: required i32 a"]]
    ],
    field_made_optional: [
      [S["1: required i32 a"], S["1: optional i32 a"]],
      [S["1: required i32 a"], S["1: i32 a = 1"]]
    ],
    type_changed: [
      [S["1: i32 a"], S["1: i64 a"]],
      [S["1: list<i32> a"], S["1: set<i32> a"]],
      [S["1: map<string, list<i32>> a"], S["1: map<string, list<i16>> a"]],
      [S["1: map<i8, i32> a"], S["1: map<i16, i32> a"]],
      [S["1: uuid a"], S["1: string a"]],
      ["typedef i32 T struct S { 1: T a }", "typedef i64 T struct S { 1: T a }"],
      ["struct A { 1: i32 x } struct S { 1: A a }", "struct B { 1: i64 x } struct S { 1: B a }"],
      ["struct A { 1: A a 2: bool x } struct S { 1: A a }",
       "struct B { 1: C a } struct C { 1: B a 2: i8 x } struct S { 1: B a }"],
      ["struct A { 1: i32 x } struct S { 1: A a }", "union B { 1: i32 x } struct S { 1: B a }"],
      ["enum E { X } struct S { 1: E a }", "struct E {} struct S { 1: E a }"],
      [F["i32 f()"], F["i64 f()"]],
      [F["void f()"], F["i32 f()"]],
      [F["i32 f()"], F["void f()"]],
      [F["void f(1: i32 a)"], F["void f(1: bool a)"]],
      ["struct A { 1: i32 x } enum E { P } struct S { 1: E e }",
       "struct A { 1: i32 x } enum D { P = 5 } struct S { 1: D e }"]
    ],
    struct_union_changed: [
      ["struct S { 1: i32 a }", "union S { 1: i32 a }"],
      ["union S { 1: i32 a }", "exception S { 1: i32 a }"]
    ],
    enum_number_changed: [
      [E["A, B"], E["B, A"]],
      [E["A, C"], E["A, B, C"]]
    ],
    service_removed: [
      ["service A {} service B {}", "service A {}"],
      [{ "a.thrift" => "service A {}", "b.thrift" => "" }, { "b.thrift" => "" }],
      ["service A {}", "struct A {}"]
    ],
    function_removed: [
      [F["void f() i32 g()"], F["void f()"]],
      ["service A { void f() } service B extends A {}", "service A { void f() } service B {}"]
    ],
    function_renamed: [
      [F["void f(1: i32 a) i32 g()"], F["void h(1: i32 a) i32 g()"]],
      [{ "a.thrift" => "include 'b.thrift' service V { b.X f() }", "b.thrift" => "struct X {}" },
       { "a.thrift" => "include 'c.thrift' service V { c.X g() }", "c.thrift" => "struct X {}" }]
    ],
    oneway_changed: [
      [F["void f()"], F["oneway void f()"]],
      [F["oneway void f()"], F["void f()"]]
    ],
    throws_removed: [
      [F["void f() throws (1: X x)"], F["void f()"]]
    ],
    throws_added_to_void: [
      [F["void f()"], F["void f() throws (1: X x)"]]
    ],
    throws_added: [
      [F["i32 f() throws (1: X x)"], F["i32 f() throws (1: X x, 2: Y y)"]]
    ],
    union_field_added: [
      ["union U { 1: i32 a }", "union U { 1: i32 a 2: i32 b }"],
      ["union A { 1: i32 a } struct S { 1: A a }", "union B { 1: i32 a 2: i32 b } struct S { 1: B a }"]
    ],
    default_changed: [
      [S["1: i32 a = 1"], S["1: i32 a = 2"]],
      [S["1: double a = 0.0"], S["1: double a = -0.0"]],
      [S["1: list<double> a = [0.0]"], S["1: list<double> a = [-0.0]"]],
      [S["1: i32 a"], S["1: i32 a = 2"]],
      [S["1: list<i32> a = [1, 2]"], S["1: list<i32> a = [2, 1]"]],
      ["const i32 C = 1 struct S { 1: i32 a = C }", "const i32 C = 2 struct S { 1: i32 a = C }"],
      ["struct P { 1: i32 x } struct S { 1: P a = {'x': 1} }", "struct P { 1: i32 x } struct S { 1: P a = {'x': 2} }"],
      ["struct P { 1: i32 x = 1 } struct S { 1: P a = {} }", "struct P { 1: i32 x = 1 } struct S { 1: P a = {'x': 2} }"],
      [F["void f(1: i32 a = 1)"], F["void f(1: i32 a = 2)"]],
      ["struct A { 1: i32 x = 5 } struct S { 1: A a }", "struct B { 1: i32 x = 6 } struct S { 1: B a }"],
      ["struct P { 1: i32 x = 5 } struct A { 1: set<P> p } struct S { 1: list<A> a }",
       "struct Q { 1: i32 x = 6 } struct B { 1: set<Q> p } struct S { 1: list<B> a }"],
      ["struct A { 1: i32 x = 5 } struct B { 1: i32 x = 6 } service V { void f(1: A a) }",
       "struct A { 1: i32 x = 5 } struct B { 1: i32 x = 6 } service V { void f(1: B a) }"]
    ],
    type_reinterpreted: [
      [S["1: string a"], S["1: binary a"]],
      [S["1: list<binary> a"], S["1: list<string> a"]],
      ["enum E { X } struct S { 1: map<E, bool> a }", "enum E { X } struct S { 1: map<i32, bool> a }"],
      ["enum E { X } struct A { 1: E e } struct S { 1: A a }", "struct B { 1: i32 e } struct S { 1: B a }"]
    ],
    enum_number_removed: [
      [E["A = 1, B = 2"], E["A = 1"]]
    ],
    unknown_rule: [
      [S["1: i32 a"], S["1: i32 a (sparpack.compat = 'fild_removed')"]],
      ["", "enum E { A (sparpack.compat) }"],
      ["", "service V { void f(1: i32 a (sparpack.compat = 'field_removed, every')) }"]
    ],
    field_renamed: [
      [S["1: i32 a"], S["1: i32 b"]],
      [F["void f(1: i32 a)"], F["void f(1: i32 b)"]],
      [F["void f() throws (1: X x)"], F["void f() throws (1: X y)"]]
    ],
    enum_value_renamed: [
      [E["A = 1, B = 2"], E["A = 1, C = 2"]]
    ],
    enum_value_removed: [
      [E["A = 1, B = 2"], E["A = 1"]],
      [E["A = 1, B = 1"], E["A = 1"]]
    ],
    json_type_changed: [
      [S["1: string a"], S["1: binary a"]],
      [E["A"], "enum E { A } struct S { 1: i32 e }"],
      ["struct A { 1: i32 x } struct S { 1: A a }", "struct B { 1: i32 y } struct S { 1: B a }"],
      ["enum A { X } struct S { 1: A a }", "enum B { Y } struct S { 1: B a }"]
    ],
    enum_value_added: [
      [E["A = 1"], E["A = 1, B = 2"]],
      [E["A = 1"], E["B = 1, A = 1"]],
      [E["A = 1"], E["A = 2, B = 1"]],
      [E["A = 1, B = 2"], E["A = 1, C = 2, D = 2"]],
      [E["A = 1"], "enum F { A = 1, B = 2 } struct S { 1: F e }"],
      ["enum F { A = 1, B = 2 } #{E["A = 1"]}", "enum F { A = 1, B = 2 } struct S { 1: F e }"]
    ],
    type_removed: [
      ["struct A {}", "struct B {}"], ["enum A {}", ""], ["typedef i32 A", ""]
    ],
    type_renamed: [
      ["struct A { 1: i32 x } struct S { 1: A a }", "struct B { 1: i32 x 2: i32 y } struct S { 1: B a }"],
      ["struct A { 1: A a } struct S { 1: list<A> a }", "struct B { 1: C a } struct C { 1: B a } struct S { 1: list<B> a }"],
      ["enum A { X } service V { A f() }", "enum B { X } service V { B f() }"]
    ],
    kind_changed: [
      ["struct A {}", "exception A {}"], ["struct A {}", "enum A {}"], ["typedef i32 A", "service A {}"]
    ],
    namespace_changed: [
      ["namespace rb A struct S {}", "namespace rb B struct S {}"],
      ["namespace rb A struct S {}", "namespace rb A struct S {} (sparpack.ruby = '::B::S')"],
      ["namespace rb A struct S {}", "struct S {}"],
      [{ "a.thrift" => "struct S {}", "b.thrift" => "" }, { "a.thrift" => "", "b.thrift" => "struct S {}" }],
      [{ "a.thrift" => "namespace rb A struct S {}", "b.thrift" => "namespace rb B" },
       { "a.thrift" => "namespace rb A", "b.thrift" => "namespace rb B struct S {}" }]
    ],
    ruby_name_changed: [
      ["struct A { 1: i32 x } struct S { 1: A a }", "struct B { 1: i32 x (sparpack.ruby = 'y') } struct S { 1: B a }"],
      ["struct S {}", "struct S {} (sparpack.ruby = 'T')"],
      ["struct S {} (sparpack.ruby = 'T')", "struct S {} (sparpack.ruby = 'U')"],
      [S["1: i32 a"], S["1: i32 a (sparpack.ruby = 'b')"]],
      [E["A"], E["A (sparpack.ruby = 'B')"]],
      [F["void f()"], F["void f() (sparpack.ruby = 'g')"]],
      [F["void f(1: i32 a)"], F["void f(1: i32 a (sparpack.ruby = 'b'))"]]
    ],
    file_removed: [
      [{ "a.thrift" => "struct S {}", "b.thrift" => "" }, { "b.thrift" => "" }],
      [{ "a.thrift" => "struct S {}" }, { "b.thrift" => "struct S {}" }]
    ],
    constant_removed: [["const i32 A = 1", ""]],
    argument_added: [[F["void f(1: i32 a)"], F["void f(1: i32 a, 2: i32 b)"]]],
    arguments_reordered: [[F["void f(1: i32 a, 2: i32 b)"], F["void f(2: i32 b, 1: i32 a)"]]],
    constant_changed: [
      ["const i32 A = 1", "const i32 A = 2"],
      ["const double A = -0.0", "const double A = 0"],
      ["const map<string, list<i32>> A = {'a': [1]}", "const map<string, list<i32>> A = {'a': [1, 2]}"],
      ["const i32 A = 1", "const string A = '1'"]
    ],
    typedef_changed: [
      ["typedef i32 A", "typedef i64 A"], ["struct A {} typedef A T", "struct B {} typedef B T"],
      *[%w[b.X c.X], %w[list<b.X> list<c.X>]].map do |types|
        types.map { |type| { "a.thrift" => "include 'b.thrift' include 'c.thrift' typedef #{type} T", **TWO_FILES } }
      end
    ],
    definition_moved: [
      [{ "a.thrift" => "namespace rb N struct S {}", "b.thrift" => "" },
       { "a.thrift" => "", "b.thrift" => "namespace rb N struct S {}" }]
    ],
    parent_changed: [
      ["service A {} service B {} service C extends A {}", "service A {} service B {} service C extends B {}"],
      ["service A {} service C {}", "service A {} service C extends A {}"]
    ]
  }.freeze

  NOT_FOUND = {
    field_removed: [
      [S["1: i32 a"], S["1: i32 a 2: i32 b"]], [S["1: i32 a"], S["1: i32 b"]], [S["1: i32 a"], S["2: i32 a"]]
    ],
    field_id_changed: [[S["i32 a, i32 b"], S["-1: i32 a, -2: i32 b"]], [S["1: i32 a, 2: i32 b"], S["2: i32 b, 1: i32 a"]]],
    field_id_reused: [
      [S["1: i32 a"], S["1: i32 b"]], ["struct A {} struct S { 1: A a }", "struct B {} struct S { 1: B b }"]
    ],
    required_field_added: [[S[""], S["1: required i32 a = 1"]], [S[""], S["1: i32 a"]], ["", S["1: required i32 a"]]],
    field_made_required: [
      [S["1: i32 a"], S["1: required i32 a = 1"]], [S["1: i32 a"], S["1: optional i32 a"]],
      ["union U { 1: i32 a }", "union U { 1: required i32 a }"],
      [F["void f() throws (1: X x)"], F["void f() throws (1: required X x)"]]
    ],
    field_made_optional: [[S["1: required i32 a = 1"], S["1: i32 a = 1"]], [S["1: optional i32 a"], S["1: i32 a"]]],
    type_changed: [
      [S["1: byte a"], S["1: i8 a"]],
      [S["1: string a"], S["1: binary a"]],
      ["typedef list<i32> T struct S { 1: T a }", S["1: list<i32> a"]],
      ["struct A { 1: i32 x } struct S { 1: A a }", "struct B { 1: i32 y } struct S { 1: B a }"],
      ["struct A { 1: A a } struct S { 1: A a }", "struct B { 1: C a } struct C { 1: B a } struct S { 1: B a }"],
      ["struct A { 1: i32 x } struct S { 1: A a }",
       "struct B { 1: i64 x (sparpack.compat = 'type_changed') } struct S { 1: B a }"],
      ["struct A {} struct S { 1: A a }", "exception A {} struct S { 1: A a }"],
      [F["i32 f()"], F["oneway void g()"]]
    ],
    struct_union_changed: [["struct S { 1: i32 a }", "exception S { 1: i32 a }"]],
    enum_number_changed: [[E["A = 1, B = 2"], E["B = 2, A = 1, C = 3"]], [E["A = 1"], E["B = 1"]]],
    service_removed: [
      [{ "a.thrift" => "service A {}", "b.thrift" => "" }, { "a.thrift" => "", "b.thrift" => "service A {}" }],
      ["struct A {}", ""]
    ],
    function_removed: [
      [F["void f() i32 g()"], F["i32 g() void f() void h()"]],
      ["service B { void f() }", "service A { void f() } service B extends A {}"],
      ["service A { void f() } service B extends A {}", "service A { void f() } service B { void f() }"]
    ],
    function_renamed: [
      [{ "a.thrift" => "include 'b.thrift' service V { b.X f() }", **TWO_FILES },
       { "a.thrift" => "include 'c.thrift' service V { c.X g() }", **TWO_FILES }],
      [F["void f(1: i32 a)"], F["void h(1: i64 a)"]], [F["void f() void g()"], F["void h()"]],
      [F["void f()"], F["void f() void h()"]]
    ],
    oneway_changed: [["service V { oneway void f() }", "service V { async void f() }"]],
    throws_removed: [[F["void f() throws (X x)"], F["void f() throws (X x)"]]],
    throws_added_to_void: [[F["i32 f()"], F["i32 f() throws (1: X x)"]]],
    throws_added: [[F["i32 f() throws (1: X x)"], F["i32 f() throws (1: X y)"]]],
    union_field_added: [["union U { 1: i32 a }", "union U { 1: i32 b }"], [S["1: i32 a"], S["1: i32 a 2: i32 b"]]],
    default_changed: [
      ["const i32 C = 1 struct S { 1: i32 a = C }", "struct S { 1: i32 a = 0x1 }"],
      [S["1: map<i8, bool> a = {1: true, 2: false}"], S["1: map<i8, bool> a = {2: 0, 1: 1}"]],
      [S["1: double a = 1"], S["1: double a = 10e-1"]],
      [S["1: set<i8> a = [1, 2]"], S["1: set<i8> a = [2, 1, 2]"]],
      ["enum E { A } struct S { 1: E a = E.A }", "enum E { B } struct S { 1: E a = E.B }"],
      ["struct P { 1: i32 x = 1 } struct S { 1: P a = {} }", "struct P { 1: i32 x = 1 } struct S { 1: P a = {'x': 1} }"],
      ["union U { 1: i32 a = 1 }", "union U { 1: i32 a = 2 }"],
      ["struct A { 1: i32 x = 5 } struct S { 1: A a }",
       "struct B { 1: i32 x = 6 (sparpack.compat = 'default_changed') } struct S { 1: B a }"]
    ],
    type_reinterpreted: [
      [S["1: string a"], S["1: i32 a"]], ["enum E {A} struct S {1: E a}", "enum D {A} struct S {1: D a}"]
    ],
    enum_number_removed: [[E["A = 1, B = 1"], E["A = 1"]], [E["A = 1"], E["B = 1"]]],
    unknown_rule: [
      [S["1: i32 a"], S["1: i32 a (sparpack.compat = 'field_removed, type_changed')"]],
      [S["1: i32 a (sparpack.compat = 'x')"], S["1: i32 a (sparpack.compat = 'all')"]], ["", S["1: i32 a (compat = 'x')"]]
    ],
    field_renamed: [[S["1: i32 a"], S["1: string b"]], [S["1: i32 a"], S["2: i32 b"]]],
    enum_value_renamed: [[E["A = 1, B = 2"], E["A = 1, B = 2, C = 2"]], [E["A = 1, B = 2"], E["B = 1"]]],
    enum_value_removed: [[E["A = 1"], E["A = 1, B = 2"]], [E["A = 1"], E["B = 1"]]],
    json_type_changed: [
      [S["1: i32 a"], S["1: i64 a"]], ["struct A {} struct S { 1: A a }", "struct B {} struct S { 1: B a }"]
    ],
    enum_value_added: [
      [E["A = 1"], E["B = 1"]], [E["A = 1, B = 1"], E["B = 1, A = 1"]], [E["A = 1, B = 2"], E["A = 1"]], ["", E["A = 1"]]
    ],
    type_removed: [
      [{ "a.thrift" => "struct S {}", "b.thrift" => "" }, { "a.thrift" => "", "b.thrift" => "struct S {}" }],
      [{ "a.thrift" => "struct S {}", "b.thrift" => "" }, { "b.thrift" => "" }], ["struct S {}", "enum S {}"]
    ],
    type_renamed: [["typedef i32 A struct S { 1: A a }", "typedef i32 B struct S { 1: B a }"]],
    kind_changed: [["struct A {}", "struct A {} enum B {}"], ["struct A {}", "const i32 A = 1"]],
    namespace_changed: [
      ["namespace rb A namespace py B struct S {}", "namespace * A namespace py C struct S {}"],
      ["namespace rb A", "namespace rb B"],
      ["namespace rb A struct S {}", "namespace rb A struct S {} (sparpack.ruby = '::A::S')"],
      ["namespace rb a.b struct S {}", "namespace rb A.B struct S {}"],
      [{ "a.thrift" => "struct S {}" }, { "a.thrift" => "namespace rb A struct S {}" }]
    ],
    ruby_name_changed: [
      ["struct s {}", "struct s {} (sparpack.ruby = 'S')"],
      [S["1: i32 a (sparpack.ruby = 'b')"], S["2: i32 b"]],
      [E["a"], E["a (sparpack.ruby = 'A')"]],
      ["struct S {}", "struct S {} (sparpack.ruby = '::A::S')"]
    ],
    file_removed: [
      [{ "a.thrift" => "struct S {}" }, { "a.thrift" => "", "b.thrift" => "struct S {}" }]
    ],
    constant_removed: [["struct A {}", ""], ["const i32 A = 1", "const i64 A = 1"]],
    argument_added: [[F["void f(1: i32 a)"], F["void f(1: i32 b)"]], [F["void f(1: i32 a)"], F["void f(2: i32 a)"]]],
    arguments_reordered: [
      [F["void f(1: i32 a, 2: i32 b)"], F["void f(2: i32 a, 1: i32 b)"]],
      [F["void f(1: i32 a, 2: i32 b)"], F["void f(1: i32 a, 3: i32 c, 2: i32 b)"]],
      [S["1: i32 a 2: i32 b"], S["2: i32 b 1: i32 a"]]
    ],
    constant_changed: [
      ["const i32 A = 1", "const i32 B = 1 const i32 A = B"],
      ["enum E { X } const E A = E.X", "enum E { X } const i32 A = 0"]
    ],
    typedef_changed: [
      ["typedef i32 A", "typedef i32 B typedef B A"],
      [{ "a.thrift" => "include 'b.thrift' typedef list<b.X> T", "b.thrift" => "struct X {}" },
       { "a.thrift" => "include 'c.thrift' typedef list<c.X> T", "c.thrift" => "struct X {}" }]
    ],
    definition_moved: [[{ "a.thrift" => "struct S {}" }, { "b.thrift" => "struct S {}" }]],
    parent_changed: [
      ["service A {} service B extends A {}", "service A { void f() } service B extends A { void g() }"],
      [{ "a.thrift" => "service A {}", "b.thrift" => "include 'a.thrift' service B extends a.A {}" },
       { "a.thrift" => "", "b.thrift" => "service A {} service B extends A {}" }]
    ]
  }.freeze
end
