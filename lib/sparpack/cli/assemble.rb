# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack assemble`.
    class Assemble < Verb
      describe usage: "[FILE] [options]",
               about: <<~TEXT,
                 Turns the text of sparpack inspect --format text into bytes. To mend a payload, change the text first. You need
                 not change sizes and counts, because they are computed from the values. Without a name, or with -, it reads the
                 standard input.

                 The exit status is 0 if the bytes were written, 1 if a line cannot be understood (the message says where it
                 is and what was expected), and 2 if the command was called wrongly or a file cannot be read or written.
               TEXT
               example: <<~TEXT
                 sparpack assemble payload.txt --out mended.bin
                 sparpack inspect a.bin --format text | sparpack assemble > b.bin
               TEXT

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "expected one file, got #{arguments.size} names" if arguments.size > 1

        path = arguments.first unless arguments.first == "-"
        raise Misuse, "#{Quote.path(path)} is a folder" if path && File.directory?(path)
        if @out.nil? && @output.seen?
          raise Misuse, "bytes are not written to a terminal: pass --out FILE, or redirect them with > or |"
        end

        assemble(path)
      end

      private

      def options(parser)
        parser.on("-o", "--out FILE", "the file to write to") { |path| @out = path }
      end

      def assemble(path)
        bytes = Sparpack.assemble(path ? File.binread(path) : @input.binmode.read)
        @out ? File.binwrite(@out, bytes) : @sink.binmode.write(bytes)
        0
      rescue AssemblyError => e
        place = "#{path ? Quote.path(path) : "(standard input)"}:#{e.line}:#{e.column}: "
        @errors.puts("#{@errors.paint(place, :bold)}#{Quote.visible("expected #{e.expected}, found #{e.found}")}")
        1
      end
    end
  end
end
