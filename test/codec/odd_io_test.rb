# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"

# Ios that behave in unusual ways: they have nothing for now, return Strings in any encoding, or return something else.
# Whatever reads from an io reads everything that comes, and leaves the io's Strings as they are.
class OddIoTest < Minitest::Test
  MP = Sparpack::MessagePack

  class Entry < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :text, :string
  end

  CODEC = Entry.codec
  # The sanitizers are slow. Fewer entries are cut in as many ways.
  COUNT = ENV["SPARPACK_MODE"] == "sanitize" ? 100 : 250
  ENTRIES = Array.new(COUNT) { |id| Entry.new(id:, text: "line #{id} #{"ü" * (id % 50)}") }.freeze
  VALUES = ENTRIES.map { |entry| [entry.id, entry.text] }.freeze
  PACKED = VALUES.map { |value| MP.pack(value) }.join.freeze

  # Returns the given answers one after another, whatever it is asked for, and raises those that are exceptions.
  class Script
    attr_reader :asked

    def initialize(answers)
      @answers = answers
      @asked = 0
    end

    def more(*answers) = @answers.concat(answers)

    def readpartial(_size, _into = nil)
      @asked += 1
      answer = @answers.respond_to?(:call) ? @answers.call : @answers.shift
      answer.is_a?(Exception) ? raise(answer) : answer
    end
  end

  # The same with `read`, which takes only a size.
  class Reader
    def initialize(answers) = @script = Script.new(answers)

    def read(size) = @script.readpartial(size)
  end

  # A String whose methods lie about it.
  class Liar < String
    def empty? = true
    def bytesize = 0
    def encoding = Encoding::BINARY
    def to_str = raise("not called")
    alias b to_str
    alias dup to_str
  end

  def self.convert(io, to)
    target = StringIO.new("".b)
    Sparpack::Convert.run(Sparpack::Convert::Source.new(io, "io"), Sparpack::Convert::StreamTarget.new(target), to:)
    target.string
  end

  # Everything that reads an io to its end: [the bytes to read, what reads them].
  READERS = {
    "decode_each" => [ENTRIES.map(&:encode).join, ->(io) { CODEC.decode_each(io).to_a }],
    "each" => [PACKED, ->(io) { MP.each(io).to_a }],
    "unpack" => [MP.pack(VALUES), ->(io) { MP.unpack(io) }],
    "Unpacker#each" => [PACKED, ->(io) { MP::Unpacker.new(io).each.to_a }],
    "Unpacker#read" => [PACKED, ->(io) { MP::Unpacker.new(io).then { |unpacker| VALUES.map { unpacker.read } } }],
    "Unpacker#skip" => [PACKED, ->(io) { MP::Unpacker.new(io).then { |unpacker| VALUES.map { unpacker.skip } } }],
    "Unpacker#read_array_header" => [MP.pack(VALUES), ->(io) { MP::Unpacker.new(io).read_array_header }],
    "Buffer#read" => [PACKED, ->(io) { MP::Buffer.new(io).read }],
    "Buffer#read_all" => [PACKED, ->(io) { MP::Buffer.new(io).read_all(PACKED.bytesize) }],
    "convert to JSON" => [PACKED, ->(io) { convert(io, :json) }],
    "convert to MessagePack" => [JSON.generate(VALUES).b, ->(io) { convert(io, :msgpack) }]
  }.freeze

  ENCODINGS = %w[utf-8 utf-16le ascii-8bit us-ascii iso-2022-jp utf-32be].freeze

  ODD = {
    "empty Strings in the middle" => ->(pieces) { pieces.flat_map { |piece| ["", piece] } },
    # An io that returns 100 in a row is refused. After every piece they would take most of the time of this file.
    "many empty Strings in the middle" => lambda { |pieces|
      [*[""] * 99, *pieces.flat_map.with_index { |piece, i| (i % 20).zero? ? [piece, *[""] * 99] : [piece] }]
    },
    "an empty String before the end" => ->(pieces) { [*pieces, "", nil] },
    "EOFError at the end" => ->(pieces) { [*pieces, *Array.new(2) { EOFError.new("over") }] },
    "encodings" => lambda { |pieces|
      pieces.each_with_index.map { |piece, i| piece.dup.force_encoding(ENCODINGS[i % ENCODINGS.size]) }
    },
    "frozen Strings" => ->(pieces) { pieces.map { |piece| piece.dup.force_encoding("utf-8").freeze } },
    "Strings of a subclass" => ->(pieces) { pieces.map { |piece| Liar.new(piece) } }
  }.freeze

  def test_odd_answers
    READERS.each do |name, (bytes, read)|
      expected = read.call(StringIO.new(bytes))
      ODD.each do |odd, arrange|
        [5, 333, bytes.bytesize].each do |size|
          [Script, Reader].each do |io|
            answers = arrange.call(bytes.unpack("#{"a#{size}" * (bytes.bytesize / size)}a*").reject(&:empty?))
            before = told(answers)

            assert_equal expected, read.call(io.new(answers.dup)), "#{name}: #{odd} of #{size} bytes"
            assert_equal before, told(answers), "#{name} changed #{odd}"
          end
        end
      end
    end
  end

  # Such an io returns everything that it has, however many bytes were asked for.
  def test_more_than_was_asked_for
    READERS.each do |name, (bytes, read)|
      large = ["unpack", "convert to MessagePack"].include?(name) ? bytes : bytes * 50 # more than one read takes

      assert_equal read.call(StringIO.new(large)), read.call(Script.new([large.dup])), name
    end
  end

  # Otherwise it would be asked for ever.
  def test_nothing_but_empty_strings
    READERS.each do |name, (bytes, read)|
      ["", bytes.byteslice(0, 2)].each do |before|
        answers = [before]
        io = Script.new(-> { answers.shift || "" })
        error = assert_raises(EOFError, name) { read.call(io) }

        assert_equal "OddIoTest::Script#readpartial returned \"\" 100 times in a row " \
                     "(at its end an io must return nil or raise EOFError)",
                     error.message
        assert_operator io.asked, :<=, 102, name
      end
    end
  end

  # Nothing that was read is lost. An unpacker continues when the io has more.
  def test_an_unpacker_goes_on_after_empty_strings
    io = Script.new(["\x01\x92\x02".b, *[""] * 100])
    unpacker = MP::Unpacker.new(io)

    assert_equal 1, unpacker.read
    assert_raises(EOFError) { unpacker.read }
    io.more("\x03\x04".b, *[""] * 100)

    assert_equal [[2, 3], 4], [unpacker.read, unpacker.read]
    found = []
    assert_raises(EOFError) { unpacker.each { |value| found << value } }
    io.more("\x05".b)
    unpacker.each { |value| found << value }

    assert_equal [5], found
  end

  def test_what_is_no_string
    stringlike = Class.new { def to_str = "\x01" }.new
    READERS.each do |name, (bytes, read)|
      [5, :piece, true, [bytes], stringlike].each do |answer|
        [[answer], [bytes.byteslice(0, 2), answer]].each do |answers|
          message = assert_raises(TypeError, name) { read.call(Script.new(answers)) }.message

          assert_equal "OddIoTest::Script#readpartial returned #{answer.class}, not a String or nil", message
        end
      end
    end
  end

  # The caller gets what the io raises.
  def test_ios_that_raise
    READERS.each do |name, (bytes, read)|
      [IOError.new("gone"), Errno::ECONNRESET.new, RuntimeError.new("no"), Interrupt.new("")].each do |raised|
        error = assert_raises(raised.class, name) { read.call(Script.new([bytes.byteslice(0, 2), raised])) }

        assert_same raised, error
      end
    end
  end

  private

  def told(answers)
    answers.grep(String).map { |text| [text.class, Kernel.instance_method(:frozen?).bind_call(text), text.unpack1("a*")] }
  end
end
