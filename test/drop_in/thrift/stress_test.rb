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

  private

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
