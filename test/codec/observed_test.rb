# frozen_string_literal: true

require "test_helper"
require "stringio"
require "sparpack/rack"

# Codecs with the option `observe:`.
class ObservedTest < Minitest::Test
  class Line < Sparpack::Struct
    field 1, :text, :string
  end

  class Order < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :line, Line
  end

  class Refusing < Sparpack::Struct
    field 1, :id, :i64
    default_codec :json
  end

  Pair = ::Struct.new(:left, :right)

  # An observer that Ractors may share.
  module Counting
    def self.call(event) = (::Ractor.current[:observed] ||= []) << [event.operation, event.struct_class.name, event.bytes]
  end

  ORDER = Order.new(id: 7, line: Line.new(text: "a secret")).freeze
  BYTES = ORDER.encode.freeze

  def setup
    @events = []
    @codec = Sparpack::Codec.new(Order, observe: ->(event) { @events << event })
  end

  def test_an_encode_and_a_decode
    assert_equal BYTES, @codec.encode(ORDER)
    assert_equal ORDER, @codec.decode(BYTES)
    assert_equal [[:encode, Order, :compact, BYTES.bytesize, nil], [:decode, Order, :compact, BYTES.bytesize, nil]], told
    assert(@events.all? { |event| event.seconds.is_a?(Float) && event.seconds.positive? && event.seconds < 60 })
  end

  def test_seconds_are_those_of_the_call
    slow = Class.new(Sparpack::Struct) { field 1, :ids, list(:i64) }
    codec = Sparpack::Codec.new(slow, observe: ->(event) { @events << event })
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    codec.encode(slow.new(ids: Array.new(100_000, 1)))

    assert_operator @events.first.seconds, :<=, Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
    assert_operator @events.first.seconds, :>, 1e-5
  end

  def test_every_wire
    Sparpack::WIRES.each do |wire|
      @events.clear
      codec = Sparpack::Codec.new(Order, wire, observe: ->(event) { @events << event })
      bytes = codec.encode(ORDER)

      assert_equal ORDER, codec.decode(bytes)
      assert_equal([[:encode, wire, bytes.bytesize], [:decode, wire, bytes.bytesize]],
                   @events.map { |event| [event.operation, event.wire, event.bytes] })
    end
  end

  def test_a_failed_encode
    error = assert_raises(Sparpack::EncodeError::MissingField) { @codec.encode(Order.new) }

    assert_equal [[:encode, Order, :compact, nil, error]], told
    assert_raises(Sparpack::EncodeError::TypeMismatch) { @codec.encode(nil) }
    assert_equal 2, @events.size
  end

  def test_a_failed_decode
    plain = assert_raises(Sparpack::DecodeError) { Order.decode(BYTES[0..-2]) }
    error = assert_raises(Sparpack::DecodeError::Truncated) { @codec.decode(BYTES[0..-2]) }

    assert_equal [[:decode, Order, :compact, BYTES.bytesize - 1, error]], told
    assert_equal [plain.message, plain.class], [error.message, error.class]
    assert_equal plain.offset, error.offset
    assert_raises(TypeError) { @codec.decode(5) }
    assert_equal([[TypeError, nil]], @events.drop(1).map { |event| [event.error.class, event.bytes] })
  end

  def test_dump_load_and_encode_to
    io = StringIO.new("".b)
    @codec.encode_to(io, ORDER, frame: :framed)
    @codec.load(@codec.dump(ORDER))
    @codec.dump(nil)
    @codec.load(nil)

    assert_equal [[:encode, BYTES.bytesize], [:encode, BYTES.bytesize], [:decode, BYTES.bytesize]], sizes
    assert_equal BYTES.bytesize + 4, io.string.bytesize
  end

  def test_decode_prefix
    assert_equal [ORDER, BYTES.bytesize + 2], @codec.decode_prefix("..#{BYTES}...".b, 2)
    assert_equal [[:decode, BYTES.bytesize]], sizes
    assert_raises(Sparpack::DecodeError) { @codec.decode_prefix("\xFF".b, 0) }
    assert_equal [:decode, nil], sizes.last
  end

  def test_decode_from
    [nil, :framed, :varint].each do |frame|
      @events.clear
      io = StringIO.new("".b)
      2.times { @codec.encode_to(io, ORDER, frame:) }
      io.rewind
      @events.clear
      2.times { assert_equal ORDER, @codec.decode_from(io, frame:) }

      assert_nil @codec.decode_from(io, frame:)
      assert_equal [[:decode, BYTES.bytesize]] * 2, sizes
    end
  end

  def test_decode_each_tells_of_each_payload
    { nil => BYTES * 3, :framed => (([BYTES.bytesize].pack("N") + BYTES) * 3) }.each do |frame, bytes|
      [bytes, StringIO.new(bytes), Trickling.new(bytes)].each do |source|
        @events.clear

        assert_equal [ORDER] * 3, @codec.decode_each(source, frame:).to_a
        assert_equal [[:decode, BYTES.bytesize]] * 3, sizes
      end
    end
  end

  def test_decode_each_of_an_array_of_json
    codec = Sparpack::Codec.new(Order, :json, observe: ->(event) { @events << event })
    text = ORDER.encode(:json)

    assert_equal [ORDER, ORDER], codec.decode_each("[#{text}, #{text}]").to_a
    assert_equal [[:decode, text.bytesize]] * 2, sizes
  end

  # The last line may have no end.
  def test_bytes_are_without_the_ends_of_lines
    codec = Sparpack::Codec.new(Order, :json, observe: ->(event) { @events << event })
    text = ORDER.encode(:json)

    assert_equal [ORDER, ORDER], codec.decode_each("#{text}\n#{text}", frame: :lines).to_a
    assert_equal ORDER, codec.decode_from(StringIO.new("#{text}\n"), frame: :lines)
    assert_equal [[:decode, text.bytesize]] * 3, sizes
  end

  def test_decode_each_that_skips_what_is_wrong
    errors = []
    bytes = [BYTES, "\x15\x02\x00", BYTES].map { |each| [each.bytesize].pack("N") + each }.join

    assert_equal [ORDER, ORDER], @codec.decode_each(bytes, frame: :framed, on_error: ->(error) { errors << error }).to_a
    assert_equal([nil, Sparpack::DecodeError::TypeMismatch, nil], @events.map { |event| event.error&.class })
    assert_equal [BYTES.bytesize, 3, BYTES.bytesize], @events.map(&:bytes)
    assert_equal errors.map(&:path), @events.filter_map(&:error).map(&:path)
  end

  def test_decode_each_in_one_process
    assert_equal [7], @codec.decode_each(BYTES, processes: 1, &:id)
    assert_equal [[:decode, BYTES.bytesize]], sizes
  end

  def test_lazy_objects
    codec = Sparpack::Codec.new(Order, lazy: true, observe: ->(event) { @events << event })
    order = codec.decode(BYTES)

    assert_equal "a secret", order.line.text
    assert_equal BYTES, codec.encode(order)
    assert_equal [[:decode, BYTES.bytesize], [:encode, BYTES.bytesize]], sizes
  end

  def test_what_makes_no_objects_is_not_told
    @codec.check(BYTES)
    @codec.skip(BYTES)
    @codec.dig(BYTES, :id)
    @codec.patch(BYTES, [:id] => 8)
    @codec.count(BYTES)
    @codec.columns(BYTES, "id")
    @codec.each_range(BYTES) { |range| assert_equal 0...BYTES.bytesize, range }
    Sparpack::Converter.new(Order, from: @codec, to: :json).convert(BYTES)

    assert_empty @events
  end

  def test_mappings
    mapping = Sparpack::Mapping.new(Pair, %i[left right])
    codec = Sparpack::Codec.new(mapping, :message_pack, observe: ->(event) { @events << event })
    codec.decode(codec.encode(Pair.new(1, 2)))

    assert_equal [codec.struct_class] * 2, @events.map(&:struct_class)
  end

  def test_extension_types
    factory = Sparpack::MessagePack::Factory.new
    factory.register_type(1, Order, codec: @codec)

    assert_equal [ORDER], factory.load(factory.dump([ORDER]))
    assert_equal [[:encode, BYTES.bytesize], [:decode, BYTES.bytesize]], sizes
  end

  def test_bodies
    options = { observe: @codec.options[:observe] }
    %i[json compact message_pack].each do |wire|
      @events.clear
      body = Sparpack::Rack.response([ORDER, ORDER], {}, wire:, **options)[2].join
      env = { "CONTENT_TYPE" => Sparpack::Media.type(wire), "rack.input" => StringIO.new(body) }

      assert_equal [ORDER, ORDER], Sparpack::Rack.body(env, [Order], **options)
      assert_equal([[:encode, Order, wire], [:encode, Order, wire], [:decode, Order, wire]],
                   @events.map { |event| [event.operation, event.struct_class, event.wire] })
      assert_equal body.bytesize, @events.last.bytes
      env["rack.input"] = StringIO.new(body[0..-2])
      error = assert_raises(Sparpack::DecodeError) { Sparpack::Rack.body(env, [Order], **options) }
      assert_same error, @events.last.error
    end
  end

  def test_calls_in_calls
    outer = Sparpack::Codec.new(Order, observe: lambda { |event|
      @events << event
      @codec.encode(ORDER) if event.struct_class.equal?(Order) && @events.size < 2
    })
    outer.encode(Order.new(id: 1))

    assert_equal 2, @events.size
  end

  def test_an_observer_that_raises_is_warned_of_once
    codec = Sparpack::Codec.new(Order, observe: ->(_) { raise IOError, "no\e[1m disk" })
    _, said = capture_io do
      3.times { assert_equal BYTES, codec.encode(ORDER) }
      assert_raises(Sparpack::DecodeError) { codec.decode("") }
    end

    assert_equal 1, said.lines.size
    assert_match(/\Asparpack: an observer raised IOError: no\\e\[1m disk \(.*observed_test.*said once$/, said)
  end

  def test_other_errors_of_an_observer_pass
    codec = Sparpack::Codec.new(Order, observe: ->(_) { raise Interrupt })

    assert_raises(Interrupt) { codec.encode(ORDER) }
  end

  def test_what_is_no_observer
    [5, :call, false, Object.new].each do |given|
      error = assert_raises(ArgumentError) { Sparpack::Codec.new(Order, observe: given) }

      assert_match(/\Aobserve: expected an object with the method call, got /, error.message)
    end
    factory = Module.new { def self.observer = nil }
    hints = [false, factory].map do |given|
      assert_raises(ArgumentError) { Sparpack::Codec.new(Order, observe: given) }.message[/ \(.*/]
    end

    assert_match(/\A \(pass #<Module:.*>\.observer\)\z/, hints.last)
    assert_equal " (nil is off)", hints.first
    assert_match(/a codec takes it/, assert_raises(ArgumentError) { ORDER.encode(observe: Counting) }.message)
    error = assert_raises(ArgumentError) { Class.new(Sparpack::Struct) { default_codec :json, observe: Counting } }
    assert_match(/\Aobserve: cannot be a default/, error.message)
  end

  # Nothing of it is in the way of other codecs.
  def test_off
    codec = Sparpack::Codec.new(Order, observe: nil)

    assert_empty codec.singleton_methods
    assert_equal Sparpack::Codec, codec.method(:encode).owner
    assert_equal Sparpack::Codec, Sparpack::Codec.new(Order).method(:decode).owner
    refute_kind_of Sparpack::Observed, codec
  end

  def test_the_codec_itself
    assert_predicate @codec, :frozen?
    assert_instance_of Sparpack::Codec, @codec
    assert_match(/\A#<Sparpack::Codec ObservedTest::Order compact, observe: #<Proc/, @codec.inspect)
    assert_equal %i[observe], @codec.options.keys
    assert_kind_of Sparpack::Observed, Order.codec(:json, observe: Counting)
    assert_kind_of Sparpack::Observed, Refusing.codec(observe: Counting)
  end

  def test_an_event_has_no_value
    @codec.encode(ORDER)
    event = @events.first

    assert_match(/\A#<Sparpack::Observed::Event encode ObservedTest::Order compact bytes: #{BYTES.bytesize} seconds: /,
                 event.inspect)
    refute_includes event.instance_variables.map { |name| event.instance_variable_get(name).inspect }.join, "secret"
  end

  def test_ractors
    codec = Sparpack::Codec.new(Order, observe: Counting)

    assert Ractor.shareable?(codec)
    assert_equal [[:encode, "ObservedTest::Order", BYTES.bytesize], [:decode, "ObservedTest::Order", BYTES.bytesize]],
                 in_ractor(codec)
    assert_raises(Ractor::IsolationError) { Ractor.make_shareable(@codec) }
    assert_match(/its observer must be shareable/, assert_raises(TypeError) { in_ractor(@codec) }.message)
  end

  def test_warnings_of_ractors
    codec = Sparpack::Codec.new(Order, observe: Failing)
    _, said = capture_subprocess_io { 2.times { in_ractor(codec) } }

    assert_equal 2, said.lines.size, "once in each Ractor"
  end

  # An observer that raises.
  module Failing
    def self.call(_) = raise("no")
  end

  # An io that has few bytes at a time.
  class Trickling
    def initialize(bytes)
      @io = StringIO.new(bytes)
    end

    def readpartial(_) = @io.readpartial(3)
  end

  private

  def in_ractor(codec)
    experimental = Warning[:experimental]
    Warning[:experimental] = false
    ractor = Ractor.new(codec) do |shared|
      shared.decode(shared.encode(Order.new(id: 7, line: Line.new(text: "a secret"))))
      ::Ractor.current[:observed]
    end
    ractor.respond_to?(:value) ? ractor.value : ractor.take
  ensure
    Warning[:experimental] = experimental
  end

  def told = @events.map { |event| [event.operation, event.struct_class, event.wire, event.bytes, event.error] }
  def sizes = @events.map { |event| [event.operation, event.bytes] }
end
