# frozen_string_literal: true

require "test_helper"
require "support/child"
require "support/fresh_ruby"
require "support/seeded"
require "support/sparsam_shop"

# The interface of the sparsam gem: classes, constants, constructors, and how it is loaded.
class DropInSparsamTest < Minitest::Test
  include Child
  include FreshRuby
  include Seeded
  include SparsamShop

  # Overrides the constructor.
  CONSTRUCTOR = proc { define_method(:initialize) { |*arguments| super(*arguments) } }

  # --- constants and helpers --------------------------------------------------------------------------------------------

  def test_constants
    assert_equal [0, 1, 0, 1, 0, 1, 2], [Sparsam::CompactProtocol, Sparsam::BinaryProtocol, Sparsam::UNION, Sparsam::STRUCT,
                                         Sparsam::NORMAL, Sparsam::STRICT, Sparsam::RECURSIVE]
    numbers = { STOP: 0, VOID: 1, BOOL: 2, BYTE: 3, DOUBLE: 4, I16: 6, I32: 8, I64: 10, STRING: 11, STRUCT: 12, MAP: 13,
                SET: 14, LIST: 15 }

    assert_equal(numbers, (T.constants - [:COLLECTIONS]).to_h { |name| [name, T.const_get(name)] })
    assert_equal Set[13, 14, 15], T::COLLECTIONS
    assert_equal [:I32, "Types::I32", nil], [Sparsam.type_name_sym(8), Sparsam.type_name(8), Sparsam.type_name(5)]
  end

  def test_errors
    { MissingMandatory: Sparsam::Exception, TypeMismatch: Sparsam::Exception, UnionException: Sparsam::Exception,
      UnknownTypeException: Sparsam::Exception, Exception: StandardError }.each do |name, base|
      assert_equal base, Sparsam.const_get(name).superclass
      assert_raises(ArgumentError) { Sparsam.const_get(name).new }
    end
    error = Sparsam::TypeMismatch.new("text", "Struct", "field")

    assert_equal %w[text Struct field], [error.message, error.struct_name, error.field_name]
  end

  def test_what_init_thrift_struct_defines
    assert_equal [:x, :x=], Point::FIELD_SYMS["x"].to_a
    assert_same Point::FIELD_SYMS["x"], Point::FIELD_SYMS[:x]
    assert_equal [{ "label" => "none" }, nil], [Point::DEFAULT_VALUES, Answer::DEFAULT_VALUES]
    assert_same Point::FIELDS, Point.new.struct_fields
  end

  # --- objects ----------------------------------------------------------------------------------------------------------

  def test_new
    assert_equal([1, "none"], Point.new({ "x" => 1 }).then { |point| [point.x, point.label] })
    assert_equal([1, 2], Point.new(x: 1) { |point| point.y = 2 }.then { |point| [point.x, point.y] })
    assert_nil Point.new(label: nil).label
    error = assert_raises(Sparsam::Exception) { Point.new(z: 1) }
    assert_equal "Unknown key given to SparsamShop::Point.new: z", error.message
    assert_raises(NoMethodError) { Point.new(nil) }
    error = assert_raises(ArgumentError) { Point.new({}, {}) }
    assert_equal "wrong number of arguments (given 2, expected 0..1)", error.message
  end

  def test_new_calls_setters
    klass = struct(a: { type: T::I32, default: 1 })
    klass.prepend(Module.new { define_method(:a=) { |value| super(value + 1) } })

    assert_equal [2, 3], [klass.new.a, klass.new(a: 2).a]
  end

  def test_equality
    assert_equal Point.new(x: 1), Point.new(x: 1)
    refute_equal Point.new(x: 1), Point.new(x: 2)
    refute_equal Point.new(x: 1), Class.new(Point).new(x: 1)
    assert Point.new(x: 1).eql?(Point.new(x: 1))
    assert_equal [Answer.new(:text, "a")].to_set, [Answer.new(:text, "a"), Answer.new("text", "a")].to_set
    refute_equal Answer.new(:text, "a"), Answer.new(:number, 1)
  end

  def test_unions
    answer = Answer.new(:number, 1)
    answer.text = "a"

    assert_equal %i[@setfield @text], answer.instance_variables
    assert_equal "number is not union's set field", assert_raises(Sparsam::UnionException) { answer.number }.message
    error = assert_raises(Sparsam::UnionException) { Answer.new(number: 1, text: "a") }
    assert_equal "SparsamShop::Answer cannot be instantiated with more than one field!", error.message
    error = assert_raises(Sparsam::Exception) { Answer.new(:b) }
    assert_equal "Unknown key given to SparsamShop::Answer.new: b", error.message
    assert_equal([nil, nil], Answer.new({}).then { |empty| [empty.get_set_field, empty.get_value] })
  end

  def test_exceptions
    error = Sparsam::Deserializer.deserialize(Gone, Gone.new(message: "gone", id: 1).serialize)

    assert_equal(["gone", 1], assert_raises(Gone) { raise error }.then { |raised| [raised.message, raised.id] })
    assert_equal "gone", assert_raises(Gone) { raise Gone, { message: "gone" } }.message
    assert_includes error.full_message(highlight: false), "gone (SparsamShop::Gone)"
  end

  def test_validate
    assert Sparsam.validate(Point, Point.new(x: 1), Sparsam::STRICT)
    assert Point.new(x: 1).validate
    [Sparsam::NORMAL, Sparsam::STRICT, Sparsam::RECURSIVE].each do |mode|
      assert_raises(Sparsam::MissingMandatory) { Node.new(nodes: [Point.new]) && Point.new.validate(mode) }
      assert_raises(Sparsam::TypeMismatch) { Sparsam.validate(Node, Node.new(node: Node.new(id: "a")), mode) }
    end
  end

  def test_names_are_the_gems
    classes = [Point, Answer, Gone, *Sparsam.constants.map { |name| Sparsam.const_get(name) }.grep(Class)]
    error = assert_raises(Sparsam::TypeMismatch) { deserialize(Everything, Node.new(id: 1).serialize) }

    assert_empty(classes.flat_map(&:ancestors).filter_map(&:name).grep(/Sparpack/))
    assert_nil error.cause
    refute_match(/Sparpack/, error.full_message + error.inspect)
    error = assert_raises(NoMethodError) { Point.new.missing }
    refute_match(/Sparpack/, error.message.lines.first) # what follows is this source
    assert_equal [Sparsam::BaseType, Sparsam::Deserializer.singleton_class],
                 [Point.instance_method(:serialize).owner, Sparsam::Deserializer.method(:deserialize).owner]
  end

  # --- serializers ------------------------------------------------------------------------------------------------------

  def test_a_serializer_reads_one_object_after_the_other
    bytes = Point.new(x: 1).serialize + Answer.new(:text, "a").serialize
    serializer = Sparsam::Serializer.new(Sparsam::CompactProtocol, bytes)

    assert_equal Point.new(x: 1), serializer.deserialize(Point)
    assert_equal Answer.new(:text, "a"), serializer.deserializeUnion(Answer)
    assert_raises(Sparsam::Exception) { serializer.deserialize(Point) }
  end

  def test_a_serializer_collects_what_it_writes
    serializer = Sparsam::Serializer.new(Sparsam::BinaryProtocol, "")
    point = Point.new(x: 1).serialize(Sparsam::BinaryProtocol)

    assert_equal [point, point + point], Array.new(2) { serializer.serialize(Point, Point.new(x: 1)).dup }
    error = assert_raises(Sparsam::TypeMismatch) { serializer.serialize(Node, Point.new(x: 1)) }
    assert_equal ["Mismatched type passed to serialize (expected: SparsamShop::Node got: SparsamShop::Point) " \
                  "(in SparsamShop::Point#(root))", "(root)"], [error.message, error.field_name]
  end

  def test_wrong_arguments
    assert_equal "Unknown protocol 2", assert_raises(Sparsam::Exception) { Point.new(x: 1).serialize(2) }.message
    assert_equal "Unknown protocol 2", assert_raises(Sparsam::Exception) { Sparsam::Serializer.new(2, "") }.message
    assert_raises(TypeError) { Point.new(x: 1).serialize(:compact) }
    assert_raises(TypeError) { Sparsam::Serializer.new(nil, "") }
    assert_raises(TypeError) { Sparsam::Deserializer.deserialize(Point, nil) }
    assert_raises(NoMethodError) { Sparsam::Deserializer.deserialize(nil, "") }
    assert_raises(NameError) { Sparsam::Deserializer.deserialize(Class.new(Sparsam::Struct), "") }
    assert_raises(ArgumentError) { Sparsam::Deserializer.deserialize(Point) }
    assert_raises(ArgumentError) { Point.new(x: 1).serialize(0, 0) }
  end

  # --- classes that change ----------------------------------------------------------------------------------------------

  def test_fields_are_noted_once
    klass = struct(a: { type: T::I32 })
    klass::FIELDS[2] = { type: T::I32, name: "b" }
    klass::FIELDS[1][:type] = T::STRING
    Sparsam.cache_fields(klass)

    assert_equal "\x15\x02\0".b, klass.new(a: 1).serialize
  end

  def test_a_constructor_is_called
    klass = struct(a: { type: T::I32, default: 1 }, b: { type: T::STRING }) do
      attr_reader :made

      define_method(:initialize) { |*arguments| super(*arguments).then { @made = true } }
    end
    bytes = klass.new(b: "x").serialize
    outer = struct(inner: { type: T::LIST, element: { type: T::STRUCT, class: klass } })
    read = Sparsam::Deserializer.deserialize(outer, outer.new(inner: [klass.new(b: "y")]).serialize).inner.first

    assert_equal([1, "x", true], deserialize(klass, bytes).then { |object| [object.a, object.b, object.made] })
    assert_equal [1, "y", true], [read.a, read.b, read.made]
  end

  def test_what_is_overridden_later_is_called
    changes = {
      "initialize" => ->(klass) { klass.class_eval { def initialize(*) = super.tap { @made = true } } },
      "a module" => ->(klass) { klass.prepend(Module.new { def initialize(*) = super.tap { @made = true } }) },
      "a setter" => ->(klass) { klass.class_eval { define_method(:a=) { |value| (@a = value).tap { @made = true } } } },
      "assign_defaults" => ->(klass) { klass.class_eval { private def assign_defaults(*) = super.tap { @made = true } } }
    }
    changes.each do |name, change|
      klass = struct(a: { type: T::I32, default: 1 })
      outer = struct(inner: { type: T::STRUCT, class: klass })
      bytes = klass.new.serialize
      around = outer.new(inner: klass.new).serialize
      refute made?(deserialize(klass, bytes)), name
      refute made?(deserialize(outer, around).inner), name
      change.call(klass)

      assert_equal [name, true], [name, made?(deserialize(klass, bytes))]
      assert_equal [name, true], [name, made?(deserialize(outer, around).inner)]
    end
  end

  def test_a_change_of_a_base_class_or_module_is_seen
    result = in_child do
      klass = struct(a: { type: T::I32, default: 1 })
      bytes = klass.new.serialize
      deserialize(klass, bytes)
      Sparsam::StructInitialization.class_eval do
        alias_method :first_initialize, :initialize
        def initialize(*arguments) = first_initialize(*arguments).tap { @made = true }
      end
      deserialize(klass, bytes).instance_variable_get(:@made)
    end

    assert result
  end

  # A constructor may change the String that is read.
  def test_a_constructor_cannot_change_what_is_read
    bytes = +""
    inner = struct(a: { type: T::STRING }) do
      define_method(:initialize) do |*arguments|
        super(*arguments)
        bytes.replace("\xff" * 10_000) if arguments.empty?
      end
    end
    outer = struct(inners: { type: T::LIST, element: { type: T::STRUCT, class: inner } })
    values = Array.new(50) { |i| inner.new(a: "text #{i}" * 3) }
    bytes.replace(outer.new(inners: values).serialize)

    assert_equal values, deserialize(outer, bytes).inners
  end

  def test_a_default_that_can_be_changed_is_the_constructors
    klass = struct(a: { type: T::LIST, element: { type: T::LIST, element: { type: T::I32 } }, default: [[1]] })
    read = deserialize(klass, "\0")
    read.a.first << 2

    assert_predicate read.a, :frozen?
    assert_same klass::DEFAULT_VALUES["a"], read.a
    assert_equal [[1, 2]], klass.new.a
  end

  def test_a_subclass_needs_fields_of_its_own
    sub = Class.new(Point)
    error = assert_raises(NameError) { sub.new(x: 1).serialize }
    assert_includes error.message, "FIELDS"
    sub.const_set(:FIELDS, Point::FIELDS)

    assert_equal Point.new(x: 1).serialize, sub.new(x: 1).serialize
    assert_instance_of sub, deserialize(sub, Point.new(x: 1).serialize)
  end

  def test_frozen_objects_and_marshal
    point = Point.new(x: 1).freeze

    assert_equal point, deserialize(Point, point.serialize)
    error = assert_raises(FrozenError) { point.x = 2 }
    assert_equal "can't modify frozen SparsamShop::Point: #{point.inspect}", error.message
    everything = deserialize(Everything, SparsamShop.everything.serialize)

    assert_equal everything.serialize, Marshal.load(Marshal.dump(everything)).serialize
    refute_includes Marshal.dump([everything, Answer.new(:text, "a")]), "sparpack"
  end

  def test_other_ractors_use_classes_that_the_main_one_has_used
    results = in_child do
      Warning[:experimental] = false
      bytes = SparsamShop.everything.serialize.freeze
      deserialize(Everything, bytes)
      unused = struct(a: { type: T::I32 })
      Ractor.new(bytes, unused) do |input, klass|
        read = Sparsam::Deserializer.deserialize(SparsamShop::Everything, input)
        error = begin
          Sparsam::Deserializer.deserialize(klass, "\0")
        rescue Sparsam::Exception => e
          e.message
        end
        wrong = begin
          Sparsam::Deserializer.deserialize(SparsamShop::Point, "\x18\x00")
        rescue Sparsam::TypeMismatch => e
          e.message
        end
        [read.serialize == input, error, wrong]
      end.then { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }
    end

    assert results[0]
    assert_match(/use it in the main Ractor first/, results[1])
    assert_match(/in SparsamShop::Point#x/, results[2])
  end

  # --- against the native core ------------------------------------------------------------------------------------------

  def test_random_objects_are_those_of_native_structs
    200.times do
      object = random_everything
      { compact: 0, binary: 1 }.each do |wire, protocol|
        bytes = SparsamShop.ours(object).encode(wire)

        assert_equal bytes, object.serialize(protocol)
        assert_equal bytes, deserialize(Everything, bytes, protocol).serialize(protocol)
      end
    end
  end

  def test_garbage_collection_at_every_allocation
    bytes = SparsamShop.everything.serialize
    made = struct(a: { type: T::STRUCT, class: Everything }, b: { type: T::STRING, default: "b" }, &CONSTRUCTOR)
    around = made.new(a: deserialize(Everything, bytes)).serialize
    results = in_child do
      GC.stress = true
      read = Array.new(3) { [deserialize(Everything, bytes).serialize, deserialize(made, around).serialize] }
      GC.stress = false
      GC.compact if GC.respond_to?(:compact)
      read << [deserialize(Everything, bytes).serialize, deserialize(made, around).serialize]
    end

    assert_equal [[bytes, around]], results.uniq
  end

  def test_threads
    klasses = Array.new(20) { struct(a: { type: T::I32, default: 1 }, p: { type: T::STRUCT, class: Point }) }
    results = Array.new(4) do
      Thread.new do
        klasses.map do |klass|
          read = deserialize(klass, klass.new(p: Point.new(x: 2)).serialize)
          [read.a, read.p.x]
        end
      end
    end
    results.each { |thread| assert_equal [[1, 2]], thread.value.uniq }
  end

  # --- loading ----------------------------------------------------------------------------------------------------------

  FILES = %w[sparsam sparsam/types sparsam/exceptions sparsam/struct sparsam/union sparsam/base_type sparsam/base_struct
             sparsam/application_exception sparsam/deserializer sparsam_native sparsam_native.so].freeze

  def test_a_later_require_finds_it
    output = fresh_ruby(<<~RUBY, *FILES)
      require "sparpack/drop_in/sparsam"
      print ARGV.map { |file| require(file) }.uniq, require("sparpack/drop_in/sparsam")
    RUBY

    assert_equal "[false]false", output
  end

  def test_the_gem_may_not_be_loaded_before
    output = fresh_ruby(<<~RUBY)
      module Sparsam; end
      begin
        require "sparpack/drop_in/sparsam"
      rescue Sparpack::Error => e
        print e.message
      end
    RUBY

    assert_match(/\ASparsam is already loaded from .*: require "sparpack.drop_in.sparsam" before anything that/, output)
  end

  def test_the_environment_turns_it_off
    Dir.mktmpdir do |folder|
      File.write("#{folder}/sparsam.rb", "module Sparsam; GEM = true; end")
      script = 'require "sparpack/drop_in/sparsam"; print Sparsam.const_defined?(:GEM), Sparpack::DropIn::Sparsam.report'

      assert_equal "trueSparsam is the gem: SPARPACK_SPARSAM is off.\n",
                   fresh_ruby("$:.unshift #{folder.inspect}; #{script}", environment: { "SPARPACK_SPARSAM" => "off" })
      assert_equal "falseSparsam runs on Sparpack #{Sparpack::VERSION}.\n",
                   fresh_ruby("$:.unshift #{folder.inspect}; #{script}", environment: { "SPARPACK_SPARSAM" => "on" })
    end
    wrong = 'begin; require "sparpack/drop_in/sparsam"; rescue => e; print e.message; end'

    assert_equal 'SPARPACK_SPARSAM: expected on or off, got "no"',
                 fresh_ruby(wrong, environment: { "SPARPACK_SPARSAM" => "no" })
  end

  def test_the_report
    klass = struct(a: { type: T::I32 }, &CONSTRUCTOR)
    self.class.const_set(:Reported, klass)
    deserialize(klass, "\0")
    deserialize(Point, "\0")
    report = Sparpack::DropIn::Sparsam.report

    assert_includes report.to_s, "SparsamShop::Point: native\n"
    assert_includes report.to_s, "DropInSparsamTest::Reported: objects are made by its constructor " \
                                 "(DropInSparsamTest::Reported#initialize is overridden)\n"
    assert_equal [true, nil], [report.to_h[:on], report.to_h[:classes].fetch("SparsamShop::Point")]
  end

  private

  def deserialize(...) = Sparsam::Deserializer.deserialize(...)

  def made?(object) = object.instance_variable_defined?(:@made)

  # @return [Class] a struct whose fields are optional
  def struct(**fields, &block)
    Class.new(Sparsam::Struct) do
      definitions = fields.map { |name, field| { name: name.name, optional: true, **field } }
      const_set(:FIELDS, definitions.each.with_index(1).to_h { |field, id| [id, field] })
      init_thrift_struct(self)
      class_eval(&block) if block
    end
  end

  def random_everything
    everything = SparsamShop.everything
    Everything::FIELDS.each_value do |field|
      next if field[:default] # a native struct would read it as the default

      everything.public_send(:"#{field[:name]}=", nil) if random.rand(3).zero?
    end
    everything.medium = random.rand((-(2**31))...(2**31))
    everything.text = Array.new(random.rand(40)) { random.rand(0x20..0x7ff).chr("UTF-8") }.join
    everything.points = Array.new(random.rand(20)) { |x| Point.new(x:, y: (random.rand(9) if x.even?)) }
    everything.answer = [Answer.new(:number, 5), Answer.new(:point, Point.new(x: 1)), nil].sample(random:)
    everything
  end
end
