# frozen_string_literal: true

require "test_helper"
require "support/child"
require "support/deadline"
require "support/thrift_market"

# The garbage collector, compaction and threads.
class DropInThriftStressTest < Minitest::Test
  include Child
  include Deadline
  include ThriftMarket

  T = ThriftTools

  def test_garbage_collections_everywhere
    object = small
    T.wires.each do |wire|
      bytes = T.encode(object, wire)
      written, read = stressed { [T.encode(object, wire), T.decode(Market::Everything, bytes, wire)] }

      assert_equal bytes, written
      assert_equal object, read
    end
  end

  def test_garbage_collections_while_faulty_bytes_are_read
    bytes = T.encode(Market::Wide.new(a: 1, d: true, e: "text"))[0..-2]
    expected = T.summary(Market::Wide, bytes, :compact)

    assert_equal(expected, stressed { T.summary(Market::Wide, bytes, :compact) })
  end

  def test_compaction
    skip "this Ruby cannot compact" unless GC.respond_to?(:compact)
    object = everything
    bytes = T.encode(object)
    20.times do |turn|
      filling = Array.new(2000) { +"x" * (turn + 1) }
      GC.compact
      assert_equal bytes, T.encode(object)
      assert_equal object, T.decode(Market::Everything, bytes)
      filling.clear
    end
  end

  def test_references_after_compaction
    skip "this Ruby cannot verify references" unless GC.respond_to?(:verify_compaction_references)
    same = in_child do
      object = everything
      bytes = T.encode(object)
      kept = T.decode(Market::Everything, bytes)
      begin
        GC.verify_compaction_references(double_heap: true, toward: :empty)
      rescue ArgumentError # from Ruby 3.2 on
        GC.verify_compaction_references(expand_heap: true, toward: :empty)
      end
      kept == object && T.encode(kept) == bytes && T.decode(Market::Everything, bytes) == kept
    end

    assert same
  end

  def test_threads_with_protocols_of_their_own
    bytes = T.wires.to_h { |wire| [wire, T.encode(everything, wire)] }
    results = in_threads(6) do |number|
      wire = T.wires[number % 3]
      protocol = T.protocol(wire, transport = T.memory)
      Array.new(60) do
        transport.reset_buffer(bytes[wire])
        object = Market::Everything.new.tap { |one| one.read(protocol) }
        transport.reset_buffer
        object.write(protocol)
        transport.read(transport.available) == bytes[wire]
      end
    end

    assert_equal [true], results.flatten.uniq
  end

  def test_the_first_use_in_many_threads
    expected = T.hex(T.encode(everything))
    20.times do
      results = in_child do
        gate = Queue.new
        threads = Array.new(8) do
          Thread.new do
            gate.pop
            T.hex(T.encode(T.decode(Market::Everything, T.bytes(expected))))
          end
        end
        8.times { gate << 1 }
        threads.map { |thread| thread.join(30)&.value }
      end

      assert_equal [expected], results.uniq
    end
  end

  class Filled
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: 8, name: "x" }, 2 => { type: 11, name: "label", default: "none" } }.freeze

    def struct_fields = FIELDS
    def validate; end
    ::Thrift::Struct.generate_accessors self
  end

  # Until the plan has the defaults, the gem's own code runs in other threads. The plan alone would give an object no label.
  def test_a_plan_that_is_not_complete
    read = in_child { read_while_filled(T.bytes("150200")) }

    assert_equal [1, "none"], read
  end

  def test_patches_while_other_threads_work
    expected = T.encode(everything)
    results = in_child do
      threads = Array.new(4) { Thread.new { Array.new(100) { T.encode(everything) == expected }.uniq } }
      10.times do
        Thrift::CompactProtocol.prepend(Module.new { def write_i32(number) = super(Integer(number)) })
        sleep(0.001)
      end
      threads.map { |thread| thread.join(60)&.value }
    end

    assert_equal [[true]] * 4, results
  end

  # Calls whatever the test says in the middle of `read` and `write`.
  class Calling
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: 8, name: "x" }, 2 => { type: 11, name: "label", default: "none" } }.freeze

    class << self
      attr_accessor :action
    end

    def initialize(*)
      super
      Calling.action&.call(:new)
    end

    def struct_fields = FIELDS
    def validate = Calling.action&.call(:validate)
    ::Thrift::Struct.generate_accessors self
  end

  class Called
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: 15, name: "all", element: { type: 12, class: Calling } },
               2 => { type: 13, name: "named", key: { type: 11 }, value: { type: 12, class: Calling } },
               3 => { type: 14, name: "some", element: { type: 12, class: Calling } },
               4 => { type: 12, name: "point", class: Market::Point } }.freeze

    def struct_fields = FIELDS
    def validate; end
    ::Thrift::Struct.generate_accessors self
  end

  def test_garbage_collections_around_calls
    object = called
    %i[compact binary].each do |wire|
      bytes = T.encode(object, wire)
      count = 0
      with_action(->(_) { GC.compact if GC.respond_to?(:compact) && ((count += 1) % 5).zero? }) do
        assert_equal bytes, T.encode(object, wire)
        assert_equal object, T.decode(Called, bytes, wire)
      end
      written, read = with_action(->(_) { Array.new(3) { +"x" } }) do
        stressed { [T.encode(object, wire), T.decode(Called, bytes, wire)] }
      end

      assert_equal [bytes, object], [written, read]
    end
  end

  # In the middle of one object, others are read and written.
  def test_fibers_that_leave_calls_and_come_back
    object = called
    bytes = T.encode(object)
    with_action(->(_) { Fiber.yield }) do
      fibers = Array.new(6) { Fiber.new { [T.encode(T.decode(Called, bytes)) == bytes] } }
      results = fibers.map { nil }
      300.times { fibers.each_with_index { |fiber, i| results[i] ||= fiber.resume if fiber.alive? } }
      Fiber.new { T.decode(Called, bytes) }.resume # is never resumed again
      GC.start

      assert_equal [[true]] * 6, results
    end
  end

  # The gem would mix up the bytes of both objects.
  def test_serializers_that_are_used_again_in_a_call
    factory = ::Thrift::CompactProtocolFactory.new
    serializer = ::Thrift::Serializer.new(factory)
    deserializer = ::Thrift::Deserializer.new(factory)
    object = called
    point = Market::Point.new(x: 7)
    bytes, short = [object, point].map { |each| serializer.serialize(each) }
    inner = []
    again = ->(_) { inner << serializer.serialize(point) << deserializer.deserialize(Market::Point.new, short) }
    results = with_action(again) { [serializer.serialize(object), deserializer.deserialize(Called.new, bytes)] }

    assert_equal [bytes, object], results
    assert_equal [[short, point]], inner.each_slice(2).uniq
    assert_operator inner.size, :>=, 16
  end

  def test_threads_that_take_turns_in_calls
    bytes = T.encode(called)
    with_action(->(_) { Thread.pass }) do
      results = in_threads(4) { Array.new(20) { T.encode(T.decode(Called, bytes)) == bytes } }

      assert_equal [true], results.flatten.uniq
    end
  end

  def test_errors_of_other_threads_in_calls
    bytes = T.encode(called)
    transport = T.memory(bytes)
    with_action(->(_) { sleep }) do
      error = Class.new(StandardError)
      thread = Thread.new do
        Thread.current.report_on_exception = false
        T.protocol(:compact, transport).then { |protocol| Called.new.read(protocol) }
      end
      Thread.pass until thread.stop?
      Calling.action = nil
      thread.raise(error, "from outside")

      assert_raises(error) { thread.join(30) }
    end
  end

  def test_calls_that_call_without_end
    bytes = T.encode(called)
    with_action(->(_) { T.decode(Called, bytes) }) { assert_raises(SystemStackError) { T.decode(Called, bytes) } }
    assert_equal bytes, T.encode(T.decode(Called, bytes))
  end

  private

  # @return [Array] what another thread reads that begins in the middle of the first use
  def read_while_filled(bytes)
    reader = nil
    Sparpack.const_get(:Adopted).singleton_class.prepend(Module.new do
      define_method(:fill_by) do |*arguments|
        reader = Thread.new { T.decode(Filled, bytes).then { |object| [object.x, object.label] } }
        sleep(0.001) until reader.stop?
        super(*arguments)
      end
    end)
    T.encode(Filled.new(x: 1))
    reader.join(30)&.value
  end

  def called
    one = ->(x) { Calling.new(x:, label: "l" * x) }
    Called.new(all: [one[1], one[2]], named: { "k" => one[3] }, some: Set[one[4]], point: Market::Point.new(x: 1))
  end

  def with_action(action)
    Calling.action = action
    yield
  ensure
    Calling.action = nil
  end

  # Each allocation collects.
  def small
    Market::Everything.new(flag: true, text: "ü", point: Market::Point.new(x: 1), points: [Market::Point.new(x: 2)],
                           words: Set["a"], names: { 1 => "one" }, answer: Market::Answer.answer(Market::Answer.text("deep")),
                           broken: Market::Broken.new(reason: "r", code: 1), blobs: ["\x80".b])
  end

  def stressed
    GC.stress = true
    yield
  ensure
    GC.stress = false
  end
end
