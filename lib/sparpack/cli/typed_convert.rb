# frozen_string_literal: true

module Sparpack
  module CLI
    # The part of `sparpack convert` for structs: the class comes from an IDL.
    class TypedConvert
      # How many bytes are read at a time, and written at a time.
      PIECE = 1 << 16

      # What the command calls some wires.
      WIRES = { msgpack: :message_pack }.freeze
      private_constant :PIECE, :WIRES

      # The formats of `--from` and `--to`. Only MessagePack and JSON need no schema.
      FREE = %i[msgpack json].freeze
      FORMATS = %i[msgpack json compact binary thrift_json].freeze

      # An input whose first bytes were read ahead.
      class Reading
        # @param io [IO]
        # @yieldparam read [Integer] how many bytes have been read so far
        def initialize(io, &progress)
          @io = io
          @progress = progress
          @read = 0
        end

        # @return [String] the first bytes
        def first = @first ||= @io.read(PIECE).to_s

        # @return [Boolean] whether the first bytes are all
        def whole? = first.bytesize < PIECE

        # @return [String, nil] the next piece
        def read(_size)
          piece = @first || @io.readpartial(PIECE)
          @first = nil
          @progress&.call(@read += piece.bytesize)
          piece
        rescue EOFError
          nil
        end
      end

      # An output that is written to in large pieces.
      class Writing
        # @param target [#write]
        def initialize(target)
          @target = target
          @bytes = "".b
        end

        # @return [Integer] how many bytes were taken
        def write(bytes)
          @bytes << bytes.b
          flush if @bytes.bytesize >= PIECE
          bytes.bytesize
        end

        # @return [void]
        def flush
          @target.write(@bytes)
          @bytes = "".b
        end
      end
      private_constant :Reading, :Writing

      # @param schema [String] the path of an IDL
      # @param type [String] the name of a struct, union or exception in it
      # @raise [IDL::Error, Misuse, SystemCallError] if there is none
      def initialize(schema, type)
        @home = Module.new # its name would begin each path in errors
        @class = find(IDL.load(schema, into: @home), type)
      end

      # Converts all payloads of an input. What was converted before a fault is written.
      #
      # @param io [IO]
      # @param target [#write]
      # @param from [Symbol] a format, or :auto
      # @param to [Symbol]
      # @param unknown [Symbol, nil]
      # @return [void]
      # @raise [DecodeError, EncodeError] at the first fault
      def run(io, target, from:, to:, unknown: nil, &progress)
        reading = Reading.new(io, &progress)
        from = guess(reading) if from == :auto
        from, to = [from, to].map { |format| WIRES.fetch(format, format) }
        writing = Writing.new(target)
        begin
          Converter.new(@class, from:, to:, unknown:).copy_stream(reading, writing)
        ensure
          writing.flush
        end
      rescue DecodeError, EncodeError => e
        raise e.exception(e.message.gsub("#{@home.inspect}::", "")), cause: nil
      end

      private

      # Names are those of Ruby or of the IDL.
      def find(definitions, type)
        classes = definitions.constants.filter_map do |name|
          constant = definitions.const_get(name)
          [name.name, constant] if constant.is_a?(Class) && Declared.shape(constant)
        end.to_h
        name = type.split(/\.|::/).last.to_s
        classes.fetch(name) { classes.fetch(name.capitalize) { refuse(type, classes.keys) } }
      end

      def refuse(type, names) = raise(Misuse, "no type #{Quote.value(type)}#{Names.hint(type, names)}")

      def guess(reading)
        found = Sparpack::Guess.beginning(reading.first, whole: reading.whole?)
        return found.format if Sparpack::WIRES.include?(found.format)

        raise Misuse, "cannot tell the format of the input: #{found} (pass --from)"
      end
    end
  end
end
