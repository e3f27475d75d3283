# frozen_string_literal: true

require "test_helper"
require "support/child"
require "support/thrift_market"

# What runs natively: then the gem's protocol is not called at all. Everything else is the gem's.
class DropInThriftAccelerationTest < Minitest::Test
  include Child
  include ThriftMarket

  T = ThriftTools
  T.wires.each do |wire|
    define_method("test_memory_#{wire}") { assert_native { T.decode(Market::Everything, T.encode(everything, wire), wire) } }

    define_method("test_depth_#{wire}") do
      assert_native { T.decode(Market::Everything, T.encode(everything, wire, 10), wire, 10) }
    end

    define_method("test_framed_and_buffered_#{wire}") do
      [Thrift::FramedTransport, Thrift::BufferedTransport].each do |klass|
        bytes = StringIO.new(String.new(encoding: Encoding::BINARY))
        transport = klass.new(Thrift::IOStreamTransport.new(bytes, bytes))
        assert_native do
          everything.write(T.protocol(wire, transport))
          transport.flush
          bytes.rewind
          Market::Everything.new.read(T.protocol(wire, transport))
        end
      end
    end

    define_method("test_http_#{wire}") do
      bytes = T.encode(everything, wire)
      transport = Thrift::HTTPClientTransport.new("http://localhost/")
      transport.instance_variable_set(:@inbuf, StringIO.new(bytes))
      assert_native { Market::Everything.new.tap { |one| one.read(T.protocol(wire, transport)) }.write(T.protocol(wire, transport)) }
      assert_equal bytes, transport.instance_variable_get(:@outbuf)
    end

    define_method("test_multiplexed_#{wire}") do
      transport = T.memory
      protocol = Thrift::MultiplexedProtocol.new(T.protocol(wire, transport), "service")
      assert_native { [everything.write(protocol), Market::Everything.new.read(protocol)] }
    end
  end

  { compact: Thrift::CompactProtocolFactory, binary: Thrift::BinaryProtocolFactory,
    accelerated: Thrift::BinaryProtocolAcceleratedFactory }.each do |name, factory|
    define_method("test_serializers_#{name}") do
      serializer = Thrift::Serializer.new(factory.new)
      deserializer = Thrift::Deserializer.new(factory.new)

      assert_native { deserializer.deserialize(Market::Everything.new, serializer.serialize(everything)) }
    end
  end

  def test_unions_and_exceptions
    assert_native { T.decode(Market::Answer, T.encode(Market::Answer.text("a"))) }
    assert_native { T.decode(Market::Gone, T.encode(Market::Gone.new("a"))) }
    assert_native { T.decode(Market::Shop::Find_result, T.encode(Market::Shop::Find_result.new(success: Market::Point.new(x: 1)))) }
  end

  def test_header
    [Thrift::HeaderSubprotocolID::COMPACT, Thrift::HeaderSubprotocolID::BINARY].each do |id|
      transport = T.memory
      writing = Thrift::HeaderProtocol.new(transport, nil, id)
      writing.write_message_begin("name", Thrift::MessageTypes::CALL, 3)
      assert_native { everything.write(writing) }
      writing.trans.flush
      reading = Thrift::HeaderProtocol.new(transport, nil, id)
      reading.read_message_begin
      read = Market::Everything.new
      assert_native { read.read(reading) }
      assert_equal everything, read
    end
  end

  # Their own methods are called, but not the gem's.
  class Checked < Market::Point
    def initialize(*)
      super
      @made = true
    end

    def validate = (raise(ArgumentError, "x is 3") if @x == 3)
  end

  class Holder
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: 12, name: "one", class: Checked },
               2 => { type: 15, name: "all", element: { type: 12, class: Checked } },
               3 => { type: 11, name: "text" } }.freeze

    def struct_fields = FIELDS
    def validate; end
    ::Thrift::Struct.generate_accessors self
  end

  T.wires.each do |wire|
    define_method("test_classes_with_methods_of_their_own_#{wire}") do
      holder = Holder.new(one: Checked.new(x: 1), all: [Checked.new(x: 2), Checked.new(x: 4)], text: "t" * 5000)
      bytes = T.encode(holder, wire)
      read = nil
      assert_native { read = T.decode(Holder, T.encode(holder, wire), wire) }
      assert_equal [bytes, holder], [T.encode(read, wire), read]
      made = [read.one, *read.all].map { |one| one.instance_variable_get(:@made) }

      assert_equal [true] * 3, made
      assert_raises(ArgumentError) { T.encode(Checked.new(x: 3), wire) }
    end

    define_method("test_a_buffer_is_filled_before_methods_are_called_#{wire}") do
      object = Holder.new(all: Array.new(4) { |x| Checked.new(x: x + 5, label: "l" * 2000) })
      source = StringIO.new(T.encode(object, wire))
      transport = Thrift::BufferedTransport.new(Thrift::IOStreamTransport.new(source, source))
      read = nil
      assert_native { (read = Holder.new).read(T.protocol(wire, transport)) }
      assert_equal object, read
    end
  end

  # Both reasons are Strings that nobody else holds.
  def test_reasons_outlive_garbage_collections
    reasons = in_child do
      overriding = Class.new(Market::Point) { def write(*) = super }
      changed = Class.new(Market::Point)
      [overriding, changed].each { |klass| T.encode(klass.new(x: 1)) }
      changed.define_method(:read) { |*arguments| super(*arguments) }
      4.times { GC.start }
      Sparpack::DropIn::Thrift.report.to_h[:classes].values_at(overriding.to_s, changed.to_s)
    end

    assert_match(/#write is overridden/, reasons.first)
    assert_equal "it has changed since its first use", reasons.last
  end

  # Comparing the instructions of a method takes most of the first use of a class.
  def test_a_method_is_compared_once
    compared = in_child do
      klass = Class.new(Market::Point)
      names = []
      trace = TracePoint.new(:c_call) { |point| names << point.method_id if point.self == RubyVM::InstructionSequence }
      trace.enable { T.encode(klass.new(x: 1)) }
      names.count(:of)
    end

    assert_equal 2, compared # validate and struct_fields
  end

  def test_serializers_of_classes_with_methods_of_their_own
    serializer = Thrift::Serializer.new(Thrift::CompactProtocolFactory.new)
    deserializer = Thrift::Deserializer.new(Thrift::CompactProtocolFactory.new)
    holder = Holder.new(one: Checked.new(x: 1))

    assert_native { assert_equal(holder, deserializer.deserialize(Holder.new, serializer.serialize(holder))) }
  end

  def test_what_the_gem_does
    refute_native { T.decode(Market::Point, T.encode(Market::Point.new(x: 1), :compact)[0..-2]) rescue EOFError } # rubocop:disable Style/RescueModifier
    refute_native { Market::Point.new(x: 1).write(Thrift::JsonProtocol.new(T.memory)) }
    refute_native { Market::Point.new(x: 1).write(Class.new(Thrift::CompactProtocol).new(T.memory)) }
    refute_native { Market::Point.new(x: 1).write(Thrift::CompactProtocol.new(Class.new(Thrift::MemoryBufferTransport).new)) }
  end

  def test_a_protocol_that_is_patched
    counts = in_child do
      before = calls { T.encode(everything) }
      Thrift::CompactProtocol.prepend(Module.new { def write_i32(number) = super(Integer(number)) })
      [before, calls { T.encode(everything) }, calls { T.encode(everything, :binary) }]
    end

    assert_equal [true, false, true], counts.map(&:zero?)
  end

  private

  def assert_native(&) = assert_equal(0, calls(&), "the gem's protocol was called")
  def refute_native(&) = refute_equal(0, calls(&))

  # @return [Integer] how often methods of protocols were called that read or write
  def calls(&block)
    count = 0
    trace = TracePoint.new(:call, :c_call) do |point|
      count += 1 if point.method_id.match?(/\A(read|write)_(?!message)/) && Thrift::BaseProtocol === point.self # rubocop:disable Style/CaseEquality
    end
    trace.enable(&block)
    count
  end
end
