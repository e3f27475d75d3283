# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "thrift"
require "support/child"
require "support/thrift_patching"
require "sparpack/drop_in/thrift/construction"

# When the objects of a class can be made without calling Ruby code.
class DropInThriftConstructionTest < Minitest::Test
  include Child

  CONSTRUCTION = Sparpack::DropIn::Thrift::Construction

  Dir.children("test/golden/thrift").grep(/\A\d/).each do |version|
    define_method("test_generated classes of #{version} are plain") do
      name = "Made#{version.delete(".")}"
      text = File.read("test/golden/thrift/#{version}/market_types.rb").gsub("Market", name)
      eval(text, TOPLEVEL_BINDING.dup) # rubocop:disable Security/Eval -- our own file
      market = Object.const_get(name)
      classes = market.constants.map { |each| market.const_get(each) }.grep(Class)

      reasons = classes.to_h { |klass| [klass.name.split("::").last, CONSTRUCTION.reason(klass)] }.compact

      assert_operator classes.size, :>=, 8
      assert_empty reasons
      assert_equal([market::Gone], classes.select { |klass| CONSTRUCTION.sets_nil?(klass) })
    end
  end

  # What a reason says, and which class it is said of.
  OVERRIDES = {
    "initialize" => [->(klass) { klass.class_eval { def initialize(*) = super } }, "#initialize is overridden"],
    "a prepended initialize" => [->(klass) { klass.prepend(Module.new { def initialize(*) = super }) },
                                 "#initialize is overridden"],
    "fields_with_default_values" => [->(klass) { klass.class_eval { def fields_with_default_values = {} } },
                                     "#fields_with_default_values is overridden"],
    "a field class" => [->(klass) { klass.attr_reader(:class) }, "#class is overridden"],
    "instance_variable_set" => [->(klass) { klass.class_eval { def instance_variable_set(*) = nil } },
                                "#instance_variable_set is overridden"],
    "struct_fields" => [->(klass) { klass.class_eval { def struct_fields = FIELDS.dup } },
                        "#struct_fields is not a generated one"],
    "struct_fields of another scope" => [->(klass) { klass.class_eval { def struct_fields = FIELDS } },
                                         "#struct_fields is not a generated one"],
    "FIELDS of a child" => [->(klass) { klass.const_set(:FIELDS, {}) }, "#struct_fields is not a generated one"]
  }.freeze

  FIELDS = {}.freeze

  OVERRIDES.each do |title, (change, reason)|
    define_method("test_#{title} is overridden") do
      parent = struct({ 1 => { type: 8, name: "x", default: 1 } })
      klass = Class.new(parent)
      change.call(klass)
      name = klass.name || klass.to_s

      assert_equal [nil, "#{name}#{reason}"], [CONSTRUCTION.reason(parent), CONSTRUCTION.reason(klass)]
    end
  end

  def test_children_of_generated_classes_are_plain
    assert_nil CONSTRUCTION.reason(Class.new(struct({ 1 => { type: 8, name: "x" } })) { def other = 1 })
  end

  def test_unions
    assert_nil CONSTRUCTION.reason(Class.new(::Thrift::Union))
    own = Class.new(::Thrift::Union) { def initialize(*) = super }

    assert_match(/#initialize is overridden\z/, CONSTRUCTION.reason(own))
  end

  def test_exceptions
    plain = struct({ 1 => { type: 11, name: "message", default: "gone" } }, ::Thrift::Exception)
    own = Class.new(plain) { def initialize(*) = super }
    method = Class.new(plain) { attr_reader :method }

    assert_nil CONSTRUCTION.reason(plain)
    assert_nil CONSTRUCTION.reason(Class.new(plain))
    assert_match(/#initialize is overridden\z/, CONSTRUCTION.reason(own))
    assert_match(/#method is overridden\z/, CONSTRUCTION.reason(method))
  end

  SETTING = "def initialize(message=nil)\nsuper()\nself.reason = message\nend"

  # What differs from the constructor that the generator writes for an exception with one string.
  OTHERS = {
    "another default" => [SETTING.sub("nil", "''"), {}], "another field" => [SETTING.sub("reason", "other"), {}],
    "more calls" => [SETTING.sub("super()", "super() && nil"), {}], "a default" => [SETTING, { default: "text" }],
    "another type" => [SETTING, { type: 8 }]
  }.freeze

  def test_an_exception_whose_constructor_sets_its_only_field
    klass = exception(SETTING)

    assert_equal [nil, true], [CONSTRUCTION.reason(klass), CONSTRUCTION.sets_nil?(klass)]
    assert_equal [:@reason], klass.new.instance_variables
  end

  def test_an_exception_whose_constructor_has_run
    klass = exception(SETTING)
    klass.new("text")

    assert CONSTRUCTION.sets_nil?(klass)
  end

  OTHERS.each do |title, (text, field)|
    define_method("test_an exception with #{title} in its constructor") do
      klass = exception(text, field)

      assert_match(/#initialize is overridden\z/, CONSTRUCTION.reason(klass))
      refute CONSTRUCTION.sets_nil?(klass)
    end
  end

  def test_what_such_an_exception_holds_when_it_is_read
    gem, native = %w[off on].map do |state|
      in_child do
        ENV["SPARPACK_THRIFT"] = state
        require "sparpack/drop_in/thrift"
        read_exceptions(exception(SETTING))
      end
    end

    assert_equal [[[:@reason], nil], [[:@reason], "text"], [[], nil]], gem[0]
    assert_equal gem[0], native[0]
    assert_equal [nil, 0], [gem[1], native[1]]
  end

  def test_an_exception_with_its_own_writer_or_another_super
    writer = exception(SETTING).tap { |klass| klass.class_eval { def reason=(text); end } }
    included = exception(SETTING).include(Module.new { def initialize(*) = super })

    [writer, included].each { |klass| refute CONSTRUCTION.sets_nil?(klass) }
  end

  # The native part of the gem makes nested structs without it.
  def test_new_and_allocate
    news = Class.new(struct({})) { def self.new(*) = super }
    allocates = Class.new(struct({})).tap { |klass| klass.define_singleton_method(:allocate) { super() } }

    assert_equal([nil, nil], [news, allocates].map { |klass| CONSTRUCTION.reason(klass) })
    assert_equal [[], news], gem_reads_nested(news)
  end

  def test_new_where_the_gem_has_no_native_part
    klass = Class.new(struct({})) { def self.new(*) = super }

    reasons = in_child do
      $LOADED_FEATURES.reject! { |file| file.include?("thrift_native") }
      [CONSTRUCTION.reason(klass), CONSTRUCTION.reason(klass.superclass)]
    end

    assert_match(/\.new is overridden\z/, reasons[0])
    assert_nil reasons[1]
  end

  def test_a_gem_that_was_patched
    reasons = in_child do
      klass = struct({})
      ::Thrift::Struct.module_eval { def fields_with_default_values = {} }
      ::Thrift::Union.prepend(Module.new { def initialize(*) = super })
      [klass, Class.new(::Thrift::Union)].map { |each| CONSTRUCTION.reason(each)[/#\w+ .*/] }
    end

    assert_equal ["#fields_with_default_values is overridden", "#initialize is overridden"], reasons
  end

  # --- defaults ---------------------------------------------------------------------------------------------------------

  PLAIN = [1, 1.5, 1r, true, false, :symbol, +"text", "frozen", [], [+"text"], [[1]], { 1 => [] }, Set[[]], Hash.new(1),
           {}.compare_by_identity, Class.new(String).new, Object.new, 1..2,
           Object.new.tap { |object| object.instance_variable_set(:@a, 1) }].freeze

  LOOSE = [(+"").tap { |text| text.instance_variable_set(:@a, 1) }, [].tap { |list| list.instance_variable_set(:@a, 1) },
           [].tap { |list| def list.size = 7 }.tap { |list| def list.dup = self }, Class.new { def dup = self }.new,
           Class.new { def initialize_copy(_) = raise("no") }.new, BasicObject.new].freeze

  def test_defaults_that_ruby_copies
    PLAIN.each { |value| assert_nil reason_of(value), value.inspect }
  end

  def test_defaults_that_are_copied_in_another_way
    LOOSE.each_with_index do |value, index|
      assert_equal "the default of x has its own way to be copied", reason_of(value), index
    end
  end

  # Each object gets a copy of the default, but not of what is inside.
  def test_what_the_gem_does_with_defaults
    inner = +"text"
    klass = struct({ 1 => { type: 15, name: "x", element: { type: 11 }, default: [inner] } })
    one = klass.new
    other = klass.new

    refute_same one.x, other.x
    assert_same inner, other.x.first
  end

  def test_a_list_of_defaults_that_was_there_before
    klass = struct({ 1 => { type: 8, name: "x", default: 1 } })
    klass.new

    assert_nil CONSTRUCTION.reason(klass)
    klass.const_get(:FIELDS)[1][:default] = 2

    assert_equal "its list of defaults differs from FIELDS", CONSTRUCTION.reason(klass)
  end

  private

  def reason_of(value) = CONSTRUCTION.reason(struct({ 1 => { type: 8, name: "x", default: value } }))

  def struct(fields, parent = Object)
    klass = Class.new(parent)
    klass.send(:include, ::Thrift::Struct, ::Thrift::Struct_Union)
    klass.const_set(:FIELDS, fields)
    klass.class_eval("def struct_fields; FIELDS; end; def validate; end", __FILE__, __LINE__)
    ::Thrift::Struct.generate_accessors(klass)
    klass
  end

  # The variables and the reason of exceptions that were read: nested without and with a reason, and by themselves. Then how
  # often the gem's own methods ran, which the drop-in calls.
  def read_exceptions(klass)
    outer = struct({ 1 => { type: 12, name: "error", class: klass } })
    calls = (0 if Sparpack::DropIn::Thrift.const_defined?(:Classes))
    trace = TracePoint.new(:c_call, :call) { |call| calls += 1 if call.callee_id.match?(ThriftPatching::GEMS) }
    read = trace.enable do
      [read(outer, "\x0C\x00\x01\x00\x00").error, read(outer, "\x0C\x00\x01\x0B\x00\x01\x00\x00\x00\x04text\x00\x00").error,
       klass.allocate.tap { |error| read_into(error, "\x00") }]
    end
    [read.map { |error| [error.instance_variables, error.reason] }, calls]
  end

  def read(klass, bytes) = klass.new.tap { |object| read_into(object, bytes) }

  def read_into(object, bytes) = object.read(::Thrift::BinaryProtocol.new(::Thrift::MemoryBufferTransport.new(bytes.b)))

  def exception(text, field = {})
    klass = struct({ 1 => { type: 11, name: "reason", **field } }, ::Thrift::Exception)
    klass.class_eval(text, __FILE__, __LINE__)
    klass
  end

  # What `new` of the class of a nested struct was called with, and the class of what was read.
  def gem_reads_nested(klass)
    calls = []
    klass.define_singleton_method(:new) { |*arguments| (calls << arguments) && super(*arguments) }
    outer = struct({ 1 => { type: 12, name: "inner", class: klass } }).new
    ::Thrift::Deserializer.new.deserialize(outer, "\x0C\x00\x01\x00\x00".b)
    [calls, outer.inner.class]
  end
end
