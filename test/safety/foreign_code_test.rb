# frozen_string_literal: true

require "test_helper"
require "support/child"
require "support/cost"
require "support/deadline"

# Foreign code that runs in the middle of ours, and objects that others made. Nobody finds half-made objects, and only what
# an object really is counts.
class ForeignCodeTest < Minitest::Test
  include Child
  include Deadline

  class Key < Sparpack::Struct
    field 1, :x, :i32

    class << self
      attr_accessor :at_hash
    end

    def hash
      Key.at_hash&.call
      super
    end
  end

  class Keys < Sparpack::Struct
    field 1, :map, map(Key, :i32)
    field 99, :set, set(Key)
  end

  class Newer < Sparpack::Struct
    field 77, :text, :string
    field 78, :numbers, list(:i64)
    field 99, :set, set(Key)
  end

  class Texts < Sparpack::Struct
    field 1, :pad, :binary
    field 2, :list, list(:string)
  end

  class Empty < Sparpack::Struct; end

  class Wide < Sparpack::Struct
    (1..300).each { |id| field id, :"f#{id}", :binary }
  end

  class Outer < Sparpack::Struct
    field 1, :wide, Wide
    field 2, :list, list(Wide)
  end

  KEYS = Array.new(600) { |x| Key.new(x:) }.freeze

  def test_a_hash_that_is_filled_is_not_found
    size = in_child do
      bytes = Keys.new(map: KEYS.each_with_index.to_h).encode
      once { each_empty(Hash) { |hash| hash.replace({ 1 => 2 }) } }
      Keys.decode(bytes).map.size
    end

    assert_equal 600, size
  end

  def test_a_set_that_is_filled_is_not_found
    size = in_child do
      bytes = Keys.new(set: KEYS).encode
      once { each_empty(Set) { |set| set.instance_variable_set(:@hash, nil) } }
      Keys.decode(bytes).set.size
    end

    assert_equal 600, size
  end

  def test_unknown_fields_that_are_gathered_are_not_found
    written = in_child do
      newer = Newer.new(text: "t" * 100, set: Set[KEYS[0]])
      bytes = newer.encode
      once { ObjectSpace.each_object(Array) { |array| array[1] = 5 if array.size == 2 && array[0] == 77 && !array.frozen? } }
      Newer.decode(Keys.decode(bytes, unknown: :keep).encode) == newer
    end

    assert written
  end

  def test_the_output_is_not_found
    sizes = in_child do
      looked = on_load_path do
        each_empty(String) { |text| text.replace("q") if text.encoding == Encoding::BINARY }
        Array.new(300) { "\x0e" * 16_384 }
      end
      texts = Array.new(3_000) { |i| "text number #{i} of many" }.unshift("\xd2\xbb".b.force_encoding("GBK"))
      encoded = Texts.new(pad: "p" * 9_000, list: texts).encode
      [looked.call, Texts.decode(encoded).list.size]
    end

    assert_equal [true, 3_001], sizes
  end

  # Marshal's "C" gives the next object the class that it names.
  def test_a_class_alone_proves_nothing
    messages = in_child do
      [Empty.new, Random.new(1)].map { |object| with_class("ForeignCodeTest::Wide", object) }.flat_map do |fake|
        [Outer.new(wide: fake), Outer.new(list: [Wide.new, fake])].map { |outer| outer.encode rescue $!.class.name } # rubocop:disable Style/RescueModifier
      end
    end

    assert_equal ["Sparpack::EncodeError::TypeMismatch"], messages.uniq
  end

  def test_an_object_keeps_its_plan_though_its_class_is_another
    inspected = in_child do
      fakes = in_threads(1) { fakes_of_a_class_that_goes }.first
      20.times do
        GC.start
        Array.new(5_000) { |i| "x" * (i % 300) }
        fakes.each(&:inspect)
      end
      fakes.size
    end

    assert_equal 500, inspected
  end

  def test_a_key_of_a_default_may_be_of_a_subclass_of_string
    equal = in_child do
      key = Class.new(String) do
        define_singleton_method(:at) { @at ||= [] }
        define_method(:eql?) { |_| self.class.at.shift&.call && false }
      end
      inner = Class.new(Sparpack::Struct) do
        field 1, :map, map(:string, :i32), default: { "a" => 2, key.new("a") => 1 }
        field 2, :x, :i32
      end
      outer = Class.new(Sparpack::Struct) { field(1, :inner, inner) && field(2, :bytes, :binary) }
      replaced_while(key.at, outer.new(inner: inner.new(map: nil), bytes: "b" * 300_000).encode) do |source|
        outer.decode(source).bytes
      end
    end

    assert_equal "b" * 300_000, equal
  end

  def test_integers_may_be_compared_by_somebody
    equal = in_child do
      at = []
      outer = Class.new(Sparpack::Struct) { field(1, :set, set(:i64)) && field(2, :bytes, :binary) }
      bytes = outer.new(set: [1 << 62, 1 << 62, 5], bytes: "b" * 300_000).encode
      Integer.prepend(Module.new { define_method(:eql?) { |other| (at.shift&.call && false) || super(other) } })
      replaced_while(at, bytes) { |source| outer.decode(source).bytes }
    end

    assert_equal "b" * 300_000, equal
  end

  module Status
    extend Sparpack::Enum

    ON = 1
  end

  class Freezing < Sparpack::Struct
    class << self
      attr_accessor :object
    end

    field(1, :status) do
      Freezing.object&.freeze
      Status
    end
  end

  def test_who_freezes_an_object_while_its_field_is_linked
    error = in_child do
      Freezing.object = Freezing.new
      (Freezing.object.status = :ON) && "none"
    rescue FrozenError => e
      [e.class, Freezing.object.status]
    end

    assert_equal [FrozenError, nil], error
  end

  def test_a_default_that_contains_itself
    chain = Class.new(Sparpack::Struct) do
      field 1, :n, :i32
      field(2, :rest) { chain }
    end
    circle = chain.new(n: 1).tap { |object| object.rest = object }
    made = Class.new(Sparpack::Struct) { field 1, :circle, chain, default: circle }

    error = assert_raises(Sparpack::SchemaError) { made.new }
    assert_match(/\.circle: the default is nested more than 1000 levels deep, or contains itself/, error.message)
  end

  def test_kept_fields_are_charged_before_they_are_copied
    bytes = Newer.new(numbers: [1] * 1_000_000).encode
    cost = Cost.of { Keys.decode(bytes, unknown: :keep, limits: Sparpack::Limits.new(memory: 100_000)) }

    assert_kind_of Sparpack::DecodeError::LimitExceeded, cost.result
    assert_operator cost.bytes, :<, 100_000
  end

  def test_plans_refuse_what_fills_other_places
    assert_raises(TypeError) { Sparpack::Native.compile(Class.new(Sparpack::Union), [[1, :a, "x", false]]) }
  end

  private

  def each_empty(kind)
    ObjectSpace.each_object(kind) { |object| yield object if object.instance_of?(kind) && object.empty? && !object.frozen? }
  end

  # Runs Ruby code when the next key is hashed.
  def once
    Key.at_hash = lambda do
      Key.at_hash = nil
      yield
    end
  end

  # Runs Ruby code when a transcoder is loaded. Returns whether it ran.
  def on_load_path
    ran = false
    hook = Object.new
    hook.define_singleton_method(:to_path) do
      ran = true
      yield
      "/nowhere"
    end
    $LOAD_PATH.unshift(hook)
    -> { ran }
  end

  def with_class(name, object)
    Marshal.load("\x04\b".b + "C:#{(name.size + 5).chr}#{name}".b + Marshal.dump(object).byteslice(2..)) # rubocop:disable Security/MarshalLoad -- our own
  end

  def fakes_of_a_class_that_goes
    self.class.const_set(:Gone, Class.new(Sparpack::Struct) { (1..5).each { |id| field id, :"f#{id}", :binary } })
    object = ForeignCodeTest::Gone.new
    fakes = Array.new(500) { with_class("ForeignCodeTest::Wide", object) }
    self.class.send(:remove_const, :Gone)
    fakes
  end

  # Replaces the source while the keys at the places `calls` are hashed.
  def replaced_while(calls, source)
    size = source.bytesize
    calls << lambda do
      source.replace("z")
      Array.new(20) { "\x0e" * size }
    end
    result = yield source
    raise "nothing ran" unless calls.empty?

    result
  end
end
