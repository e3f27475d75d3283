# frozen_string_literal: true

module Sparpack
  module CLI
    # The part of `sparpack convert` for structs.
    class TypedConvert
      # The formats of `--from` and `--to`. Only MessagePack and JSON need no schema.
      FREE = %i[msgpack json].freeze
      FORMATS = %i[msgpack json compact binary thrift_json].freeze

      # @param struct_class [Class]
      # @param from [Symbol] a format, or :auto
      # @param to [Symbol]
      # @param file [String] the input, as a shell writes it
      # @param threads [Integer] how many convert
      # @param options [Hash] of a {Converter}. Frames that are not given are looked for
      def initialize(struct_class, from:, to:, file: "INPUT", threads: 1, **options)
        @class = struct_class
        @threads = threads
        @to = Structs::Stream.wire(to)
        @options = options
        @stream = Structs::Stream.new(struct_class, from:, file:, **options.slice(:frame))
      end

      # Converts all payloads of an input. What was converted before a fault is written.
      #
      # @param io [IO]
      # @param target [#write]
      # @return [void]
      # @raise [DecodeError, EncodeError] at the first fault
      def run(io, target, &progress)
        @stream.open(io, progress) do |reading, from, frame|
          Structs::Writing.open(target, reading) do |writing|
            Converter.new(@class, from:, to: @to, **@options, frame:).copy_stream(reading, writing, threads: @threads)
          end
        end
      end

      # @return [Array(Integer, Integer), nil] the line and the column of the fault, if the input is text
      def place = @stream.place
    end
  end
end
