# frozen_string_literal: true

require "test_helper"
require "stringio"
require "support/lz4_blocks"
require "support/seeded"

# The option `compression:` of codecs, and payloads that arrive compressed.
class CompressionTest < Minitest::Test
  include Seeded

  class Note < Sparpack::Struct
    field 0, :id, :i64, required: true
    field 1, :text, :string
    field 2, :tags, list(:string)
    field 3, :sets, map(set(:i32), :string)
  end

  class Bytes < Sparpack::Struct
    field 1, :data, :binary
  end

  class Other < Sparpack::Struct
    field 0, :id, :i64
    field 1, :text, :i32
  end

  class Compressed < Sparpack::Struct
    default_codec :message_pack, compression: :lz4_block

    field 1, :text, :string
  end

  FORMS = %i[lz4 lz4_block].freeze
  KEYS  = %i[array names ids].freeze
  NOTE  = Note.new(id: 7, text: "Berlin " * 40, tags: %w[red green] * 10, sets: { Set[1, 2] => "both" }).freeze
  LARGE = Note.new(id: 8, text: "x" * 40_000, tags: Array.new(9000) { |i| "tag number #{i}" }).freeze
  Limits = Sparpack::Limits

  def test_what_is_compressed_is_read_back
    each_codec do |codec, plain|
      [NOTE, LARGE].each do |note|
        bytes = codec.encode(note)

        assert_operator bytes.bytesize, :<, plain.encode(note).bytesize
        assert_equal [Encoding::BINARY, false], [bytes.encoding, bytes.frozen?]
        assert_equal note, codec.decode(bytes)
        assert_equal note, plain.decode(bytes), "every reader finds it out"
        assert_equal note, Note.decode(bytes, :message_pack)
      end
    end
  end

  # The whole layout, by a reader that is not ours.
  def test_the_bytes_are_those_of_message_pack_csharp
    each_codec do |codec, plain|
      [NOTE, LARGE].each do |note|
        payload = plain.encode(note)
        form, lengths, found = LZ4Blocks.read(codec.encode(note))

        assert_equal codec.options[:compression], form
        assert_equal payload, found
        assert_equal lengths_of(payload, form), lengths
      end
    end
  end

  def test_nothing_under_64_bytes_is_compressed
    FORMS.each do |form|
      { 60 => 63, 61 => 64 }.each do |size, all|
        note = Bytes.new(data: "a" * (size - 1))
        bytes = note.encode(:message_pack)
        compressed = note.encode(:message_pack, compression: form)

        assert_equal all, bytes.bytesize
        assert_equal all < 64, bytes == compressed
        assert_equal note, Bytes.decode(compressed, :message_pack, compression: form)
      end
    end
  end

  # MessagePack-CSharp cuts where its buffers end, so segments may have any size.
  def test_blocks_of_any_size_and_integers_of_any_width
    payload = NOTE.encode(:message_pack)
    halves = [payload.byteslice(0, 100), payload.byteslice(100..)]
    each_size = halves.map(&:bytesize)

    [1, 2, 8].each do |width|
      ext = LZ4Blocks.ext(99, LZ4Blocks.integer(200, width) + LZ4Blocks.literal_block(payload.byteslice(0, 200)))

      assert_raises(Sparpack::DecodeError::Truncated) { Note.decode(ext, :message_pack) } # 200 bytes of the payload
    end
    [2, 4, 8].each do |width|
      lengths = each_size.map { |size| width == 4 ? LZ4Blocks.signed(size, 4) : LZ4Blocks.integer(size, width) }
      bins = halves.map { |half| LZ4Blocks.bin(LZ4Blocks.literal_block(half), width == 8 ? 4 : width) }

      assert_equal NOTE, Note.decode("\x93".b + LZ4Blocks.ext(98, lengths.join) + bins.join, :message_pack)
    end
    assert_equal NOTE, Note.decode(LZ4Blocks.block_payload(payload), :message_pack)
    assert_equal NOTE, Note.decode(LZ4Blocks.array_payload(payload.scan(/.{1,7}/mn)), :message_pack), "an array16"
    assert_equal NOTE, Note.decode(LZ4Blocks.array_payload(["", payload, ""]), :message_pack), "empty blocks"
  end

  # What MessagePack-CSharp writes for [1, "aaaa…"] with 100 of these, byte by byte.
  def test_vectors
    block = "\x5f\x92\x01\xd9\x64\x61\x01\x00\x4b\x50aaaaa".b # 5 literals; 4 + 15 + 75 times the last one; 5 literals
    payload = "\x92\x01\xd9\x64".b + ("a" * 100)

    assert_equal payload, LZ4Blocks.read_block(block)
    [LZ4Blocks.ext(99, "\xd2\x00\x00\x00\x68".b + block), "\x92\xd4\x62\x68\xc6\x00\x00\x00\x0f".b + block].each do |bytes|
      assert_equal "a" * 100, Class.new(Sparpack::Struct) { field 1, :text, :string }.decode(bytes, :message_pack).text
      error = assert_raises(Sparpack::DecodeError::TypeMismatch) { Other.decode(bytes, :message_pack) }

      assert_equal "CompressionTest::Other.text: expected i32, found str (message_pack, byte 2), in the decompressed " \
                   "payload", error.message
      assert_equal [2, 0, "CompressionTest::Other.text"], [error.offset, error.message_offset, error.path]
    end
  end

  def test_streams
    each_codec do |codec, plain|
      bytes = codec.encode(NOTE) + plain.encode(NOTE) + codec.encode(LARGE)
      all = [NOTE, NOTE, LARGE]

      assert_equal all, plain.decode_each(bytes).to_a
      assert_equal all, plain.decode_each(StringIO.new(bytes)).to_a
      assert_equal all, plain.decode_each(Slow.new(StringIO.new(bytes))).to_a
      io = StringIO.new("#{bytes}rest")

      assert_equal all, Array.new(3) { codec.decode_from(io) }
      assert_equal "rest", io.read
      object, offset = plain.decode_prefix("ab".b + bytes, 2)

      assert_equal [NOTE, codec.encode(NOTE).bytesize + 2], [object, offset]
    end
  end

  def test_frames
    codec = Sparpack::Codec.new(Note, :message_pack, compression: :lz4, frame: :varint)
    io = StringIO.new("".b)
    [NOTE, LARGE].each { |note| codec.encode_to(io, note) }

    assert_equal [NOTE, LARGE], codec.decode_each(io.string).to_a
    assert_equal NOTE, codec.decode_from(StringIO.new(io.string))
  end

  # One byte at a time.
  class Slow
    def initialize(io) = @io = io
    def readpartial(_size) = @io.readpartial(rand(1..700))
  end

  def test_the_default_of_a_class
    object = Compressed.new(text: "a" * 1000)

    assert_equal 99, object.encode.getbyte(2)
    assert_equal object, Compressed.decode(object.encode)
    assert_equal object, Compressed.decode(object.encode(:compact), :compact)
    assert_operator object.encode(:message_pack, compression: nil).bytesize, :>, 1000
  end

  # A field of that number is read as what it is, unless the whole payload says that it is compressed.
  def test_extension_types_inside_a_payload_are_left_alone
    inner = LZ4Blocks.block_payload(NOTE.encode(:message_pack))
    bytes = "\x92\x01".b + inner

    assert_equal 1, Class.new(Sparpack::Struct) { field 0, :id, :i64 }.decode(bytes, :message_pack).id
    twice = LZ4Blocks.block_payload(inner)
    error = assert_raises(Sparpack::DecodeError::TypeMismatch) { Note.decode(twice, :message_pack) }

    assert_includes error.message, "found ext"
  end

  def test_options
    message = "the wire :compact does not know the option :compression (known to :message_pack)"

    assert_equal(message, refused { Sparpack::Codec.new(Note, :compact, compression: :lz4) })
    assert_equal(message, refused { NOTE.encode(compression: :lz4) })
    assert_includes refused { NOTE.encode(:json, compression: :lz4) }, "the wire :json does not know"
    assert_equal("compression: expected one of :lz4, :lz4_block, got :zstd",
                 refused { Sparpack::Codec.new(Note, :message_pack, compression: :zstd) })
    assert_equal("compression: expected one of :lz4, :lz4_block, got true",
                 refused { NOTE.encode(:message_pack, compression: true) })
    assert_equal NOTE.encode(:message_pack), NOTE.encode(:message_pack, compression: nil)
  end

  def test_every_truncation
    FORMS.each do |form|
      bytes = NOTE.encode(:message_pack, compression: form)
      bytes.bytesize.times do |size|
        assert_raises(Sparpack::DecodeError::Truncated, "#{form}, #{size}") { Note.decode(bytes[0, size], :message_pack) }
        next if size.zero?

        io = StringIO.new(bytes[0, size])
        assert_raises(Sparpack::DecodeError::Truncated) { Sparpack::Codec.new(Note, :message_pack).decode_from(io) }
      end
      error = assert_raises(Sparpack::DecodeError::Malformed) { Note.decode("#{bytes}x", :message_pack) }

      assert_equal bytes.bytesize, error.offset
    end
  end

  def test_mutations
    FORMS.each do |form|
      bytes = NOTE.encode(:message_pack, compression: form)
      1000.times do
        mutated = bytes.dup
        (1 + random.rand(3)).times { mutated.setbyte(random.rand(mutated.bytesize), random.rand(256)) }
        Note.decode(mutated, :message_pack, limits: Limits.new(decompressed: 1 << 20))
      rescue Sparpack::DecodeError => e
        assert_operator e.offset, :<=, 1 << 20
      end
    end
  end

  def test_where_the_fault_is
    payload = NOTE.encode(:message_pack)
    good = LZ4Blocks.literal_block(payload)
    size = payload.bytesize
    header = ["the header of LZ4 blocks", "other bytes"]
    block = ["an LZ4 block of the size that its header says", "other bytes"]
    length = LZ4Blocks.integer(size)
    faults = {
      LZ4Blocks.ext(99, "\xc0".b + good) => [*header, 4],
      LZ4Blocks.ext(99, LZ4Blocks.signed(-1, 4) + good) => [*header, 4],
      LZ4Blocks.ext(99, LZ4Blocks.integer(1 << 40, 8) + good) => [*header, 4],
      "\x92".b + LZ4Blocks.ext(98, length) + LZ4Blocks.array(1) => [*header, 7],
      "\x92".b + LZ4Blocks.ext(98, length * 2) + LZ4Blocks.bin(good) => [*header, 7],
      "\x93".b + LZ4Blocks.ext(98, length) + (LZ4Blocks.bin(good) * 2) => header,
      LZ4Blocks.ext(99, LZ4Blocks.signed(size + 1, 4) + good) => block,
      LZ4Blocks.ext(99, LZ4Blocks.signed(size - 1, 4) + good) => block
    }
    faults.each do |bytes, (expected, found, offset)|
      error = assert_raises(Sparpack::DecodeError::Malformed) { Note.decode(bytes, :message_pack) }

      assert_equal [expected, found], [error.expected, error.found]
      assert_equal offset, error.offset if offset
      assert_operator error.offset, :<=, bytes.bytesize
    end
  end

  # What the header alone shows is refused at the block. What might be is left to LZ4, which reads the block to its end.
  def test_no_block_becomes_more_than_255_times_larger
    block = LZ4Blocks.literal_block("a" * 100)
    most = 255 * block.bytesize
    { most => true, most + 1 => false }.each do |claim, possible|
      ext = LZ4Blocks.ext(99, LZ4Blocks.signed(claim, 4) + block)
      array = LZ4Blocks.array(2) + LZ4Blocks.ext(98, LZ4Blocks.integer(claim, 4)) + LZ4Blocks.bin(block)
      { ext => block, array => LZ4Blocks.bin(block) }.each do |bytes, part|
        error = assert_raises(Sparpack::DecodeError::Malformed) { Note.decode(bytes, :message_pack) }

        assert_equal "an LZ4 block of the size that its header says", error.expected
        assert_equal possible ? bytes.bytesize : bytes.bytesize - part.bytesize, error.offset
      end
    end
  end

  # Nothing is allocated for what a header claims.
  def test_claims
    claim = LZ4Blocks.ext(99, LZ4Blocks.signed((1 << 31) - 1, 4) + LZ4Blocks.literal_block("a" * 100))
    error = assert_raises(Sparpack::DecodeError::LimitExceeded) { Note.decode(claim, :message_pack, compression: :lz4) }

    assert_equal "CompressionTest::Note: expected at most 67108864 bytes, found a payload that is longer when it is " \
                 "decompressed (message_pack, byte 3)", error.message
    none = Limits.new(decompressed: nil, memory: 1 << 40)
    before = peak
    error = assert_raises(Sparpack::DecodeError::Malformed) { Note.decode(claim, :message_pack, limits: none) }

    assert_equal "an LZ4 block of the size that its header says", error.expected
    assert_operator peak - before, :<, 1 << 20, "memory was taken for 2 GiB, although LZ4 makes no byte more than 255 bytes"
    many = LZ4Blocks.array(15) + LZ4Blocks.ext(98, LZ4Blocks.integer((1 << 31) - 1) * 14)
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Note.decode(many, :message_pack) }
  end

  def test_the_limit
    payload = LARGE.encode(:message_pack)
    FORMS.each do |form|
      bytes = LARGE.encode(:message_pack, compression: form)
      exact = Limits.new(decompressed: payload.bytesize)

      assert_equal LARGE, Note.decode(bytes, :message_pack, limits: exact)
      assert_equal payload, LARGE.encode(:message_pack, limits: exact.with(decompressed: 1)), "it is for reading alone"
      less = exact.with(decompressed: payload.bytesize - 1)
      assert_raises(Sparpack::DecodeError::LimitExceeded) { Note.decode(bytes, :message_pack, limits: less) }
      assert_raises(Sparpack::DecodeError::LimitExceeded) do
        Sparpack::Codec.new(Note, :message_pack, limits: less).decode_each(StringIO.new(bytes)).to_a
      end
      # Other limits hold as for a payload that is not compressed.
      assert_raises(Sparpack::DecodeError::LimitExceeded) { Note.decode(bytes, :message_pack, limits: Limits.new(string: 100)) }
    end
  end

  # A stranger cannot make a reader take more memory by compressing, unless the reader asked for compression.
  def test_the_memory_limit
    object = Bytes.new(data: "\0" * (30 << 20))
    bytes = object.encode(:message_pack, compression: :lz4_block)

    assert_operator bytes.bytesize, :<, 200 << 10
    error = assert_raises(Sparpack::DecodeError::LimitExceeded) { Bytes.decode(bytes, :message_pack) }

    assert_equal "at most #{(16 << 20) + (64 * bytes.bytesize)} bytes", error.expected
    # What follows does not count.
    codec = Sparpack::Codec.new(Bytes, :message_pack)
    [:decode_prefix, ->(reader, all) { reader.decode_each(all).first }].each do |call|
      following = assert_raises(Sparpack::DecodeError::LimitExceeded) do
        call.to_proc.call(codec, bytes + ("\x80".b * (1 << 20)))
      end

      assert_equal [error.expected, error.offset], [following.expected, following.offset]
    end
    assert_equal object, Bytes.decode(bytes, :message_pack, compression: :lz4)
    assert_equal object, Bytes.decode(bytes, :message_pack, limits: Limits.new(memory: 40 << 20))
    assert_raises(Sparpack::DecodeError::LimitExceeded) do
      Bytes.decode(bytes, :message_pack, compression: :lz4, limits: Limits.new(memory: 20 << 20))
    end
  end

  private

  def each_codec
    FORMS.product(KEYS) do |form, keys|
      plain = Sparpack::Codec.new(Note, :message_pack, keys:)
      yield Sparpack::Codec.new(Note, :message_pack, compression: form, keys:), plain
    end
  end

  def lengths_of(payload, form)
    return LZ4Blocks.signed(payload.bytesize, 4) if form == :lz4_block

    whole, rest = payload.bytesize.divmod(32 << 10)
    (LZ4Blocks.integer(32 << 10) * whole) + (rest.zero? ? "" : LZ4Blocks.integer(rest))
  end

  def refused(&) = assert_raises(ArgumentError, &).message

  # Memory that is taken and freed again without being touched counts, too. Only Linux tells.
  #
  # @return [Integer] KiB
  def peak = File.exist?("/proc/self/status") ? File.read("/proc/self/status")[/^VmPeak:\s+(\d+)/, 1].to_i : 0
end
