# frozen_string_literal: true

module Bench
  module Peers
    # Google's protobuf. Its messages stay in C memory after decoding and become Ruby objects when they are read.
    class Protobuf < RecordPeer
      self.title = "google-protobuf"

      TYPES = {
        i64: :TYPE_INT64, i32: :TYPE_INT32, double: :TYPE_DOUBLE, bool: :TYPE_BOOL, string: :TYPE_STRING
      }.freeze

      class << self
        private

        def load
          require "google/protobuf"
          require "google/protobuf/descriptor_pb"
        end
      end

      def contestants
        input = root.encode(object)
        check = ->(output) { same?(root.decode(output)) }
        options = { type: root, input:, bytes: input.bytesize }
        { encode: [contestant("type.encode(object)", type: root, object:, check:)],
          decode: [contestant("type.decode(input)", check: method(:same?), **options)],
          read:   [contestant(reading("type.decode(input)"), **options)] }
      end

      private

      # An absent number is read as 0, as from an object that was not encoded.
      def document?(value) = super || value == to_value(object)

      # The descriptors that protoc would write, in a pool of their own because documents may use the same names.
      def define(records)
        messages = records.map do |name, fields|
          ::Google::Protobuf::DescriptorProto.new(name: name.to_s, field: fields.map { |field| descriptor(field) })
        end
        pool = ::Google::Protobuf::DescriptorPool.new
        file = ::Google::Protobuf::FileDescriptorProto.new(name: "bench.proto", package: "bench", syntax: "proto3",
                                                           message_type: messages)
        pool.add_serialized_file(file.to_proto)
        records.to_h { |name, _fields| [name, pool.lookup("bench.#{name}").msgclass] }
      end

      def descriptor(field)
        ::Google::Protobuf::FieldDescriptorProto.new(name: field.name.to_s, number: field.id,
                                                     label: :LABEL_OPTIONAL, **type(field.type))
      end

      def type(type)
        case type
        in [:list, element] then { **type(element), label: :LABEL_REPEATED }
        in [:record, name] then { type: :TYPE_MESSAGE, type_name: ".bench.#{name}" }
        else { type: TYPES.fetch(type) }
        end
      end
    end
  end
end
