# frozen_string_literal: true

module Bench
  module Peers
    # Ourselves, by the plain methods and by a codec whose options are fixed once.
    class Sparpack < RecordPeer
      self.title = "sparpack"

      WIRES = %i[compact binary].freeze

      class << self
        def install = "bundle exec rake compile"
        def version = ::Sparpack::VERSION
      end

      def contestants
        ways = WIRES.map { |wire| [wire, nil] } + WIRES.map { |wire| [wire, codec(wire)] }
        { encode: ways.map { |wire, codec| writer(object, wire, codec) },
          decode: ways.map { |wire, codec| reader(object.encode(wire), wire, codec) },
          read:   WIRES.map { |wire| read(wire) } }
      end

      # @param options [Hash] of Sparpack::Codec
      def codec(wire, **options) = ::Sparpack::Codec.new(root, wire, **options)

      # Encodes by the object's own method, or by a codec.
      def writer(object, wire, codec = nil)
        source = codec ? "codec.encode(object)" : "object.encode(:#{wire})"
        check = ->(output) { same?(root.decode(output, wire)) }
        contestant(source, variant: codec && "codec", wire:, object:, codec:, check:)
      end

      # Decodes by the class's own method, or by a codec.
      def reader(input, wire, codec = nil)
        source = codec ? "codec.decode(input)" : "type.decode(input, :#{wire})"
        contestant(source, variant: codec && "codec", wire:, type: root, codec:, input:, bytes: input.bytesize,
                           check: method(:same?))
      end

      # The document's object, the records of its list `times` times over.
      def repeated(times)
        name = @document.records.fetch(@document.root).first.name
        root.new(name => object.public_send(name) * times)
      end

      private

      def read(wire)
        input = object.encode(wire)
        contestant(reading("type.decode(input, :#{wire})"), wire:, bytes: input.bytesize, type: root, input:)
      end

      def define(records)
        classes = records.transform_values { Class.new(::Sparpack::Struct) }
        records.each do |name, fields|
          fields.each do |field|
            classes[name].field(field.id, field.name, type(field.type, classes), required: field.required)
          end
        end
        classes
      end

      def type(type, classes)
        case type
        in [:list, element] then ::Sparpack::Struct.list(type(element, classes))
        in [:record, name] then classes[name]
        else type
        end
      end
    end
  end
end
