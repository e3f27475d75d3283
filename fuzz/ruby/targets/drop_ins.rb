# frozen_string_literal: true

require "sparpack/drop_in/sparsam"
require "sparpack/drop_in/thrift"
require_relative "../foreign"
require_relative "../target"

module Fuzzing
  # Classes of the thrift gem: in verify mode, native code does what the gem does.
  class ThriftDropIn < Target
    FACTORIES = { compact: Thrift::CompactProtocolFactory.new, binary: Thrift::BinaryProtocolFactory.new }.freeze

    BASES = { struct: Object, union: Thrift::Union, exception: Thrift::Exception }.freeze
    FAULT = "::Thrift::ProtocolException.new(::Thrift::ProtocolException::UNKNOWN"

    # Native code knows the methods that Apache's compiler generates. It leaves classes with others to the gem.
    METHODS = lambda do |made|
      union = made < Thrift::Union
      required = made::FIELDS.values.reject { |field| field[:optional] }
      checks = required.map do |field|
        "raise #{FAULT}, 'Required field #{field[:name]} is unset!') " \
          "#{field[:type] == Thrift::Types::BOOL ? "if @#{field[:name]}.nil?" : "unless @#{field[:name]}"}"
      end
      checks = ["raise(StandardError, 'Union fields are not set.') if get_set_field.nil? || get_value.nil?"] if union
      made.module_eval("def struct_fields; FIELDS; end\ndef validate\n#{checks.join("\n")}\nend", __FILE__, __LINE__)
      (union ? Thrift::Union : Thrift::Struct).generate_accessors(made)
    end

    # Names the classes.
    module Made; end

    MADE = Foreign.new(Thrift::Types, METHODS) do |shape, fields|
      made = Made.const_set("T#{Made.constants.size}", Class.new(BASES.fetch(shape)))
      made.include(*(Thrift::Struct unless shape == :union), Thrift::Struct_Union)
      made.const_set(:FIELDS, fields)
      made
    end

    def initialize
      super
      @found = []
      Sparpack::DropIn.verify(rate: 1) { |difference| @found << difference.to_s }
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      form = choices.pick(FACTORIES.keys)
      bytes = payload(choices, struct_class, form)
      object = read(MADE.class_of(struct_class), FACTORIES.fetch(form), bytes)
      attempt { Thrift::Serializer.new(FACTORIES.fetch(form)).serialize(object) } if object
      find("the gem does it differently", *@found, form, bytes) unless @found.empty?
      object ? :read : :refused
    ensure
      @found.clear
    end

    private

    def read(klass, factory, bytes) = attempt { Thrift::Deserializer.new(factory).deserialize(klass.new, bytes) }

    def attempt
      yield
    rescue StandardError, NoMemoryError
      nil # what the gem raises
    end
  end

  # Structs that come in pieces: the same objects are read as from memory, one after the other, and an error in the same
  # place.
  class Transports < Target
    FACTORIES = ThriftDropIn::FACTORIES
    # Gives one piece after the other, always in the same String.
    class Pieces < Thrift::BaseTransport
      def initialize(bytes, size)
        super()
        @bytes = bytes
        @size = size
        @at = 0
        @given = +"".b
      end

      def read(size)
        raise EOFError if @at == @bytes.bytesize

        @given.replace(@bytes.byteslice(@at, [size, @size].min))
        @at += @given.bytesize
        @given
      end

      def left = @bytes.bytesize - @at
    end

    def run(choices)
      form = choices.pick(FACTORIES.keys)
      structs = Array.new(1 + choices.rand(3)) { Schemas.pick(choices) }
      bytes = structs.map { |struct_class| payload(choices, struct_class, form) }.join.b
      classes = structs.map { |struct_class| ThriftDropIn::MADE.class_of(struct_class) }
      expected = read(classes, form, Thrift::MemoryBufferTransport.new(bytes))
      size = choices.pick([1, 2, 3, 7, 20, 64, 1000, 4096])
      transport = transport(choices, bytes, size)
      found = read(classes, form, transport)
      differs = found != expected
      find("in pieces of #{size}, it differs", form, bytes, classes, expected, found, transport.class) if differs
      found.last ? :read : :refused
    end

    private

    def transport(choices, bytes, size)
      case choices.rand(4)
      when 0, 1 then Thrift::BufferedTransport.new(Pieces.new(bytes, size))
      when 2
        frames = bytes.scan(/.{1,#{size}}/mn).map { |frame| [frame.bytesize].pack("N") + frame }
        Thrift::FramedTransport.new(Thrift::MemoryBufferTransport.new(frames.join))
      else Thrift::BufferedTransport.new(Thrift::IOStreamTransport.new(StringIO.new(bytes), nil))
      end
    end

    # @return [Array<String, nil>] the objects; nil for an error, whose class depends on the transport
    def read(classes, form, transport)
      protocol = FACTORIES.fetch(form).get_protocol(transport)
      read = []
      classes.each do |made|
        object = made.new
        object.read(protocol)
        read << object.inspect
      end
      read
    rescue StandardError, NoMemoryError
      read << nil
    end
  end

  # Classes of the sparsam gem: bytes are refused by its errors, or read, and what is read can be written.
  class SparsamDropIn < Target
    PROTOCOLS = { compact: Sparsam::CompactProtocol, binary: Sparsam::BinaryProtocol }.freeze

    BASES = { struct: Sparsam::Struct, union: Sparsam::Union, exception: Sparsam::ApplicationException }.freeze

    MADE = Foreign.new(Sparsam::Types, ->(made) { made.init_thrift_struct(made) }) do |shape, fields|
      Class.new(BASES.fetch(shape)) { const_set(:FIELDS, fields) }
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      form = choices.pick(PROTOCOLS.keys)
      bytes = payload(choices, struct_class, form)
      object = Sparsam::Deserializer.deserialize(MADE.class_of(struct_class), bytes, PROTOCOLS.fetch(form))
      object.serialize(PROTOCOLS.fetch(form))
      :read
    rescue Sparsam::Exception, ArgumentError, EOFError
      :refused
    end
  end
end
