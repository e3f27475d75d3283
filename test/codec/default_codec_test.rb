# frozen_string_literal: true

require "test_helper"
require "stringio"

# The default wire and options of a class.
class DefaultCodecTest < Minitest::Test
  class Base < Sparpack::Struct
    default_codec :binary, unknown: :keep
  end

  class Note < Base
    field 1, :id, :i64
  end

  class Other < Note
    default_codec freeze: true
  end

  class Plain < Sparpack::Struct
    field 1, :id, :i64
    field 2, :more, :string
  end

  class Choice < Sparpack::Union
    default_codec :binary
    field 1, :codec, :string
    field 2, :decode, :string
    field 3, :default_codec, :string
  end

  def note = Note.new(id: 1)

  def test_encode_and_decode
    bytes = note.encode

    assert_equal [Plain.new(id: 1).encode(:binary), Plain.new(id: 1).encode], [bytes, note.encode(:compact)]
    assert_equal [note, note], [Note.decode(bytes), Note.decode(note.encode(:compact), :compact)]
    kept = Plain.new(id: 1, more: "x").encode(:binary)

    assert_equal kept, Note.decode(kept).encode
    assert_equal kept, Note.decode(Plain.new(id: 1, more: "x").encode, :compact).encode # the option stays
    assert_equal bytes, Note.decode(kept, unknown: :skip).encode
    assert_raises(Sparpack::DecodeError) { Note.decode(kept, unknown: :reject) }
  end

  def test_streams
    io = StringIO.new("".b)
    2.times { note.encode_to(io) }
    Sparpack.encode_to(note, io)

    assert_equal note.encode * 3, io.string
    assert_equal [[note] * 3, [note] * 3], [Note.decode_each(io.string).to_a, Note.decode_each(io.tap(&:rewind)).to_a]
    assert_equal [note], Note.decode_each(note.encode(:compact), :compact).to_a
    assert_equal [note, note.encode.bytesize], Note.codec.decode_prefix(note.encode)
  end

  def test_codec
    assert_same Note.codec, Note.codec
    assert_equal [:binary, { unknown: :keep }, Note], [Note.codec.wire, Note.codec.options, Note.codec.struct_class]
    { Note.codec(:compact) => [:compact, { unknown: :keep }], Plain.codec => [:compact, {}],
      Note.codec(freeze: true) => [:binary, { unknown: :keep, freeze: true }],
      Sparpack::Codec.new(Note) => [:compact, {}] }.each do |codec, parts|
      assert_equal parts, [codec.wire, codec.options]
    end
    assert_same Plain.codec, Plain.codec
    assert Ractor.shareable?(Note.codec)
  end

  def test_subclasses
    subclass = Class.new(Note)

    assert_equal [subclass, :binary], [subclass.codec.struct_class, subclass.codec.wire]
    assert_instance_of subclass, subclass.decode(note.encode)
    assert_equal [:compact, { freeze: true }], [Other.codec.wire, Other.codec.options]
    assert_predicate Other.decode(Other.new(id: 1).encode), :frozen?
    copy = Note.clone

    assert_same copy, copy.codec.struct_class
  end

  def test_frozen_classes
    frozen = Class.new(Note).freeze

    assert_same frozen.codec, frozen.codec
    assert_equal [:binary, frozen], [frozen.codec.wire, frozen.codec.struct_class]
  end

  class Nested < Sparpack::Struct
    default_codec :binary, limits: Sparpack::Limits.new(depth: 300), freeze: true, unknown: :reject
    field 1, :nested, list("DefaultCodecTest::Nested")
  end

  class Shallow < Sparpack::Struct
    default_codec limits: Sparpack::Limits.new(depth: 3)
    field 1, :nested, list("DefaultCodecTest::Shallow")
  end

  # Serializers of MessagePack call these.
  def test_extension_types
    nested = nest(Nested, 60)
    copy = Nested.from_msgpack_ext(nested.to_msgpack_ext)

    assert_equal [nested, true], [copy, copy.frozen?]
    kept = Plain.new(more: "x").encode

    assert_equal kept, Nested.from_msgpack_ext(kept).to_msgpack_ext # whatever the default
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Shallow.from_msgpack_ext(nested.to_msgpack_ext) }
    assert_raises(Sparpack::EncodeError) { nest(Shallow, 4).to_msgpack_ext }
  end

  def nest(struct, depth) = depth.zero? ? struct.new : struct.new(nested: [nest(struct, depth - 1)])

  def test_unions_variants_win
    assert_equal %w[a b c], [Choice.codec("a"), Choice.decode("b"), Choice.default_codec("c")].map(&:value)
    choice = Choice.codec("a")

    assert_equal Class.new(Sparpack::Union) { field 1, :codec, :string }.codec("a").encode(:binary), choice.encode
  end

  def test_overridden_methods_call_super
    loud = Class.new(Note) { def encode(...) = super.upcase }

    assert_equal note.encode, loud.new(id: 1).encode
  end

  class Keyed < Sparpack::Struct
    default_codec :message_pack, keys: :names, unknown: :keep
    field 1, :text, :string
  end

  def test_another_wire_takes_only_the_options_that_it_knows
    keyed = Keyed.new(text: "x")

    assert_equal({ "text" => "x" }, Sparpack::MessagePack.unpack(keyed.encode))
    assert_equal({ 1 => "x" }, Sparpack::MessagePack.unpack(keyed.encode(:message_pack, keys: :ids)))
    assert_equal keyed, Keyed.decode(keyed.encode(:binary), :binary)
    assert_equal keyed, Keyed.from_msgpack_ext(keyed.to_msgpack_ext)
    assert_raises(ArgumentError) { keyed.encode(:binary, keys: :names) }
  end

  def test_mistakes
    unknown = "unknown wire :binaru (known: #{Sparpack::WIRES.map(&:inspect).join(", ")})"
    { -> { Class.new(Plain) { default_codec :binaru } } => unknown,
      -> { Class.new(Plain) { default_codec freez: true } } => "unknown option :freez (did you mean :freeze?)",
      -> { Note.decode(note.encode, :binaru) } => unknown,
      -> { note.encode(freez: true) } => "unknown option :freez (did you mean :freeze?)" }.each do |call, message|
      assert_equal message, assert_raises(ArgumentError, &call).message
    end
    note.encode
    [Note, Base].each do |klass|
      error = assert_raises(Sparpack::SchemaError) { klass.send(:default_codec, :compact) }

      assert_equal "#{klass} is in use already: declare its default codec before its first use", error.message
    end
    assert_raises(Sparpack::SchemaError) { Sparpack::Struct.send(:default_codec, :compact) }
    assert_raises(ArgumentError) { note.encode(:binary, :compact) }
    assert_raises(ArgumentError) { Note.decode }
  end

  # To make a codec takes several times as long as to read a small payload.
  def test_the_codecs_of_calls_that_read_are_kept
    klass = Class.new(Note)
    reader = ->(owner, *wire, **options) { Sparpack::DefaultCodec.reader(owner, wire, options) }

    assert_same reader.call(klass, :binary), reader.call(klass, :binary)
    assert_same reader.call(klass, :json, freeze: true), reader.call(klass, :json, freeze: true)
    refute_same reader.call(klass, :json, freeze: true), reader.call(klass, :json)
    refute_same reader.call(klass, :binary), reader.call(Note, :binary)
    copy = klass.clone

    assert_same copy, reader.call(copy, :binary).struct_class
    100.times { |depth| reader.call(klass, :json, limits: Sparpack::Limits.new(depth: depth + 1)) }

    assert_operator klass.instance_variable_get(:@recent_codecs).size, :<=, 16
    assert_equal 1, reader.call(klass, :json, limits: Sparpack::Limits.new(depth: 1)).options[:limits].depth
  end
end
