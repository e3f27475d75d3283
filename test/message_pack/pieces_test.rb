# frozen_string_literal: true

require "test_helper"
require "support/message_pack_formats"
require "support/message_pack_values"
require "support/seeded"
require "stringio"

# A message reads the same in two pieces, in three, or a few bytes at a time from an io.
class MessagePackPiecesTest < Minitest::Test
  include Seeded
  include MessagePackValues

  MP = Sparpack::MessagePack
  Pair = Struct.new(:left, :right)

  FACTORY = MP::Factory.new.tap do |factory|
    factory.register_type(1, Rational, packer: :to_s, unpacker: ->(text) { Rational(text) })
    factory.register_type(2, Pair, packer: ->(pair, packer) { packer.write(pair.left).write(pair.right) },
                                   unpacker: ->(unpacker) { Pair.new(unpacker.read, unpacker.read) }, recursive: true)
    factory.register_type(MP::Timestamp::TYPE, MP::Timestamp)
  end

  # Several values each, because bytes that are read ahead belong to the next value.
  STREAMS = [
    [nil, true, 0, -1, 200, -200, 70_000, 2**40, -(2**40), 2**63, 1.5],
    ["", "a", "ä€🚲", "x" * 33, "\xFF".b, "y".b * 40],
    [[], [[[]]], [1, [2, [3, "four"]], nil], { "a" => { "b" => [{}] } }, {}],
    [{ "some key" => "some value", 5 => nil, nil => 1.5, [1] => { "k" => "v" } }],
    [Array.new(20) { |i| i * 30 }, (0..17).to_h { |i| [i, "v#{i}"] }],
    [1r / 3, [2r, "x"], { "r" => -1r }],
    [Pair.new(1, "two"), [Pair.new(nil, Pair.new([3], 4r)), 5], { "p" => Pair.new("x" * 40, 1.5) }],
    [MP::Timestamp.new(0, 0), MP::Timestamp.new(1, 5), MP::Timestamp.new(-1, 5), 7]
  ].freeze

  # An io that returns only a given number of bytes at a time, whatever is asked for.
  class Trickle
    def initialize(bytes, sizes)
      @io = StringIO.new(bytes)
      @sizes = sizes.cycle
    end

    private

    def piece(size, into)
      found = @io.read([size, @sizes.next].min)
      found && into ? into.replace(found) : found
    end
  end

  # An io that is read like a socket.
  class Partial < Trickle
    def readpartial(size, into = nil) = piece(size, into) || raise(EOFError)
  end

  # An io that has only `read`.
  class Whole < Trickle
    def read(size, into = nil) = piece(size, into)
  end

  STREAMS.each_with_index do |values, index|
    define_method("test_stream_#{index}_in_two_and_in_three_pieces") do
      bytes = values.map { |value| FACTORY.dump(value) }.join
      splits(bytes) { |pieces| assert_equal values, fed(pieces), pieces.map(&:bytesize).inspect }
    end

    define_method("test_stream_#{index}_from_ios") do
      bytes = values.map { |value| FACTORY.dump(value) }.join
      [Partial, Whole].product((1..bytes.bytesize).to_a) do |io, size|
        assert_equal values, FACTORY.unpacker(io.new(bytes, [size])).each.to_a, "#{io} of #{size}"
      end
    end

    define_method("test_stream_#{index}_read_one_by_one_from_ios") do
      bytes = values.map { |value| FACTORY.dump(value) }.join
      [Partial, Whole].product([[1], [2], [3, 1], [bytes.bytesize], [1, bytes.bytesize]]) do |io, sizes|
        unpacker = FACTORY.unpacker(io.new(bytes, sizes))

        assert_equal values, Array.new(values.size) { unpacker.read }
        assert_raises(EOFError) { unpacker.read }
      end
    end

    define_method("test_stream_#{index}_skipped_and_read_in_turns") do
      bytes = values.map { |value| FACTORY.dump(value) }.join
      (1..bytes.bytesize).each do |size|
        unpacker = FACTORY.unpacker(Partial.new(bytes, [size]))
        found = values.each_index.filter_map { |at| at.even? ? [unpacker.read] : unpacker.skip }.flatten(1)

        assert_equal values.select.with_index { |_, at| at.even? }, found
      end
    end
  end

  # A value is there exactly with its last byte.
  def test_a_value_is_there_with_its_last_byte
    MessagePackFormats.all.each do |vector|
      bytes = vector.bytes
      next if bytes.bytesize > 300

      unpacker = MP::Unpacker.new(allow_unknown_ext: true)
      first = unpacker.feed_each(bytes.byteslice(0, bytes.bytesize - 1)).to_a
      last = unpacker.feed_each(bytes.byteslice(-1, 1)).to_a

      assert_equal [0, 1], [first.size, last.size], vector.hex
    end
  end

  # The same for `read`, which continues after it met the end of the bytes.
  def test_read_goes_on_wherever_it_stopped
    STREAMS.each do |values|
      bytes = values.map { |value| FACTORY.dump(value) }.join
      unpacker = FACTORY.unpacker
      found = bytes.each_char.flat_map do |byte|
        unpacker.feed(byte)
        [unpacker.read]
      rescue EOFError
        []
      end

      assert_equal values, found
    end
  end

  def test_headers_in_pieces
    bytes = MP::Packer.new.write_array_header(3).write(1).write_map_header(70_000).write("k").write(2).to_s
    (1..bytes.bytesize).each do |size|
      unpacker = MP::Unpacker.new(Partial.new(bytes, [size]))

      assert_equal [3, 1], [unpacker.read_array_header, unpacker.read]
      assert_equal [70_000, "k", 2], [unpacker.read_map_header, unpacker.read, unpacker.read]
    end
  end

  def test_random_streams_in_random_pieces
    30.times do
      values = Array.new(1 + random.rand(6)) { random_value(random, 4, keys: :any) }
      bytes = values.map { |value| MP.pack(value) }.join
      sizes = Array.new(1 + random.rand(5)) { 1 + random.rand(random.rand < 0.5 ? 8 : 3_000) }

      assert_equal values, fed(pieces(bytes, sizes))
      [Partial, Whole].each { |io| assert_equal values, MP::Unpacker.new(io.new(bytes, sizes), io_buffer_size: 1_024).each.to_a }
    end
  end

  # A fault is the same wherever the bytes are split.
  def test_faults_in_pieces
    ["\x92\x01\xC1", "\x81\xC1", "\x01\xC1", "\x92\xD4\x09a\x01", "#{"\x91" * 129}\x01",
     "#{"\x91" * 128}\xDC\x00\x01\x01"].map(&:b).each do |bytes|
      expected = fault([bytes])

      refute_nil expected[1]
      splits(bytes) { |pieces| assert_equal expected, fault(pieces), bytes.inspect }
    end
  end

  # Pieces of different sizes are held in different ways, each followed by each.
  def test_values_that_end_where_pieces_end
    parts = [1, 300, 5_000, 40_000, 600_000].map { |size| [size, "x" * size] }
    parts.product(parts, parts) do |three|
      values = three.map(&:last)
      [MP::Unpacker.new, FACTORY.unpacker].each do |unpacker|
        values.each { |value| unpacker.feed(MP.pack(value)) }

        assert_equal values, unpacker.each.to_a
        assert_equal [0, true], [unpacker.buffer.size, unpacker.buffer.empty?]
      end
      buffer = MP::Buffer.new
      values.each { |value| buffer << value }

      assert_equal [*values, nil], [*three.map { |size,| buffer.read(size) }, buffer.read(1)]
      values.each { |value| buffer << value }
      three.each { |size,| assert_equal size, buffer.skip(size) }

      assert_equal [0, "", "z"], [buffer.size, buffer.to_s, (buffer << "z").to_s]
      assert_buffers_can_be_emptied(values)
    end
  end

  def assert_buffers_can_be_emptied(values)
    [:clear, :read, :read_all, ->(buffer) { buffer.skip_all(buffer.size) }].each do |empty|
      buffer = MP::Buffer.new
      values.each { |value| buffer << value }
      empty.to_proc.call(buffer)

      assert_equal [0, ""], [buffer.size, buffer.to_s]
      assert_equal ["zy", "z", "y"], [(buffer << "z" << "y").to_s, buffer.read(1), buffer.read]
    end
  end

  private

  def fed(pieces)
    unpacker = FACTORY.unpacker
    pieces.flat_map { |piece| unpacker.feed_each(piece).to_a }
  end

  # Returns the values before the fault, and the error's class.
  def fault(pieces)
    found = []
    unpacker = MP::Unpacker.new
    pieces.each { |piece| unpacker.feed_each(piece) { |value| found << value } }
    [found, nil]
  rescue MP::UnpackError => e
    [found, e.class]
  end

  def pieces(bytes, sizes)
    sizes = sizes.cycle
    rest = bytes
    found = []
    until rest.empty?
      found << rest.byteslice(0, size = sizes.next)
      rest = rest.byteslice(size..) || ""
    end
    found
  end

  # Yields all splits into three pieces, empty ones included.
  def splits(bytes)
    (0..bytes.bytesize).each do |first|
      yield [bytes.byteslice(0, first), bytes.byteslice(first..)]
      (first..bytes.bytesize).step(bytes.bytesize > 100 ? 7 : 1) do |second|
        yield [bytes.byteslice(0, first), bytes.byteslice(first...second), bytes.byteslice(second..)]
      end
    end
  end
end
