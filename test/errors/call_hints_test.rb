# frozen_string_literal: true

require "test_helper"
require "stringio"
require "tmpdir"
require "support/fresh_ruby"

# Calls with arguments of a wrong form: the messages say what to pass. And what objects show when they are printed.
class CallHintsTest < Minitest::Test
  include FreshRuby

  MP = Sparpack::MessagePack

  class Line < Sparpack::Struct
    field 1, :id, :i64
  end

  # --- fields -----------------------------------------------------------------------------------------------------------

  def test_a_name_and_a_type_as_keywords
    { -> { field 1, x: :i32 } => "write field 1, :x, :i32)", -> { field 3, x: "A" } => "write field 3, :x, …)",
      -> { field 1 } => "write field 1, :name, :string)", -> { field 1, "a b": 1 } => "write field 1, :name, :string)",
      -> { field :x, type: :i32 } => "write field 1, :name, :string)" }.each do |declaration, hint|
      error = assert_raises(ArgumentError) { Class.new(Sparpack::Struct).class_exec(&declaration) }

      assert_match(/\A#<Class:0x\h+>: wrong number of arguments \(given 1, expected 2\.\.3: #{Regexp.escape(hint)}\z/,
                   error.message)
    end
  end

  def test_the_parts_of_a_container
    { %i[list i32] => "write list(:i32))", %i[map string i8] => "write map(:string, :i8))",
      [Array, Line] => "list(#{Line}))", [Hash, :i8, "A"] => "write map(:i8, …))",
      [Set, :i8] => "write set(:i8))" }.each do |types, hint|
      made = Class.new(Sparpack::Struct)
      error = assert_raises(ArgumentError) { made.field(1, :x, *types) }

      assert_includes error.message, "x: wrong number of arguments (given #{types.size + 2}, expected 2..3: "
      assert_operator error.message, :end_with?, hint
      assert_empty made.members
    end
  end

  def test_flags
    { required: "yes", optional: 1 }.each do |option, value|
      error = assert_raises(Sparpack::SchemaError) { Class.new(Sparpack::Struct) { field 1, :x, :i8, option => value } }

      assert_operator error.message, :end_with?, ".x: #{option}: expected true or false, got #{value.inspect}"
    end
    assert_equal :default, Class.new(Sparpack::Struct) { field 1, :x, :i8, required: nil }.schema[:x].requiredness
  end

  # --- MessagePack ------------------------------------------------------------------------------------------------------

  # They have a method <<, which does not write.
  def test_what_is_no_io
    { 2 => "got Integer (for a file descriptor: IO.for_fd(2, \"wb\"))", -> {} => "got Proc",
      method(:puts) => "got Method" }.each do |io, found|
      [-> { MP.pack(1, io) }, -> { MP::Factory.new.dump(1, io) }, -> { MP::Packer.new(io) }].each do |call|
        assert_equal "expected an io with write or <<, #{found}", assert_raises(TypeError, &call).message
      end
    end
    pieces = []
    MP.pack([1], pieces)

    assert_equal "\x91\x01".b, pieces.join
  end

  def test_nil_is_no_source
    [-> { MP.unpack(nil) }, -> { MP.load(nil) }, -> { MP::Factory.new.load(nil, {}) }].each do |call|
      assert_equal "expected a String, a Pathname or an io with readpartial or read, got NilClass",
                   assert_raises(TypeError, &call).message
    end
    assert_raises(EOFError) { MP::Unpacker.new.read }
  end

  def test_numbers_of_extension_types
    { 200 => "200", -129 => "-129", 2**70 => (2**70).to_s }.each do |type, shown|
      [-> { MP::Factory.new.register_type(type, Line) }, -> { MP::Factory.new.register_builtin(:set, type) },
       -> { MP::Unpacker.new.register_type(type) { nil } }].each do |call|
        assert_equal "an extension type is a number from -128 to 127, not #{shown}", assert_raises(RangeError, &call).message
      end
    end
  end

  # The gem's messages, and what the gem does with nil.
  def test_the_drop_in
    script = <<~RUBY
      require "sparpack/drop_in/msgpack"
      calls = [-> { MessagePack::Factory.new.register_type(200, Range) }, -> { MessagePack.unpack(nil) }]
      print calls.map { |call| call.call rescue [$!.class, $!.message] }.inspect
    RUBY

    told = [[RangeError, "integer 200 too big to convert to `signed char'"], [EOFError, "end of buffer reached"]]

    assert_equal told.inspect, fresh_ruby(script)
  end

  # --- files ------------------------------------------------------------------------------------------------------------

  def test_the_name_of_a_file_as_bytes
    Dir.mktmpdir do |folder|
      name = "#{folder}/ä lines"
      File.binwrite(name, Line.new(id: 1).encode)
      error = assert_raises(Sparpack::DecodeError) { Line.decode_each(name).to_a }

      assert_operator error.message, :end_with?, " (this String is the name of a file: to read it, pass Pathname(name))"
      assert_equal [0, "compact"], [error.message_offset, error.message[/compact/]]
      assert_nil error.cause
      [name.b, "#{name}s", "#{name}\0", folder, "\xFF#{name}", name.encode("UTF-16LE")].each do |other|
        error = assert_raises(Sparpack::DecodeError) { Line.decode_each(other).to_a }

        refute_includes error.message, "the name of a file"
      end
    end
  end

  def test_the_name_of_a_file_as_frames
    Dir.mktmpdir do |folder|
      name = "#{folder}/lines.log"
      File.binwrite(name, "")
      hint = " (this String is the name of a file: to read it, pass Pathname(name))"
      [[:compact, :varint], [:compact, :framed], [:json, :lines]].each do |wire, frame|
        error = assert_raises(Sparpack::DecodeError) { Line.decode_each(name, wire, frame:).to_a }

        assert_operator error.message, :end_with?, hint
        assert_nil error.cause
        other = assert_raises(Sparpack::DecodeError) { Line.decode_each("#{name}s", wire, frame:).to_a }

        refute_includes other.message, "the name of a file"
      end
      skipped = []

      assert_empty Line.decode_each(name, :json, frame: :lines, on_error: ->(error) { skipped << error.message }).to_a
      assert_operator skipped.fetch(0), :end_with?, hint
    end
  end

  def test_idl_texts_as_paths
    ["struct A { 1: i32 x }", "namespace rb A\n", "enum E {A}", "struct A {\n}"].each do |text|
      error = assert_raises(Errno::ENOENT) { Sparpack::IDL.load(text) }

      assert_operator error.message, :end_with?, " (this looks like a text, not like a path: to read a text, use IDL.parse)"
    end
    refute_includes assert_raises(Errno::ENOENT) { Sparpack::IDL.load("struct.thrift") }.message, "text"
  end

  def test_names_of_classes_to_dump
    ["Line", :Line].each do |name|
      error = assert_raises(ArgumentError) { Sparpack::IDL.dump(name) }

      assert_equal "#{name.inspect} is a name: pass the class itself", error.message
    end
  end

  # --- what is printed --------------------------------------------------------------------------------------------------

  def test_to_s_is_inspect
    service = Class.new(Sparpack::Service) { function :ping }
    [Line.schema, Line.schema[:id], Line.codec, Sparpack::Limits.new, service[:ping]].each do |object|
      assert_equal object.inspect, object.to_s
      refute_match(/0x\h+/, object.to_s)
    end
  end

  def test_timestamps
    stamp = MP::Timestamp.new(5, 123_456_789)

    assert_equal [Time.at(5, 123_456_789, :nanosecond), 123_456_789], [stamp.to_time, stamp.to_time.nsec]
    assert_equal Time.at(-1), MP::Timestamp.new(-1, 0).to_time
  end
end
