# frozen_string_literal: true

require "test_helper"
require "stringio"
require "sparpack/drop_in/thrift"
require "support/fresh_ruby"
require_relative "../golden/apache/shop_types"

# Verify mode of the drop-in for the thrift gem, with native code as the second engine.
class DropInVerifyThriftTest < Minitest::Test
  include FreshRuby

  PROTOCOLS = [Thrift::CompactProtocol, Thrift::BinaryProtocol, Thrift::BinaryProtocolAccelerated].freeze

  # A class with a `validate` of the user's own, which counts its calls.
  class Counted
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: ::Thrift::Types::I32, name: "x" } }.freeze

    class << self
      attr_accessor :calls
    end

    def struct_fields = FIELDS

    def validate = self.class.calls += 1

    ::Thrift::Struct.generate_accessors self
  end

  # A class with a constructor of the user's own, which counts its calls.
  class Made < Shop::Point
    class << self
      attr_accessor :calls
    end

    def initialize(*)
      self.class.calls += 1
      super
    end
  end

  # A class that leads to such a class.
  class Holder
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: ::Thrift::Types::STRUCT, name: "made", class: Made } }.freeze

    def struct_fields = FIELDS

    def validate; end

    ::Thrift::Struct.generate_accessors self
  end

  def setup
    @told = []
    @summary = Sparpack::DropIn.verify { |difference| @told << difference.to_s }
    @before = @summary.to_h
  end

  def teardown = Sparpack::DropIn.verify(rate: 0)

  PROTOCOLS.each do |protocol|
    define_method("test_native_code_does_the_same_#{protocol}") do
      objects = [everything, Shop::Point.new("x" => 1), Shop::Answer.new(:text, "ü"), Shop::Everything.new]
      objects.each do |object|
        transport = Thrift::MemoryBufferTransport.new
        object.write(protocol.new(transport))
        target = object.class.new
        target.read(protocol.new(transport))

        assert_equal object, target
      end

      assert_empty @told
      assert_operator counted[:same], :>=, (2 * objects.size) - 2
      assert_equal 2 * objects.size, counted[:calls]
    end
  end

  class Keyed
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: ::Thrift::Types::UUID, name: "id" } }.freeze

    def struct_fields = FIELDS

    def validate; end

    ::Thrift::Struct.generate_accessors self
  end

  # Their encoding depends on the class of the protocol.
  def test_uuids
    PROTOCOLS.each do |protocol|
      transport = Thrift::MemoryBufferTransport.new
      Keyed.new(id: "00112233-4455-6677-8899-aabbccddeeff").write(protocol.new(transport))
      Keyed.new.read(protocol.new(transport))
    end

    assert_empty @told
    assert_equal({ calls: 6, same: 6 }, counted.slice(:calls, :same))
  end

  def test_serializers
    factory = Thrift::CompactProtocolFactory.new
    serializer = Thrift::Serializer.new(factory)
    deserializer = Thrift::Deserializer.new(factory)
    target = Shop::Everything.new

    assert_same target, deserializer.deserialize(target, serializer.serialize(everything))
    assert_equal everything, target
    assert_empty @told
    assert_equal({ calls: 2, same: 2 }, counted.slice(:calls, :same))
  end

  def test_truncated_and_mutated_bytes
    bytes = serialize(everything)
    random = Random.new(1)
    (0...bytes.bytesize).each do |size|
      read(bytes.byteslice(0, size))
      changed = bytes.dup
      changed.setbyte(size, random.rand(256))
      read(changed)
    end

    assert_empty @told
    assert_equal 2 * bytes.bytesize, counted[:calls] - 1
  end

  def test_a_pipe
    input, output = IO.pipe
    output.write(serialize(everything), "x")
    Shop::Everything.new.read(Thrift::CompactProtocol.new(Thrift::IOStreamTransport.new(input, nil)))

    assert_equal "x", input.read_nonblock(10)
    assert_empty @told
    assert_operator counted[:same], :>=, 1
  ensure
    [input, output].each(&:close)
  end

  def test_code_of_the_users_runs_once
    Counted.calls = 0
    serialize(Counted.new("x" => 1))

    assert_equal 1, Counted.calls
    bytes = serialize(Holder.new("made" => Shop::Point.new("x" => 1)))
    Made.calls = 0
    Holder.new.read(Thrift::CompactProtocol.new(Thrift::MemoryBufferTransport.new(bytes)))

    assert_includes [0, 1], Made.calls # the native part of the gem does not call it
    assert_equal 3, counted[:left_out]
    assert_match(/Counted#validate/, @summary.to_h[:classes].fetch(Counted.name))
    assert_match(/Made#initialize/, @summary.to_h[:classes].fetch(Holder.name))
  end

  def test_off_again
    Sparpack::DropIn.verify(rate: 0)
    serialize(everything)

    assert_equal 0, counted[:calls]
  end

  def test_a_rate
    Sparpack::DropIn.verify(rate: 0.2)
    1000.times { serialize(Shop::Point.new("x" => 1)) }

    assert_in_delta 200, counted[:calls], 80
  end

  def test_a_depth_is_left_to_the_gem
    Shop::Point.new("x" => 1).write(Thrift::CompactProtocol.new(Thrift::MemoryBufferTransport.new), 5)

    assert_equal 1, counted[:not_compared]
  end

  def test_wrong_arguments
    error = assert_raises(ArgumentError) { Shop::Point.new("x" => 1).write }

    refute_match(/Sparpack/, error.message)
    assert_raises(NoMethodError) { Thrift::Serializer.new.serialize(nil) }
    serialize(Shop::Point.new("x" => 1))

    assert_operator counted[:calls], :>=, 1
  end

  def test_other_ractors
    output = fresh_ruby(<<~RUBY)
      $LOAD_PATH.unshift "#{File.expand_path("..", __dir__)}"
      require "sparpack/drop_in/thrift"
      require "golden/apache/shop_types"
      $VERBOSE = nil
      serializer = Thrift::Serializer.new(Thrift::CompactProtocolFactory.new)
      serializer.serialize(Shop::Point.new("x" => 1))
      Sparpack::DropIn.verify
      ractor = Ractor.new do
        point = Shop::Point.allocate
        point.instance_variable_set(:@x, 1)
        begin
          Thrift::Serializer.new(Thrift::CompactProtocolFactory.new).serialize(point).bytesize
        rescue StandardError => e
          e.class # the gem alone may not be for Ractors
        end
      end
      result = ractor.respond_to?(:value) ? ractor.value : ractor.take
      puts result == 3 || result <= StandardError, Sparpack::DropIn.verification.to_h[:calls]
    RUBY

    assert_equal "true\n0\n", output
  end

  def test_the_switch_of_the_drop_in
    program = <<~RUBY
      $LOAD_PATH.unshift "#{File.expand_path("..", __dir__)}"
      require "sparpack/drop_in/thrift"
      require "golden/apache/shop_types"
      Thrift::Serializer.new.serialize(Shop::Point.new("x" => 1))
      Sparpack::DropIn.verify(rate: 0.5) if ENV["SPARPACK_THRIFT"]
    RUBY

    assert_equal "Sparpack verified 1 calls of the thrift gem: 1 same, 0 different, 0 left to the gem.\n",
                 fresh_ruby(program, environment: { "SPARPACK_VERIFY" => "1" })
    assert_equal "Sparpack verified 0 calls of the thrift gem: 0 same, 0 different, 0 left to the gem.\n",
                 fresh_ruby(program, environment: { "SPARPACK_VERIFY" => "1", "SPARPACK_THRIFT" => "off" })
  end

  private

  def counted
    now = @summary.to_h
    %i[calls same different left_to_the_gem left_out not_compared].to_h { |name| [name, now[name] - @before[name]] }
  end

  def everything
    Shop::Everything.new("flag" => true, "small" => -1, "real" => 2.5, "bytes" => "\xff".b, "points" => [point(1), point(2)],
                         "places" => Set[point(4)], "numbers" => [7, 8], "origin" => point(9),
                         "answers" => { point(5) => Shop::Answer.new(:answers, [Shop::Answer.new(:text, "ü")]) })
  end

  def point(number) = Shop::Point.new("x" => number, "label" => "ö")

  def serialize(object) = Thrift::Serializer.new(Thrift::CompactProtocolFactory.new).serialize(object)

  def read(bytes)
    Shop::Everything.new.read(Thrift::CompactProtocol.new(Thrift::MemoryBufferTransport.new(bytes)))
  rescue StandardError
    nil
  end
end
