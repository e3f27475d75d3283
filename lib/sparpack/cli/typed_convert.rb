# frozen_string_literal: true

module Sparpack
  module CLI
    # The part of `sparpack convert` for structs.
    class TypedConvert
      # How many bytes are read at a time, and written at a time.
      PIECE = 1 << 16

      # What the command calls some wires.
      WIRES = { msgpack: :message_pack }.freeze

      # The place of a fault in a struct of text, as a message of the library has it.
      PLACE = /\((json|thrift_json), (?:line \d+, column \d+, )?byte (\d+)(?:: line [^()]* of the object at byte \d+)?\)/
      private_constant :PIECE, :WIRES, :PLACE

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
          @lines = Lines.new
        end

        # @param patient [Boolean] whether to wait for as many as a guess needs; otherwise these are what is there
        # @return [String] the first bytes
        def first(patient: true)
          @first ||= patient ? @io.read(PIECE).to_s : @io.readpartial(PIECE)
          @beginning ||= @first
        rescue EOFError
          @beginning = @first = ""
        end

        # @return [String] the first bytes, if they were read ahead
        attr_reader :beginning

        # @return [Lines] of what was read
        attr_reader :lines

        # @return [Boolean] whether the first bytes are all
        def whole? = first.bytesize < PIECE

        # @yield before reading, which may take long
        # @return [void]
        def before(&block) = @before = block

        # @param size [Integer] how many bytes are wanted
        # @return [String, nil] the next piece
        def read(size)
          @before&.call
          piece = @first || @io.readpartial([size, PIECE].max)
          @first = nil
          @beginning ||= piece
          @progress&.call(@read += piece.bytesize)
          @lines.add(piece)
          piece
        rescue EOFError
          nil
        end
      end

      # An output that is written to in large pieces, or whenever the command waits for more input.
      class Writing
        # @param target [#write]
        # @param lines [Lines] of the input
        def initialize(target, lines)
          @target = target
          @lines = lines
          @bytes = "".b
        end

        # @return [Integer] how many bytes were taken
        def write(bytes)
          @lines.converted
          @bytes << bytes.b
          flush if @bytes.bytesize >= PIECE
          bytes.bytesize
        end

        # Writes what waits, and frees its memory at once: left to the garbage collector, it would pile up.
        #
        # @return [void]
        def flush
          return if @bytes.empty?

          @target.write(@bytes)
          @bytes.clear
        end
      end
      private_constant :Reading, :Writing

      # @param struct_class [Class]
      # @param from [Symbol] a format, or :auto
      # @param to [Symbol]
      # @param file [String] the input, as a shell writes it
      # @param threads [Integer] how many convert
      # @param options [Hash] of a {Converter}. Frames that are not given are looked for
      def initialize(struct_class, from:, to:, file: "INPUT", threads: 1, **options)
        @class = struct_class
        @threads = threads
        @from, @to = [from, to].map { |format| WIRES.fetch(format, format) }
        @file = file
        @options = options
      end

      # Converts all payloads of an input. What was converted before a fault is written.
      #
      # @param io [IO]
      # @param target [#write]
      # @return [void]
      # @raise [DecodeError, EncodeError] at the first fault
      def run(io, target, &progress)
        reading = Reading.new(io, &progress)
        from, frame = @from == :auto ? search(reading) : [@from, frame(reading)]
        writing = Writing.new(target, reading.lines)
        reading.before { writing.flush }
        begin
          Converter.new(@class, from:, to: @to, **@options, frame:).copy_stream(reading, writing, threads: @threads)
        ensure
          writing.flush
        end
      rescue DecodeError => e
        guess = guess(e, reading, from, frame)
        message = Hints.translated(e, guess, @file)
        @place = reading.lines.place(e.offset) if text?(from, frame) && guess.nil? && e.offset
        raise e.exception(@place ? message.sub(PLACE, '(\1, byte \2)') : message), cause: nil
      end

      # @return [Array(Integer, Integer), nil] the line and the column of the fault, if the input is text
      attr_reader :place

      # @param wire [Symbol]
      # @return [Symbol] what the command calls it
      def self.name_of(wire) = WIRES.key(wire) || wire

      private

      def text?(wire, frame) = %i[json thrift_json].include?(wire) && [nil, :lines].include?(frame)

      def search(reading)
        frames = @options.key?(:frame) ? { frames: [@options[:frame]] } : {}
        FormatSearch.new(@class, reading.first, whole: reading.whole?, file: @file, **frames).run
      end

      # Takes what there is, because more may come much later.
      def frame(reading)
        return @options[:frame] if @options.key?(:frame)

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
