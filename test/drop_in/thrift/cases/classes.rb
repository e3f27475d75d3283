# frozen_string_literal: true

# Classes that were written by hand, reopened, patched or replaced. Each case runs in a process of its own. Run by
# test/drop_in/thrift/cases_test.rb.

# @return a class with these FIELDS, and no `validate` that does anything
made = lambda do |fields, base = nil, &body|
  klass = base ? Class.new(base) : Class.new { include Thrift::Struct, Thrift::Struct_Union }
  klass.const_set(:FIELDS, fields)
  klass.class_eval { def struct_fields = self.class::FIELDS }
  klass.class_eval { def validate; end } unless base
  klass.class_eval(&body) if body
  (base ? Thrift::Union : Thrift::Struct).generate_accessors(klass)
  klass
end

i32 = ->(name, **more) { { type: Thrift::Types::I32, name:, **more } }
string = ->(name, **more) { { type: Thrift::Types::STRING, name:, **more } }
struct = ->(name, klass, **more) { { type: Thrift::Types::STRUCT, name:, class: klass, **more } }
list = ->(name, element, **more) { { type: Thrift::Types::LIST, name:, element:, **more } }

# Both directions, twice: some things are decided at the first use of a class.
both = lambda do |tools, object, wire|
  2.times.flat_map do
    data = tools.outcome { tools.encode(object, wire) }
    read = tools.outcome { tools.show(tools.decode(object.class, data.b, wire)) }
    [data.match?(/\A[\w:]+(Error|Exception)/) ? data : tools.hex(data.b), read.gsub(/#<Class:0x\h+>/, "Anonymous")]
  end
end

each_wire "an anonymous class", alone: true do |wire|
  both[self, made[{ 1 => i32["a"], 2 => string["b", default: "x"] }].new(a: 1), wire]
end

each_wire "a subclass", alone: true do |wire|
  sub = Class.new(Market::Point)
  own = Class.new(Market::Point) do
    const_set(:FIELDS, Market::Point::FIELDS.merge(9 => i32["more"]))
    def struct_fields = self.class::FIELDS
    attr_accessor :more
  end
  both[self, sub.new(x: 1), wire] + both[self, own.new(x: 1, more: 5), wire] +
    both[self, Market::Everything.new(point: own.new(x: 2, more: 3)), wire]
end

each_wire "validate that calls super, or does more", alone: true do |wire|
  calls = []
  checked = Class.new(Market::Point) do
    define_method(:validate) do
      calls << x
      super()
      raise ArgumentError, "x is 3" if x == 3
    end
  end
  holder = made[{ 1 => struct["one", checked], 2 => list["more", { type: 12, class: checked }] }]
  object = holder.new(one: checked.new(x: 1), more: [checked.new(x: 2)])
  both[self, object, wire] + [calls.inspect, written(checked.new(x: 3), wire), written(checked.new, wire),
                              written(holder.new(more: [checked.new(x: 3)]), wire)] +
    reading(checked, encode(Market::Wide.new(a: 3), wire), wire).map do |line|
      line.gsub(/#<Class:0x\h+>/, "Checked")
    end + [calls.inspect]
end

each_wire "validate that changes the object", alone: true do |wire|
  klass = made[{ 1 => i32["a"], 2 => i32["b"] }] { def validate = @b = @a.to_i * 2 }
  both[self, klass.new(a: 4), wire] + both[self, made[{ 1 => struct["one", klass] }].new(one: klass.new(a: 1)), wire]
end

each_wire "validate that uses the protocol's transport", alone: true do |wire|
  transport = memory
  klass = made[{ 1 => i32["a"] }] { define_method(:validate) { transport.write("!") } }
  klass.new(a: 1).write(protocol(wire, transport))
  made[{ 1 => struct["one", klass] }].new(one: klass.new(a: 1)).write(protocol(wire, transport))
  [hex(left(transport))]
end

each_wire "initialize that was overridden", alone: true do |wire|
  calls = []
  counted = Class.new(Market::Point) do
    define_method(:initialize) do |*arguments, &block|
      calls << arguments.size
      super(*arguments, &block)
      @made = true
    end
  end
  demanding = Class.new(Market::Point) { define_method(:initialize) { |name| super({ label: name }) } }
  plain = Class.new(Market::Point) { define_method(:initialize) { |*| @label = "own" } }
  holder = made[{ 1 => struct["one", counted], 2 => struct["two", demanding],
3 => list["three", { type: 12, class: plain }] }]
  [holder.new(one: counted.new(x: 1)), holder.new(two: demanding.new("a").tap { |two| two.x = 1 }),
   holder.new(three: [plain.new.tap do |three|
     three.x = 1
   end])].flat_map { |object| both[self, object, wire] } + [calls.inspect]
end

each_wire "new and allocate that were overridden", alone: true do |wire|
  calls = []
  counted = Class.new(Market::Point)
  counted.define_singleton_method(:new) { |*arguments| calls << :new and super(*arguments) }
  shared = Market::Point.new(x: 99)
  fixed = Class.new(Market::Point)
  fixed.define_singleton_method(:new) { |*| shared }
  holder = made[{ 1 => struct["one", counted], 2 => struct["two", fixed] }]
  one = holder.new(one: Market::Point.new(x: 1), two: Market::Point.new(x: 2))
  both[self, one, wire] + [calls.size.to_s, shared.x.to_s]
end

each_wire "accessors that were overridden", alone: true do |wire|
  loud = Class.new(Market::Wide) do
    def a = 77

    def a=(value)
      raise "called with #{value}"
    end

    def each_field = raise("called")
    def instance_variable_get(*) = raise("called")
    def instance_variable_set(*) = raise("called")
  end
  object = loud.allocate
  Kernel.instance_method(:instance_variable_set).bind_call(object, :@a, 1)
  [written(object, wire), outcome { decode(loud, encode(Market::Wide.new(a: 5), wire), wire) && "read" }]
end

each_wire "struct_fields, sorted_field_ids and fields_with_default_values that were overridden", alone: true do |wire|
  fields = { 1 => i32["a"], 2 => i32["b", default: 5] }
  other = made[fields] { def struct_fields = { 1 => { type: 11, name: "a" } } }
  sorted = made[fields] { def sorted_field_ids = [2, 1] }
  defaults = made[fields] { def fields_with_default_values = { "b" => 8 } }
  [other, sorted, defaults].flat_map do |klass|
    object = klass.allocate
    object.instance_variable_set(:@a, 1)
    object.instance_variable_set(:@b, 2)
    both[self, object, wire] + reading(object, "\0".b, wire).map { |line| line.gsub(/#<Class:0x\h+>/, "Anonymous") }
  end
end

each_wire "write and read that were overridden", alone: true do |wire|
  calls = []
  loud = Class.new(Market::Point) do
    define_method(:write) { |*arguments| calls << :write and super(*arguments) }
    define_method(:read) { |*arguments| calls << :read and super(*arguments) }
  end
  replaced = made[{ 1 => i32["a"] }] do
    def write(protocol, *) = protocol.write_string("own")
    def read(protocol, *) = @a = protocol.read_string
  end
  holder = made[{ 1 => struct["one", loud], 2 => list["two", { type: 12, class: loud }] }]
  both[self, loud.new(x: 1), wire] + [calls.size.to_s] +
    both[self, holder.new(one: loud.new(x: 2), two: [loud.new(x: 3)]),
         wire] + [calls.size.to_s] + both[self, replaced.new(a: 5), wire]
end

each_wire "methods of one object", alone: true do |wire|
  loud = Market::Point.new(x: 1)
  def loud.validate = raise("loud")
  quiet = Market::Point.new
  def quiet.validate = nil
  extended = Market::Point.new(x: 1).extend(Module.new { def validate = super && raise("never") })
  [loud, quiet, extended].flat_map do |object|
    [written(object, wire), written(Market::Everything.new(point: object, reals: nil, last: nil), wire)] +
      reading(object, encode(Market::Point.new(x: 2), wire), wire)
  end
end

each_wire "FIELDS that grow after the first use", alone: true do |wire|
  klass = made[{ 1 => i32["a"] }]
  data = encode(made[{ 1 => i32["a"], 2 => i32["b"] }].new(a: 1, b: 2), wire)
  first = both[self, klass.new(a: 1), wire]
  klass::FIELDS[2] = i32["b"]
  object = klass.new
  object.instance_variable_set(:@a, 3)
  object.instance_variable_set(:@b, 4)
  first + both[self, object, wire] + reading(klass, data, wire).map { |line| line.gsub(/#<Class:0x\h+>/, "Anonymous") }
end

each_wire "FIELDS that are replaced after the first use", alone: true do |wire|
  klass = made[{ 1 => i32["a"] }]
  first = both[self, klass.new(a: 1), wire]
  klass.send(:remove_const, :FIELDS)
  klass.const_set(:FIELDS, { 1 => { type: 11, name: "a" } })
  object = klass.allocate
  object.instance_variable_set(:@a, "text")
  first + both[self, object, wire]
end

each_wire "a field that changes after the first use", alone: true do |wire|
  klass = made[{ 1 => i32["a", default: 1], 2 => list["b", { type: 8 }] }]
  first = both[self, klass.new(b: [1]), wire]
  klass::FIELDS[1][:default] = 5
  klass::FIELDS[2][:element] = { type: 11 }
  object = klass.allocate
  object.instance_variable_set(:@b, ["x"])
  first + both[self, object, wire]
end

each_wire "a class that is reopened after the first use", alone: true do |wire|
  first = both[self, Market::Point.new(x: 1), wire]
  first += both[self, Market::Everything.new(point: Market::Point.new(x: 1), reals: nil), wire]
  Market::Point.class_eval do
    def validate = raise(ArgumentError, "x is #{@x.inspect}")
  end
  second = both[self, Market::Point.new(x: 1),
                wire] + both[self, Market::Everything.new(point: Market::Point.new(x: 1)), wire] +
           reading(Market::Everything, encode(Market::Everything.new(point: Market::Wide.new(a: 1), reals: nil), wire), wire)
  Market::Point.class_eval { def validate; end }
  Market::Point.class_eval { def initialize(*) = @label = "own" }
  first + second + both[self, Market::Everything.new(point: Market::Point.new, reals: nil), wire]
end

each_wire "a module that is included or prepended after the first use", alone: true do |wire|
  first = both[self, Market::Point.new(x: 1), wire]
  Market::Point.prepend(Module.new { def validate = (super && raise("never")) || raise("prepended") })
  Market::Wide.include(Module.new { def validate = raise("included") })
  first + both[self, Market::Point.new(x: 1), wire] + both[self, Market::Wide.new(a: 1), wire]
end

each_wire "a class that is defined anew", alone: true do |wire|
  first = both[self, Market::Everything.new(point: Market::Point.new(x: 1), reals: nil), wire]
  old = Market::Point.new(x: 5)
  Market.send(:remove_const, :Point)
  Market.const_set(:Point, made[{ 1 => string["x"] }])
  first + both[self, Market::Point.new(x: "text"), wire] + [written(old, wire)] +
    both[self, Market::Everything.new(point: Market::Point.new(x: "new"), reals: nil), wire]
end

each_wire "a class that is loaded when FIELDS are first read", alone: true do |wire|
  require "tmpdir"
  Dir.mktmpdir do |folder|
    File.write("#{folder}/late.rb", "class Market::Late < Market::Point; end")
    Market.autoload(:Late, "#{folder}/late.rb")
    Market.const_set(:Holder, Class.new { include Thrift::Struct, Thrift::Struct_Union })
    Market::Holder.class_eval <<~RUBY, __FILE__, __LINE__ + 1
      def self.const_missing(name)
        name == :FIELDS ? const_set(:FIELDS, { 1 => { type: 12, name: "late", class: Market::Late } }) : super
      end
      def struct_fields = self.class::FIELDS
      def validate; end
      attr_accessor :late
    RUBY
    both[self, Market::Holder.new.tap { |holder| holder.late = Market::Late.new(x: 1) }, wire]
  end
end

each_wire "FIELDS that are frozen, or shareable", alone: true do |wire|
  fields = { 1 => i32["a"], 2 => list["b", { type: 11 }, default: ["x"]] }
  both[self, made[fields].tap { |klass| klass::FIELDS.freeze }.new(a: 1), wire] +
    both[self, made[Ractor.make_shareable(Marshal.load(Marshal.dump(fields)))].new(a: 1), wire]
end

{ "an unknown type" => { 1 => { type: 99, name: "a" } }, "a list without element" => { 1 => { type: 15, name: "a" } },
  "a struct without class" => { 1 => { type: 12, name: "a" } },
  "an Object" => { 1 => { type: 12, name: "a", class: Object } },
  "the name of a class" => { 1 => { type: 12, name: "a", class: "Market::Point" } },
  "a map without value" => { 1 => { type: 13, name: "a", key: { type: 8 } } }, "void" => { 1 => { type: 1, name: "a" } },
  "a large id" => { 70_000 => { type: 8, name: "a" } },
  "two of a name" => { 1 => { type: 8, name: "a" }, 2 => { type: 8, name: "a" } },
  "a name with a space" => { 1 => { type: 8, name: "b c" } } }.each do |name, fields|
  each_wire "FIELDS that cannot be: #{name}", alone: true do |wire|
    klass = made[{}]
    klass.send(:remove_const, :FIELDS)
    klass.const_set(:FIELDS, fields)
    object = klass.allocate
    object.instance_variable_set(:@a, 1)
    [written(object, wire), *reading(klass, "\0".b, wire), *reading(klass, encode(Market::Wide.new(a: 1), wire), wire)]
      .map { |line| line.gsub(/#<Class:0x\h+>/, "Anonymous") }
  end
end

each_wire "without FIELDS, and without validate", alone: true do |wire|
  bare = Class.new { include Thrift::Struct, Thrift::Struct_Union }
  unchecked = Class.new(bare) { const_set(:FIELDS, { 1 => { type: 8, name: "a" } }) }
  unchecked.class_eval { def struct_fields = self.class::FIELDS }
  [bare, unchecked].flat_map do |klass|
    [written(klass.allocate, wire), outcome { klass.allocate.read(protocol(wire, memory("\0"))) }]
      .map { |line| line.gsub(/#<(Class:)?(#<Class:)?0x\h+>*/, "Anonymous") }
  end
end

each_wire "a union of one's own", alone: true do |wire|
  union = made[{ 1 => i32["number"], 2 => string["text"] }, Thrift::Union] do
    include Thrift::Struct_Union

    def validate; end
  end
  [written(union.new, wire), *both[self, union.new(:text, "a"), wire], *both[self, union.new("number", 5), wire]] +
    reading(union, encode(Market::Wide.new(b: 5), wire), wire).map { |line| line.gsub(/#<Class:0x\h+>/, "Anonymous") } +
    [written(made[{ 1 => struct["one", union] }].new(one: union.new), wire)]
end

check "fields that are named like methods" do
  klass = made[{ 1 => i32["class_"], 2 => i32["hash"], 3 => i32["value"], 4 => string["setfield"], 5 => i32["object_id"] }]
  object = klass.allocate
  %w[class_ hash value object_id].each_with_index { |name, index| object.instance_variable_set("@#{name}", index) }
  object.instance_variable_set(:@setfield, "s")
  wires.map { |wire| written(object, wire) + show(decode(klass, encode(object, wire), wire)).gsub(/#<Class:0x\h+>/, "") }
end
