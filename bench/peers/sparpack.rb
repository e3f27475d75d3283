# frozen_string_literal: true

module Bench
  module Peers
    # Sparpack, with the plain methods and with a codec whose options are fixed once.
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
          read:   WIRES.map { |wire| read(wire) },
          hashes: [reader(object.encode(:compact), :compact), *hashes] }
      end

      # @param options [Hash] options of Sparpack::Codec
      def codec(wire, **options) = ::Sparpack::Codec.new(root, wire, **options)

      # Encodes with the object's own method, or with a codec.
      def writer(object, wire, codec = nil)
        source = codec ? "codec.encode(object)" : "object.encode(:#{wire})"
        check = ->(output) { same?(root.decode(output, wire)) }
        contestant(source, variant: codec && "codec", wire:, object:, codec:, check:)
      end

      # Decodes with the class's own method, or with a codec.
      def reader(input, wire, codec = nil)
        source = codec ? "codec.decode(input)" : "type.decode(input, :#{wire})"
        contestant(source, variant: codec && "codec", wire:, type: root, codec:, input:, bytes: input.bytesize,
                           check: method(:same?))
      end

      # Returns the document's object, with the records of its list repeated `times` times.
      def repeated(times)
        name = @document.records.fetch(@document.root).first.name
        root.new(name => object.public_send(name) * times)
      end

      private

      def read(wire)
        input = object.encode(wire)
        contestant(reading("type.decode(input, :#{wire})"), wire:, bytes: input.bytesize, type: root, input:)
      end

      # Converts to Hashes and back, without bytes.
      def hashes
        hash = object.to_h(deep: true)
        strings = @document.value
        check = method(:same?)
        [contestant("object.to_h(deep: true)", variant: "to_h(deep: true)", object:, check: hash.method(:==)),
         contestant("type.from_h(hash)", variant: "from_h, Symbols", type: root, hash:, check:),
         contestant("type.from_h(strings)", variant: "from_h, Strings", type: root, strings:, check:)]
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
