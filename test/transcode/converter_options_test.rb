# frozen_string_literal: true

require "test_helper"
require "stringio"

# The options of Converter.new and Converter#copy_stream: those of the codecs of each side, and frames.
class ConverterOptionsTest < Minitest::Test
  module Colour
    extend Sparpack::Enum

    RED = 1
  end

  class Paint < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :colour, Colour
    field 3, :name, :string
  end

  # Knows one field less, and has another type of another.
  class Old < Sparpack::Struct
    field 1, :id, :string
    field 2, :colour, Colour
  end

  WIRES = Sparpack::WIRES
  PAINTS = Ractor.make_shareable((1..3).map { |i| Paint.new(id: i, colour: i, name: "n#{i}") })
  C = Sparpack::Converter

  # Gives pieces of bytes without an end, and counts them.
  class Endless
    attr_reader :given

    def initialize(*pieces)
      @pieces = pieces
      @given = 0
    end

    def readpartial(_size)
      piece = @pieces.size > 1 ? @pieces.shift : @pieces.first
      @given += piece.bytesize
      piece
    end
  end

  def test_options_of_what_is_written
    bytes = PAINTS.first.encode

    assert_equal '{"id":"1","colour":"RED","name":"n1"}', to_json(bytes, enums: :names, i64: :string)
    assert_equal PAINTS.first.encode(:message_pack, keys: :names, enums: :names),
                 Paint.convert(bytes, from: :compact, to: :message_pack, keys: :names, enums: :names)
    assert_raises(Sparpack::DecodeError::TypeMismatch) { to_json(PAINTS[1].encode, validate: :strict) }
    assert_raises(Sparpack::DecodeError::LimitExceeded) { to_json(bytes, limits: Sparpack::Limits.new(string: 1)) }
    assert_equal Sparpack::Limits.new(string: 1),
                 C.new(Paint, from: :compact, to: :json, limits: Sparpack::Limits.new(string: 1)).to.options[:limits]
  end

  def test_options_of_what_is_read
    bytes = PAINTS.first.encode

    assert_raises(Sparpack::DecodeError::TypeMismatch) { Old.convert(bytes, from: :compact, to: :json) }
    assert_equal '{"colour":1}', Old.convert(bytes, from: :compact, to: :json, mismatch: :skip)
    assert_raises(Sparpack::DecodeError) do
      Old.convert(bytes, from: :compact, to: :json, mismatch: :skip, unknown: :reject)
    end
    broken = Paint.new(id: 1, name: "\xFF").encode(utf8: :keep)

    assert_raises(Sparpack::DecodeError) { Paint.convert(broken, from: :compact, to: :binary) }
    assert_equal Paint.new(id: 1, name: "\xFF").encode(:binary, utf8: :keep),
                 Paint.convert(broken, from: :compact, to: :binary, utf8: :keep)
  end

  # The default codec of a class gives way to an option.
  def test_a_default_codec
    own = Class.new(Sparpack::Struct) do
      default_codec :json, enums: :names, frame: :varint
      field 1, :colour, Colour
    end
    bytes = own.new(colour: 1).encode(:compact)

    assert_equal '{"colour":"RED"}', own.convert(bytes, from: :compact, to: :json)
    assert_equal '{"colour":1}', own.convert(bytes, from: :compact, to: :json, enums: :numbers)
    assert_equal "\f{\"colour\":1}".b, copy("\x03#{bytes}".b, own, from: :compact, to: :json, enums: :numbers)
  end

  # The same errors as a codec has.
  def test_options_that_a_wire_does_not_know
    { { to: :compact, enums: :names } => -> { Paint.codec(:compact, enums: :names) },
      { to: :message_pack, i64: :string } => -> { Paint.codec(:message_pack, i64: :string) },
      { to: :json, keys: :names } => -> { Paint.codec(:json, keys: :names) },
      { to: :json, compression: :lz4 } => -> { Paint.codec(:json, compression: :lz4) },
      { to: :json, enums: :name } => -> { Paint.codec(:json, enums: :name) },
      { to: :json, mismatch: :skp } => -> { Paint.codec(:compact, mismatch: :skp) },
      { to: :json, frame: :lines } => -> { Paint.codec(:compact, frame: :lines) },
      { to: :json, limits: 5 } => -> { Paint.codec(:compact, limits: 5) } }.each do |options, call|
      expected = assert_raises(ArgumentError, &call).message

      assert_equal expected, assert_raises(ArgumentError) { C.new(Paint, from: :compact, **options) }.message, options
    end
    error = assert_raises(ArgumentError) { C.new(Paint, from: :compact, to: :binary, to_frame: :lines) }

    assert_equal "to_frame: :lines is for the wire :json, not for :binary (use :varint or :framed)", error.message
  end

  def test_options_beside_a_codec
    codec = Paint.codec
    { { from: codec, to: :json, unknown: :skip } => "unknown: pass it to the codec of from:",
      { from: codec, to: :json, frame: :varint } => "frame: pass it to the codec of from:",
      { from: :json, to: codec, to_frame: :varint } => "frame: pass it to the codec of to:",
      { from: :json, to: codec, enums: :names } => "enums: pass it to the codec of to:",
      { from: codec, to: codec, utf8: :keep } => "utf8: pass it to the codecs of from: and to:" }.each do |options, message|
      assert_equal message, assert_raises(ArgumentError) { C.new(Paint, **options) }.message
    end
    assert_equal :keep, C.new(Paint, from: codec, to: :json, utf8: :keep).to.options[:utf8]
  end

  def test_a_call_has_no_frames
    error = assert_raises(ArgumentError) { Paint.convert("", from: :compact, to: :json, frame: :varint) }

    assert_includes error.message, "unknown option :frame"
  end

  # --- frames ------------------------------------------------------------------------------------------------------------

  FRAMES = [nil, :varint, :framed].freeze

  WIRES.each do |wire|
    define_method("test_frames_of_#{wire}") do
      FRAMES.product(FRAMES) do |frame, to_frame|
        [:compact, wire].each do |to|
          assert_equal stream(to, to_frame), copy(stream(wire, frame), from: wire, to:, frame:, to_frame:)
        end
      end
    end
  end

  def test_lines
    lines = PAINTS.map { |paint| "#{paint.to_json}\n" }.join

    assert_equal stream(:compact, nil), copy("\n#{lines}\n", from: :json, to: :compact, frame: :lines)
    assert_equal lines, copy(stream(:compact, nil), from: :compact, to: :json)
    assert_equal lines.delete("\n"), copy(stream(:compact, nil), from: :compact, to: :json, to_frame: nil)
  end

  def test_frames_of_a_call
    converter = C.new(Paint, from: :compact, to: :binary, frame: :varint)
    target = StringIO.new("".b)
    converter.copy_stream(stream(:compact, :framed), target, frame: :framed, to_frame: :varint)

    assert_equal stream(:binary, :varint), target.string
    { { frame: :line } => "frame: expected one of :varint, :framed, :lines, got :line (did you mean :lines?)",
      { to_frame: :lines } => "to_frame: :lines is for the wire :json, not for :binary (use :varint or :framed)",
      { fram: nil } => "unknown option :fram (did you mean :frame?)" }.each do |options, message|
      error = assert_raises(ArgumentError) { converter.copy_stream("", target, **options) }

      assert_equal message, error.message
    end
  end

  def test_faults_in_frames
    bytes = stream(:compact, :varint)
    target = StringIO.new("".b)
    error = assert_raises(Sparpack::DecodeError::Truncated) do
      C.new(Paint, from: :compact, to: :json, frame: :varint).copy_stream(StringIO.new(bytes[0..-2]), target)
    end

    assert_equal 2, target.string.lines.size
    assert_includes error.message, "in the frame at byte #{error.message_offset}"
    assert_equal bytes.bytesize / 3 * 2, error.message_offset
  end

  # Nothing is believed, and memory grows only as bytes come.
  def test_hostile_streams_keep_their_limits
    { framed: "\x80\0\0\0", varint: "\x80\x80\x80\x80\x08", lines: "{\"name\":\"#{"x" * 1000}" }.each do |frame, head|
      wire = frame == :lines ? :json : :compact
      converter = C.new(Paint, from: wire, to: :binary, frame:, limits: Sparpack::Limits.new(message: 100_000))
      source = Endless.new(head.b, "x".b * 1000)
      error = assert_raises(Sparpack::DecodeError::LimitExceeded) { converter.copy_stream(source, StringIO.new("".b)) }

      assert_equal "at most 100000 bytes", error.expected, frame
      assert_operator source.given, :<=, 102_000, frame
    end
  end

  private

  def to_json(bytes, **options) = Paint.convert(bytes, from: :compact, to: :json, **options)

  def copy(bytes, struct_class = Paint, **options)
    target = StringIO.new("".b)
    converter = C.new(struct_class, **options)

    assert_equal converter.copy_stream(StringIO.new(bytes), target), target.string.bytesize
    target.string
  end

  def stream(wire, frame)
    io = StringIO.new("".b)
    PAINTS.each { |paint| paint.encode_to(io, wire, frame:) }
    io.string
  end
end
