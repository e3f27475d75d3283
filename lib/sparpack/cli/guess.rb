# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack guess`.
    class Guess < Verb
      # How many bytes of a file are read. A guess looks at fewer.
      BYTES = 1 << 16
      private_constant :BYTES

      describe usage: "[FILE…]",
               about: <<~TEXT,
                 Tells what files look like: a wire of Sparpack, MessagePack, JSON, compressed data, base64, frames and more.
                 It reads only the beginning of each file, and shows nothing of its contents. - is the standard input, and so
                 is no name at all.

                 The exit status is 0 if all files look like something, 1 if one does not, and 2 if the command was called
                 wrongly or a file cannot be read.
               TEXT
               example: "sparpack guess listings.bin"

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        return told(guess(@input.binmode)) ? 0 : 1 if arguments.empty?

        found = arguments.map do |path|
          guess = path == "-" ? guess(@input.binmode) : File.open(path, "rb") { |file| guess(file) }
          told(guess, "#{@output.paint(path == "-" ? "(standard input)" : Quote.path(path), :bold)}: ")
        end
        found.all? ? 0 : 1
      end

      private

      def guess(io)
        bytes = io.read(BYTES).to_s
        Sparpack::Guess.beginning(bytes, whole: bytes.bytesize < BYTES)
      end

      def told(guess, place = "")
        @output.puts("#{place}#{guess}")
        guess.format
      end
    end
  end
end
