# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack format`.
    class Format < Verb
      describe usage: ["FILE… [--check]", "- [--check]"],
               about: <<~TEXT,
                 Formats .thrift files in place and keeps all comments. A folder stands for all .thrift files in it. With -,
                 it reads the standard input and writes to the standard output. With --check, it changes nothing, and the
                 exit status is 1 if a file is not formatted.
               TEXT
               example: "sparpack format --check idl"

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "which .thrift files? (- is the standard input)" if arguments.empty?
        raise Misuse, "- cannot be combined with files" if arguments.include?("-") && arguments.size > 1
        return standard_input if arguments == ["-"]

        results = thrift_files(arguments).map { |path| file(path) }
        return 1 if results.include?(:unusable) || (@check && results.include?(:changed))

        unchanged = results.count(:unchanged)
        @output.puts("#{unchanged == 1 ? "1 file is" : "#{unchanged} files are"} already formatted") if unchanged.positive?
        0
      end

      private

      def options(parser)
        parser.on("--check", "change nothing, report files that are not formatted") { @check = true }
      end

      # A file that cannot be parsed does not keep the others from being formatted.
      def file(path)
        text = File.binread(path)
        formatted = IDL.format(text, path)
        return :unchanged if formatted.b == text

        change(path, formatted)
        :changed
      rescue IDL::Error => e
        report_error(e)
        :unusable
      rescue SystemCallError => e
        raise IDL::Unreadable.error(e, path)
      end

      def change(path, formatted)
        return @errors.puts("#{@errors.paint(Quote.path(path), :bold)} is not formatted") if @check

        File.binwrite(path, formatted)
        @output.puts("formatted #{Quote.path(path)}")
      end

      def standard_input
        text = @input.binmode.read
        formatted = IDL.format(text, "(standard input)")
        @output.print(formatted) unless @check
        return 0 unless @check && formatted.b != text

        @errors.puts("(standard input) is not formatted")
        1
      end
    end
  end
end
