# frozen_string_literal: true

module Sparpack
  module CLI
    module Structs
      # An input that holds structs, one after the other. It finds out in which format they are, and says what is wrong in
      # the words of the command.
      class Stream
        # What the command calls some wires.
        WIRES = { msgpack: :message_pack }.freeze

        # The place of a fault in a struct of text, as a message of the library has it.
        PLACE = /\((json|thrift_json), (?:line \d+, column \d+, )?byte (\d+)(?:: line [^()]* of the object at byte \d+)?\)/
        private_constant :WIRES, :PLACE

        # @param format [Symbol] as the command calls it
        # @return [Symbol] the wire
        def self.wire(format) = WIRES.fetch(format, format)

        # @param wire [Symbol]
        # @return [Symbol] what the command calls it
        def self.name_of(wire) = WIRES.key(wire) || wire

        # Options of a codec that reads.
        READING = %i[unknown mismatch validate limits].freeze
        private_constant :READING

        # Makes a codec that reads all forms of a wire, of any class.
        #
        # @param struct_class [Class]
        # @param wire [Symbol]
        # @param options [Hash] of a {Converter}. Those of a codec that writes do not matter
        # @return [Codec]
        def self.codec(struct_class, wire, **options)
          options = options.slice(*READING)
          options[:keys] = :ids if wire == :message_pack
          Converter.new(struct_class, from: wire, to: wire, **options).from
        end

        # @param struct_class [Class]
        # @param from [Symbol] a format, or :auto
        # @param file [String] the input, as a shell writes it
        # @param frame [Hash] `frame:` as a codec takes it. If it is not given, frames are looked for
        def initialize(struct_class, from:, file: "INPUT", **frame)
          @class = struct_class
          @from = Stream.wire(from)
          @file = file
          @frame = frame
        end

        # @param io [IO]
        # @param progress [#call, nil] called with the number of bytes that have been read so far
        # @yieldparam reading [Reading]
        # @yieldparam wire [Symbol]
        # @yieldparam frame [Symbol, nil]
        # @return [void]
        # @raise [DecodeError] what the block raises, in the words of the command
        # @raise [Misuse] if no format fits
        def open(io, progress = nil)
          reading = Reading.new(io, &progress)
          wire, frame = @from == :auto ? search(reading) : [@from, frame(reading)]
          reading.forget_lines unless text?(wire, frame)
          yield reading, wire, frame
        rescue DecodeError => e
          guess = guess(e, reading, wire, frame)
          message = Hints.translated(e, guess, @file)
          @place = reading.lines.place(e.offset) if text?(wire, frame) && guess.nil? && e.offset
          raise e.exception(@place ? message.sub(PLACE, '(\1, byte \2)') : message), cause: nil
        end

        # @return [Array(Integer, Integer), nil] the line and the column of the fault, if the input is text
        attr_reader :place

        private

        def text?(wire, frame) = Native::TEXT_WIRES.include?(wire) && [nil, :lines].include?(frame)

        def search(reading)
          frames = @frame.key?(:frame) ? { frames: [@frame[:frame]] } : {}
          FormatSearch.new(@class, reading.first, whole: reading.whole?, file: @file, **frames).run
        end

        # Takes what there is, because more may come much later.
        def frame(reading)
          return @frame[:frame] if @frame.key?(:frame)

          first = reading.first(patient: false)
          FormatSearch.new(@class, first, whole: false, wires: [@from]).frame unless first.empty?
        end

        # What the input is, if the first struct is wrong and it looks like something else.
        def guess(error, reading, wire, frame)
          return unless error.message_offset.to_i.zero? && reading.beginning

          guess = Sparpack::Guess.beginning(reading.beginning, @class, whole: false)
          guess unless guess.format.nil? || [guess.wire, guess.frame] == [wire, (frame unless frame == :lines)]
        end
      end
    end
  end
end
