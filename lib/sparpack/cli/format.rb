# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack format`.
    class Format < Verb
      describe usage: ["FILE… [--check]", "- [--check]"],
               about: <<~TEXT,
                 Lays .thrift files out in one way, in place, comments kept; a folder stands for all .thrift files in it, and -
                 for the standard input, which is laid out to the standard output. With --check it changes nothing and ends
                 with 1 where something would be laid out in another way.
               TEXT
               example: "sparpack format --check idl"

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "which .thrift files? (- is the standard input)" if arguments.empty?
        raise Misuse, "- stands alone" if arguments.include?("-") && arguments.size > 1
        return standard_input if arguments == ["-"]

        results = thrift_files(arguments).map { |path| file(path) }
        return 1 if results.include?(:unusable) || (@check && results.include?(:changed))

        unchanged = results.count(:unchanged)
        @output.puts("#{unchanged == 1 ? "1 file is" : "#{unchanged} files are"} laid out already") if unchanged.positive?
        0
      end

      private

      def options(parser)
        parser.on("--check", "change nothing, say what would change") { @check = true }
      end

      # One that cannot be read does not keep the others from being laid out.
      def file(path)
        text = File.binread(path)
        formatted = IDL.format(text, path)
        return :unchanged if formatted.b == text

        change(path, formatted)
        :changed
      rescue IDL::Error => e
        told(e)
        :unusable
      rescue SystemCallError => e
        raise IDL::Unreadable.error(e, path)
      end

      def change(path, formatted)
        return @errors.puts("#{@errors.paint(path, :bold)} is not laid out") if @check

        File.binwrite(path, formatted)
        @output.puts("laid out #{path}")
      end

      def standard_input
        text = @input.binmode.read
        formatted = IDL.format(text, "(standard input)")
        @output.print(formatted) unless @check
        return 0 unless @check && formatted.b != text

        @errors.puts("(standard input) is not laid out")
        1
      end
    end
  end
end
