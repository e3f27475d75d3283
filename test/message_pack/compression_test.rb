# frozen_string_literal: true

require "test_helper"
require "stringio"
require "support/lz4_blocks"
require "support/seeded"

# Values that are compressed with LZ4.
class MessagePackCompressionTest < Minitest::Test
  include Seeded

  MP = Sparpack::MessagePack
  FORMS = %i[lz4 lz4_block].freeze
  VALUE = { "numbers" => Array.new(200) { |i| i * i }, "text" => "Berlin " * 30, "nil" => nil }.freeze
  LARGE = Array.new(5000) { |i| { "id" => i, "name" => "name #{i % 10}" } }.freeze

  def test_there_and_back
    FORMS.product([VALUE, LARGE]) do |form, value|
      bytes = MP.pack(value, compression: form)

      assert_equal [form, MP.pack(value)], LZ4Blocks.read(bytes).values_at(0, 2)
      assert_equal [bytes] * 2, [MP.dump(value, { compression: form }), MP::DefaultFactory.pack(value, compression: form)]
      [{}, { compression: :lz4 }, { compression: :lz4_block }, { untrusted: true }].each do |options|
        assert_equal value, MP.unpack(bytes, **options)
      end
      assert_equal value, MP.load(StringIO.new(bytes))
      assert_equal("name 3", MP.unpack(bytes, symbolize_keys: true).then do |all|
        all.is_a?(Array) ? all[3][:name] : "name 3"
      end)
    end
  end

  def test_ios
    io = StringIO.new("".b)

    assert_nil MP.pack(VALUE, io, compression: :lz4)
    assert_nil MP::Factory.new.dump(VALUE, io, { compression: :lz4_block, io_buffer_size: 2000 })
    assert_equal [VALUE, VALUE], MP.each(io.string).to_a
    assert_equal MP.pack(VALUE, compression: :lz4), MP.pack(VALUE, nil, compression: :lz4)
    assert_equal MP.pack(1), MP.pack(1, compression: :lz4), "nothing under 64 bytes"
  end

  def test_streams
    FORMS.each do |form|
      bytes = [VALUE, 1, LARGE, [nil]].map { |value| MP.pack(value, compression: form) }.join
      all = [VALUE, 1, LARGE, [nil]]

      assert_equal all, MP.each(bytes).to_a
      assert_equal all, MP.each(StringIO.new(bytes)).to_a
      [1, 7, 1000, 5000].each do |size|
        unpacker = MP::Unpacker.new
        found = []
        pieces = size == 1 ? bytes.byteslice(0, 900).scan(/./mn) : bytes.scan(/.{1,#{size}}/mn)
        pieces.each { |piece| unpacker.feed_each(piece) { |value| found << value } }

        assert_equal size == 1 ? all.take(found.size) : all, found
        refute_empty found
      end
      unpacker = MP::Unpacker.new.feed(bytes)
      unpacker.skip

      assert_equal [1, LARGE], [unpacker.read, unpacker.read]
    end
  end

  def test_pools
    pool = MP::Factory.new.pool(2, compression: :lz4)
    bytes = pool.dump(VALUE)

    assert_equal MP.pack(VALUE, compression: :lz4), bytes
    assert_equal VALUE, pool.load(bytes)
    assert_equal(VALUE, pool.unpacker { |unpacker| unpacker.feed(bytes).read })
    assert_raises(ArgumentError) { pool.packer { nil } }
  end

  def test_packers_have_no_whole_values
    message = "compression: is an option of pack and dump, because a whole value is compressed"
    [MP::Packer.method(:new), MP::Factory.new.method(:packer)].each do |call|
      assert_equal message, assert_raises(ArgumentError) { call.call({ compression: :lz4 }) }.message
      assert_equal message, assert_raises(ArgumentError) { call.call(StringIO.new, { compression: :lz4 }) }.message
    end
    error = assert_raises(ArgumentError) { MP.pack(1, compression: :gzip) }

    assert_equal "compression: expected one of :lz4, :lz4_block, got :gzip", error.message
    assert_raises(ArgumentError) { MP.unpack("\x01", compression: :lzma) }
    assert_raises(ArgumentError) { MP::Factory.new.pool(1, compression: :lz5) }
    assert_equal MP.pack(VALUE), MP.pack(VALUE, compression: nil)
  end

  def test_dig
    FORMS.each do |form|
      bytes = MP.pack(VALUE, compression: form)

      assert_equal 81, MP.dig(bytes, "numbers", 9)
      assert_equal VALUE["text"], MP.dig(bytes, :text, untrusted: true)
      assert_nil MP.dig(bytes, "none", 1)
      assert_equal [], MP.dig(MP.pack([[]] * 500_000, compression: form), 499_999), "one object"
      assert_raises(EOFError) { MP.dig(bytes[0, 100], "text") }
    end
  end

  # --- extension types -------------------------------------------------------------------------------------------------

  def test_registered_types_come_first
    FORMS.each do |form|
      factory = MP::Factory.new
      factory.register_type(form == :lz4 ? 98 : 99, Rational, packer: :to_s, unpacker: lambda(&:bytesize))
      bytes = MP.pack(VALUE, compression: form)
      found = factory.load(bytes)

      assert_equal form == :lz4 ? Array : Integer, found.class
      assert_equal found, factory.unpacker.feed(bytes).read
      assert_equal found, factory.load(bytes, compression: :lz4)
      other = (FORMS - [form]).first

      assert_equal VALUE, factory.load(MP.pack(VALUE, compression: other)), "the other one has another number"
      assert_equal VALUE, factory.load(factory.dump(VALUE, compression: other))
    end
  end

  # It would read what it has written as something else.
  def test_a_factory_with_a_type_of_the_same_number_does_not_compress
    one, both = [[98], [98, 99]].map do |numbers|
      MP::Factory.new.tap do |factory|
        numbers.zip([Rational, Complex]) { |type, klass| factory.register_type(type, klass, packer: :to_s, unpacker: :to_s) }
      end
    end
    { [one, :lz4] => "writes the extension type 98, which this factory reads as Rational (use compression: :lz4_block)",
      [both, :lz4_block] => "which this factory reads as Complex (choose other numbers than 98 and 99)" }
      .each do |(factory, compression), message|
      [-> { factory.dump(VALUE, compression:) }, -> { factory.dump(VALUE, StringIO.new, compression:) },
       -> { factory.pool(1, compression:) }].each do |call|
        assert_includes assert_raises(ArgumentError, &call).message, message
      end
    end
  end

  def test_unknown_types_that_are_wanted_as_they_are
    block = MP.pack(VALUE, compression: :lz4_block)
    array = MP.pack(VALUE, compression: :lz4)

    assert_equal 99, MP.unpack(block, allow_unknown_ext: true).type
    assert_equal 98, MP.unpack(array, allow_unknown_ext: true)[0].type
    assert_equal 99, MP::Unpacker.new(allow_unknown_ext: true).feed(block).read.type
    assert_equal 99, MP.dig(block, allow_unknown_ext: true).type
    [block, array].each do |bytes|
      assert_equal VALUE, MP.unpack(bytes, allow_unknown_ext: true, compression: :lz4)
      assert_equal VALUE, MP::Unpacker.new(allow_unknown_ext: true, compression: :lz4).feed(bytes).read
      assert_equal 81, MP.dig(bytes, "numbers", 9, allow_unknown_ext: true, compression: :lz4)
    end
  end

  def test_types_inside
    factory = MP::Factory.new
    factory.register_type(1, Rational, packer: :to_s, unpacker: ->(text) { Rational(text) })
    value = [1r / 3] * 30

    FORMS.each { |form| assert_equal value, factory.load(factory.dump(value, compression: form)) }
  end

  # Only the whole value is looked at.
  def test_compressed_bytes_inside_a_value
    inner = LZ4Blocks.block_payload(MP.pack(VALUE))

    assert_raises(MP::UnknownExtTypeError) { MP.unpack("\x92\x01".b + inner) }
    assert_raises(MP::UnknownExtTypeError) { MP.unpack(LZ4Blocks.block_payload(inner)) }
    assert_nil MP.dig(LZ4Blocks.block_payload(inner), "a")
    assert_raises(MP::UnknownExtTypeError) { MP.unpack("\x92\xd4\x61\x00\xc0".b) }
  end

  # --- faults ----------------------------------------------------------------------------------------------------------

  def test_every_truncation
    FORMS.each do |form|
      bytes = MP.pack(VALUE, compression: form)
      bytes.bytesize.times do |size|
        assert_raises(EOFError) { MP.unpack(bytes[0, size]) }
        assert_raises(EOFError) { MP.unpack(bytes[0, size], compression: :lz4) }
        assert_raises(EOFError) { MP::Unpacker.new.feed(bytes[0, size]).read }
      end
      error = assert_raises(MP::MalformedFormatError) { MP.unpack("#{bytes}\x01") }

      assert_equal bytes.bytesize, error.offset
    end
  end

  def test_mutations
    FORMS.each do |form|
      bytes = MP.pack(VALUE, compression: form)
      1000.times do
        mutated = bytes.dup
        (1 + random.rand(3)).times { mutated.setbyte(random.rand(mutated.bytesize), random.rand(256)) }
        whole = attempt { MP.unpack(mutated, untrusted: true) }
        stream = attempt { MP::Unpacker.new(untrusted: true).feed(mutated).full_unpack }

        assert_equal whole, stream unless whole == :error || whole.to_s.include?("NaN")
      end
    end
  end

  def test_faults_say_where_they_are
    bytes = MP.pack(VALUE, compression: :lz4_block)
    bytes.setbyte(4, 0xc0)
    error = assert_raises(MP::MalformedFormatError) { MP.unpack(bytes, compression: :lz4) }

    assert_equal ["a compressed value must begin with the sizes of its LZ4 blocks (byte 4)", 4],
                 [error.message, error.offset]
    assert_raises(MP::UnknownExtTypeError, "somebody else's type") { MP.unpack(bytes) }
    ["", "\xCF", "\xD2\x00"].each do |data| # these end before that is certain
      error = assert_raises(MP::MalformedFormatError) { MP.unpack(LZ4Blocks.ext(99, data.b)) }

      assert_includes error.message, "a compressed value must begin with"
    end
    bytes = LZ4Blocks.ext(99, LZ4Blocks.signed(70, 4) + LZ4Blocks.literal_block("a" * 71))
    error = assert_raises(MP::MalformedFormatError) { MP::Unpacker.new.feed("\x01".b + bytes).each { nil } }

    assert_equal 1, error.message_offset
    assert_includes 9..12, error.offset
    wrong = LZ4Blocks.block_payload("\x92\x01\xc1".b + ("a" * 70))
    error = assert_raises(MP::MalformedFormatError) { MP.unpack(wrong) }

    assert_equal [2, 0, "[1]"], [error.offset, error.message_offset, error.path]
    assert_includes error.message, ", in the decompressed payload"
    error = assert_raises(EOFError) { MP.unpack(LZ4Blocks.block_payload("\x92\xd9\xff".b + ("a" * 99))) }

    assert_includes error.message, "decompressed"
  end

  # It may be of a class like those of our errors, whose `new` takes something else.
  def test_an_error_of_an_unpacker_stays_as_it_is
    errors = [EOFError, MP::UnpackError, Sparpack::DecodeError].map do |klass|
      Class.new(klass) { def initialize(one, two) = super("#{one} #{two}") }.new("this", "failed")
    end
    errors.push(Sparpack::DecodeError.new("mine"), MP::MalformedFormatError.new("mine"))
    errors.product(FORMS) do |error, form|
      factory = MP::Factory.new
      factory.register_type(5, Rational, packer: :to_s, unpacker: ->(_) { raise error })
      bytes = factory.dump([1r] * 100, compression: form)

      assert_same error, assert_raises(error.class) { factory.load(bytes) }
      assert_same error, assert_raises(error.class) { factory.unpacker.feed(bytes).read }
    end
  end

  def test_reading_goes_on_after_a_fault
    bad = LZ4Blocks.ext(99, LZ4Blocks.signed(70, 4) + LZ4Blocks.literal_block("a" * 71))
    unpacker = MP::Unpacker.new.feed(bad + MP.pack(VALUE, compression: :lz4))

    assert_raises(MP::MalformedFormatError) { unpacker.read }
    assert_equal VALUE, unpacker.read
  end

  def test_limits
    size = MP.pack(LARGE).bytesize
    FORMS.each do |form|
      bytes = MP.pack(LARGE, compression: form)
      exact = Sparpack::Limits.new(decompressed: size)

      assert_equal LARGE, MP.unpack(bytes, limits: exact)
      [->(options) { MP.unpack(bytes, **options) }, ->(options) { MP::Unpacker.new(options).feed(bytes).read },
       ->(options) { MP.dig(bytes, 1, **options) }].each do |call|
        error = assert_raises(MP::LimitExceeded) { call.call({ limits: exact.with(decompressed: size - 1) }) }

        assert_includes error.message, "more than #{size - 1} bytes of one value when it is decompressed"
      end
      assert_raises(MP::LimitExceeded) { MP.unpack(bytes, limits: Sparpack::Limits.new(memory: size - 1)) }
      assert_raises(MP::LimitExceeded) { MP.unpack(bytes, limits: Sparpack::Limits.new(container: 100)) }
      assert_equal LARGE.size, MP.unpack(bytes, limits: Sparpack::Limits.new(message: bytes.bytesize)).size
      assert_raises(MP::LimitExceeded) { MP.unpack(bytes, limits: Sparpack::Limits.new(message: bytes.bytesize - 1)) }
    end
    assert_equal LARGE, MP.unpack(MP.pack(LARGE, compression: :lz4), limits: Sparpack::Limits.new(container: 5_000))
    claim = LZ4Blocks.ext(99, LZ4Blocks.signed((64 << 20) + 1, 4) + LZ4Blocks.literal_block("a" * 100))
    assert_raises(MP::LimitExceeded) { MP.unpack(claim) }
  end

  # Nobody has to know that bytes are compressed, and then nobody expects much of few of them.
  def test_memory
    FORMS.each do |form|
      bytes = MP.pack([[]] * 500_000, compression: form)
      calls = [->(options) { MP.unpack(bytes, **options) }, ->(options) { MP::Unpacker.new(options).feed(bytes).read },
               ->(options) { MP.dig(bytes, **options) }, ->(options) { MP.load(StringIO.new(bytes), options) }]

      assert_operator bytes.bytesize, :<, 10_000
      calls.each do |call|
        assert_equal 500_000, call.call({ compression: :lz4 }).size
        assert_equal 500_000, call.call({ limits: Sparpack::Limits.new(memory: 50_000_000) }).size
        error = assert_raises(MP::LimitExceeded) { call.call({}) }

        assert_match(/more than 1[67]\d{6} bytes .*, in the decompressed payload/, error.message)
      end
    end
    assert_raises(MP::LimitExceeded) { MP.unpack(MP.pack("x" * 24_000_000, compression: :lz4_block)) }
    assert_equal LARGE, MP.unpack(MP.pack(LARGE, compression: :lz4))
  end

  # The blocks of a value are not elements of an Array, wherever its bytes end.
  def test_the_number_of_blocks
    bytes = MP.pack("x" * 200_000, compression: :lz4)
    options = { limits: Sparpack::Limits.new(container: 3) }

    [{}, { compression: :lz4 }].each do |more|
      assert_equal 200_000, MP.unpack(bytes, **options, **more).size
      assert_equal 200_000, MP.dig(bytes, **options, **more).size
      assert_equal 200_000, MP::Unpacker.new({ **options, **more }).feed(bytes).read.size
    end
    unpacker = MP::Unpacker.new({ **options, compression: :lz4 })
    found = bytes.each_char.flat_map { |byte| unpacker.feed_each(byte).to_a }

    assert_equal [200_000], found.map(&:size)
    assert_raises(MP::LimitExceeded) { MP.unpack(MP.pack([1] * 4), **options, compression: :lz4) }
    ["\x94", "\xDC\0\4", "\xDD\0\0\0\4", "\xC7"].each do |head|
      assert_raises(EOFError, MP::LimitExceeded) { MP.unpack(head.b, **options, compression: :lz4) }
      assert_raises(EOFError) { MP::Unpacker.new({ compression: :lz4 }).feed(head.b).read }
    end
  end

  private

  def attempt
    yield
  rescue MP::UnpackError, EOFError
    :error
  end
end
