# frozen_string_literal: true

require "shellwords"

module Sparpack
  module CLI
    # `sparpack guess`.
    class Guess < Verb
      # How many bytes of a file are read. A guess looks at fewer.
      BYTES = 1 << 16
      private_constant :BYTES

      describe usage: "[FILE…] [options]",
               about: <<~TEXT,
                 Tells what files look like: a wire of Sparpack, MessagePack, JSON, compressed data, base64, frames and more.
                 If several payloads follow one another, it says how many. It reads only the beginning of each file, and
                 shows nothing of its contents. Without a name, or with -, it reads the standard input.

                 With --schema, the guess is much more reliable. --schema names a .thrift file, or a Ruby file that defines the
                 classes, and --type one of its structs.

                 The exit status is 0 if all files look like something, 1 if one does not or is empty, and 2 if the command was called
                 wrongly or a file cannot be read.
               TEXT
               example: <<~TEXT
                 sparpack guess listings.bin
                 sparpack guess --schema idl/listing.thrift --type Listing *.bin
               TEXT

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "--type needs the file that declares it: --schema FILE" if @type && !@schema

        @class = schema_class if @schema
        return told(beginning(@input.binmode), "FILE") ? 0 : 1 if arguments.empty?

        found = arguments.map do |path|
          bytes = path == "-" ? beginning(@input.binmode) : File.open(path, "rb") { |file| beginning(file) }
          place = @output.paint(path == "-" ? "(standard input)" : Quote.path(path), :bold)
          told(bytes, path == "-" ? "FILE" : Quote.visible(Shellwords.escape(path)), "#{place}: ")
        end
        found.all? ? 0 : 1
      end

      private

      def options(parser)
        schema_options(parser)
        frame_option(parser, "what is around each payload (default: a guess)", none: false) { |frame| @frame = frame }
      end

      def beginning(io) = io.read(BYTES).to_s

      def told(bytes, file, place = "")
        guess = @frame ? inside(bytes) : Sparpack::Guess.beginning(bytes, @class, whole: bytes.bytesize < BYTES)
        guess = text(bytes) || guess if guess.format.nil? && @frame.nil?
        @output.puts("#{place}#{Hints.told(guess, file)}")
        guess.format unless guess.format == :empty
      end

      def text(bytes)
        return unless Inspector::WireSearch.text?(bytes)

        Sparpack::Guess.new(nil, Inspector::WireSearch::NO_JSON, nil)
      end

      # The guess of what the first frame holds.
      def inside(bytes)
        whole = bytes.bytesize < BYTES
        return Sparpack::Guess.beginning(bytes, @class, whole:) if bytes.empty?

        frames = Frames.new(bytes, @frame, whole:)
        first = frames.first
        return no_frames(bytes, " (the first one is empty)") if first.empty?

        guess = Sparpack::Guess.beginning(first, @class, whole: frames.whole?)
        Sparpack::Guess.new(guess.format, "#{guess.reason}, #{frames}", guess.advice, wire: guess.wire, frame: @frame)
      rescue DecodeError => e
        no_frames(bytes, ": expected #{e.expected}, found #{e.found} (byte #{e.offset})")
      end

      def no_frames(bytes, why)
        guess = Sparpack::Guess.beginning(bytes, @class, whole: bytes.bytesize < BYTES)
        Sparpack::Guess.new(nil, Frames.missing(why, guess), nil)
      end
    end
  end
end
