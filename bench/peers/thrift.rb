# frozen_string_literal: true

module Bench
  module Peers
    # Apache Thrift's gem with its C extension, the classes that its compiler generates, and its fastest protocols.
    class Thrift < RecordPeer
      self.title = "thrift"

      FACTORIES = {
        compact: -> { ::Thrift::CompactProtocolFactory.new },
        binary:  -> { ::Thrift::BinaryProtocolAcceleratedFactory.new }
      }.freeze

      # Methods that the C extension replaces. Without it, the gem works in Ruby and is several times slower.
      NATIVE = {
        "Thrift::Struct"                    => %i[read write],
        "Thrift::CompactProtocol"           => %i[write_i64 read_i64],
        "Thrift::BinaryProtocolAccelerated" => %i[write_i64 read_i64],
        "Thrift::MemoryBufferTransport"     => %i[write read]
      }.freeze

      class << self
        private

        def load
          super
          NATIVE.each do |name, methods|
            type = Object.const_get(name)
            next if methods.none? { |method| type.instance_method(method).source_location }

            raise LoadError, "the C extension is not in use: #{name} runs in Ruby"
          end
        end
      end

      def contestants
        threes = FACTORIES.map { |wire, factory| three(wire, factory) }
        %i[encode decode read].zip(threes.transpose).to_h
      end

      private

      def three(wire, factory)
        object = self.object
        serializer = ::Thrift::Serializer.new(factory.call)
        deserializer = ::Thrift::Deserializer.new(factory.call)
        input = serializer.serialize(object)
        decode = "deserializer.deserialize(type.new, input)"
        check = ->(output) { same?(deserializer.deserialize(root.new, output)) }
        options = { wire:, bytes: input.bytesize, type: root, deserializer:, input: }
        [contestant("serializer.serialize(object)", wire:, object:, serializer:, check:),
         contestant(decode, check: method(:same?), **options),
         contestant(reading(decode), **options)]
      end

      # Makes classes like those that `thrift --gen rb` generates.
      def define(records)
        classes = records.transform_values { Class.new { include ::Thrift::Struct, ::Thrift::Struct_Union } }
        records.each do |name, fields|
          definitions = fields.to_h do |field|
            [field.id, { name: field.name.to_s, **type(field.type, classes), optional: !field.required }.compact]
          end
          generate(classes[name], definitions, fields.select(&:required).map(&:name))
        end
        classes
      end

      def generate(type, definitions, required)
        type.const_set(:FIELDS, definitions)
        type.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
          # def struct_fields; FIELDS; end
          # def validate
          #   raise ::Thrift::ProtocolException.new(...) unless @name
          # end
          def struct_fields; FIELDS; end
          def validate
            #{required.map { |name| missing(name) }.join("\n")}
          end
        RUBY
        ::Thrift::Struct.generate_accessors(type)
      end

      def missing(name)
        "raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, " \
          "'Required field #{name} is unset!') unless @#{name}"
      end

      def type(type, classes)
        case type
        in [:list, element] then { type: ::Thrift::Types::LIST, element: type(element, classes) }
        in [:record, name] then { type: ::Thrift::Types::STRUCT, class: classes[name] }
        else { type: ::Thrift::Types.const_get(type.upcase) }
        end
      end
    end
  end
end
