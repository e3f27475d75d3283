# frozen_string_literal: true

require "test_helper"
require "thrift"
require "support/child"
require "support/fresh_ruby"

# How the native core reads and writes objects of the thrift gem. Each test is in a process of its own, because the drop-in
# changes the gem. The gem's own methods have names with `sparpack_gem_` in front there, and say what is expected.
class DropInThriftCoreTest < Minitest::Test
  include Child
  include FreshRuby

  FACTORIES = [::Thrift::CompactProtocolFactory, ::Thrift::BinaryProtocolFactory,
               ::Thrift::BinaryProtocolAcceleratedFactory].freeze
  T = ::Thrift::Types

  module Color
    RED = 1
    BLUE = 5
    VALUE_MAP = { 1 => "RED", 5 => "BLUE" }.freeze
    VALID_VALUES = Set.new([RED, BLUE]).freeze
  end

  class Shade
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: T::I32, name: "color", enum_class: Color },
               2 => { type: T::STRING, name: "name", default: "plain" },
               3 => { type: T::STRING, name: "raw", binary: true, optional: true } }.freeze

    def struct_fields; FIELDS; end # rubocop:disable Style/SingleLineMethods -- as it is generated

    # rubocop:disable all -- as it is generated
    def validate
      raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, 'Required field color is unset!') unless @color
      unless @color.nil? || DropInThriftCoreTest::Color::VALID_VALUES.include?(@color)
        raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, 'Invalid value of field color!')
      end
    end
    # rubocop:enable all

    ::Thrift::Struct.generate_accessors self
  end

  class Choice < ::Thrift::Union
    include ::Thrift::Struct_Union

    FIELDS = { 1 => { type: T::STRING, name: "text" }, 2 => { type: T::STRUCT, name: "shade", class: Shade } }.freeze

    def struct_fields; FIELDS; end # rubocop:disable Style/SingleLineMethods -- as it is generated

    # rubocop:disable all -- as it is generated
    def validate
      raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, 'Union fields are not set.') if get_set_field.nil? || get_value.nil?
    end
    # rubocop:enable all

    ::Thrift::Union.generate_accessors self
  end

  class Picture
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = {
      1 => { type: T::I64, name: "id" }, 2 => { type: T::BOOL, name: "done" }, 3 => { type: T::DOUBLE, name: "size" },
      4 => { type: T::LIST, name: "shades", element: { type: T::STRUCT, class: Shade } },
      5 => { type: T::SET, name: "marks", element: { type: T::STRING } },
      6 => { type: T::MAP, name: "choices", key: { type: T::STRING }, value: { type: T::STRUCT, class: Choice } },
      7 => { type: T::LIST, name: "tags", default: [1], element: { type: T::I16 } }
    }.freeze

    def struct_fields; FIELDS; end # rubocop:disable Style/SingleLineMethods -- as it is generated

    # rubocop:disable all -- as it is generated
    def validate
    end
    # rubocop:enable all

    ::Thrift::Struct.generate_accessors self
  end

  def test_bytes_and_values_are_those_of_the_gem
    seen = on_drop_in do
      FACTORIES.map do |factory|
        bytes = write(factory, picture)
        [bytes == write(factory, picture, "sparpack_gem_write"),
         picture == read(factory, bytes), picture == read(factory, bytes, "sparpack_gem_read"),
         variables(read(factory, bytes)) == variables(read(factory, bytes, "sparpack_gem_read"))]
      end
    end
    assert_equal [[true] * 4] * 3, seen
  end

  def test_objects_are_native
    assert_equal(%w[binary compact], on_drop_in do
      { "compact" => 0, "binary" => 1 }.filter_map do |name, number|
        bytes = Sparpack.const_get(:Native).thrift_encode(picture, number)
        object = Picture.new
        past = Sparpack.const_get(:Native).thrift_decode(object, "x#{bytes}y", 1, number)
        name if past == bytes.bytesize + 1 && object == picture
      end.sort
    end)
  end

  def test_values_that_are_not_native_leave_no_trace
    seen = on_drop_in do
      FACTORIES.flat_map do |factory|
        faulty.map do |object|
          outcome(factory, object, "write") == outcome(factory, object, "sparpack_gem_write")
        end
      end
    end
    assert_equal [true], seen.uniq
  end

  def test_truncated_at_every_byte
    seen = on_drop_in do
      FACTORIES.flat_map do |factory|
        bytes = write(factory, picture)
        (0...bytes.bytesize).map do |size|
          attempt(factory, bytes.byteslice(0, size),
                  "read") == attempt(factory, bytes.byteslice(0, size), "sparpack_gem_read")
        end
      end
    end
    assert_equal [true], seen.uniq
  end

  def test_an_object_that_exists_begins_anew
    seen = on_drop_in do
      FACTORIES.map do |factory|
        %w[read sparpack_gem_read].map do |name|
          object = Picture.new(id: 5, done: true, tags: nil)
          object.send(name, protocol(factory, write(factory, Picture.new(size: 1.5))))
          [variables(object), variables(Picture.allocate.tap { |empty| empty.send(name, protocol(factory, "\0".b)) })]
        end
      end
    end
    seen.each { |ours, theirs| assert_equal theirs, ours }
  end

  def test_serializer_and_deserializer
    assert(on_drop_in do
      FACTORIES.all? do |factory|
        bytes = ::Thrift::Serializer.new(factory.new).serialize(picture)
        bytes == write(factory, picture, "sparpack_gem_write") && bytes.encoding == Encoding::BINARY &&
          ::Thrift::Deserializer.new(factory.new).deserialize(Picture.new, bytes.dup) == picture
      end
    end)
  end

  # Each in front of a memory buffer, and how to get at what was written to it.
  TRANSPORTS = {
    "framed" => ->(memory) { ::Thrift::FramedTransport.new(memory) },
    "buffered" => ->(memory) { ::Thrift::BufferedTransport.new(memory) },
    "header" => ->(memory) { ::Thrift::HeaderTransport.new(memory) },
    "http" => ->(_) { ::Thrift::HTTPClientTransport.new("http://localhost/") }
  }.freeze

  def test_transports_are_native
    seen = on_drop_in do
      without_gem
      TRANSPORTS.to_h { |name, transport| [name, picture_over(name, transport, ::Thrift::MemoryBufferTransport.new)] }
    end

    assert_equal TRANSPORTS.transform_values { true }, seen
  end

  def test_a_buffered_transport_asks_for_no_more_than_a_struct_needs
    asked = on_drop_in do
      without_gem
      pieces = "#{write(FACTORIES[0], picture)}rest".b.each_char.each_slice(50).map(&:join)
      asked = []
      below = Object.new
      below.define_singleton_method(:read) { |size| (asked << size) && pieces.shift }
      Picture.new.tap { |object| object.read(::Thrift::CompactProtocol.new(::Thrift::BufferedTransport.new(below))) }
      [asked.uniq, pieces.size]
    end

    assert_equal [[4096], 0], asked
  end

  def test_while_garbage_is_collected
    assert(on_drop_in(within: 4 * PATIENCE) do
      FACTORIES.all? do |factory|
        bytes = write(factory, picture)
        GC.stress = true
        results = [write(factory, picture), read(factory, bytes)]
        GC.stress = false
        results == [bytes, picture]
      end
    end)
  end

  def test_while_objects_move
    skip "this Ruby does not compact" unless GC.respond_to?(:compact)
    assert(on_drop_in do
      bytes = write(FACTORIES[0], picture)
      5.times.all? do
        GC.compact
        read(FACTORIES[0], bytes) == picture && write(FACTORIES[0], picture) == bytes
      end
    end)
  end

  # The gem reads such a class, although it cannot put the ids in order to write it.
  def test_fields_that_cannot_be_sorted_are_read_by_the_gem
    bytes = write(::Thrift::BinaryProtocolFactory, Shade.new(color: 1))
    seen = on_drop_in do
      fields = Shade.send(:remove_const, :FIELDS)
      Shade.const_set(:FIELDS, fields.merge(nil => { type: T::I32, name: "other" }))
      Shade.new.tap { |shade| shade.read(protocol(::Thrift::BinaryProtocolFactory, bytes)) }.color
    end
    assert_equal 1, seen
  end

  class Tagged
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: T::LIST, name: "tags", default: [+"new"], element: { type: T::STRING } },
               2 => { type: T::BOOL, name: "done" } }.freeze

    def struct_fields; FIELDS; end # rubocop:disable Style/SingleLineMethods -- as it is generated

    # rubocop:disable all -- as it is generated
    def validate
    end
    # rubocop:enable all

    ::Thrift::Struct.generate_accessors self
  end

  # A copy of a default may hold the same objects as the default. Another Ractor must not get these.
  def test_ractors_share_no_defaults
    got, kept = on_drop_in do
      Warning[:experimental] = false
      Tagged.new.read(protocol(FACTORIES[0], "\x00"))
      ractor = Ractor.new do
        tagged = Tagged.allocate
        tagged.instance_variable_set(:@done, true) # an object without variables gets no defaults
        tagged.read(::Thrift::CompactProtocol.new(::Thrift::MemoryBufferTransport.new("\x00")))
        tagged.tags.first.object_id
      rescue StandardError => e
        e.class.name # the native part of the gem is not for Ractors
      end
      [ractor.respond_to?(:value) ? ractor.value : ractor.take, Tagged::FIELDS[1][:default].first.object_id]
    end

    refute_equal kept, got
  end

  class Marked
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: T::SET, name: "marks", default: Set[1, 2], element: { type: T::I32 }, optional: true },
               2 => { type: T::I32, name: "id" } }.freeze

    def struct_fields; FIELDS; end # rubocop:disable Style/SingleLineMethods -- as it is generated

    def validate; end

    ::Thrift::Struct.generate_accessors self
  end

  class Album
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: T::LIST, name: "marked", element: { type: T::STRUCT, class: Marked } },
               2 => { type: T::STRING, name: "text" } }.freeze

    def struct_fields; FIELDS; end # rubocop:disable Style/SingleLineMethods -- as it is generated

    def validate; end

    ::Thrift::Struct.generate_accessors self
  end

  # Ruby copies a Set by code of its own before 4.0, and may run another thread meanwhile.
  def test_bytes_that_change_while_a_default_is_copied
    album = Album.new(marked: Array.new(50) { |id| Marked.new(id:, marks: nil) }, text: "t" * 5_000)
    seen = on_drop_in do
      FACTORIES.map do |factory|
        bytes = "".b << write(factory, album) # shares its memory with no other String
        changes = TracePoint.new(:call) do |call|
          next unless call.method_id == :initialize_dup

          bytes.clear << ("\xFF" * 6_000)
        end
        reader = ::Thrift::Deserializer.new(factory.new)
        found = changes.enable(target_thread: Thread.current) { reader.deserialize(Album.new, bytes) }
        [found.marked.map(&:id) == [*0...50], found.marked.map(&:marks).uniq == [Set[1, 2]], found.text == album.text]
      end
    end

    assert_equal [[true] * 3] * 3, seen
  end

  class Keyed
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: T::UUID, name: "id" }, 2 => { type: T::LIST, name: "ids", element: { type: T::UUID } },
               3 => { type: T::MAP, name: "by_id", key: { type: T::UUID },
                      value: { type: T::SET, element: { type: T::UUID } } } }.freeze

    def struct_fields; FIELDS; end # rubocop:disable Style/SingleLineMethods -- as it is generated

    def validate; end

    ::Thrift::Struct.generate_accessors self

    def self.full
      id = "00112233-4455-6677-8899-aabbccddeeff"
      new(id:, ids: [id], by_id: { id => Set[id] })
    end

    def all = [id, *ids, *by_id.keys, *by_id.values.flat_map(&:to_a)]
  end

  # The protocols of the gem's C extension read them as ASCII-8BIT, the others as UTF-8.
  def test_uuids_have_the_encodings_of_the_gem
    seen = on_drop_in do
      gem = FACTORIES.map { |factory| uuids(factory, :sparpack_gem_read) }
      without_gem
      [FACTORIES.map { |factory| uuids(factory, :read) }, gem]
    end

    assert_equal(%w[ASCII-8BIT UTF-8 ASCII-8BIT], seen[0].map { |ids| ids[0][1] })
    assert_equal seen[1], seen[0]
  end

  WITHOUT_EXTENSION = <<~RUBY
    module Missing
      def require(name) = name == "thrift_native" ? raise(LoadError) : super
    end
    Object.prepend(Missing)
    $VERBOSE = nil
    require "thrift"
    require "sparpack/drop_in/thrift"
    class Keyed
      include ::Thrift::Struct, ::Thrift::Struct_Union
      FIELDS = { 1 => { type: ::Thrift::Types::UUID, name: "id" } }.freeze
      def struct_fields = FIELDS
      def validate = nil
      ::Thrift::Struct.generate_accessors self
    end
    [::Thrift::CompactProtocolFactory, ::Thrift::BinaryProtocolAcceleratedFactory].each do |factory|
      bytes = ::Thrift::Serializer.new(factory.new).serialize(Keyed.new("id" => "00112233-4455-6677-8899-aabbccddeeff"))
      protocol = factory.new.get_protocol(::Thrift::MemoryBufferTransport.new(bytes))
      ::Thrift::Struct.define_method(:sparpack_gem_read) { |*| raise "the gem's own read" }
      puts [protocol.class, Keyed.new.tap { |one| one.read(protocol) }.id.encoding].join(" ")
    end
  RUBY

  def test_without_the_gem
    script = <<~RUBY
      module Missing
        def require(name)
          name == "thrift" ? raise(LoadError.new("no thrift").tap { |e| e.instance_variable_set(:@path, name) }) : super
        end
      end
      Object.prepend(Missing)
      begin
        require "sparpack/drop_in/thrift"
      rescue LoadError => e
        print e.message
      end
    RUBY

    assert_equal "no thrift (add the thrift gem to the Gemfile: the drop-in makes it faster)", fresh_ruby(script)
  end

  def test_uuids_without_the_extension_of_the_gem
    assert_equal "Thrift::CompactProtocol UTF-8\nThrift::BinaryProtocol UTF-8\n", fresh_ruby(WITHOUT_EXTENSION)
  end

  # A StringIO may say anything.
  def test_positions_outside_of_a_string_io
    seen = on_drop_in do
      bytes = write(FACTORIES[0], picture)
      [-1, -(1 << 40), bytes.bytesize + 1, 1 << 62, nil, 1.0].map do |position|
        StringIO.define_method(:pos) { position }
        transport = ::Thrift::HTTPClientTransport.new("http://localhost/")
        transport.instance_variable_set(:@inbuf, StringIO.new(bytes.dup))
        Picture.new.tap { |one| one.read(::Thrift::CompactProtocol.new(transport)) } == picture
      end
    end

    assert_equal [true] * 6, seen, "the gem does not ask for the position"
  end

  private

  # @return [Array] what is read, with its encoding, and whether it is frozen
  def uuids(factory, method)
    object = Keyed.new.tap { |one| one.send(method, protocol(factory, write(factory, Keyed.full))) }
    object.all.map { |id| [id, id.encoding.name, id.frozen?] }
  end

  def on_drop_in(within: PATIENCE, &block)
    in_child(within:) do
      require "sparpack/drop_in/thrift"
      yield
    end
  end

  # Returns whether a picture is read as it was written.
  def picture_over(name, transport, memory)
    out = transport.call(memory)
    compact = ::Thrift::CompactProtocol.new(out)
    picture.write(::Thrift::MultiplexedProtocol.new(compact, "service"))
    case name
    when "http" then out.instance_variable_set(:@inbuf, StringIO.new(out.instance_variable_get(:@outbuf)))
    when "buffered" then out.tap(&:flush).instance_variable_set(:@rbuf, memory.read(memory.available))
    when "header" then out.tap(&:flush).send(:read_frame, 0)
    else out.flush
    end
    Picture.new.tap { |object| object.read(compact) } == picture
  end

  # The gem's own methods fail from now on.
  def without_gem
    [::Thrift::Struct, ::Thrift::Union].product(%i[read write]) do |place, name|
      place.define_method(:"sparpack_gem_#{name}") { |*| raise "the gem's own #{name}" }
    end
  end

  def picture
    Picture.new(id: 1 << 40, done: false, size: 0.5, shades: [Shade.new(color: 1), Shade.new(color: 5, raw: "\xFF".b)],
                marks: Set["a", "ü" * 30],
                choices: { "one" => Choice.new(:text, "text"), "two" => Choice.new(:shade, Shade.new(color: 1, name: "x")) },
                tags: [1, -1] * 20)
  end

  # With a missing field, a bad enum, values of other types, out of range, an empty union, a subclass, and a cycle.
  def faulty
    [{ shades: [Shade.new] }, { shades: [Shade.new(color: 2)] }, { id: "1" }, { id: 1 << 70 }, { size: "x" },
     { tags: [nil] }, { choices: { "x" => Choice.new } }, { shades: [Class.new(Shade).new(color: 1)] },
     { marks: { "a" => 1 } }, { done: 1 },
     { marks: ["a"] }, { size: 3 }].map do |values|
      Picture.new(values)
    end
  end

  def protocol(factory, bytes = nil) = factory.new.get_protocol(::Thrift::MemoryBufferTransport.new(bytes))

  def write(factory, object, name = "write")
    protocol(factory).tap { |out| object.send(name, out) }.trans.then { |t| t.read(t.available) }
  end

  def read(factory, bytes, name = "read") = Picture.new.tap { |object| object.send(name, protocol(factory, bytes)) }

  def variables(object)
    case object
    when ::Thrift::Struct, ::Thrift::Union
      [object.class, object.instance_variables.map { |name| [name, variables(object.instance_variable_get(name))] }]
    when Array, Set then [object.class, object.map { |each| variables(each) }]
    when Hash then object.map { |key, value| [key, key.frozen?, variables(value)] }
    when String then [object, object.encoding, object.frozen?]
    else object
    end
  end

  def outcome(factory, object, name)
    out = protocol(factory)
    [catching { object.send(name, out) }, out.trans.instance_variable_get(:@buf)]
  end

  def attempt(factory, bytes, name)
    object = Picture.new
    input = protocol(factory, bytes)
    [catching { object.send(name, input) }, variables(object), input.trans.available]
  end

  def catching
    yield
  rescue StandardError => e
    [e.class, e.message]
  end
end
