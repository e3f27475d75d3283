# frozen_string_literal: true

require "test_helper"
require "support/deadline"
require "support/reading"
require "socket"
require "stringio"
require "tempfile"

using WireForms

# Ios that show what comes next: decode_from asks them for as many bytes as they have of an object, and for none behind it.
class PeekTest < Minitest::Test
  include Deadline
  include Reading
  extend Reading::Wires

  class Entry < Sparpack::Struct
    field 1, :id, :i64
    field 2, :text, :string
    field 3, :numbers, list(:i64)
  end

  LARGE = [Entry.new(id: 1, text: "x" * 50_000), Entry.new(id: 2, numbers: [1 << 40] * 5_000),
           Entry.new(id: 3, text: "ü\"\\\n" * 9_000)].freeze
  REST = "somebody else's".b

  # An io that shows its bytes, with its name.
  SHOWN = {
    "StringIO" => ->(bytes) { StringIO.new(bytes) },
    "frozen StringIO" => ->(bytes) { StringIO.new(bytes.dup.freeze) },
    "file" => ->(bytes) { File.open(PeekTest.file(bytes).path) },
    "socket" => ->(bytes) { PeekTest.socket(bytes) }
  }.freeze
  FILES = [] # rubocop:disable Style/MutableConstant -- so that they are not collected

  def self.file(bytes) = FILES.push(Tempfile.new.tap { |file| file.binmode.write(bytes) && file.close }).last

  # The kernel holds all bytes before the first one is read.
  def self.socket(bytes)
    one, other = UNIXSocket.pair
    other.setsockopt(:SOCKET, :SNDBUF, 1 << 20)
    other.write(bytes)
    other.close
    one
  end

  def reads(&)
    count = 0
    TracePoint.new(:call, :c_call) { |point| count += 1 if point.method_id == :readpartial }.enable(&)
    count
  end

  # A message with the texts would be too long.
  def assert_same_entries(expected, read)
    different = expected.each_index.reject { |index| expected[index] == read[index] }

    assert_equal [[], expected.size], [different, read.size]
  end

  SHOWN.each do |name, open|
    each_wire "large objects take few reads from a #{name}" do |wire|
      LARGE.each do |object|
        io = open.call(object.encode(wire) + REST)
        read = nil

        assert_operator reads { read = within("reading") { Entry.decode_from(io, wire) } }, :<=, 6
        assert_same_entries [object], [read]
        assert_equal REST, io.read(100).b
      end
    end
  end

  def test_lines_take_few_reads
    bytes = LARGE.map { |object| "#{object.encode(:json)}\n" }.join("\n")
    SHOWN.each_value do |open|
      io = open.call(bytes + REST)
      read = nil
      count = reads { read = within("reading") { Array.new(3) { Entry.decode_from(io, :json, frame: :lines) } } }

      assert_same_entries LARGE, read
      assert_equal REST, io.read(100).b
      assert_operator count, :<=, 20
    end
  end

  # Nothing but the number of bytes to ask for is taken from what an io shows.
  def test_an_io_that_reads_in_a_way_of_its_own
    bytes = LARGE[0].encode(:json)
    io = StringIO.new(bytes.tr("x", "y"))
    io.define_singleton_method(:readpartial) { |size| super(size).tr("y", "x") }

    assert_nil Sparpack::Peek.of(io)
    assert_equal LARGE[0].text.bytesize, Entry.decode_from(io, :json).text.count("x")
    assert_nil Sparpack::Peek.of(IO.pipe[0])
    File.open(File::NULL) { |null| assert_nil Sparpack::Peek.of(null) }
    assert_nil Sparpack::Peek.of(Class.new(BasicObject) { def respond_to?(*) = true }.new)
  end

  each_wire "bytes in Ruby's own buffer come first" do |wire|
    bytes = LARGE[0].encode(wire)
    SHOWN.except("frozen StringIO").each_value do |open|
      io = open.call("abc".b + bytes.byteslice(40..) + REST)
      io.readpartial(3)
      bytes.byteslice(0, 40).bytes.reverse_each { |byte| io.ungetbyte(byte) }

      assert_same_entries [LARGE[0]], [within("reading") { Entry.decode_from(io, wire) }]
      assert_equal REST, io.read(100).b
    end
  end

  # An object that comes in pieces, with the next one behind the last piece.
  each_wire "pieces from a socket" do |wire|
    bytes = LARGE[2].encode(wire)
    one, other = UNIXSocket.pair
    thread = Thread.new do
      (bytes * 2).b.scan(/.{1,7001}/m) { |piece| other.write(piece) && sleep(0.002) }
      other.close
    end

    assert_same_entries [LARGE[2], LARGE[2], nil], within("reading") { Array.new(3) { Entry.decode_from(one, wire) } }
    thread.join
  end

  # As many bytes are taken as without looking ahead, because more would be lost.
  def test_bytes_that_cannot_be_an_object
    blind = ->(all) { StringIO.new(all).tap { |io| io.define_singleton_method(:readpartial) { |size| super(size) } } }
    ["{\"id\":1,\"text\":\"#{"x" * 100}\\q\"}", '{"id":1,"later":[1,2,}', '{"id":tru,'].each do |bad|
      left = [SHOWN["socket"], blind].map do |open|
        io = open.call(bad + ("z" * 500))
        assert_raises(Sparpack::DecodeError) { within("reading") { Entry.decode_from(io, :json) } }
        io.read(1000).bytesize
      end

      assert_equal left[1], left[0], bad
    end
  end

  def test_the_limit_of_a_message
    bytes = LARGE[0].encode(:json)
    SHOWN.each_value do |open|
      exact, short = [0, 1].map { |less| Sparpack::Limits.new(message: bytes.bytesize - less) }
      [nil, :lines].each do |frame|
        source = -> { open.call("#{bytes}\n") }

        assert_same_entries LARGE[0, 1], [Entry.decode_from(source.call, :json, frame:, limits: exact)]
        assert_raises(Sparpack::DecodeError::LimitExceeded) { Entry.decode_from(source.call, :json, frame:, limits: short) }
        each = ->(limits) { Entry.decode_each(source.call, :json, frame:, limits:).to_a }
        assert_raises(Sparpack::DecodeError::LimitExceeded) { each.call(short) }
        assert_same_entries LARGE[0, 1], each.call(exact) if frame
      end
    end
  end
end
