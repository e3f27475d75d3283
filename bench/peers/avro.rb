# frozen_string_literal: true

require "stringio"

module Bench
  module Peers
    # Apache's Avro gem, which is pure Ruby and takes Hashes. A message is the bare datum. It lacks the schema that Avro's
    # files contain, because the reader knows the schema already.
    class Avro < Peer
      self.title = "avro"

      TYPES = { i64: "long", i32: "int", double: "double", bool: "boolean", string: "string" }.freeze

      class << self
        private

        # The gem reads schemas with multi_json, which supports Oj but not json 3.
        def load
          require "oj"
          super
        end
      end

      def contestants
        schema = ::Avro::Schema.parse(::JSON.generate(record(@document.root, [])))
        writer = ::Avro::IO::DatumWriter.new(schema)
        reader = ::Avro::IO::DatumReader.new(schema)
        encode = contestant("io = ::StringIO.new(''.b); writer.write(object, ::Avro::IO::BinaryEncoder.new(io)); io.string",
                            writer:, object: @document.value, check: ->(bytes) { same?(decode(reader, bytes).once) })
        { encode: [encode], decode: [decode(reader, encode.once)] }
      end

      private

      def decode(reader, input)
        contestant("reader.read(::Avro::IO::BinaryDecoder.new(::StringIO.new(input)))", reader:, input:,
                                                                                       bytes: input.bytesize,
                                                                                       check: method(:same?))
      end

      # A record is declared where it is first used, and then referred to by name.
      def record(name, declared)
        return name.to_s if declared.include?(name)

        declared << name
        fields = @document.records.fetch(name).map do |field|
          type = type(field.type, declared)
          field.required ? { name: field.name, type: } : { name: field.name, type: ["null", type], default: nil }
        end
        { type: "record", name:, fields: }
      end

      def type(type, declared)
        case type
        in [:list, element] then { type: "array", items: type(element, declared) }
        in [:record, name] then record(name, declared)
        else TYPES.fetch(type)
        end
      end

      # Absent fields are read as nil.
      def same?(value) = document?(present(value))

      def present(value)
        case value
        when Hash then value.compact.transform_values { |content| present(content) }
        when Array then value.map { |content| present(content) }
        else value
        end
      end
    end
  end
end
