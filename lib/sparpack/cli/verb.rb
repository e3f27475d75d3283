# frozen_string_literal: true

require "optparse"

module Sparpack
  module CLI
    # What all verbs have in common: options, help, and what is said of errors. A subclass says what it is (`self.usage`,
    # `self.about`, `self.example`), which options it has ({#options}), and does it ({#run}).
    class Verb
      class << self
        # @return [String] as it is typed
        def verb_name = name.split("::").last.downcase

        # @return [Array<String>] what may follow the verb
        attr_reader :usage

        # @return [String] a paragraph or more
        attr_reader :about

        # @return [String] what one types
        attr_reader :example

        private

        # Says all of these.
        def describe(usage:, about:, example:)
          @usage = Array(usage)
          @about = about
          @example = example
        end
      end

      # @param input [IO]
      # @param output [IO]
      # @param errors [IO]
      def initialize(input: $stdin, output: $stdout, errors: $stderr)
        @input = input
        @output = Terminal.new(output)
        @errors = Terminal.new(errors)
      end

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def call(arguments)
        rest = parser.parse(checked(arguments))
        return @output.puts(help) || 0 if @help

        run(rest)
      rescue Errno::EPIPE # no misuse
        raise
      rescue Misuse, OptionParser::ParseError, SystemCallError => e
        e.args.map! { |argument| Quote.plain(argument) } if e.is_a?(OptionParser::ParseError)
        misuse(CLI.plain(e.message))
      rescue Error => e # an IDL or what it declares cannot be used
        told(e)
        unusable
      end

      # @return [OptionParser] all options; shells complete them
      def parser
        @parser ||= OptionParser.new do |parser|
          parser.summary_width = 26
          options(parser)
          parser.on("-h", "--help", "this text") { @help = true }
        end
      end

      # @return [String] how it is called, and an example
      def help
        usage = self.class.usage.map { |line| "sparpack #{self.class.verb_name} #{line}" }
        [
          "Usage: #{usage.join("\n       ")}", self.class.about.strip, "Options:\n#{parser.summarize.join.rstrip}",
          "Example:\n#{self.class.example.strip.gsub(/^/, "    ")}"
        ].join("\n\n")
      end

      private

      # OptionParser compares what it does not know with all that it knows, however long that is.
      def checked(arguments)
        long = arguments.find { |argument| argument.start_with?("-") && !Quote.short?(argument[/\A[^=]*/]) }
        raise Misuse, "invalid option: #{Quote.plain(long)}" if long

        arguments
      end

      # Adds the verb's own options.
      def options(_parser) = nil

      # Options that several verbs have.
      def include_option(parser, &)
        parser.on("-I", "--include DIR", "a folder to search for included files; may be", "given more than once", &)
      end

      def neg_keys_option(parser, &)
        parser.on("--allow-neg-keys", "allow ids that are not positive, as old files", "have them", &)
      end

      # An option with one of some values; another is met with a hint.
      def choice(parser, name, values, *about)
        parser.on("#{name} #{values.join("|")}", *about) do |value|
          known = values.map(&:name)
          raise Misuse, "unknown #{name} #{Quote.value(value)}#{Names.hint(value, known)}" unless known.include?(value)

          yield value.to_sym
        end
      end

      # @return [Array<String>] files, and what is in folders
      def thrift_files(paths)
        paths.flat_map do |path|
          next path unless File.directory?(path)
          raise Errno::EACCES, path unless File.readable?(path) && File.executable?(path)

          found = Dir.glob("**/*.thrift", base: path).map { |name| IDL::Source.utf8(File.join(path.b, name.b)) }
          found.select! { |name| File.file?(name) }
          raise Misuse, "no .thrift files in #{path}" if found.empty?

          found
        end
      end

      # Exit status where an IDL cannot be used.
      def unusable = 1

      def told(error) = error.message.each_line(chomp: true) { |line| @errors.puts(fault(line)) }

      # What is wrong, its place in bold.
      def fault(line)
        place, rest = line.match(/\A(\S+?:\d+:\d+: )(.*)/m)&.captures
        place ? "#{@errors.paint(place, :bold)}#{rest}" : line
      end

      def misuse(message)
        @errors.puts("sparpack #{self.class.verb_name}: #{message}", "Try: sparpack #{self.class.verb_name} --help")
        2
      end
    end
  end
end
