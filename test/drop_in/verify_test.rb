# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "stringio"
require "thrift"
require "sparpack/drop_in/verify"
require "support/two_engines"
require_relative "../golden/apache/shop_types"

# Verify mode with an engine that can be made wrong. The right one is the gem's own code on a transport of its own.
class DropInVerifyTest < Minitest::Test
  WIRES = { compact: Thrift::CompactProtocol, binary: Thrift::BinaryProtocolAccelerated }.freeze

  def setup
    @engines = TwoEngines.new
    @told = []
    @before = Sparpack::DropIn::Verify.instance_variables.to_h do |name|
      [name, Sparpack::DropIn::Verify.instance_variable_get(name)]
    end
    Sparpack::DropIn::Verify.instance_variable_set(:@summary, Sparpack::DropIn::Verify::Summary.new)
    Sparpack::DropIn::Verify.attach(@engines)
    Sparpack::DropIn.verify { |difference| @told << difference }
  end

  def teardown
    Sparpack::DropIn.verify(rate: 0)
    @before.each { |name, value| Sparpack::DropIn::Verify.instance_variable_set(name, value) }
  end

  # --- no difference ----------------------------------------------------------------------------------------------------

  WIRES.each do |wire, protocol|
    define_method("test_equal_engines_do_not_differ_#{wire}") do
      transport = Thrift::MemoryBufferTransport.new
      write(everything, protocol.new(transport))
      bytes = transport.read(transport.available)
      target = Shop::Everything.new
      read(target, protocol.new(Thrift::MemoryBufferTransport.new(bytes)))

      assert_equal everything, target
      assert_summary same: 2
    end

    define_method("test_what_the_gem_raises_is_raised_#{wire}") do
      error = assert_raises(Thrift::ProtocolException) { write(Shop::Point.new, protocol.new(memory)) }

      assert_match(/x is unset/, error.message)
      assert_raises(EOFError) { read(Shop::Point.new, protocol.new(memory(bytes(point, protocol)[..-2]))) }
      assert_summary left_to_the_gem: 2
    end
  end

  def test_nan_equals_nan_but_zeros_differ
    compare(Shop::Everything.new("real" => Float::NAN)) { |copy| copy.real = -Float::NAN }

    assert_summary same: 1
    compare(Shop::Everything.new("real" => 0.0)) { |copy| copy.real = -0.0 }

    assert_told ["Shop::Everything.real", :value]
  end

  def test_the_order_of_instance_variables_is_no_difference
    compare(point) do |copy|
      x = copy.remove_instance_variable(:@x)
      copy.instance_variable_set(:@x, x)
    end

    assert_summary same: 1
  end

  def test_the_object_is_read_into_as_it_is
    target = Shop::Point.new("x" => 5, "y" => 6)
    target.instance_variable_set(:@more, Object.new)
    read(target, compact(bytes(point)))

    assert_nil target.y
    assert_summary same: 1
  end

  def test_a_frozen_object
    assert_raises(FrozenError) { read(point.freeze, compact(bytes(point))) }
    write(point.freeze, compact)

    assert_summary left_to_the_gem: 1, same: 1
  end

  # --- every kind of difference -----------------------------------------------------------------------------------------

  def test_bytes_differ
    @engines.encoded { |bytes| bytes.sub("one", "two") }
    write(Shop::Everything.new("points" => [point, point(label: "one")]), compact)

    assert_told ["Shop::Everything.points[1].label", :bytes]
    assert_operator @told.first.offset, :>, 5
    assert_match(/\Awrite Shop::Everything \(compact\): .*label: the bytes differ \(byte \d+\)\z/, @told.first.to_s)
    refute_match(/one|two/, @told.first.to_h.to_s)
  end

  def test_bytes_that_cannot_be_read_differ
    @engines.encoded { |bytes| bytes[..-2] }
    write(point, compact)

    assert_told ["Shop::Point", :bytes]
    assert_equal bytes(point).bytesize - 1, @told.first.offset
  end

  def test_reading_ends_elsewhere
    { 1 => 8, -1 => 6 }.each_key do |step|
      @told.clear
      @engines.ended { |offset| offset + step }
      read(Shop::Point.new, compact(bytes(point)))

      assert_told ["Shop::Point", :end]
      assert_equal bytes(point).bytesize, @told.first.offset
    end
  end

  def test_reading_further_than_the_gem
    @engines.decoded { |copy, bytes| copy.label << "more" if bytes.getbyte(-1) == 9 }
    read(Shop::Point.new, compact("#{bytes(point)}\x09"))

    assert_told ["Shop::Point.label", :value]
  end

  def test_native_code_succeeds_where_the_gem_raises
    @engines.encoded { |bytes| bytes || "\0".b }
    @engines.ended { |offset| offset || 1 }
    assert_raises(Thrift::ProtocolException) { write(Shop::Point.new, compact) }
    assert_raises(Thrift::ProtocolException) { read(Shop::Point.new, compact("\0")) }

    assert_told ["Shop::Point", :raised], ["Shop::Point", :raised]
  end

  def test_native_code_raises
    @engines.encoded { raise "secret" }
    @engines.ended { raise "secret" }
    write(point, compact)
    read(Shop::Point.new, compact(bytes(point)))

    assert_told ["Shop::Point", :error], ["Shop::Point", :error]
    refute_match(/secret/, Sparpack::DropIn.verification.to_s)
  end

  def test_classes_differ
    compare(everything) { |copy| copy.places = copy.places.to_a }

    assert_told ["Shop::Everything.places", :class]
  end

  def test_values_differ
    { "flag" => false, "small" => 3, "real" => 1.5, "numbers" => [7, 9] }.each do |name, value|
      @told.clear
      compare(everything) { |copy| copy.public_send("#{name}=", value) }

      assert_told ["Shop::Everything.#{name}#{"[1]" if name == "numbers"}", value == false ? :class : :value]
    end
  end

  def test_values_in_strings_keys_and_unions_differ
    compare(everything) { |copy| copy.places.first.label.replace("other") }
    compare(everything) { |copy| copy.answers.values.first.get_value.first.text = +"other" }
    compare(everything) { |copy| copy.answers.keys.first.x = 6 }

    assert_told ["Shop::Everything.places[0].label", :value],
                ["Shop::Everything.answers.values[0].value[0].value", :value],
                ["Shop::Everything.answers.keys[0].x", :value]
    refute_match(/other/, Sparpack::DropIn.verification.to_s)
  end

  def test_sizes_differ
    compare(everything) { |copy| copy.numbers.pop }
    compare(everything) { |copy| copy.answers.clear }
    compare(everything) { |copy| copy.places.clear }

    assert_told(*%w[numbers answers places].map { |name| ["Shop::Everything.#{name}", :size] })
  end

  def test_encodings_differ
    compare(everything) { |copy| copy.bytes.force_encoding("UTF-8") }

    assert_told ["Shop::Everything.bytes", :encoding]
  end

  def test_frozen_keys
    compare(everything) { |copy| copy.answers.each_key(&:freeze) }
    compare(everything) { |copy| copy.bytes.freeze }

    assert_told ["Shop::Everything.answers.keys[0]", :frozen], ["Shop::Everything.bytes", :frozen]
  end

  def test_absent_is_not_nil
    compare(Shop::Everything.new) { |copy| copy.instance_variable_set(:@flag, nil) }
    read_with(everything) { |copy| copy.remove_instance_variable(:@flag) }

    assert_told ["Shop::Everything.flag", :present], ["Shop::Everything.flag", :absent]
  end

  def test_only_ten_differences_of_a_call_are_told
    compare(Shop::Everything.new("numbers" => [1] * 50)) { |copy| copy.numbers.map! { 2 } }

    assert_equal 10, @told.size
    assert_equal({ "read Shop::Everything (compact): Shop::Everything.numbers[]: the values differ" => 10 },
                 Sparpack::DropIn.verification.to_h[:differences])
  end

  # --- the transport ----------------------------------------------------------------------------------------------------

  def test_the_transport_is_as_after_one_call
    transport = memory
    protocol = compact(nil, transport)
    2.times { write(point, protocol) }

    assert_same transport, protocol.trans
    assert_equal bytes(point) * 2, transport.read(transport.available)
    transport = memory("#{bytes(point)}rest")
    read(Shop::Point.new, compact(nil, transport))

    assert_equal "rest", transport.read(transport.available)
  end

  def test_the_transport_is_back_after_an_exception_and_a_throw
    failing = Class.new(Thrift::BaseTransport) { def write(*) = raise(IOError, "gone") }.new
    protocol = compact(nil, failing)
    assert_raises(IOError) { write(point, protocol) }

    assert_same failing, protocol.trans
    leaving = Class.new(Thrift::BaseTransport) { def write(*) = throw(:away) }.new
    protocol = compact(nil, leaving)
    catch(:away) { write(point, protocol) }

    assert_same leaving, protocol.trans
    assert_summary not_compared: 1
  end

  def test_a_pipe_is_not_read_any_further
    input, output = IO.pipe
    output.write(bytes(point), "x")
    read(Shop::Point.new, compact(nil, Thrift::IOStreamTransport.new(input, nil)))

    assert_equal "x", input.read_nonblock(10)
    assert_summary same: 1
  ensure
    [input, output].each(&:close)
  end

  def test_buffered_and_framed_transports
    [Thrift::BufferedTransport, Thrift::FramedTransport].each do |klass|
      inner = memory
      transport = klass.new(inner)
      2.times { write(everything, compact(nil, transport)) }
      transport.flush
      transport = klass.new(Thrift::IOStreamTransport.new(StringIO.new(inner.read(inner.available)), nil))
      2.times { read(Shop::Everything.new, compact(nil, transport)) }
    end

    assert_summary same: 8
  end

  def test_protocols_that_wrap_others
    protocol = Thrift::MultiplexedProtocol.new(compact, "Shop")
    write(point, protocol)
    header = Thrift::HeaderProtocol.new(memory)
    write(point, header)

    assert_instance_of Thrift::HeaderTransport, header.instance_variable_get(:@protocol).trans
    assert_summary same: 2
  end

  def test_what_is_not_compared
    write(point, Thrift::JsonProtocol.new(memory))
    write(point, Class.new(Thrift::CompactProtocol).new(memory))
    write(point, compact.tap { |protocol| protocol.define_singleton_method(:write_i32) { |value| super(value + 1) } })
    write(point, compact.freeze)
    write(point, compact, 10)
    write(point.tap { |object| object.define_singleton_method(:validate) { nil } }, compact)
    limited = Thrift::CompactProtocol.new(memory(bytes(point)), max_string_size: 1)
    assert_raises(Thrift::ProtocolException) { read(Shop::Point.new, limited) }
    @engines.patched << Thrift::CompactProtocol
    write(point, compact)

    assert_summary not_compared: 8
  end

  # --- the caller's objects ---------------------------------------------------------------------------------------------

  def test_strings_are_as_after_one_call
    bytes = bytes(everything).freeze
    read(Shop::Everything.new, compact(bytes))
    mine, gems = Array.new(2) { [+"ü", "ü".encode("UTF-16LE"), +"ü"] }
    [[mine, method(:write)], [gems, :write.to_proc]].each do |texts, run|
      run.call(point(label: texts[0]), compact)
      run.call(point(label: texts[1]), compact)
      run.call(Shop::Everything.new("bytes" => texts[2]), compact)
    end

    assert_equal gems.map(&:encoding), mine.map(&:encoding)
    assert_equal gems, mine
  end

  def test_classes_with_code_of_the_users_are_left_out
    calls = 0
    @engines.left_out = { Shop::Point => "Shop::Point#validate is yours" }
    @engines.encoded { calls += 1 }
    write(point, compact)
    write(point, compact)

    assert_equal 0, calls
    assert_equal 1, @engines.asked
    assert_summary left_out: 2
    assert_equal({ "Shop::Point" => "Shop::Point#validate is yours" }, Sparpack::DropIn.verification.to_h[:classes])
    assert_includes Sparpack::DropIn.verification.to_s, "left out: Shop::Point (Shop::Point#validate is yours)\n"
  end

  private

  def everything
    Shop::Everything.new("flag" => true, "small" => -1, "real" => 2.5, "bytes" => "\xff".b, "points" => [point, point(y: 3)],
                         "places" => Set[point(x: 4)], "numbers" => [7, 8], "origin" => point(x: 9),
                         "answers" => { point(x: 5) => Shop::Answer.new(:answers, [Shop::Answer.new(:text, "ü")]) })
  end

  def point(x: 1, y: nil, label: +"ö") = Shop::Point.new("x" => x, "y" => y, "label" => label)

  def memory(bytes = nil) = Thrift::MemoryBufferTransport.new(bytes)

  def compact(bytes = nil, transport = memory(bytes)) = Thrift::CompactProtocol.new(transport)

  def bytes(object, protocol = Thrift::CompactProtocol)
    transport = memory
    object.write(protocol.new(transport))
    transport.read(transport.available)
  end

  def write(...) = Sparpack::DropIn::Verify.write(...)

  def read(...) = Sparpack::DropIn::Verify.read(...)

  # Reads an object, and changes the one that native code has read.
  def compare(object, &change) = read_with(object, &change)

  def read_with(object, &change)
    @engines.decoded(&change)
    read(object.class.new, compact(bytes(object)))
  end

  def assert_told(*expected) = assert_equal(expected, @told.map { |each| [each.path, each.kind] })

  def assert_summary(**expected)
    told = Sparpack::DropIn.verification.to_h

    assert_equal expected.values.sum, told[:calls], told
    assert_equal expected, told.slice(*expected.keys)
    assert_empty @told
  end
end
