# frozen_string_literal: true

require "test_helper"
require "zlib"
require "support/fresh_ruby"
require "support/lz4_blocks"
require "support/seeded"

# Sparpack::LZ4, and the native library behind it.
class LZ4Test < Minitest::Test
  include FreshRuby
  include Seeded

  LZ4 = Sparpack::LZ4
  Malformed = Sparpack::DecodeError::Malformed
  Truncated = Sparpack::DecodeError::Truncated
  LimitExceeded = Sparpack::DecodeError::LimitExceeded

  class Bytes < Sparpack::Struct
    field 1, :data, :binary
  end

  def test_there_and_back
    samples.each do |bytes|
      packed = LZ4.deflate(bytes)

      assert_equal([bytes.b, Encoding::BINARY, false], LZ4.inflate(packed).then { |s| [s, s.encoding, s.frozen?] })
      assert_equal [Encoding::BINARY, false], [packed.encoding, packed.frozen?]
    end
  end

  def test_the_usual_names
    packed = LZ4.compress("abc" * 1000)

    assert_equal LZ4.deflate("abc" * 1000), packed
    assert_equal "abc" * 1000, LZ4.decompress(packed, limit: 3000)
    error = assert_raises(ArgumentError) { LZ4.decompress(packed, limits: 5) }
    assert_match(/unknown option :limits .*limit/, error.message)
  end

  def test_the_format
    samples.reject { |bytes| bytes.bytesize > 100_000 }.each do |bytes|
      assert_equal bytes.b, LZ4Blocks.read_block(LZ4.deflate(bytes).then { |packed| packed.byteslice(head(packed)..) })
      assert_equal bytes.b, LZ4.inflate(LZ4Blocks.block_payload(bytes.b))
    end
    bytes = "Sparpack " * 5000

    assert_equal bytes, LZ4.inflate(LZ4Blocks.array_payload(bytes.b.scan(/.{1,9999}/mn)))
    assert_equal bytes, LZ4.inflate(Sparpack::MessagePack.pack(bytes, compression: :lz4)).byteslice(3..), "a block array"
  end

  def test_an_argument_is_neither_changed_nor_kept
    bytes = "abc" * 200_000
    copy = bytes.dup
    packed = LZ4.deflate(bytes)
    bytes << "d"

    assert_equal copy, LZ4.inflate(packed)
    assert_equal LZ4.deflate(copy.freeze), packed
    [nil, 5, :a, ["a"]].each do |wrong|
      assert_raises(TypeError) { LZ4.deflate(wrong) }
      assert_raises(TypeError) { LZ4.inflate(wrong) }
    end
  end

  def test_other_bytes
    ["x", "\xc0", Marshal.dump([1] * 30), "\x04\x22\x4d\x18".b, LZ4Blocks.ext(98, "\x01"), "\x91\x01", "\x93\xd4\x63\x00".b,
     "x\x9cK\xce\x00\x00".b].each do |bytes|
      error = assert_raises(Malformed, bytes.inspect) { LZ4.inflate(bytes) }

      message = "LZ4: expected the header of LZ4 blocks, found other bytes (lz4, byte 0)"
      hints = { "\x04" => " (these bytes are a dump of Marshal: Marshal.load(bytes), if you trust their source)",
                "\x04\x22" => " (these bytes are LZ4 data: decompress them first)" }
      hint = hints.select { |start, _| bytes.b.start_with?(start) }.values.last

      assert_equal "#{message}#{hint}", error.message
      assert_equal [0, nil], [error.offset, error.cause]
    end
    error = assert_raises(Malformed) { LZ4.inflate(Zlib.deflate("abc" * 100)) }

    assert_operator error.message, :end_with?, "(lz4, byte 0) (these bytes are zlib data: Zlib.inflate(bytes))"
    assert_raises(Truncated) { LZ4.inflate("") }
    error = assert_raises(Malformed) { LZ4.inflate("#{LZ4.deflate("a")}b") }

    assert_equal "LZ4: expected the end of the input, found trailing bytes (lz4, byte 10)", error.message
  end

  def test_every_truncation_and_mutation
    [LZ4.deflate("Berlin " * 50), Sparpack::MessagePack.pack(["Berlin " * 9999], compression: :lz4)].each do |packed|
      packed.bytesize.times { |size| assert_raises(Truncated) { LZ4.inflate(packed[0, size]) } }
      2000.times do
        mutated = packed.dup
        (1 + random.rand(3)).times { mutated.setbyte(random.rand(mutated.bytesize), random.rand(256)) }
        LZ4.inflate(mutated, limit: 1 << 20)
      rescue Malformed, Truncated, LimitExceeded => e
        assert_includes 0..mutated.bytesize, e.offset
      end
    end
  end

  def test_the_limit
    packed = LZ4.deflate("a" * 1000)

    assert_equal 1000, LZ4.inflate(packed, limit: 1000).bytesize
    error = assert_raises(LimitExceeded) { LZ4.inflate(packed, limit: 999) }

    assert_equal "LZ4: expected at most 999 bytes, found a payload that is longer when it is decompressed (lz4, byte 3)",
                 error.message
    large = LZ4.deflate("\0" * ((64 << 20) + 1))

    assert_raises(LimitExceeded) { LZ4.inflate(large) }
    assert_equal (64 << 20) + 1, LZ4.inflate(large, limit: nil).bytesize
    [-1, 1.5, "5", 1 << 64].each { |limit| assert_raises(ArgumentError) { LZ4.inflate(packed, limit:) } }
  end

  # --- threads ---------------------------------------------------------------------------------------------------------

  def test_other_threads_run_meanwhile
    bytes = random.bytes(1 << 20) * 8
    packed = LZ4.deflate(bytes)
    assert_other_threads_run { LZ4.deflate(bytes) }
    assert_other_threads_run { LZ4.inflate(packed) }
    assert_other_threads_run { Bytes.new(data: bytes).encode(:message_pack, compression: :lz4) }
  end

  def test_strings_that_other_threads_change
    original = random.bytes(1 << 18) + ("a" * (1 << 20))
    bytes = original.dup
    done = false
    changer = Thread.new do
      until done
        bytes.setbyte(7, 65)
        bytes << "tail"
        bytes.replace(original)
        sleep(0.001)
      end
    end
    8.times { assert_includes 0..5, LZ4.inflate(LZ4.deflate(bytes)).bytesize - original.bytesize }
    packed = LZ4.deflate(original)
    bytes.replace(packed)
    8.times do
      LZ4.inflate(bytes)
    rescue Sparpack::DecodeError
      nil # the bytes were changed before
    end
  ensure
    done = true
    changer&.join
  end

  def test_interrupts
    bytes = random.bytes(1 << 20) * 4
    packed = Sparpack::MessagePack.pack(bytes, compression: :lz4)
    [-> { Sparpack::MessagePack.pack(bytes, compression: :lz4) }, -> { LZ4.inflate(packed) }].each do |call|
      8.times do |i|
        thread = Thread.new { loop { call.call } }
        thread.report_on_exception = false
        sleep(0.001 * (i % 5))
        i.even? ? thread.raise(Interrupt, "now") : thread.kill

        i.even? ? assert_raises(Interrupt) { thread.join(60) } : assert(thread.join(60))
      end
    end
    assert_equal bytes.bytesize + 5, LZ4.inflate(packed).bytesize
  end

  def test_many_threads
    bytes = random.bytes(1 << 18) + ("a" * (1 << 19))
    threads = Array.new(4) { |i| Thread.new { LZ4.inflate(LZ4.deflate(bytes + i.to_s)) } }

    assert_equal((0..3).map { |i| bytes + i.to_s }, threads.map(&:value))
  end

  def test_garbage_collection_at_every_allocation
    value = { "text" => "Berlin " * 100, "many" => Array.new(20) { |i| "n#{i}" } }
    object = Bytes.new(data: "Berlin " * 100)
    [false, true].each do |stress| # loading a Ruby file takes minutes under stress, so everything is loaded before
      GC.stress = stress
      %i[lz4 lz4_block].each { |form| assert_reads_what_it_packs(value, object, form) }
    end
  ensure
    GC.stress = false
  end

  def test_large_ones_under_garbage_collection
    bytes = random.bytes(1 << 19) * 2
    GC.stress = true
    packed = LZ4.deflate(bytes)
    found = LZ4.inflate(packed)
    GC.stress = false

    assert_equal bytes, found
  ensure
    GC.stress = false
  end

  # --- loading ---------------------------------------------------------------------------------------------------------

  RACTORS = <<~'RUBY'
    Warning[:experimental] = false
    require "sparpack/message_pack"
    class Note < Sparpack::Struct
      field 1, :text, :string
    end
    CODEC = Sparpack::Codec.new(Note, :message_pack, compression: :lz4)
    Sparpack::MessagePack
    ractors = Array.new(3) do |i|
      Ractor.new(i) do |number|
        200.times.all? do
          text = "text #{number} " * 60_000
          text = "short #{number} " * 20 if _1 > 3
          note = Note.new(text:)
          packed = Sparpack::MessagePack.pack(text, compression: :lz4_block)
          CODEC.decode(CODEC.encode(note)) == note && Sparpack::MessagePack.unpack(packed) == text &&
            Sparpack::LZ4.inflate(Sparpack::LZ4.deflate(text)).bytesize == text.bytesize
        end
      end
    end
    p ractors.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }
  RUBY

  def test_ractors
    assert_equal "[true, true, true]\n", fresh_ruby(RACTORS)
  end

  # It is loaded when it is asked for, or when bytes are compressed.
  def test_it_is_loaded_late
    program = <<~'RUBY'
      require "sparpack/message_pack"
      loaded = -> { $LOADED_FEATURES.grep(%r{sparpack/lz4}).size }
      Sparpack::MessagePack.unpack(Sparpack::MessagePack.pack([1] * 100))
      print loaded.call
      print Sparpack::MessagePack.unpack("\x92\xd4\x62\x7f\xc6\x00\x00\x00\x08\x1a\xd9\x7d\x01\x00\x50\x00".b) rescue nil
      print loaded.call
    RUBY

    assert_equal "02", fresh_ruby(program)
  end

  # Without the library, whoever asks for compression is told what to do. Bytes raise what bytes may raise.
  def test_without_the_library
    program = <<~'RUBY'
      module Refuse
        def require(name) = name == "sparpack/lz4/native" ? raise(LoadError, "cannot load such file -- #{name}") : super
      end
      Object.prepend(Refuse)
      require "sparpack/message_pack"
      class Note < Sparpack::Struct
        field 1, :text, :string
      end
      bytes = ["c71463d2000000685f9201d96461010000".ljust(46, "0")].pack("H*")
      [-> { Note.new.encode(:message_pack, compression: :lz4) }, -> { Sparpack::Codec.new(Note, :message_pack, compression: :lz4) },
       -> { Sparpack::MessagePack.pack(1, compression: :lz4_block) }, -> { Sparpack::LZ4 }, -> { require "sparpack/lz4" },
       -> { Note.decode(bytes, :message_pack) }, -> { Sparpack::MessagePack.unpack(bytes) }].each do |call|
        call.call
      rescue ScriptError, StandardError => e
        puts "#{e.class}: #{e.message.sub(/ in [^)]*/, " in PATH")}"
      end
      print Note.decode(Note.new(text: "fine").encode(:message_pack), :message_pack).text
    RUBY
    remedy = "the library for LZ4 is not compiled for this Ruby: run `rake compile` in PATH"

    assert_equal [*["LoadError: #{remedy}"] * 5,
                  "Sparpack::DecodeError: Note: expected a payload that is not compressed, found one that is compressed " \
                  "with LZ4 (message_pack, byte 0) (#{remedy})",
                  "Sparpack::MessagePack::UnknownExtTypeError: the value is compressed with LZ4, and the library for that " \
                  "is not there (byte 0) (#{remedy})", "fine"].join("\n"), fresh_ruby(program)
  end

  def test_a_library_of_another_version
    program = <<~RUBY
      require "sparpack"
      Sparpack.send(:remove_const, :VERSION)
      Sparpack::VERSION = "99.0.0"
      begin
        Sparpack::LZ4
      rescue LoadError => e
        print e.message
      end
    RUBY

    assert_match(/\Athe library for LZ4 was compiled for Sparpack \d.\d.\d, and this is 99.0.0: run `rake compile` in /,
                 fresh_ruby(program))
  end

  private

  def samples
    noise = random.bytes(70_000)
    ["", "a", "abc", "ü" * 1000, "a" * 63, "a" * 64, "Berlin " * 40, noise, noise[0, 1000], "a" * 300_000, noise * 6,
     [1, 2, 3].pack("N*") * 30_000]
  end

  def assert_reads_what_it_packs(value, object, form)
    packed = Sparpack::MessagePack.pack(value, compression: form)

    assert_equal value, Sparpack::MessagePack.unpack(packed)
    assert_equal value, Sparpack::MessagePack::Unpacker.new.feed(packed).read
    assert_equal object, Bytes.decode(object.encode(:message_pack, compression: form), :message_pack)
    assert_raises(Malformed) { LZ4.inflate("#{packed}x") }
  end

  # @return [Integer] where the block of a payload with one block begins
  def head(packed) = { 0xc7 => 3, 0xc8 => 4, 0xc9 => 6 }.fetch(packed.getbyte(0), 2) + 5

  # Another thread can see that this one is stopped only while this one does not have the GVL.
  def assert_other_threads_run
    caller = Thread.current
    seen = finished = false
    watcher = Thread.new do
      until seen || finished
        seen = true if caller.stop?
        sleep(0.001)
      end
    end
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 60
    yield until seen || Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline

    assert seen
  ensure
    finished = true
    watcher&.join
  end
end
