# frozen_string_literal: true

require "test_helper"
require "stringio"

# Bytes that are packed already go to a packer's buffer, behind what was written before, even in the middle of a value.
class MessagePackRawTest < Minitest::Test
  MP = Sparpack::MessagePack

  # An object that was packed before, as in a cache.
  class Raw
    def initialize(bytes, name = :<<)
      @bytes = bytes
      @name = name
    end

    def to_msgpack(packer) = packer.tap { packer.buffer.public_send(@name, @bytes) }
  end

  # Writes its own header before the bytes.
  class Blob < Raw
    def to_msgpack(packer) = super(packer.write_bin_header(@bytes.bytesize))
  end

  # Reports what it sees of its packer.
  class Witness
    def initialize(&look)
      @look = look
    end

    attr_reader :seen

    def to_msgpack(packer)
      packer.write(7)
      @seen = @look.call(packer)
    end
  end

  VALUE = [1, { "a" => Raw.new("\x92\xC2\xC3".b) }, [Raw.new("\xA1b", :write)], Blob.new("cd"), 5].freeze
  BYTES = [1, { "a" => [false, true] }, ["b"], "cd".b, 5].then { |value| MP.pack(value) }.freeze

  def test_the_gem_packs_the_same
    require "msgpack"

    assert_equal BYTES, ::MessagePack.pack(VALUE)
  rescue LoadError
    skip "the msgpack gem is missing: bundle install"
  end

  def test_in_one_call
    assert_equal BYTES, MP.pack(VALUE)
    assert_equal BYTES, MP::Factory.new.pool.dump(VALUE)
    assert_equal "\x05".b, MP.pack(Raw.new("\x05"))
  end

  def test_by_packers
    assert_equal BYTES * 2, MP::Packer.new.write(VALUE).write(VALUE).to_s
    assert_equal BYTES, MP::Packer.new.write_array_header(5).tap { |packer| VALUE.each { |part| packer.write(part) } }.to_s
    assert_equal ["x", true, 1], MP.unpack(MP::Packer.new.write_array_header(3).write("x")
                                             .tap { |packer| packer.buffer << "\xC3" }.write(1).to_s)
  end

  # Large ones go to an io without a copy, in the right order.
  def test_large_ones_and_ios
    text = "t" * 700_000
    value = ["y" * 40_000, Raw.new(MP.pack(text)), "z" * 600_000, Blob.new(text, :write), [Raw.new("\xC0")] * 50_000]
    expected = ["y" * 40_000, text, "z" * 600_000, text.b, [nil] * 50_000]
    io = StringIO.new("".b)
    MP.pack(value, io)

    assert_equal expected, MP.unpack(MP.pack(value))
    assert_equal expected, MP.unpack(io.string)
    assert_equal expected, MP.unpack(MP::Packer.new(io = StringIO.new("".b)).write(value).flush.then { io.string })
  end

  def test_in_payloads
    pair = Struct.new(:left, :right)
    factory = MP::Factory.new
    factory.register_type(1, pair, recursive: true, unpacker: ->(unpacker) { [unpacker.read, unpacker.read] },
                                   packer: lambda { |value, packer|
                                     packer.write(value.left)
                                     packer.buffer << value.right
                                   })
    value = [pair.new([1], "\x92\x01\x02"), pair.new(pair.new(3, MP.pack("x" * 9_000)), "\xC2")]
    read = [[[1], [1, 2]], [[3, "x" * 9_000], false]]

    assert_equal read, factory.load(factory.dump(value))
    assert_equal read, factory.load(factory.packer.write(value).to_s)
    io = StringIO.new("".b)

    assert_equal read, factory.load(factory.packer(io).write(value).flush.then { io.string })
  end

  # A failure later in the value removes them, too.
  def test_what_fails_leaves_none_of_it
    packer = MP::Packer.new.write(1)

    assert_raises(NoMethodError) { packer.write([Raw.new("\xC3"), Object.new]) }
    assert_equal "\x01\x02".b, packer.write(2).to_s
  end

  # Nothing can be written to a packing that another fiber has begun.
  def test_from_another_fiber
    stopped = Object.new
    stopped.define_singleton_method(:to_msgpack) { |packer| packer.tap { Fiber.yield } }
    packer = MP::Packer.new
    fiber = Fiber.new { packer.write([stopped, 2]) }
    fiber.resume
    packer.buffer << "\x01"
    fiber.resume

    assert_equal "\x01\x92\x02".b, packer.to_s
  end

  # A packer that its value has kept still has a buffer, but nobody writes what is in it.
  def test_a_packer_that_outlives_its_value
    witness = Witness.new(&:itself)
    bytes = MP.pack([witness])
    witness.seen.buffer << "\xC3"

    assert_equal "\x91\x07".b, bytes
    assert_raises(ArgumentError) { witness.seen.write(1) }
  end

  # --- What a value sees of its packer ----------------------------------------------------------------------------------

  def test_a_value_may_flush
    witness = Witness.new { |packer| packer.flush.equal?(packer) }

    assert_equal [1, 7, 2], MP.unpack(MP.pack([1, witness, 2]))
    assert witness.seen
    io = StringIO.new("".b)
    MP::Packer.new(io).write(5).write([1, witness, 2]).flush

    assert_equal "\x05\x93\x01\x07\x02".b, io.string
  end

  def test_a_value_sees_what_was_written
    before = Witness.new { |packer| [packer.size, packer.to_s, packer.empty?] }
    MP.pack([1, before])

    assert_equal [3, "\x92\x01\x07".b, false], before.seen
    MP::Packer.new.write(0).write([1, before])

    assert_equal [4, "\x00\x92\x01\x07".b, false], before.seen
  end
end
